#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# check_includes.sh passes the engine's sources and finds each kind of include that it forbids.
set -u
tools=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r "$tools/../device-sim/src" "$folder/src"
faults=0

expect() { # STATUS WHAT
  sh "$tools/check_includes.sh" "$folder/src" >"$folder/said" 2>&1
  result=$?
  if [ "$result" -ne "$1" ]; then
    echo "test_check_includes: $2: status $result, not $1" >&2
    cat "$folder/said" >&2
    faults=$((faults + 1))
  fi
}

planted() { # FILE INCLUDE
  mkdir -p "$(dirname "$folder/src/$1")"
  echo "#include $2" >"$folder/src/$1"
  expect 1 "$1 includes $2"
  rm "$folder/src/$1"
}

expect 0 "as it is"
planted core/eval/planted.c '"device/run/device.h"'
planted device/store/planted.c '"device/memory/dram.h"'
planted core/lists/planted.h '"base/lazy_memory.h"'
planted core/lists/planted.h '"core/eval/eval.h"'
planted core/kernels/planted.c '<stdlib.h>'
planted core/kernels/planted.c '  <pthread.h>'
planted timing/planted.c '"device/session/session.h"'
planted model/planted.c '"timing/record.h"'
planted base/planted.c '"core/kernels/bits.h"'
planted classic/planted.c '"planted.h"'
planted core/new/planted.c '"base/status.h"'
planted planted.c '"base/status.h"'
[ "$faults" -eq 0 ] || exit 1
echo "include check: finds what it forbids"
