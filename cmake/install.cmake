# SPDX-FileCopyrightText: Tendon contributors
# SPDX-License-Identifier: MIT
#
# Files of `cmake --install`: headers, both libraries, the engine alone, the program, man page, completions,
# tendon.pc, tendon_physics.pc and the CMake package.
include(CMakePackageConfigHelpers)

# Components are packages of their own (cmake/packages.cmake): runtime (shared library), development, program.
install(DIRECTORY include/tendon DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development FILES_MATCHING PATTERN "*.h")
set_target_properties(tendon PROPERTIES EXPORT_NAME tendon_static)
set_target_properties(tendon_physics PROPERTIES EXPORT_NAME physics)
install(TARGETS tendon tendon_physics EXPORT tendon ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
if(TARGET tendon_shared)
  install(TARGETS tendon_shared EXPORT tendon
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
endif()
if(TARGET tendon_cli)
  install(TARGETS tendon_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
  if(NOT WIN32)
    install(FILES docs/tendon.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
    install(FILES cli/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
      RENAME tendon COMPONENT program)
    install(FILES cli/completion.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _tendon
      COMPONENT program)
    install(FILES cli/completion.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
      RENAME tendon.fish COMPONENT program)
  endif()
  # The page that `tendon view` embeds files into, if tools/build_viewer has built it.
  install(FILES ${PROJECT_SOURCE_DIR}/build/viewer/viewer.html DESTINATION ${CMAKE_INSTALL_DATADIR}/tendon
    COMPONENT program OPTIONAL)
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tendon)
install(EXPORT tendon NAMESPACE tendon:: DESTINATION ${package_dir} FILE tendon-targets.cmake COMPONENT development)
configure_package_config_file(cmake/tendon-config.cmake.in ${PROJECT_BINARY_DIR}/tendon-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tendon-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tendon-config.cmake ${PROJECT_BINARY_DIR}/tendon-config-version.cmake
  DESTINATION ${package_dir} COMPONENT development)

if(meshoptimizer_library)
  set(pc_meshoptimizer " -lmeshoptimizer")
endif()
set(pc_system_libraries " -lpthread -lm")
if(WIN32)
  set(pc_system_libraries "")
endif()
# The prefix relative to the pkg-config file, so that the installed tree can be moved.
file(RELATIVE_PATH pc_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
foreach(name tendon tendon_physics)
  configure_file(cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endforeach()
include(cmake/packages.cmake)
