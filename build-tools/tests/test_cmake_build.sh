#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# cmake_build.sh builds again in a tree that was copied or moved after a build, and does not start
# over in one that stayed where it was.
#
# usage: test_cmake_build.sh
set -u
build_script=$(cd "$(dirname "$0")/.." && pwd)/cmake_build.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
faults=0

fault() {
  echo "test_cmake_build: $1" >&2
  faults=$((faults + 1))
}

# Builds FOLDER/$1; what comes out must be TEXT, which stands in its sources.
build() { # NAME TEXT
  if ! sh "$build_script" "$folder/$1" "$folder/$1/target/cmake" >"$folder/said" 2>&1; then
    fault "the build in $1 failed:"
    cat "$folder/said" >&2
  elif [ "$(cat "$folder/$1/target/cmake/out")" != "$2" ]; then
    fault "the build in $1 made $(cat "$folder/$1/target/cmake/out"), not $2"
  fi
}

mkdir "$folder/first"
cat >"$folder/first/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.16)
project(example LANGUAGES NONE)
add_custom_command(OUTPUT out COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_SOURCE_DIR}/in out
  DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/in)
add_custom_target(all_of_it ALL DEPENDS out)
END
echo first >"$folder/first/in"
build first first
touch "$folder/first/target/cmake/kept"
build first first
[ -e "$folder/first/target/cmake/kept" ] || fault "a tree that stayed is built anew"
ln -s first "$folder/link"
build link first
[ -e "$folder/first/target/cmake/kept" ] || fault "a tree is built anew through a link to it"

cp -R "$folder/first" "$folder/copy"
echo copy >"$folder/copy/in"
build copy copy
[ ! -e "$folder/copy/target/cmake/kept" ] || fault "a copy keeps what was built elsewhere"
[ "$(cat "$folder/first/target/cmake/out")" = first ] || fault "a copy builds into the original"

mv "$folder/first" "$folder/moved"
echo moved >"$folder/moved/in"
build moved moved
[ "$faults" -eq 0 ] || exit 1
echo "cmake_build.sh: builds again where a tree was copied or moved to"
