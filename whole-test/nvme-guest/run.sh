#!/usr/bin/env bash
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Tests the NVMe backend against a real kernel, without hardware: boots Debian kernels in QEMU,
# lets their NVMe/TCP initiator connect to csd-target on this machine's loopback, and runs the
# contract tests, the tool and the faults in the guest. See README.md beside this file.
#
#   whole-test/nvme-guest/run.sh [--kernel VERSION] [--steps NAME,...] [--verbose]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
work=$project/whole-test/target/nvme-guest
target=$project/device-sim/target/cmake/csd-target/csd-target
kernels="6.1 6.12"
all_steps="connected listed refused contract tool search faults permission"
# What depends on the kernel. The rest is the same on every one, and takes long.
kernel_steps="connected listed refused contract tool permission"

usage() {
  cat >&2 <<END
$1
usage: run.sh [--kernel VERSION] [--steps NAME,...] [--verbose]
kernels: $kernels
steps:   $all_steps
END
  exit 2
}

is_one_of() { # WORD WORDS
  case " $2 " in *" $1 "*) return 0 ;; *) return 1 ;; esac
}

only='' asked='' verbose=no
while [ $# -gt 0 ]; do
  case $1 in
    --kernel | --steps) [ -n "${2:-}" ] || usage "run.sh: $1 takes a name" ;;&
    --kernel)
      is_one_of "$2" "$kernels" || usage "run.sh: no kernel is called \"$2\""
      only=$2
      shift 2
      ;;
    --steps)
      read -ra names <<<"${2//,/ }"
      asked=${names[*]}
      for name in $asked; do
        is_one_of "$name" "$all_steps" || usage "run.sh: no step is called \"$name\""
      done
      [ -n "$asked" ] || usage "run.sh: --steps takes names"
      is_one_of connected "$asked" || asked="connected $asked"
      shift 2
      ;;
    --verbose) verbose=yes; shift ;;
    *) usage "run.sh: what is \"$1\"?" ;;
  esac
done

. "$project/build-tools/optional.sh"
if [ "${OFFLOAD_GUEST:-yes}" = no ]; then
  skipped "the NVMe guest test" "OFFLOAD_GUEST=no"
  exit 0
fi
mkdir -p "$work"
started=$(date +%s)
say() {
  printf 'nvme guest %4d s: %s\n' $(($(date +%s) - started)) "$*"
}

code=0
"$here/packages.sh" "$work/kernels" >"$work/kernels.txt" || code=$?
[ $code != 77 ] || exit 0
[ $code = 0 ] || exit $code
[ -z "${OFFLOAD_DRY_RUN:-}" ] || exit 0

for built in "$target" "$project/whole-test/target/guest-lib"; do
  if [ ! -e "$built" ]; then
    say "building what is to be tested"
    (cd "$project" && OFFLOAD_GUEST=no mvn -q -B -DskipTests package)
    break
  fi
done

jdk=$("$project/build-tools/find_jdk.sh" 21)
say "a disk with $("$jdk/bin/java" -version 2>&1 | sed -n 2p), the tests and the tool"
"$here/make_disk.sh" "$jdk" "$project" "$work/disk.img"

port_of() { sed -n 's/.* port \([0-9]*\)$/\1/p' "$1"; }
nqn_of() { sed -n 's/^csd-target: \([^ ]*\) on .*/\1/p' "$1"; }
declare -A pids ports nqns

# Starts a target under the NQN that it chose for its store itself: two nodes that were set up with
# defaults must not be one subsystem to a host, and a node keeps its name when it starts again.
start_target() { # NAME CAPACITY
  local name=$1 log=$work/$1.log
  : >"$log.out"
  # A guest that is emulated is so slow that it would not come to any window of a shared plan.
  "$target" --store "$work/$name.vol" --capacity "$2" --dram 64M --raw-percent 50 \
    --port "${ports[$name]:-0}" >"$log.out" 2>>"$log" &
  pids[$name]=$!
  for _ in $(seq 1200); do # a minute
    ports[$name]=$(port_of "$log.out")
    if [ -n "${ports[$name]}" ]; then
      [ "${nqns[$name]:=$(nqn_of "$log.out")}" = "$(nqn_of "$log.out")" ] && return 0
      say "the target $name was ${nqns[$name]} and is now $(nqn_of "$log.out")"
      exit 1
    fi
    kill -0 "${pids[$name]}" 2>/dev/null || break
    sleep 0.05
  done
  cat "$log" >&2
  say "csd-target does not start"
  exit 1
}

