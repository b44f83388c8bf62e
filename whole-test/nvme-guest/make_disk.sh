#!/usr/bin/env bash
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Makes the guest's disk, a file system in a file: a JDK, the libraries it needs, the project's
# classes and tests, the scenario.
#
#   make_disk.sh JDK_HOME PROJECT OUT
set -euo pipefail
jdk=$1
project=$2
out=$3
here=$(cd "$(dirname "$0")" && pwd)
PATH=$PATH:/usr/sbin:/sbin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{jdk,lib,test}

# All of the JDK that runs programs; what only compiles or documents them stays out.
cp -rL "$jdk"/{bin,conf,lib,release} "$work/jdk/"
rm -rf "$work"/jdk/lib/{src.zip,ct.sym}

# The C library and what else the JDK's own binaries link.
for binary in "$jdk/bin/java" "$jdk/lib/server/libjvm.so" "$jdk/lib/libnio.so"; do
  { ldd "$binary" 2>/dev/null || true; } | grep -o '/[^ ]*' | grep -v "^$jdk"
done | sort -u | while read -r library; do
  cp -L "$library" "$work/lib/"
done

cp -r "$project/whole-test/target/test-classes" "$work/test/classes"
cp "$project"/whole-test/target/guest-lib/*.jar "$work/test/"
cp "$here/scenario.sh" "$work/"
mke2fs -q -t ext4 -O ^has_journal -m 0 -d "$work" "$out" \
  "$(du -sm --apparent-size "$work" | awk '{ print int($1 * 1.15) + 32 }')M"
