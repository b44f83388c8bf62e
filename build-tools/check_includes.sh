#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Checks which folder of the engine includes which (device-sim/src). A folder includes itself, the
# public headers (csd/...), and the folders named beside it here, so that no two include each other.
# core/ is what a vendor ports: it may have nothing but base/status.h, csd/ and headers that
# device-sim/port has or a freestanding compiler brings.
#
# usage: check_includes.sh [SRC]        SRC: default device-sim/src
set -u
src=${1:-$(dirname "$0")/../device-sim/src}
cd "$src" || exit 1


find . -name '*.[ch]' | sort | xargs awk '
  BEGIN {
    may["base"] = ""
    may["classic"] = "base"
    may["task"] = ""
    may["model"] = "base task"
    may["rows"] = "base"
    may["core/kernels"] = "base"
    may["core/kernels/avx512"] = "base core/kernels"
    may["core/lists"] = "base core/kernels"
    may["core/plan"] = "base core/kernels"
    may["core/positions"] = "base core/kernels core/lists"
    may["core/columns/page"] = "base core/kernels core/lists core/positions"
    may["core/geo"] = "base"
    may["core/columns"] = may["core/columns/page"] " core/columns/page core/geo"
    may["core/phrase"] = may["core/positions"] " core/positions core/plan"
    may["core/eval"] = may["core/phrase"] " core/phrase core/columns/page core/columns core/geo"
    may["core/eval/phrase"] = may["core/eval"] " core/eval"
    may["core/eval/bool"] = may["core/eval/phrase"] " core/eval/phrase"
    may["core/root"] = may["core/eval/bool"] " core/eval/bool"
    may["core/disjuncts"] = may["core/root"] " core/root"
    may["core/filters"] = may["core/disjuncts"] " core/disjuncts"
    may["core/aggregate"] = may["core/filters"] " core/filters"
    may["core/sort"] = may["core/filters"] " core/filters"
    below = "core/geo core/kernels core/lists core/positions core/phrase" \
      " core/columns/page core/columns" \
      " core/plan" \
      " core/eval core/eval/phrase core/eval/bool core/root core/disjuncts" \
      " core/filters core/sort core/aggregate"
    may["core/compile"] = may["core/filters"] " core/filters"
    below = below " core/compile"
    may["core/program"] = "base " below
    core = below " core/program"
    may["timing"] = "base model " core
    may["device/store"] = "base"
    may["device/index"] = "base device/store " core
    may["device/memory"] = "base device/store device/index " core
    may["device/gather"] = "core/plan"
    may["device/session"] = "base timing " core
    may["device/run"] = "base task timing device/store device/memory device/gather"\
      " device/session " core
    may["host"] = "base device/gather core/plan"
    system_of_core = " assert.h cpuid.h float.h immintrin.h arm_neon.h inttypes.h math.h" \
      " nmmintrin.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h string.h "
  }
  function fault(text) {
    print FILENAME ":" FNR ": " text
    bad = 1
  }
  FNR == 1 {
    folder = FILENAME
    sub(/^\.\//, "", folder)
    sub(/\/[^\/]*$/, "", folder)
    known = folder in may
    if (!known) fault("folder " folder " is not listed in check_includes.sh")
  }
  !/^[ \t]*#[ \t]*include/ || !known { next }
  /</ {
    name = $0
    sub(/^[^<]*</, "", name)
    sub(/>.*/, "", name)
    if (folder ~ /^core/ && index(system_of_core, " " name " ") == 0)
      fault("the core includes <" name ">")
    next
  }
  {
    name = $0
    sub(/^[^"]*"/, "", name)
    sub(/".*/, "", name)
    target = name
    sub(/\/[^\/]*$/, "", target)
    if (target == "csd" || target == folder) next
    if (index(" " may[folder] " ", " " target " ") == 0 || target == "")
      fault("a file of " folder " includes \"" name "\"")
    else if (folder ~ /^core/ && target == "base" && name != "base/status.h")
      fault("the core includes \"" name "\"")
  }
  END { exit bad }' >&2 || {
  echo "include check failed: see the lines above, and the table in check_includes.sh" >&2
  exit 1
}
