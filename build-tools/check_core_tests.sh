#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Checks that each source of the engine's core has a test_<file>.c, or says in its head which tests
# cover it: a line with "Tests: " among the first ten.
#
# usage: check_core_tests.sh [DEVICE-SIM]
set -u
cd "${1:-$(dirname "$0")/../device-sim}" || exit 1
faults=0
for file in $(find src/core -name '*.c' | sort); do
  test=tests/${file#src/}
  test=${test%/*}/test_${test##*/}
  if [ ! -e "$test" ] && ! head -n 10 "$file" | grep -q 'Tests: tests/'; then
    echo "check_core_tests: $file: no $test, and its head names no tests" >&2
    faults=1
  fi
done
exit $faults
