#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Packs csd-target for its users: as a package of Debian (program, man page, completions of bash,
# zsh and fish, systemd unit, a user of its own) if there is dpkg-deb, and as an archive; with a
# CycloneDX SBOM beside them. The same inputs give the same bytes.
#
# usage: csd_target.sh PROGRAM VERSION DATE FOLDER
#   DATE     of all files, such as 2026-01-01T00:00:00Z
set -eu
. "$(dirname "$0")/../optional.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
program=$1
version=$2
SOURCE_DATE_EPOCH=$(date -u -d "$3" +%s)
export SOURCE_DATE_EPOCH
mkdir -p "$4"
out=$(cd "$4" && pwd)
packaging=$top/device-sim/csd-target/packaging
machine=$(uname -m)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022

# place FILE TARGET [MODE]
place() {
  install -D -m "${3:-644}" "$1" "$work/$2"
}

# The completions: the options that --help names, and which of them take a value.
printf '#compdef csd-target\n_arguments' >"$work/zsh"
words=
while read -r option value; do
  words="$words $option"
  printf " '*%s[]%s'" "$option" "${value:+:$value:_files}" >>"$work/zsh"
  echo "complete -c csd-target -l ${option#--}${value:+ -r}" >>"$work/fish"
done <<END
$("$program" --help | sed -n 's/^  *\(--[a-z-]*\)\( [A-Z]*\)\{0,1\}[ =].*/\1\2/p')
END
echo >>"$work/zsh"
cat >"$work/bash" <<END
_csd_target() {
  COMPREPLY=(\$(compgen -W "$words" -- "\$2"))
}
complete -o default -F _csd_target csd-target
END

# The archive: unpacked anywhere, started by hand.
name=csd-target-$version-linux-$machine
place "$program" "$name/csd-target" 755
strip "$work/$name/csd-target"
place "$packaging/csd-target.8" "$name/csd-target.8"
for shell in bash zsh fish; do
  place "$work/$shell" "$name/completion.$shell"
done
place "$packaging/csd-target.service" "$name/csd-target.service"
place "$top/LICENSE" "$name/LICENSE"
place "$top/NOTICE" "$name/NOTICE"
tar -c -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --format=gnu \
  "--mtime=@$SOURCE_DATE_EPOCH" "$name" | gzip -9n >"$out/$name.tar.gz"

# What it is linked to, by the names that the dynamic linker seeks.
needed=$(readelf -d "$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p' | LC_ALL=C sort)
{
  cat <<END
{
  "bomFormat" : "CycloneDX",
  "specVersion" : "1.6",
  "version" : 1,
  "metadata" : {
    "timestamp" : "$3",
    "component" : {
      "type" : "application",
      "bom-ref" : "csd-target",
      "name" : "csd-target",
      "version" : "$version",
      "licenses" : [ { "license" : { "id" : "Apache-2.0" } } ]
    }
  },
  "components" : [
END
  echo "$needed" | sed 's/.*/    { "type" : "library", "bom-ref" : "&", "name" : "&" }/; $!s/$/,/'
  printf '  ],\n  "dependencies" : [ { "ref" : "csd-target", "dependsOn" : [ %s ] } ]\n}\n' \
    "$(echo "$needed" | sed 's/.*/"&"/' | paste -s -d ',' -)"
} >"$out/$name.cdx.json"

if ! have dpkg-deb; then
  skipped "package of csd-target" "no dpkg-deb"
  exit 0
fi
architecture=$(dpkg --print-architecture)
place "$work/$name/csd-target" deb/usr/sbin/csd-target 755
place "$top/NOTICE" deb/usr/share/doc/csd-target/NOTICE
place "$top/LICENSE" deb/usr/share/doc/csd-target/copyright
mkdir -p "$work/deb/usr/share/man/man8" "$work/deb/usr/lib/systemd/system" \
  "$work/deb/usr/lib/sysusers.d" "$work/deb/DEBIAN" "$work/deb/etc"
gzip -9nc "$packaging/csd-target.8" >"$work/deb/usr/share/man/man8/csd-target.8.gz"
sed 's#/usr/local/sbin/#/usr/sbin/#' "$packaging/csd-target.service" \
  >"$work/deb/usr/lib/systemd/system/csd-target.service"
place "$work/bash" deb/usr/share/bash-completion/completions/csd-target
place "$work/zsh" deb/usr/share/zsh/vendor-completions/_csd-target
place "$work/fish" deb/usr/share/fish/vendor_completions.d/csd-target.fish
# The unit runs as this user, since it has the service's name; files that it leaves stay one user's.
echo 'u csd-target - "NVMe/TCP target" /var/lib/csd-target' \
  >"$work/deb/usr/lib/sysusers.d/csd-target.conf"
mkdir -m 700 "$work/deb/etc/csd-target"
depends="libc6 (>= $(readelf -W --dyn-syms "$program" | grep -o 'GLIBC_[0-9.]*' |
  sed 's/GLIBC_//' | sort -V | tail -n 1))"
if readelf -d "$program" | grep -q 'libssl\.so\.3'; then
  depends="$depends, libssl3t64 | libssl3"
fi
cat >"$work/deb/DEBIAN/control" <<END
Package: csd-target
Version: $version
Architecture: $architecture
Maintainer: The lucene-offload maintainers <maintainers@lucene-offload.example.org>
Section: admin
Priority: optional
Depends: $depends, adduser
Description: NVMe/TCP target that answers queries over its posting pages
 A daemon that serves a file as the namespace of an NVMe subsystem over TCP,
 and runs the queries of lucene-offload beside the posting lists in it. It is
 started by "systemctl enable --now csd-target" once keys or options lie in
 /etc/csd-target.
END
cat >"$work/deb/DEBIAN/postinst" <<'END'
#!/bin/sh
set -e
if [ "$1" = configure ]; then
  getent passwd csd-target >/dev/null || adduser --system --group --quiet \
    --home /var/lib/csd-target --no-create-home --gecos "NVMe/TCP target" csd-target
  if [ -d /run/systemd/system ]; then
    systemctl daemon-reload || true
    systemctl try-restart csd-target.service || true
  fi
fi
END
cat >"$work/deb/DEBIAN/prerm" <<'END'
#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  systemctl disable --now csd-target.service || true
fi
END
chmod 755 "$work/deb/DEBIAN/postinst" "$work/deb/DEBIAN/prerm"
dpkg-deb --root-owner-group -Zxz --build "$work/deb" \
  "$out/csd-target_${version}_$architecture.deb" >/dev/null
