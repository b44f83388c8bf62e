#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# The engine's core on machines without a C library, as a device has them (docs/VENDORS.md):
# compiles it freestanding for Cortex-R5 and Cortex-A53, checks that it asks for nothing but what
# device-sim/port brings, and runs the golden programs with the latter, emulated. What has no
# compiler or emulator here is skipped with a line.
#
# usage: freestanding_test.sh [BUILD]        BUILD: folder for the objects, default a temporary one
set -eu
cd "$(dirname "$0")/../device-sim"
. ../build-tools/optional.sh
if [ $# -gt 0 ]; then
  build=$1
  mkdir -p "$build"
else
  build=$(mktemp -d)
  trap 'rm -rf "$build"' EXIT
fi

core=$(find src/core -name '*.c' | sort)
port="no_libc no_text memory_pages"
flags="-std=c11 -ffreestanding -fno-builtin -O2 -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes
  -Wconversion -Wno-sign-conversion -ffp-contract=off -fno-strict-aliasing
  -Iport/include -Iport -Iinclude -Isrc"
# The compiler's own run-time library, which every toolchain for such a machine has.
runtime='^(__aeabi_.*|__aarch64_.*|__atomic_.*|__ctzdi2|_GLOBAL_OFFSET_TABLE_)$'

r5="-mcpu=cortex-r5 -mfloat-abi=hard -mfpu=vfpv3-d16"
a53="-mcpu=cortex-a53 -fno-stack-protector"

# Compiles everything; prints what it asks for and nothing of it has. COMPILER... is the command.
compile() { # NAME COMPILER...
  name=$1
  shift
  rm -rf "${build:?}/$name"
  mkdir -p "$build/$name"
  for file in $core; do
    "$@" $flags -c "$file" -o "$build/$name/$(basename "$file" .c).o"
  done
  for file in $port; do
    "$@" $flags -c "port/$file.c" -o "$build/$name/$file.o"
  done
  nm "$build/$name"/*.o | awk '$1 == "U" { print $2 }' | sort -u >"$build/$name.asked"
  nm "$build/$name"/*.o | awk '$2 ~ /^[A-Z]$/ { print $3 }' | sort -u >"$build/$name.there"
  left=$(comm -23 "$build/$name.asked" "$build/$name.there" | grep -vE "$runtime" || true)
  if [ -n "$left" ]; then
    echo "freestanding: on $name the core asks for: $(echo $left)"
    exit 1
  fi
  bytes=$(cat "$build/$name"/*.o | wc -c)
  echo "freestanding: $name: $(ls "$build/$name" | wc -l) files, $bytes bytes of objects, complete"
}

# Prints the first clang that can compile for Cortex-R5; fails if none can.
find_clang() {
  for compiler in clang clang-22 clang-21 clang-20 clang-19 clang-18 clang-17 clang-16 clang-15 \
    clang-14; do
    have "$compiler" || continue
    # shellcheck disable=SC2086 # options
    compiles "$build" "$compiler" --target=armv7r-none-eabi $r5 -c || continue
    echo "$compiler"
    return
  done
  return 1
}

on_r5="the core on Cortex-R5"
on_a53="the core on Cortex-A53"
golden="golden programs on Cortex-A53"
if ! have nm; then
  for what in "$on_r5" "$on_a53" "$golden"; do
    skipped "$what" "no nm (binutils)"
  done
  exit 0
fi
if have arm-none-eabi-gcc; then
  dry_run "$on_r5" arm-none-eabi-gcc ||
    compile cortex-r5 arm-none-eabi-gcc $r5
elif clang=$(find_clang); then
  dry_run "$on_r5" "$clang" ||
    compile cortex-r5 "$clang" --target=armv7r-none-eabi $r5
else
  skipped "$on_r5" \
    "neither arm-none-eabi-gcc (gcc-arm-none-eabi) nor a clang that knows the processor"
fi

if ! have aarch64-linux-gnu-gcc; then
  for what in "$on_a53" "$golden"; do
    skipped "$what" "no aarch64-linux-gnu-gcc (gcc-aarch64-linux-gnu)"
  done
  exit 0
fi
dry_run "$on_a53" aarch64-linux-gnu-gcc ||
  compile cortex-a53 aarch64-linux-gnu-gcc $a53
if ! have qemu-aarch64-static; then
  skipped "$golden" "no qemu-aarch64-static (qemu-user-static)"
  exit 0
fi
if dry_run "$golden" qemu-aarch64-static; then
  exit 0
fi
port/vectors_to_c.sh ../wire/vectors/good/program_*.vec >"$build/vectors.c"
aarch64-linux-gnu-gcc $flags $a53 -nostdlib -static \
  -o "$build/example" port/example.c "$build/vectors.c" "$build"/cortex-a53/*.o -lgcc
if ! qemu-aarch64-static "$build/example" >"$build/example.out"; then
  grep -v "^identical" "$build/example.out"
  echo "freestanding: golden programs differ on Cortex-A53"
  exit 1
fi
echo "freestanding: $(grep -c "^identical" "$build/example.out") golden programs identical on" \
  "Cortex-A53, without a C library, emulated"
