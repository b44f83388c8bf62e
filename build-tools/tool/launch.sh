# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Starts the command-line tool; its launchers source this file: ./offload, and the one of a release.

# Java takes the encoding of file names and arguments from the locale. In the locale "C" it takes
# what is not ASCII in a query or a path for unknown characters.
uses_utf8() {
  case $(locale charmap 2>/dev/null) in
    UTF-8) return 0 ;;
    ?*) return 1 ;;
  esac
  case ${LC_ALL:-${LC_CTYPE:-${LANG:-}}} in
    *[Uu][Tt][Ff]-8* | *[Uu][Tt][Ff]8*) return 0 ;;
  esac
  return 1
}

# Becomes the tool. OFFLOAD_JAVA_OPTS has more options for the JVM.
launch() { # JAVA_HOME TOP CLASS_PATH ARGUMENT...
  java=$1/bin/java home=$2 class_path=$3
  shift 3
  uses_utf8 || export LC_ALL=C.UTF-8
  # Lucene's own vector code, with which it is compared here, needs the incubator module. The JVM
  # warns of it on standard error, and has no option against that; commands that do not search go
  # without.
  vector=
  case ${1:-} in
    bench | demo | explore | search) vector='--add-modules jdk.incubator.vector' ;;
  esac
  # shellcheck disable=SC2086 # OFFLOAD_JAVA_OPTS is a list, vector none or two words
  exec "$java" --enable-native-access=ALL-UNNAMED $vector ${OFFLOAD_JAVA_OPTS:-} \
    "-Doffload.home=$home" -cp "$class_path" org.luceneoffload.cli.OffloadCli "$@"
}
