#!/usr/bin/env bash
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Makes an initial RAM disk: busybox, the modules for virtio and NVMe over TCP, and our init.
#
#   make_initrd.sh KERNEL_FOLDER OUT    KERNEL_FOLDER: a linux-image-*-cloud-amd64, unpacked
#
# It is not compressed: an emulated processor loads it faster than it unpacks one.
set -euo pipefail
kernel=$1
out=$2
here=$(cd "$(dirname "$0")" && pwd)
PATH=$PATH:/usr/sbin:/sbin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
mkdir -p "$root"/{bin,dev,proc,sys,tmp,disk,etc,lib/modules}
cp "$(command -v busybox)" "$root/bin/busybox"

# Newer kernels compress their modules, which busybox cannot read.
release=$(basename "$kernel"/lib/modules/*)
cp -r "$kernel/lib" "$work/"
find "$work/lib" -name '*.ko.xz' -exec xz -d {} +
depmod -b "$work" "$release"
for module in virtio_pci virtio_net virtio_blk nvme nvme-tcp ext4; do
  # What is built into the kernel needs no file.
  modprobe -d "$work" -S "$release" --show-depends "$module" 2>/dev/null |
    awk '$1 == "insmod" { print $2 }'
done | awk '!seen[$0]++' | while read -r file; do
  cp "$file" "$root/lib/modules/"
  basename "$file"
done >"$root/etc/modules"

cp "$here/init.sh" "$root/init"
chmod +x "$root/init"
(cd "$root" && find . | cpio -o -H newc --quiet) >"$out"
