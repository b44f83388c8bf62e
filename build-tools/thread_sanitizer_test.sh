#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Builds the device engine and csd-target once more with ThreadSanitizer and runs their tests of
# several threads, as often as asked for, since what threads do differs from run to run. Any finding
# fails the test that makes it. Where the compiler lacks the runtime library it is skipped with the
# reason.
#
# usage: thread_sanitizer_test.sh SOURCE BUILD [TIMES]      TIMES is 1 if not given
set -u
tools=$(cd "$(dirname "$0")" && pwd)
. "$tools/optional.sh"
source=$1
build=$2
times=${3:-1}
what="the engine's tests of several threads under ThreadSanitizer"

if ! why=$(sanitizers_work "$build" thread); then
  skipped "$what" "$why"
  exit 0
fi
if dry_run "$what" "$(host_compiler)"; then
  exit 0
fi

CMAKE_BUILD_TARGET=csd_thread_tests "$tools/cmake_build.sh" "$source" "$build" \
  -DCSD_SANITIZE=thread || exit 1
log=$build/ctest.log
(cd "$build" && TSAN_OPTIONS="halt_on_error=1 second_deadlock_stack=1" ctest -L threads \
  --output-on-failure --no-tests=error --parallel 2 --repeat "until-fail:$times") >"$log" 2>&1
result=$?
if [ "$result" -ne 0 ]; then
  cat "$log" >&2
fi
echo "$what: $(grep 'tests passed' "$log"), $(sed -n 's/^Total Test time (real) = *//p' "$log")"
exit "$result"
