#!/usr/bin/env bash
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Sees to it that what the guest test needs of Debian is there.
#
#   packages.sh CACHE    CACHE keeps the kernels, each unpacked in a folder of its name
#
# Installs QEMU and the small tools if they are missing and this is root, and downloads two kernels;
# kernels are unpacked, never installed. Prints a line "kernel VERSION FOLDER" for each on standard
# output. Where the test cannot run it ends with 77, and one line on standard error says why.
set -euo pipefail
cache=$1
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../build-tools/optional.sh"
what="the NVMe guest test"

skip() {
  skipped "$what" "$*" >&2
  exit 77
}

[ "$(uname -sm)" = "Linux x86_64" ] || skip "it boots an x86-64 kernel, this is $(uname -sm)"
have apt-get || skip "it takes kernels from Debian, and there is no apt-get"
have dpkg-deb || skip "it takes kernels from Debian, and there is no dpkg-deb"

missing=()
need() {
  have "$1" || missing+=("$2")
}
PATH=$PATH:/usr/sbin:/sbin
need qemu-system-x86_64 qemu-system-x86
need busybox busybox-static
need depmod kmod
need cpio cpio
need xz xz-utils
need mke2fs e2fsprogs

updated=no
update() {
  [ $updated = yes ] || apt-get -qq update >/dev/null 2>&1 || true
  updated=yes
}

if [ ${#missing[@]} -gt 0 ]; then
  [ "$(id -u)" = 0 ] || skip "install ${missing[*]} first, or run it as root"
  ! dry_run "$what" "apt-get install ${missing[*]}" >&2 || exit 0
  update
  echo "installing ${missing[*]}" >&2
  DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${missing[@]}" \
    >"$cache.apt.log" 2>&1 || skip "apt-get does not install ${missing[*]}: see $cache.apt.log"
fi

! dry_run "$what" qemu-system-x86_64 >&2 || exit 0

# The newest kernel of a line. Packages without files depend on it; one of them has the line in its
# name, the other is of whatever line the distribution prefers.
newest() {
  apt-cache depends "linux-image-$1-cloud-amd64" linux-image-cloud-amd64 2>/dev/null |
    sed -n "s/^ *Depends: \(linux-image-$1\.[0-9].*cloud-amd64\)$/\1/p" | head -n 1
}

kernel() { # LINE
  local folder unpacked= name
  for folder in "$cache/$1"-*/; do
    [ -e "$folder/complete" ] && unpacked=${folder%/}
  done
  if [ -z "$unpacked" ]; then
    update
    name=$(newest "${1//./\\.}")
    if [ -z "$name" ]; then
      skipped "$what on Linux $1" "the package lists have none" >&2
      return
    fi
    unpacked=$cache/$1-$name
    rm -rf "$unpacked"
    mkdir -p "$unpacked/deb"
    if ! (cd "$unpacked/deb" && apt-get -qq download "$name" >/dev/null 2>&1); then
      skipped "$what on Linux $1" "$name cannot be downloaded" >&2
      return
    fi
    if ! dpkg-deb -x "$unpacked"/deb/*.deb "$unpacked"; then
      skipped "$what on Linux $1" "$name cannot be unpacked" >&2
      return
    fi
    rm -rf "$unpacked/deb"
    touch "$unpacked/complete"
  fi
  echo "kernel $1 $unpacked"
}

mkdir -p "$cache"
for line in 6.1 6.12; do
  kernel "$line"
done >"$cache/found"
[ -s "$cache/found" ] || skip "no kernel can be had"
cat "$cache/found"
