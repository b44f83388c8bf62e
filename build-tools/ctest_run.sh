#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Runs the C tests of a built CMake tree, and prints why some of them were skipped.
#
# usage: ctest_run.sh BUILD SHARE      SHARE is N to run every Nth of the random plans, and only
#                                      the kernels that the processor chooses; 1 runs all
set -u
cd "$1" || exit 1
export CSD_TEST_SHARE="$2"
others='_(scalar|avx2)$'
[ "$2" -gt 1 ] || others='^$'
result=0
ctest --output-on-failure --no-tests=error --parallel 2 --timeout 3600 -E "$others" || result=$?
# What a test prints is in the log only, unless it fails.
grep -h '^skipped: ' Testing/Temporary/LastTest.log | sort -u
exit "$result"
