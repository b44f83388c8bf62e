#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Builds the device engine once more with AddressSanitizer and UndefinedBehaviorSanitizer and runs
# its tests and the corpora of its fuzz targets. Any finding fails the test that makes it. Where the
# compiler lacks their runtime libraries it is skipped with the reason.
#
# usage: sanitizer_test.sh SOURCE BUILD
set -u
tools=$(cd "$(dirname "$0")" && pwd)
. "$tools/optional.sh"
source=$1
build=$2
what="the engine's tests under AddressSanitizer and UndefinedBehaviorSanitizer"

if ! why=$(sanitizers_work "$build" address,undefined); then
  skipped "$what" "$why"
  exit 0
fi
if dry_run "$what" "$(host_compiler)"; then
  exit 0
fi

"$tools/cmake_build.sh" "$source" "$build" -DCSD_SANITIZE=address,undefined || exit 1
log=$build/ctest.log
# What is left out measures, or does not run the engine.
export UBSAN_OPTIONS=print_stacktrace=1 CSD_TEST_SHARE=6
(cd "$build" && ctest --output-on-failure --no-tests=error \
  --parallel 2 --timeout 3600 -E '^(bench_.*|vectors_are_reproducible)$') >"$log" 2>&1
result=$?
if [ "$result" -ne 0 ]; then
  cat "$log" >&2
fi
echo "$what: $(grep 'tests passed' "$log"), $(sed -n 's/^Total Test time (real) = *//p' "$log")"
exit "$result"
