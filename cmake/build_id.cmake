# SPDX-FileCopyrightText: Tendon contributors
# SPDX-License-Identifier: MIT
#
# Writes the C file with GetBuildId (cli/build_id.h): cmake -DROOT=tree -DOUT=file.c -P build_id.cmake
# The id is a hash of the names and bytes of the sources, so it is the same for a checkout, a tarball and any build folder.
file(GLOB_RECURSE sources RELATIVE ${ROOT} ${ROOT}/src/* ${ROOT}/include/* ${ROOT}/cli/*)
list(FILTER sources INCLUDE REGEX "\\.(c|h|inl|inc|def)$") # without backup files of editors
list(SORT sources)
set(lines)
foreach(source IN LISTS sources)
  file(SHA256 ${ROOT}/${source} hash)
  string(APPEND lines "${hash} ${source}\n")
endforeach()
string(SHA256 id "${lines}")
string(SUBSTRING ${id} 0 16 id)
file(WRITE ${OUT} "// Made by cmake/build_id.cmake.
#include \"build_id.h\"

const char* GetBuildId(void)
{
    return \"${id}\";
}
")
