#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Packs the command-line tool for its users: an archive of what goes into a prefix such as
# /usr/local, and runs where it was unpacked, too: launcher, jars, man pages, completions of bash,
# zsh and fish; with the SBOM beside it. The same inputs give the same bytes.
#
# usage: tool.sh VERSION DATE FOLDER        in a tree in which `papers` is built
#   DATE     of all files, such as 2026-01-01T00:00:00Z
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
version=$1 name=offload-$1
stamp=$(date -u -d "$2" +%s)
mkdir -p "$3"
out=$(cd "$3" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
umask 022
root=$work/$name

place() { # FILE TARGET [MODE]
  install -D -m "${3:-644}" "$1" "$root/$2"
}
for jar in "$top/cli/target/cli-$version.jar" "$top/papers/target/papers-$version.jar" \
  "$top"/papers/target/lib/*.jar; do
  place "$jar" "lib/offload/$(basename "$jar")"
done
place "$top/build-tools/tool/offload" bin/offload 755
place "$top/build-tools/tool/launch.sh" lib/offload/launch.sh
place "$top/build-tools/find_jdk.sh" lib/offload/find_jdk.sh 755
place "$top/LICENSE" share/doc/offload/LICENSE
place "$top/NOTICE" share/doc/offload/NOTICE
place "$top/cli/README.md" share/doc/offload/README.md

OFFLOAD_NO_BUILD=yes sh "$top/build-tools/man/man.sh" "$work/man" >&2
for page in "$work"/man/man1/*.1; do
  place "$page" "share/man/man1/$(basename "$page")"
done
"$root/bin/offload" completion bash >"$work/bash"
"$root/bin/offload" completion fish >"$work/fish"
# zsh reads bash's by its own emulation, which lacks compopt; the first completion defines the rest.
cat >"$work/zsh" <<'END'
#compdef offload
compopt() { : }
source ${${(%):-%x}:A:h:h:h}/bash-completion/completions/offload
_bash_complete -o default -F _complete_offload
END
place "$work/bash" share/bash-completion/completions/offload
place "$work/zsh" share/zsh/site-functions/_offload
place "$work/fish" share/fish/vendor_completions.d/offload.fish

tar -c -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --format=gnu \
  "--mtime=@$stamp" "$name" | gzip -9n >"$out/$name.tar.gz"
cp "$top/papers/target/bom.json" "$out/$name.cdx.json"
