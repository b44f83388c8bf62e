#!/bin/busybox sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# First process of the guest: devices, network, the disk with the JDK and the tests; then the
# scenario that the kernel's command line names. The host's loopback is 10.0.2.2.
/bin/busybox --install -s /bin
export PATH=/bin:/disk/jdk/bin HOME=/tmp
mount -t devtmpfs dev /dev
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t tmpfs tmp /tmp
while read -r module; do
  insmod "/lib/modules/$module" || echo "guest: module $module does not load"
done </etc/modules
ip link set lo up
ip addr add 10.0.2.15/24 dev eth0
ip link set eth0 up
mount -t ext4 -o ro /dev/vda /disk || { echo "@end 90"; poweroff -f; }
mkdir -p /lib64 /lib/x86_64-linux-gnu
for library in /disk/lib/*; do
  ln -s "$library" "/lib/x86_64-linux-gnu/${library##*/}"
done
ln -s /lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 /lib64/ld-linux-x86-64.so.2
sh /disk/scenario.sh
echo "@end $?"
poweroff -f
