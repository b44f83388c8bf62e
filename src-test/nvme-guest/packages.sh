#!/usr/bin/env bash
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Sees to it that what the guest test needs of Debian is there.
#
#   packages.sh CACHE    CACHE keeps the kernels, each unpacked in a folder of its name
#
# Installs QEMU and the small tools if they are missing and this is root, and downloads two kernels;
# kernels are unpacked, never installed. Prints a line "kernel VERSION FOLDER" for each on standard
# output. Ends with 77, and one sentence on standard error, where the test cannot run.
set -euo pipefail
cache=$1

skip() {
  echo "nvme guest test skipped: $*" >&2
  exit 77
}

[ "$(uname -sm)" = "Linux x86_64" ] || skip "it boots an x86-64 kernel, this is $(uname -sm)"
command -v apt-get >/dev/null || skip "it takes kernels from Debian, and there is no apt-get"

missing=()
need() {
  command -v "$1" >/dev/null || [ -x "/usr/sbin/$1" ] || [ -x "/sbin/$1" ] || missing+=("$2")
}
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
  update
  echo "installing ${missing[*]}" >&2
  DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${missing[@]}" \
    >"$cache.apt.log" 2>&1 || skip "apt-get does not install ${missing[*]}: see $cache.apt.log"
fi

# The newest kernel of a line, which a package without files depends on.
newest() {
  apt-cache depends "$1" 2>/dev/null | sed -n 's/^ *Depends: \(linux-image-.*cloud-amd64\)$/\1/p' |
    head -n 1
}

kernel() { # LINE PACKAGE
  local folder have name
  for folder in "$cache/$1"-*/; do
    [ -e "$folder/complete" ] && have=${folder%/}
  done
  if [ -z "${have:-}" ]; then
    update
    name=$(newest "$2")
    if [ -z "$name" ]; then
      echo "kernel $1 left out: these package lists have no $2" >&2
      return
    fi
    have=$cache/$1-$name
    rm -rf "$have"
    mkdir -p "$have/deb"
    if ! (cd "$have/deb" && apt-get -qq download "$name" >/dev/null 2>&1); then
      echo "kernel $1 left out: $name cannot be downloaded" >&2
      return
    fi
    dpkg-deb -x "$have"/deb/*.deb "$have"
    rm -rf "$have/deb"
    touch "$have/complete"
  fi
  echo "kernel $1 $have"
}

mkdir -p "$cache"
kernel 6.1 linux-image-cloud-amd64
kernel 6.12 linux-image-6.12-cloud-amd64
