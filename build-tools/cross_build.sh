#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Cross-compiles the library that the JVM loads for every machine that a release serves, by the C
# compiler of zig; native/cross_requirements.txt has its version and hashes. Two builds have the
# same bytes.
#
# usage: cross_build.sh OUT_DIR [TARGET...]
#   TARGET   of these, all if none is named; OUT_DIR/TARGET/ receives the library
#              linux-x86_64-gnu linux-aarch64-gnu      glibc 2.17 and later
#              linux-x86_64-musl linux-aarch64-musl    musl
#              macos-x86_64 macos-aarch64              macOS 11 and later
#
#   CROSS_WORK   folder for the compiler and the objects; default target/cross of the project
#   CROSS_C_FLAGS   more options for the C compiler
#
# It takes what the build takes, a python3 with venv, and pip's registry the first time. Exit status
# 77: the compiler is not to be had here.
set -eu
tools=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$tools")
all="linux-x86_64-gnu linux-aarch64-gnu linux-x86_64-musl linux-aarch64-musl
  macos-x86_64 macos-aarch64"
[ $# -gt 0 ] || {
  sed -n 's/^# usage: //p' "$0" >&2
  exit 2
}
mkdir -p "$1"
out=$(cd "$1" && pwd)
shift
work=${CROSS_WORK:-$top/target/cross}
mkdir -p "$work/bin"
work=$(cd "$work" && pwd)

fail() { # WHY [STATUS]
  echo "cross_build: $1" >&2
  exit "${2:-1}"
}

# Makes WORK/bin/{cc,ar,ranlib} of the pinned zig.
install_compiler() {
  pins=$tools/native/cross_requirements.txt
  if ! cmp -s "$pins" "$work/installed.txt"; then
    rm -rf "$work/venv" "$work/installed.txt"
    python3 -m venv "$work/venv" || fail "no python3 with venv (Debian's package python3-venv)" 77
    "$work/venv/bin/pip" install --quiet --disable-pip-version-check --require-hashes \
      --only-binary :all: -r "$pins" || fail "pip does not install what $pins names" 77
    cp "$pins" "$work/installed.txt"
  fi
  zig=$(echo "$work"/venv/lib/python3*/site-packages/ziglang/zig)
  for tool in cc ar ranlib; do
    cat >"$work/bin/$tool.new" <<EOF
#!/bin/sh
export ZIG_GLOBAL_CACHE_DIR='$work/cache' ZIG_LOCAL_CACHE_DIR='$work/cache'
exec '$zig' $tool "\$@"
EOF
    chmod +x "$work/bin/$tool.new"
    # One that is as it was keeps its time, or CMake would begin anew.
    cmp -s "$work/bin/$tool.new" "$work/bin/$tool" ||
      mv "$work/bin/$tool.new" "$work/bin/$tool"
    rm -f "$work/bin/$tool.new"
  done
}

# Builds the library for a TARGET; the rest are CMake options. WORK/TARGET.options keeps the
# compiler's.
build() { # TARGET SYSTEM PROCESSOR "ZIG_TARGET [OPTION]" [CMAKE_OPTION ...]
  target=$1 system=$2 processor=$3 zig_target=$4
  shift 4
  rm -rf "${out:?}/$target"
  echo "-target $zig_target" >"$work/$target.options"
  "$tools/cmake_build.sh" "$top/jni-bridge" "$work/$target" \
    "-DCMAKE_SYSTEM_NAME=$system" "-DCMAKE_SYSTEM_PROCESSOR=$processor" \
    "-DCMAKE_C_COMPILER=$work/bin/cc" \
    "-DCMAKE_C_FLAGS=-target $zig_target $optimise ${CROSS_C_FLAGS:-}" \
    "-DCMAKE_AR=$work/bin/ar" "-DCMAKE_RANLIB=$work/bin/ranlib" \
    "-DCMAKE_C_COMPILER_AR=$work/bin/ar" "-DCMAKE_C_COMPILER_RANLIB=$work/bin/ranlib" \
    "-DCSD_NATIVE_DIR=$out" "$@"
  [ -n "$(ls "$out/$target")" ] || fail "nothing was built for $target"
  echo "$target: $(cat "$out/$target"/lib* | wc -c) bytes"
}

# zig refuses what the base instruction set lacks also where a function or file asks for it. No code
# is generated for these two but where it asks for more.
x86="-mcpu=x86_64+crc32+evex512"

# zig takes -O3 for -O2, and keeps a register for frames; what it hands on as it is comes last.
optimise="-Xclang -O3 -fomit-frame-pointer"

# Nothing of Apple's is asked for: zig has what a library links to. Without the archiver CMake
# leaves optimisation at link time out, which zig has for Linux alone.
macos="-DCMAKE_INSTALL_NAME_TOOL=true -DCMAKE_OSX_SYSROOT= -DCMAKE_C_COMPILER_AR="

install_compiler
[ $# -gt 0 ] || set -- $all
for target in "$@"; do
  case $target in
    linux-x86_64-gnu) build "$target" Linux x86_64 "x86_64-linux-gnu.2.17 $x86" ;;
    linux-aarch64-gnu) build "$target" Linux aarch64 aarch64-linux-gnu.2.17 ;;
    # -dynamic: otherwise zig compiles all of musl, for programs that CMake tries.
    linux-x86_64-musl) build "$target" Linux x86_64 "x86_64-linux-musl -dynamic $x86" ;;
    linux-aarch64-musl) build "$target" Linux aarch64 "aarch64-linux-musl -dynamic" ;;
    macos-x86_64) build "$target" Darwin x86_64 "x86_64-macos.11.0 $x86" $macos ;;
    macos-aarch64) build "$target" Darwin arm64 aarch64-macos.11.0 $macos ;;
    *) fail "no target $target; the targets are: $all" ;;
  esac
done
