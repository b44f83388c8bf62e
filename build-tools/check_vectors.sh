#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Fails if the golden vectors differ from what wire/vectors/make_vectors.py makes. Exits with 77,
# and the reason, where there is no Python that reads TOML.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
. "$top/build-tools/optional.sh"
what="whether the golden vectors are up to date"
if ! why=$(python_reads_toml); then
  skipped "$what" "$why"
  exit 77
fi
if dry_run "$what" python3; then
  exit 0
fi
python3 "$top/wire/vectors/make_vectors.py" --check
