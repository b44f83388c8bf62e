#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Unpacks the tool's archive into /usr/local of a bare Debian root with a Java runtime: it indexes
# and searches, every command has a man page that renders without a warning, and bash, zsh and fish
# complete its commands. By hand, as root.
#
# usage: tool_test.sh ARCHIVE ROOT [SUITE]
#   ARCHIVE   what release.sh made
#   ROOT      a root that was made before, or where one is to be made and left
#   SUITE     of Debian, default trixie
set -eu
archive=$1 root=$2 suite=${3:-trixie}
. "$(dirname "$0")/root.sh"
enter_root "$root" "$suite"
inside apt-get -qq install -y --no-install-recommends openjdk-21-jre-headless man-db \
  bash-completion zsh fish >"$root.log" 2>&1 || fail "apt-get failed; its log is $root.log"
rm -rf "$root"/usr/local/lib/offload "$root/tmp/tool"
tar -x -z -f "$archive" -C "$root/usr/local" --strip-components=1 --no-same-owner
mkdir "$root/tmp/tool"

inside offload --version
cat >"$root/tmp/tool/corpus.jsonl" <<'END'
{"id": "1", "title": "one", "body": "the quick brown fox", "year": 2001}
{"id": "2", "title": "two", "body": "the lazy dog and the quick cat", "year": 2002}
END
start=$(date +%s)
inside offload index --corpus /tmp/tool/corpus.jsonl --index /tmp/tool/index
inside offload search --index /tmp/tool/index --on both '+quick +fox'
inside offload check --index /tmp/tool/index
echo "tool_test: indexed, searched and checked in $(($(date +%s) - start)) s"

# The completions: every command, in each shell.
commands=$(inside offload help 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p')
[ -n "$commands" ] || fail "offload help names no commands"
pages=offload
for command in $commands; do
  [ "$command" = help ] || pages="$pages offload-$command"
done
# shellcheck disable=SC2086 # a list
renders $pages
cat >"$root/tmp/tool/bash" <<'END'
. /usr/share/bash-completion/bash_completion
_comp_load offload 2>/dev/null || _completion_loader offload
COMP_WORDS=(offload "$1") COMP_CWORD=1 COMP_LINE="offload $1" COMP_POINT=${#COMP_LINE}
_complete_offload
echo "${COMPREPLY[@]}"
END
cat >"$root/tmp/tool/zsh" <<'END'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1= ; autoload -U compinit; compinit -u -d /tmp/tool/dump"
sleep 2
zpty -w -n shell "offload $1"$'\t'
sleep 2
zpty -w -n shell $'--ind\t'
sleep 2
while zpty -r -t shell line; do print -r -- "$line"; done
zpty -d shell
END
for command in $commands; do
  begun=${command%??}
  inside bash /tmp/tool/bash "$begun" | grep -q -w -- "$command" || fail "bash: no $command"
  inside env XDG_DATA_DIRS=/usr/local/share:/usr/share fish -c "complete -C 'offload $begun'" |
    grep -q "^$command" || fail "fish: no $command"
done
said=$(inside zsh -f /tmp/tool/zsh impo)
case $said in
  *"not found"*) fail "zsh says $said" ;;
  *"offload import "*"--index "*) ;;
  *) fail "zsh completes neither import nor its --index: $said" ;;
esac
echo "tool_test: $suite: $(echo "$pages" | wc -w) man pages; commands complete in bash, zsh, fish"
