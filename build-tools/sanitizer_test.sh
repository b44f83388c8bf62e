#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Builds the device engine once more with AddressSanitizer and UndefinedBehaviorSanitizer and runs
# its tests and the corpora of its fuzz targets. Any finding fails the test that makes it. Where the
# compiler has not their runtime libraries it says so and succeeds.
#
# usage: sanitizer_test.sh SOURCE BUILD
set -u
tools=$(cd "$(dirname "$0")" && pwd)
source=$1
build=$2
what="the engine's tests under AddressSanitizer and UndefinedBehaviorSanitizer"

mkdir -p "$build"
probe=$build/probe
echo 'int main(int argc, char **argv) { (void)argv; return argc - 1; }' >"$probe.c"
if ! "${CC:-cc}" -fsanitize=address,undefined -o "$probe" "$probe.c" >"$probe.log" 2>&1; then
  echo "skipped: $what: ${CC:-cc} cannot link them: $(tail -n 1 "$probe.log")"
  exit 0
fi
if ! "$probe" >"$probe.log" 2>&1; then
  echo "skipped: $what: a program with them does not start: $(head -n 1 "$probe.log")"
  exit 0
fi

"$tools/cmake_build.sh" "$source" "$build" -DCSD_SANITIZE=address,undefined || exit 1
log=$build/ctest.log
# What is left out measures, or does not run the engine.
(cd "$build" && UBSAN_OPTIONS=print_stacktrace=1 ctest --output-on-failure --no-tests=error \
  --parallel 2 --timeout 300 -E '^(bench_.*|vectors_are_reproducible)$') >"$log" 2>&1
result=$?
if [ "$result" -ne 0 ]; then
  cat "$log" >&2
fi
echo "$what: $(grep 'tests passed' "$log"), $(sed -n 's/^Total Test time (real) = *//p' "$log")"
exit "$result"
