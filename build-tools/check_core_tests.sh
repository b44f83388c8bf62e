#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Checks that each source of the engine's core has a test_<file>.c, or says in its head which tests
# cover it: a line with "Tests: tests/..." among the first ten, which names what is there.
#
# usage: check_core_tests.sh [DEVICE-SIM]
set -u
cd "${1:-$(dirname "$0")/../device-sim}" || exit 1
faults=0
for file in $(find src/core -name '*.c' | sort); do
  test=tests/${file#src/}
  test=${test%/*}/test_${test##*/}
  [ -e "$test" ] && continue
  named=$(head -n 10 "$file" | sed -n 's|.*Tests: \(tests/[A-Za-z0-9_/.*]*[A-Za-z0-9_]\).*|\1|p')
  if [ -z "$named" ]; then
    echo "check_core_tests: $file: no $test, and its head names no tests" >&2
    faults=1
  elif ! ls -d $named >/dev/null 2>&1; then # unquoted: it may be a pattern
    echo "check_core_tests: $file: its head names $named, which is not there" >&2
    faults=1
  fi
done
exit $faults
