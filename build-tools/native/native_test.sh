#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Tries the libraries of cross_build.sh as far as this machine can; what it cannot is skipped with
# the reason. It downloads packages of Debian.
#
# usage: native_test.sh LIBRARIES [PART...]
#   LIBRARIES   OUT_DIR of cross_build.sh
#   PART        all if none is named:
#     build     calls cross_build.sh
#     symbols   what the libraries ask of a system; nothing else is tried for macOS
#     musl      the engine's C tests, and the library, with the loader of Debian's musl; no JVM for
#               musl is packaged there
#     debian    this machine's JDK in roots of the oldest and the newest Debian: an application
#     aarch64   Debian's JVM for arm64, emulated: an application, the contract of the device and the
#               fuzzer, with NEON kernels; and the library in the oldest Debian
#
#   NATIVE_WORK         folder for roots and programs; default target/native-test of the project
#   NATIVE_CLASS_PATH   of the tests of src-test and stock-test, compiled, with JUnit's console;
#                       default: Maven compiles them
#   NATIVE_MINUTES      how long to fuzz; default 2
set -eu
tools=$(cd "$(dirname "$0")/.." && pwd)
top=$(dirname "$tools")
. "$tools/optional.sh"
PATH=$PATH:/usr/sbin:/sbin
oldest=bullseye newest=trixie
[ $# -gt 0 ] || {
  sed -n 's/^# usage: //p' "$0" >&2
  exit 2
}
mkdir -p "$1"
libraries=$(cd "$1" && pwd)
shift
work=${NATIVE_WORK:-$top/target/native-test}
mkdir -p "$work"
work=$(cd "$work" && pwd)
cross=${CROSS_WORK:-$top/target/cross}
mounted=
clean_up() {
  for root in $mounted; do
    umount "$root/proc"
  done
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP

# Returns whether roots can be made and entered here; if not, prints that WHAT is skipped, and why.
roots_work() { # WHAT
  if [ "$(id -u)" != 0 ]; then
    skipped "$1" "not root"
    return 1
  elif ! have apt-get || ! have dpkg-deb; then
    skipped "$1" "no apt-get and dpkg-deb: it takes packages from Debian"
    return 1
  fi
}

# Unpacks one package of this machine's own release; prints the folder.
package() { # PACKAGE
  folder=$work/package-$1
  if [ ! -e "$folder/complete" ]; then
    rm -rf "$folder"
    mkdir -p "$folder/deb"
    (cd "$folder/deb" && apt-get -qq download "$1" >&2) || return 1
    dpkg-deb -x "$folder"/deb/*.deb "$folder"
    touch "$folder/complete"
  fi
  echo "$folder"
}

# A root of packages of a Debian release, ready to run them.
make_root() { # SUITE ARCHITECTURE PACKAGE...
  root=$work/$1-$2
  suite=$1 architecture=$2
  shift 2
  "$tools/native/debian_root.sh" "$suite" "$architecture" "$root" base-files "$@"
  [ -c "$root/dev/null" ] || mknod -m 666 "$root/dev/null" c 1 3
  [ -c "$root/dev/random" ] || mknod -m 666 "$root/dev/random" c 1 8
  [ -c "$root/dev/urandom" ] || mknod -m 666 "$root/dev/urandom" c 1 9
  if ! grep -q " $root/proc " /proc/mounts; then
    mount -t proc proc "$root/proc"
    mounted="$mounted $root"
  fi
}

inside() { # COMMAND...    in $root, by $emulator
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LC_ALL=C.UTF-8 \
    ${kernels:+"CSD_KERNELS=$kernels"} chroot "$root" ${emulator:+"$emulator"} "$@"
}

# Compiles the program that loads a library; $root/try/load_library and the library beside it.
put_loader() { # TARGET
  mkdir -p "$root/try"
  # shellcheck disable=SC2046 # options
  "$cross/bin/cc" $(cat "$cross/$1.options") -O1 -o "$root/try/load_library" \
    "$top/jni-bridge/src/test/c/load_library.c" -ldl
  cp "$libraries/$1/libluceneoffload.so" "$root/try/"
}

# Compiles the tests; sets NATIVE_CLASS_PATH.
compile_tests() {
  console=$(sed -n 's#.*<junit.version>5\(.*\)</junit.version>.*#1\1#p' "$top/pom.xml")
  (
    cd "$top"
    # shellcheck disable=SC2086 # a list
    mvn -q -B ${MAVEN_ARGS:-} -DskipTests -Dcorpus.skip=true process-test-classes \
      dependency:build-classpath -pl src-test,stock-test -am -Dmdep.includeScope=test \
      -Dmdep.outputFile=target/test.cp
    # shellcheck disable=SC2086 # a list
    mvn -q -B ${MAVEN_ARGS:-} -N dependency:copy "-DoutputDirectory=$work/console" \
      "-Dartifact=org.junit.platform:junit-platform-console-standalone:$console"
  ) >&2
  NATIVE_CLASS_PATH=$(ls "$work"/console/*"$console".jar)
  for module in src-test stock-test; do
    tests=$top/$module/target/test-classes:$(cat "$top/$module/target/test.cp")
    NATIVE_CLASS_PATH=$tests:$NATIVE_CLASS_PATH
  done
}

# Copies the compiled tests and their jars to $root/try, with the LIBRARIES in place of what the
# build made; sets $class_path.
put_classes() {
  [ -n "${NATIVE_CLASS_PATH:-}" ] || compile_tests
  rm -rf "$root/try/classes"
  mkdir -p "$root/try/classes"
  class_path=
  number=0
  for entry in $(echo "$NATIVE_CLASS_PATH" | tr ':' '\n' | awk '!seen[$0]++'); do
    [ -e "$entry" ] || continue
    number=$((number + 1))
    to=/try/classes/$number$(basename "$entry")
    cp -r "$entry" "$root$to"
    rm -rf "$root$to/org/luceneoffload/native"
    class_path=$class_path:$to
  done
  class_path=${class_path#:}
  mkdir -p "$root/try/classes/native/org/luceneoffload/native"
  cp -r "$libraries"/* "$root/try/classes/native/org/luceneoffload/native/"
  class_path=/try/classes/native:$class_path
}

run_java() { # ARGUMENT...
  # An emulated compiler takes longer than what it makes faster.
  inside "$java" ${emulator:+-XX:TieredStopAtLevel=1 -XX:+UseSerialGC} -Xmx1g -ea -esa \
    --enable-native-access=ALL-UNNAMED --add-modules=jdk.management,jdk.incubator.vector "$@"
}

# The README's three lines, in an application whose class loader has the libraries of all machines.
run_application() { # WHAT
  rm -rf "$root/try/index"
  mkdir -p "$root/try/index"
  said=$(run_java -cp "$class_path" org.luceneoffload.loaders.LoaderChild "$class_path" \
    'org.luceneoffload.loaders.LoadedApplication$Offloading' /try/index 1 1 \
    2>"$root/try/errors") || {
    cat "$root/try/errors" >&2
    return 1
  }
  case $said in
    *"> matches 67 on the device"*) echo "$1: an application: matches 67 on the device" ;;
    *)
      echo "$1: an application said: $said" >&2
      cat "$root/try/errors" >&2
      return 1
      ;;
  esac
}

build() {
  status=0
  sh "$tools/cross_build.sh" "$libraries" || status=$?
  if [ "$status" -eq 77 ]; then
    skipped "libraries for other machines" "no compiler for them: see the line above"
    exit 0
  fi
  return "$status"
}

symbols() {
  what="symbols of the libraries"
  if ! have readelf; then
    skipped "$what" "no readelf (binutils)"
    return
  fi
  python3 "$tools/native/check_floor.py" "$libraries"
  for library in "$libraries"/linux-*/libluceneoffload.so; do
    [ ! -e "$library" ] ||
      CANARIES=inside sh "$tools/check_elf.sh" "$library" Java_org_luceneoffload_
  done
  skipped "the libraries for macOS beyond their symbols" "no macOS here"
}

musl() {
  roots_work "the engine and the library with musl" || return 0
  root=$(package musl) emulator= kernels=
  loader=$(ls "$root"/lib/ld-musl-*.so.1)
  processor=$(uname -m)
  build=$work/musl-$processor
  options=$(cat "$cross/linux-$processor-musl.options")
  "$tools/cmake_build.sh" "$top/device-sim" "$build" -DCMAKE_SYSTEM_NAME=Linux \
    "-DCMAKE_SYSTEM_PROCESSOR=$processor" "-DCMAKE_C_COMPILER=$cross/bin/cc" \
    "-DCMAKE_C_FLAGS=$options" "-DCMAKE_AR=$cross/bin/ar" \
    "-DCMAKE_RANLIB=$cross/bin/ranlib" -DCMAKE_BUILD_TYPE=Release -DCSD_TARGET=OFF \
    "-DCMAKE_CROSSCOMPILING_EMULATOR=$loader"
  CSD_TEST_SHARE=6 ctest --test-dir "$build" --output-on-failure --no-tests=error \
    -E 'vectors_are|core_has|includes_are|programs_are|hardening_is' >"$build/ctest.log" 2>&1 || {
    tail -n 40 "$build/ctest.log" >&2
    return 1
  }
  echo "musl: $(grep 'tests passed' "$build/ctest.log"), with $(basename "$loader")"
  put_loader "linux-$processor-musl"
  said=$("$loader" "$root/try/load_library" "$root/try/libluceneoffload.so")
  echo "musl: $said"
  skipped "a JVM for musl" "Debian packages none"
}

debian() {
  what="the library in the oldest and the newest Debian"
  roots_work "$what" || return 0
  if ! jdk=$(sh "$tools/find_jdk.sh" 21); then
    skipped "$what" "no JDK of release 21 or later"
    return
  fi
  emulator= kernels=
  architecture=$(dpkg --print-architecture)
  for suite in $oldest $newest; do
    make_root "$suite" "$architecture" libc6 zlib1g
    [ -e "$root/jdk" ] || cp -rL "$jdk" "$root/jdk"
    java=/jdk/bin/java
    put_classes
    run_application "Debian $suite, $architecture, $(libc_of)"
  done
}

# Names the C library of $root.
libc_of() {
  echo "glibc $(strings "$(find "$root/lib" "$root/usr/lib" -name libc.so.6 -print | head -n 1)" |
    sed -n 's/^GNU C Library.* version \([0-9.]*[0-9]\).*/\1/p')"
}

