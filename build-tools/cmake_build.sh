#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Configures and builds a CMake tree. What was built for another place, before the project was
# copied or moved, is thrown away: CMake refuses such a cache, and the objects name the old sources.
#
# usage: cmake_build.sh SOURCE BUILD [CMAKE_OPTION ...]
#
#   CMAKE_BUILD_TARGET   what to build of it; all if not set
#
# Quiet unless something fails: the compiler's output goes to BUILD/build.log and is shown then.
# The home of the JDK in use is handed over as CSD_JDK_HOME (for jni.h).
set -u
tools=$(cd "$(dirname "$0")" && pwd)
source=$1
build=$2
shift 2

# Prints a folder's name without links in it; nothing if there is no such folder.
place_of() {
  (cd "$1" 2>/dev/null && pwd -P)
}

# Prints what BUILD's cache has of a variable.
cached() {
  sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"
}

if [ -f "$build/CMakeCache.txt" ]; then
  if [ "$(place_of "$(cached CMAKE_HOME_DIRECTORY)")" != "$(place_of "$source")" ] ||
    [ "$(place_of "$(cached CMAKE_CACHEFILE_DIR)")" != "$(place_of "$build")" ]; then
    echo "$build was built elsewhere; starting over"
    rm -rf "$build"
  fi
fi
mkdir -p "$build"
log=$build/build.log
jdk=$("$tools/find_jdk.sh" 21) || jdk=

failed() {
  cat "$log" >&2
  echo "$1 failed in $source; the log is $log" >&2
  exit 1
}

cmake -S "$source" -B "$build" "-DCSD_JDK_HOME=$jdk" "$@" >"$log" 2>&1 ||
  failed "the CMake configuration"
cmake --build "$build" --parallel 2 --target "${CMAKE_BUILD_TARGET:-all}" >>"$log" 2>&1 ||
  failed "the C build"
