#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Configures and builds a CMake tree.
#
# usage: cmake_build.sh SOURCE BUILD [CMAKE_OPTION ...]
#
# Quiet unless something fails: the compiler's output goes to BUILD/build.log and is shown then.
# The home of the JDK in use is handed over as CSD_JDK_HOME (for jni.h).
set -u
tools=$(cd "$(dirname "$0")" && pwd)
source=$1
build=$2
shift 2

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
cmake --build "$build" --parallel 2 >>"$log" 2>&1 || failed "the C build"