aarch64() {
  roots_work "the library on AArch64" || return 0
  qemu=$(package qemu-user-static)/usr/bin/qemu-aarch64-static
  emulator=/try/qemu kernels=neon
  make_root "$oldest" arm64 libc6
  put_loader linux-aarch64-gnu
  cp "$qemu" "$root$emulator"
  said=$(inside /try/load_library /try/libluceneoffload.so)
  echo "Debian $oldest, arm64, $(libc_of), emulated: $said"

  make_root "$newest" arm64 openjdk-25-jre-headless
  mkdir -p "$root/try"
  cp "$qemu" "$root$emulator"
  java=$(cd "$root" && ls -d usr/lib/jvm/java-*-openjdk-arm64/bin/java | head -n 1)
  java=/$java
  put_classes
  on="Debian $newest, arm64, $(libc_of), emulated, NEON"
  run_application "$on"
  run_java -cp "$class_path" org.junit.platform.console.ConsoleLauncher execute --disable-banner \
    --details=summary --fail-if-no-tests -c org.luceneoffload.contract.TestSimDeviceContract \
    >"$root/try/contract.log" 2>&1 || {
    tail -n 60 "$root/try/contract.log" >&2
    return 1
  }
  echo "$on: the contract of the device: $(grep 'tests successful' "$root/try/contract.log")"
  mkdir -p "$root/try/fuzz"
  run_java -cp "$class_path" org.luceneoffload.fuzz.FuzzMain --work /try/fuzz \
    --minutes "${NATIVE_MINUTES:-2}" >"$root/try/fuzz.log" 2>&1 || {
    tail -n 60 "$root/try/fuzz.log" >&2
    return 1
  }
  echo "$on: the fuzzer: $(tail -n 1 "$root/try/fuzz.log")"
}

[ $# -gt 0 ] || set -- build symbols musl debian aarch64
for part in "$@"; do
  case $part in
    build | symbols | musl | debian | aarch64) $part ;;
    *)
      echo "native_test: no part $part" >&2
      exit 2
      ;;
  esac
done