stop_all() {
  for name in "${!pids[@]}"; do
    kill -CONT "${pids[$name]}" 2>/dev/null || true
    kill "${pids[$name]}" 2>/dev/null || true
  done
  wait 2>/dev/null || true
}
trap stop_all EXIT

capacity_of() { [ "$1" = small ] && echo 4M || echo 256M; }

# What the guest asks for.
serve() { # VERB NAME
  local pid=${pids[$2]}
  case $1 in
    kill) kill -9 "$pid"; wait "$pid" 2>/dev/null || true ;;
    start) start_target "$2" "$(capacity_of "$2")" ;;
    freeze) kill -STOP "$pid" ;;
    thaw) kill -CONT "$pid" ;;
    *) say "the guest asks for $1" ;;
  esac
}

boot() { # KERNEL FOLDER STEPS
  local kernel=$1 folder=$2 steps=$3 line name result='' passed='' unheard=''
  "$here/make_initrd.sh" "$folder" "$work/$kernel.cpio"
  rm -f "$work"/{small,big}.vol "$work"/{small,big}.log
  ports=() nqns=()
  # A namespace that holds something, and a drive that is somebody else's.
  for name in big plain; do
    { printf 'This belongs to somebody else.\n'; head -c 8000 /dev/zero | tr '\0' x; } \
      >"$work/$name.vol"
  done
  truncate -s 64M "$work/plain.vol"
  start_target small "$(capacity_of small)"
  start_target big "$(capacity_of big)"
  say "Linux $kernel boots; targets on ports ${ports[small]}, ${ports[big]}"
  local words="csd.small=${ports[small]},${nqns[small]} csd.big=${ports[big]},${nqns[big]}"
  words+=" csd.steps=${steps// /,}"
  : >"$work/console-$kernel.log"
  while IFS= read -r line; do
    line=${line%$'\r'}
    printf '%s\n' "$line" >>"$work/console-$kernel.log"
    case $line in
      "@host "*) serve ${line#@host } ;;
      "@end "*) result=${line#@end } ;;&
      "ok: "*) name=${line#ok: }; passed="$passed ${name%% *}" ;;&
      "ok: "* | "FAILED: "* | "guest: "* | "tests of "* | "measured: "*) say "$line" ;;
      *) [ $verbose = no ] || printf '%s\n' "$line" ;;
    esac
  # A busy machine can keep the emulated timer from ticking while the kernel looks whether it does.
  done < <(timeout 2700 qemu-system-x86_64 -M q35 -accel tcg -cpu max -smp 1 -m 1536 \
    -nodefaults -nographic -serial stdio -no-reboot \
    -kernel "$folder"/boot/vmlinuz-* -initrd "$work/$kernel.cpio" \
    -append "console=ttyS0 quiet panic=-1 no_timer_check mitigations=off $words" \
    -drive "file=$work/disk.img,if=none,id=d0,format=raw,readonly=on" \
    -device virtio-blk-pci,drive=d0 \
    -drive "file=$work/plain.vol,if=none,id=d1,format=raw" \
    -device nvme,drive=d1,serial=plain,logical_block_size=4096,physical_block_size=4096 \
    -netdev user,id=n0 -device virtio-net-pci,netdev=n0,romfile= </dev/null 2>&1)
  stop_all
  pids=()
  if [ "$result" != 0 ]; then
    say "Linux $kernel: ${result:-no} steps failed; the console's last lines:"
    tail -n "${CONSOLE_LINES:-60}" "$work/console-$kernel.log"
    return 1
  fi
  for name in $steps; do
    is_one_of "$name" "$passed" || unheard="$unheard $name"
  done
  if [ -n "$unheard" ]; then
    say "Linux $kernel: nothing was heard of:$unheard"
    return 1
  fi
}

failed=0 booted=0
while read -r _ kernel folder; do
  if [ -n "$only" ] && [ "$only" != "$kernel" ]; then
    continue
  fi
  steps=${asked:-$all_steps}
  if [ -z "$asked" ] && [ -z "$only" ] && [ $booted -gt 0 ]; then
    steps=$kernel_steps
    for name in $all_steps; do
      is_one_of "$name" "$steps" ||
        skipped "step \"$name\" on Linux $kernel" "it runs on one kernel"
    done
  fi
  booted=$((booted + 1))
  boot "$kernel" "$folder" "$steps" || failed=1
done <"$work/kernels.txt"
if [ $booted = 0 ]; then
  skipped "the NVMe guest test" "Linux $only, which was asked for, cannot be had"
  exit 0
fi
say "$([ $failed = 0 ] && echo "passed" || echo "FAILED; everything is in $work")"
exit $failed
