#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Fails if a generated file differs from what wire/offload_wire.toml says. The generated files are
# committed, so a machine without a Python that reads TOML (3.11) can build; there the check is
# skipped, with a line that says so.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)

. "$top/build-tools/optional.sh"
what="whether the generated wire files are up to date"
if ! why=$(python_reads_toml); then
  skipped "$what" "$why"
  exit 0
fi
if dry_run "$what" python3; then
  exit 0
fi
python3 "$top/wire/gen_wire.py" --check
