# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# For scripts whose tools are optional; they source this file. A check that cannot run prints one
# line, "skipped: WHAT: WHY", and succeeds.
#
#   OFFLOAD_DRY_RUN   if set, such a script only prints what it would run, "would run: WHAT: TOOL";
#                     test_optional_tools.sh hides tools and compares these lines

have() { # TOOL
  command -v "$1" >/dev/null 2>&1
}

skipped() { # WHAT WHY
  echo "skipped: $1: $2"
}

# Succeeds in a dry run, after it has printed what would run.
dry_run() { # WHAT TOOL
  [ -n "${OFFLOAD_DRY_RUN:-}" ] || return 1
  echo "would run: $1: $2"
}

# Prints the C compiler of the build: a command, perhaps with options.
host_compiler() {
  if [ -n "${CC:-}" ]; then
    echo "$CC"
    return
  fi
  for compiler in cc gcc clang; do
    if have "$compiler"; then
      echo "$compiler"
      return
    fi
  done
  return 1
}

# Whether COMPILER... makes a program of FOLDER/probe.c. Its output is in FOLDER/probe.log.
compiles() { # FOLDER COMPILER...
  probe=$1/probe
  shift
  echo 'int main(int argc, char **argv) { (void)argv; return argc - 1; }' >"$probe.c"
  "$@" -o "$probe" "$probe.c" >"$probe.log" 2>&1
}

# Builds and starts a program with SANITIZERS; prints why that is impossible, and fails.
sanitizers_work() { # FOLDER SANITIZERS
  mkdir -p "$1"
  if ! compiler=$(host_compiler); then
    echo "no C compiler"
    return 1
  fi
  # shellcheck disable=SC2086 # CC may carry options
  if ! compiles "$1" $compiler "-fsanitize=$2"; then
    echo "$compiler cannot link them: $(tail -n 1 "$1/probe.log")"
    return 1
  fi
  if ! "$1/probe" >"$1/probe.log" 2>&1; then
    echo "a program with them does not start: $(head -n 1 "$1/probe.log")"
    return 1
  fi
}

# Whether there is a Python that reads TOML, as the wire's generators need it; prints why not.
python_reads_toml() {
  if ! have python3; then
    echo "no python3"
    return 1
  fi
  if ! python3 -c 'import tomllib' 2>/dev/null; then
    echo "python3 reads no TOML (3.11 or later does)"
    return 1
  fi
}
