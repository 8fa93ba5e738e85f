# SPDX-License-Identifier: MIT OR Apache-2.0
# Runs the port without vcpkg, with replacements of vcpkg's functions that configure, build and install
# as vcpkg would. First come the variables that vcpkg sets for a port.
#
#   cmake -DOUT=FOLDER -P packaging/vcpkg/check.cmake
set(PORT finalist)
set(CURRENT_PORT_DIR ${CMAKE_CURRENT_LIST_DIR}/finalist)
set(CURRENT_PACKAGES_DIR ${OUT}/package)

function(check_run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_QUIET)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGV}")
  endif()
endfunction()

function(vcpkg_cmake_configure)
  cmake_parse_arguments(arg "" "SOURCE_PATH" "OPTIONS" ${ARGN})
  check_run(${CMAKE_COMMAND} -S ${arg_SOURCE_PATH} -B ${OUT}/build ${arg_OPTIONS}
    -DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR} -DCMAKE_INSTALL_LIBDIR=lib)
endfunction()

function(vcpkg_cmake_install)
  check_run(${CMAKE_COMMAND} --build ${OUT}/build -j 2)
  check_run(${CMAKE_COMMAND} --install ${OUT}/build)
endfunction()

function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(arg "" "CONFIG_PATH" "" ${ARGN})
  if(NOT EXISTS ${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH}/finalist-config.cmake)
    message(FATAL_ERROR "no CMake package in ${arg_CONFIG_PATH}")
  endif()
endfunction()

function(vcpkg_fixup_pkgconfig)
  if(NOT EXISTS ${CURRENT_PACKAGES_DIR}/lib/pkgconfig/finalist.pc)
    message(FATAL_ERROR "no finalist.pc")
  endif()
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(arg "" "" "FILE_LIST" ${ARGN})
  file(INSTALL ${arg_FILE_LIST} DESTINATION ${CURRENT_PACKAGES_DIR}/share/${PORT})
endfunction()

set(CMAKE_CURRENT_LIST_DIR ${CURRENT_PORT_DIR})
include(${CURRENT_PORT_DIR}/portfile.cmake)
check_run(${CMAKE_COMMAND} -S ${CURRENT_PORT_DIR}/../../abc -B ${OUT}/abc
  -DCMAKE_PREFIX_PATH=${CURRENT_PACKAGES_DIR})
check_run(${CMAKE_COMMAND} --build ${OUT}/abc)
check_run(${OUT}/abc/abc)
message(STATUS "the port builds, installs and is found")
