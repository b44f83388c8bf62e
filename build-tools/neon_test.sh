#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Cross-compiles the kernels and their tests for AArch64 and runs them under user-mode emulation:
# plain C and NEON, each forced in turn. Needs Debian's gcc-aarch64-linux-gnu with
# libc6-dev-arm64-cross, and qemu-user-static; without them it is skipped with the reason.
#
# usage: neon_test.sh [BUILD]        BUILD: folder for the test program, default a temporary one
set -eu
cd "$(dirname "$0")/../device-sim"
. ../build-tools/optional.sh
compiler=${AARCH64_CC:-aarch64-linux-gnu-gcc}
emulator=${AARCH64_EMULATOR:-qemu-aarch64-static}
what="kernels on AArch64"
if ! have "$compiler"; then
  skipped "$what" "no $compiler (gcc-aarch64-linux-gnu)"
  exit 0
fi
if ! have "$emulator"; then
  skipped "$what" "no $emulator (qemu-user-static)"
  exit 0
fi
if [ $# -gt 0 ]; then
  build=$1
  mkdir -p "$build"
else
  build=$(mktemp -d)
  trap 'rm -rf "$build"' EXIT
fi
if ! compiles "$build" "$compiler" -static; then
  skipped "$what" "$compiler links no static program (libc6-dev-arm64-cross)"
  exit 0
fi
if dry_run "$what" "$compiler, $emulator"; then
  exit 0
fi
for test in test_kernels test_kernels_docs test_kernels_scores; do
  "$compiler" -std=c11 -D_GNU_SOURCE -O2 -static -Wall -Wextra -Werror -Wshadow \
    -Wstrict-prototypes -Wconversion -Wno-sign-conversion -ffp-contract=off -fno-strict-aliasing \
    -Iinclude -Isrc -I. -o "$build/$test" \
    src/core/kernels/*.c src/base/status.c tests/core/kernels/$test.c \
    tests/core/kernels/kernels_tested.c tests/support/guarded.c tests/support/check.c
  for kernels in neon scalar; do
    echo "kernels on AArch64, emulated: $test, $kernels"
    CSD_KERNELS=$kernels "$emulator" "$build/$test"
  done
done
