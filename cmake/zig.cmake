# SPDX-License-Identifier: MIT OR Apache-2.0
# Toolchain file: builds for one line of cmake/targets.def with Zig's C compiler, which includes the
# headers and the C library of every target, and lets ctest run the programs under an emulator.
#
#   FIN_TARGET   the line's name: cmake -DCMAKE_TOOLCHAIN_FILE=cmake/zig.cmake -DFIN_TARGET=s390x
#   FIN_ZIG      path of Zig; default: the one that make installs in build/cross-tools
cmake_policy(VERSION 3.16)

list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES FIN_TARGET FIN_ZIG)
set(definition ${CMAKE_CURRENT_LIST_DIR}/targets.def)
set(quoted "\"([^\"]*)\"")
file(STRINGS ${definition} line REGEX "^FIN_TARGET\\(${FIN_TARGET},")
if(NOT line MATCHES "^FIN_TARGET\\([^,]+, ${quoted}, ${quoted}, ${quoted}, ${quoted}\\)$")
  message(FATAL_ERROR "FIN_TARGET is '${FIN_TARGET}': name a target of ${definition}")
endif()
set(zig_target ${CMAKE_MATCH_1})
string(REPLACE " " ";" system ${CMAKE_MATCH_2})
set(flags ${CMAKE_MATCH_3})
set(emulator ${CMAKE_MATCH_4})

list(GET system 0 CMAKE_SYSTEM_NAME)
list(GET system 1 CMAKE_SYSTEM_PROCESSOR)

file(GLOB zig_folders
  ${CMAKE_CURRENT_LIST_DIR}/../build/cross-tools/lib*/python*/site-packages/ziglang)
find_program(FIN_ZIG zig HINTS ${zig_folders} NO_CMAKE_FIND_ROOT_PATH)
if(NOT FIN_ZIG)
  message(FATAL_ERROR "no Zig: make build/cross-tools/installed, or set FIN_ZIG to its path")
endif()
set(CMAKE_C_COMPILER ${FIN_ZIG} cc)
set(CMAKE_ASM_COMPILER ${FIN_ZIG} cc)
# Pass -O3 even while CMake tests the compiler: Zig builds one C library for optimised code and another
# for unoptimised code, each in half a minute.
set(CMAKE_C_FLAGS_INIT "-target ${zig_target} -O3 ${flags}")
set(CMAKE_ASM_FLAGS_INIT "-target ${zig_target} ${flags}")
if(CMAKE_SYSTEM_NAME STREQUAL "Darwin")
  set(CMAKE_INSTALL_NAME_TOOL "not used") # Apple's linker only
else()
  set(CMAKE_EXE_LINKER_FLAGS_INIT "-static")
endif()
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "wasm32")
  # A browser has no environment variables; without getenv the library imports nothing.
  set(CMAKE_DISABLE_FIND_PACKAGE_Threads ON) # wasm libc declares threads, but they always fail
  set(FIN_ENVIRONMENT OFF CACHE BOOL "Let FINALIST_IMPL and FINALIST_CPU choose implementations")
endif()
# This machine's ar and ranlib cannot read other targets' objects.
set(CMAKE_C_ARCHIVE_CREATE "\"${FIN_ZIG}\" ar qc <TARGET> <LINK_FLAGS> <OBJECTS>")
set(CMAKE_C_ARCHIVE_APPEND "\"${FIN_ZIG}\" ar q <TARGET> <LINK_FLAGS> <OBJECTS>")
set(CMAKE_C_ARCHIVE_FINISH "\"${FIN_ZIG}\" ranlib <TARGET>")

get_filename_component(project ${CMAKE_CURRENT_LIST_DIR}/.. ABSOLUTE)
string(REPLACE "@" "${project}" emulator "${emulator}")
string(REPLACE " " ";" CMAKE_CROSSCOMPILING_EMULATOR "${emulator}")
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE NEVER)
