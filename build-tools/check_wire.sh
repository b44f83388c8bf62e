#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Fails if a generated file differs from what wire/offload_wire.toml says. The generated files are
# committed, so a machine without a Python that reads TOML (3.11) can build; there the check is
# skipped, with a line that says so.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)

if ! command -v python3 >/dev/null 2>&1; then
  echo "wire check skipped: python3 is not on PATH"
  exit 0
fi
if ! python3 -c 'import tomllib' 2>/dev/null; then
  echo "wire check skipped: python3 is older than 3.11 (no tomllib)"
  exit 0
fi
python3 "$top/wire/gen_wire.py" --check
