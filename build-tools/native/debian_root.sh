#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Unpacks packages of a Debian release, for any processor, with all that they depend on. Runs
# nothing of theirs: the folder is no system, but a place where programs find their libraries.
#
# usage: debian_root.sh SUITE ARCHITECTURE FOLDER PACKAGE...
#
# Packages come from the mirror of this machine's own apt. A folder that is complete is left alone.
set -eu
suite=$1 architecture=$2 root=$3
shift 3
[ ! -e "$root/complete" ] || exit 0
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' |
  head -n 1)
keys=/usr/share/keyrings/debian-archive-keyring.gpg
rm -rf "$root"
mkdir -p "$root"
root=$(cd "$root" && pwd)
apt=$root.apt
mkdir -p "$apt/lists/partial" "$apt/archives/partial"
: >"$apt/status"
echo "deb [arch=$architecture signed-by=$keys] $mirror $suite main" >"$apt/sources.list"

private_apt() {
  DEBIAN_FRONTEND=noninteractive apt-get -qq -o "APT::Architecture=$architecture" \
    -o "APT::Architectures::=$architecture" -o "Dir::Etc::SourceList=$apt/sources.list" \
    -o Dir::Etc::SourceParts=/dev/null -o "Dir::State::Lists=$apt/lists" \
    -o "Dir::State::Status=$apt/status" -o "Dir::Cache::Archives=$apt/archives" \
    -o Dir::Cache::PkgCache= -o Dir::Cache::SrcPkgCache= -o Acquire::Languages=none \
    -o APT::Install-Recommends=false -o Debug::NoLocking=true "$@"
}

private_apt update >&2
private_apt install --download-only -y "$@" >&2
for package in "$apt"/archives/*.deb; do
  dpkg-deb -x "$package" "$root"
done
rm -rf "$apt"
mkdir -p "$root/proc" "$root/dev" "$root/tmp"
touch "$root/complete"
