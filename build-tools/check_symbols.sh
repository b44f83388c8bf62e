#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Checks that every symbol that a static library defines begins with a prefix, so that it collides
# with nothing in the program that it is linked into.
#
# usage: check_symbols.sh LIBRARY PREFIX
# Exits with 77 (skipped), and the reason, without nm.
set -u
. "$(dirname "$0")/optional.sh"
library=$1
prefix=$2
what="symbols of $(basename "$library")"
if ! have nm; then
  skipped "$what" "no nm (binutils)"
  exit 77
fi
if dry_run "$what" nm; then
  exit 0
fi
symbols=$(nm -g --defined-only "$library" | awk 'NF == 3 { print $3 }' | sort -u)
if [ -z "$symbols" ]; then
  echo "check_symbols: $library defines nothing" >&2
  exit 1
fi
foreign=$(echo "$symbols" | grep -v "^$prefix")
if [ -n "$foreign" ]; then
  echo "check_symbols: not $prefix...: $(echo "$foreign" | tr '\n' ' ')" >&2
  exit 1
fi
echo "symbols: $(echo "$symbols" | wc -l) of $(basename "$library"), all $prefix..."
