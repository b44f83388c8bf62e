#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Runs a fuzz target under libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer, and puts what
# reached new code into its corpus, as few and as short inputs as do. Needs clang with its runtimes.
#
# usage: fuzz.sh TARGET SECONDS [BUILD]
#   TARGET  fuzz_plan, ...
#   BUILD   default: a temporary folder
#
# A finding stays in the folder from which this was started, as crash-..., and ends the run with
# status 1. Repeat it: BUILD/fuzz/fuzz/TARGET FILE.
set -eu
target=$1
seconds=$2
here=$(cd "$(dirname "$0")" && pwd)
build=${3:-$(mktemp -d)}
corpus=$here/corpus/$target
mkdir -p "$corpus" "$build/found/$target" "$build/seeds/$target"

cmake -S "$here/.." -B "$build/fuzz" -DCMAKE_C_COMPILER="${CC:-clang}" -DCSD_FUZZ=ON \
  -DCSD_SANITIZE=address,undefined >"$build/cmake.log"
cmake --build "$build/fuzz" --parallel 2 --target "$target" >>"$build/cmake.log"
cmake -S "$here/.." -B "$build/replay" >>"$build/cmake.log"
cmake --build "$build/replay" --parallel 2 --target "$target" >>"$build/cmake.log"

# The golden vectors, as the target takes them.
kinds=$(sed -n "s/^csd_fuzz_target($target [0-9]* *\(.*\))/\1/p" "$here/CMakeLists.txt")
# shellcheck disable=SC2086
(cd "$build/seeds/$target" &&
  "$build/replay/fuzz/$target" --export "$corpus" "$here/../../wire/vectors" 0 $kinds) || true

"$build/fuzz/fuzz/$target" -max_total_time="$seconds" -max_len=20000 -len_control=20 \
  -timeout=40 -rss_limit_mb=1500 -print_final_stats=1 \
  "$build/found/$target" "$corpus" "$build/seeds/$target"

# What covers all of it, a few times smaller than everything that was found.
smaller=$(mktemp -d)
trap 'rm -rf "$smaller"' EXIT
"$build/fuzz/fuzz/$target" -set_cover_merge=1 -use_counters=0 -max_len=6000 \
  "$smaller" "$corpus" "$build/seeds/$target" "$build/found/$target"
echo "$target: $(find "$smaller" -type f | wc -l) inputs, $(du -sk "$smaller" | cut -f 1) KB"
cp "$smaller"/* "$corpus"
