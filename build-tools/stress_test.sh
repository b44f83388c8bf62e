#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Runs the jcstress tests of the module stress; prints one line, or what failed.
#
# usage: stress_test.sh CLASSPATH FOLDER [OPTION ...]      FOLDER gets the log and the report;
#                                                          OPTIONs are jcstress's, such as -m tough
set -u
tools=$(cd "$(dirname "$0")" && pwd)
classpath=$1
folder=$2
shift 2
jdk=$("$tools/find_jdk.sh" 21) || {
  echo "stress_test: no JDK of 21 or later found" >&2
  exit 1
}
mkdir -p "$folder" && cd "$folder" || exit 1
rm -f jcstress-results-*
result=0
start=$(date +%s)
"$jdk/bin/java" -cp "$classpath" org.openjdk.jcstress.Main "$@" -r "$folder/report" \
  >"$folder/log" 2>&1 || result=$?
tests=$(sed -n 's/^(Results: \([0-9]* planned; .*\))$/\1/p' "$folder/log" | tail -n 1)
if [ "$result" -ne 0 ] || [ -z "$tests" ]; then
  sed -n '/^RUN RESULTS/,$p' "$folder/log" >&2
  echo "stress tests failed ($tests); the log is $folder/log" >&2
  exit 1
fi
echo "stress tests of what threads share without a lock: $tests, $(($(date +%s) - start)) s"
