#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# What the build runs: run.sh, if there is a bash for it.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../build-tools/optional.sh"
if ! have bash; then
  skipped "the NVMe guest test" "no bash"
  exit 0
fi
exec bash "$here/run.sh"
