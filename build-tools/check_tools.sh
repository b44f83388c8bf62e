#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Fails with one sentence if a tool that the build needs is missing. Runs before all else.
set -u
tools=$(dirname "$0")

missing() {
  echo "lucene-offload cannot be built here: $1" >&2
  exit 1
}

"$tools/find_jdk.sh" 21 >/dev/null ||
  missing "no JDK of release 21 or later was found (looked at JAVA_HOME, PATH, JAVA<n>_HOME,\
 /usr/lib/jvm and the other usual places); install one, or set JAVA_HOME to it."

if [ -n "${CC:-}" ]; then
  # CC may carry options; its first word is the compiler.
  command -v "${CC%% *}" >/dev/null 2>&1 ||
    missing "the C compiler that CC names, '$CC', was not found; correct CC, or unset it to use cc."
else
  command -v cc >/dev/null 2>&1 || command -v gcc >/dev/null 2>&1 ||
    command -v clang >/dev/null 2>&1 ||
    missing "no C compiler (cc, gcc or clang) is on PATH; install one, for example the package gcc."
fi

command -v cmake >/dev/null 2>&1 ||
  missing "CMake is not on PATH; install CMake 3.16 or later, for example the package cmake."
command -v make >/dev/null 2>&1 ||
  missing "make, which CMake needs, is not on PATH; install it, for example the package make."
