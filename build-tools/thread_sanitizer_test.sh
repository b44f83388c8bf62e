#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Builds the device engine with ThreadSanitizer and runs its tests of many threads, each several
# times, since what threads do differs from run to run. Any finding fails the test that makes it.
# Where the compiler has not the runtime library it says so and succeeds.
#
# usage: thread_sanitizer_test.sh [TIMES]     from anywhere; TIMES is 3 if not given
set -u
tools=$(cd "$(dirname "$0")" && pwd)
source=$tools/../device-sim
build=$source/target/tsan
times=${1:-3}
what="the engine's tests of many threads under ThreadSanitizer"

mkdir -p "$build"
probe=$build/probe
echo 'int main(int argc, char **argv) { (void)argv; return argc - 1; }' >"$probe.c"
if ! "${CC:-cc}" -fsanitize=thread -o "$probe" "$probe.c" >"$probe.log" 2>&1 ||
  ! "$probe" >"$probe.log" 2>&1; then
  echo "skipped: $what: ${CC:-cc} cannot do it: $(tail -n 1 "$probe.log")"
  exit 0
fi

cmake -S "$source" -B "$build" -DCSD_SANITIZE=thread -DCMAKE_BUILD_TYPE=RelWithDebInfo \
  >"$build/cmake.log" 2>&1 || { cat "$build/cmake.log" >&2; exit 1; }
for name in device timing churn; do
  cmake --build "$build" --target "test_${name}_threads" >>"$build/cmake.log" 2>&1 ||
    { cat "$build/cmake.log" >&2; exit 1; }
done
(cd "$build" && TSAN_OPTIONS="halt_on_error=1 second_deadlock_stack=1" \
  ctest -R '_threads$' --output-on-failure --no-tests=error --timeout 600 \
  --repeat "until-fail:$times") || exit 1
echo "$what: no finding, $times times each"
