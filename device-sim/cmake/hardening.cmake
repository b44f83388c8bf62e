# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# csd_harden(TARGET): what a compiler and a linker can do against a defect of ours becoming somebody
# else's tool, for everything that links to TARGET (an INTERFACE library). What the tools at hand do
# not know is left out; build-tools/check_elf.sh says what a library was built with in the end.
include(CheckCCompilerFlag)
include(CheckCSourceCompiles)
include(CheckPIESupported)

function(csd_harden target)
  set(CMAKE_REQUIRED_FLAGS "-Werror") # clang warns of what it leaves out for a system
  foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection=full)
    string(MAKE_C_IDENTIFIER "CSD_HAS${flag}" known)
    check_c_compiler_flag(${flag} ${known})
    if(${known})
      target_compile_options(${target} INTERFACE ${flag})
    endif()
  endforeach()
  unset(CMAKE_REQUIRED_FLAGS)

  # The sanitizers watch the same calls, and better.
  if(NOT CSD_SANITIZE)
    set(CMAKE_REQUIRED_FLAGS "-O2 -Werror -D_FORTIFY_SOURCE=3")
    check_c_source_compiles("#include <string.h>\nint main(void) { return 0; }" CSD_HAS_FORTIFY_3)
    unset(CMAKE_REQUIRED_FLAGS)
    set(level 2)
    if(CSD_HAS_FORTIFY_3)
      set(level 3)
    endif()
    # A distribution's compiler may define it by itself, perhaps lower.
    target_compile_options(${target} INTERFACE
      $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE> $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=${level}>)
  endif()

  if(NOT APPLE)
    target_link_options(${target} INTERFACE -Wl,-z,relro,-z,now,-z,noexecstack)
  endif()
endfunction()

# Executables at an address that changes from run to run.
macro(csd_position_independent)
  check_pie_supported(LANGUAGES C)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
endmacro()
