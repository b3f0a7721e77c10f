# SPDX-FileCopyrightText: Tendon contributors
# SPDX-License-Identifier: MIT
#
# Files of `cmake --install`: headers, both libraries, the engine alone, the program, man page, bash completion,
# tendon.pc and the CMake package.
include(CMakePackageConfigHelpers)

install(DIRECTORY include/tendon DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
set_target_properties(tendon PROPERTIES EXPORT_NAME tendon_static)
set_target_properties(tendon_physics PROPERTIES EXPORT_NAME physics)
set_target_properties(tendon_shared PROPERTIES EXPORT_NAME tendon)
install(TARGETS tendon tendon_shared tendon_physics EXPORT tendon
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET tendon_cli)
  install(TARGETS tendon_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES docs/tendon.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES cli/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    RENAME tendon)
  # The page that `tendon view` embeds files into, if tools/build_viewer has built it.
  install(FILES ${PROJECT_SOURCE_DIR}/build/viewer/viewer.html DESTINATION ${CMAKE_INSTALL_DATADIR}/tendon OPTIONAL)
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tendon)
install(EXPORT tendon NAMESPACE tendon:: DESTINATION ${package_dir} FILE tendon-targets.cmake)
configure_package_config_file(cmake/tendon-config.cmake.in ${PROJECT_BINARY_DIR}/tendon-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tendon-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tendon-config.cmake ${PROJECT_BINARY_DIR}/tendon-config-version.cmake
  DESTINATION ${package_dir})

if(TENDON_MESHOPTIMIZER)
  set(pc_meshoptimizer " -lmeshoptimizer")
endif()
# The prefix relative to the pkg-config file, so that the installed tree can be moved.
file(RELATIVE_PATH pc_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/tendon.pc.in ${PROJECT_BINARY_DIR}/tendon.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tendon.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
