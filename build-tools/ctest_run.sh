#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Runs the C tests of a built CMake tree.
#
# usage: ctest_run.sh BUILD
set -u
cd "$1" && exec ctest --output-on-failure --no-tests=error --parallel 2 --timeout 120
