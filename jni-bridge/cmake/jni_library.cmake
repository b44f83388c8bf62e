# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# A shared library that the JVM loads. Maven drives the projects that include this, with
#   CSD_JDK_HOME   home of the JDK whose jni.h is used
#   CSD_NATIVE_DIR folder that receives <platform>/lib<name>.so, as NativeLibrary seeks it; <platform> is as
#                  in Platform.java
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "build type" FORCE)
endif()
set(CMAKE_C_FLAGS_RELEASE "-O3 -DNDEBUG")
# A plan of few blocks goes through many small functions of several sources.
include(CheckIPOSupported)
check_ipo_supported(RESULT CSD_LINK_TIME_OPTIMISATION LANGUAGES C)
if(CSD_LINK_TIME_OPTIMISATION)
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
endif()
include(CheckSymbolExists)
set(CSD_JDK_HOME "" CACHE PATH "home of a JDK")
set(CSD_NATIVE_DIR "${CMAKE_CURRENT_BINARY_DIR}/native" CACHE PATH "where the library goes")

string(TOLOWER "${CMAKE_SYSTEM_PROCESSOR}" csd_arch)
if(csd_arch STREQUAL "amd64")
  set(csd_arch x86_64)
elseif(csd_arch STREQUAL "arm64")
  set(csd_arch aarch64)
endif()
if(APPLE)
  set(csd_platform macos-${csd_arch})
else()
  string(TOLOWER "${CMAKE_SYSTEM_NAME}" csd_os)
  check_symbol_exists(__GLIBC__ features.h CSD_GLIBC)
  if(CSD_GLIBC)
    set(csd_platform ${csd_os}-${csd_arch}-gnu)
  else()
    set(csd_platform ${csd_os}-${csd_arch}-musl)
  endif()
endif()

# A JDK for Linux and one for macOS have the same jni_md.h.
find_path(JNI_H_DIR jni.h PATHS "${CSD_JDK_HOME}/include" NO_DEFAULT_PATH
  NO_CMAKE_FIND_ROOT_PATH REQUIRED)
find_path(JNI_MD_H_DIR jni_md.h
  PATHS "${CSD_JDK_HOME}/include/linux" "${CSD_JDK_HOME}/include/darwin" NO_DEFAULT_PATH
  NO_CMAKE_FIND_ROOT_PATH REQUIRED)

# csd_jni_library(NAME MAP SOURCE...): links the engine, the targets csd and csd_flags, and exports
# what MAP, a version script, names.
function(csd_jni_library name map)
  add_library(${name} SHARED ${ARGN})
  target_include_directories(${name} SYSTEM PRIVATE "${JNI_H_DIR}" "${JNI_MD_H_DIR}")
  target_link_libraries(${name} PRIVATE csd csd_flags)
  set_target_properties(${name} PROPERTIES C_VISIBILITY_PRESET hidden C_EXTENSIONS OFF
    LIBRARY_OUTPUT_DIRECTORY "${CSD_NATIVE_DIR}/${csd_platform}")
  if(APPLE)
    # No path of the build stays: not the library's own, none of a debug map.
    set_target_properties(${name} PROPERTIES BUILD_WITH_INSTALL_NAME_DIR ON
      INSTALL_NAME_DIR "@rpath")
    target_link_options(${name} PRIVATE -Wl,-S)
  else()
    target_link_options(${name} PRIVATE
      -Wl,--version-script=${map} -Wl,--no-undefined -Wl,--strip-all)
    set_target_properties(${name} PROPERTIES LINK_DEPENDS ${map})
  endif()
endfunction()
