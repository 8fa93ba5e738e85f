# SPDX-License-Identifier: MIT OR Apache-2.0
# Toolchain file: builds for 64-bit Windows with mingw-w64's gcc, and lets ctest run the programs
# under wine.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc)
set(CMAKE_ASM_COMPILER x86_64-w64-mingw32-gcc)
# Link programs that need none of the compiler's DLLs.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static")

# Give wine a folder of its own, and suppress the dialogs and messages of its first start.
get_filename_component(project ${CMAKE_CURRENT_LIST_DIR}/.. ABSOLUTE)
set(CMAKE_CROSSCOMPILING_EMULATOR ${CMAKE_COMMAND} -E env WINEPREFIX=${project}/build/wine
  WINEDEBUG=-all WINEDLLOVERRIDES=mscoree,mshtml= wine)
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
