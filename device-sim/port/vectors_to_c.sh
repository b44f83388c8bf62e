#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Writes golden programs as C, for a machine without files: vectors_to_c.sh VECTOR... >vectors.c
set -eu
awk '
function finish() { # a section
  if (kind == "") return
  size = length(hex) / 2
  if (kind == "page") size = 4096
  if (kind == "plan" && plan_bytes) size = plan_bytes
  if (kind == "live_docs" && live_bytes) size = live_bytes
  # A page may be read beyond its end; of a result the zeros at the end are left out.
  slack = kind == "page" ? 64 : kind == "result" ? 4096 : 0
  printf "static const uint8_t bytes_%d[%d] __attribute__((aligned(8))) = {", sections, size + slack
  for (i = 1; i <= length(hex); i += 2) printf "0x%s,", substr(hex, i, 2)
  print length(hex) == 0 ? "0};" : "};"
  if (kind == "page") pages = pages sprintf("{%s, bytes_%d}, ", lba, sections)
  if (kind == "plan") plan = sprintf("{bytes_%d, %d}", sections, size)
  if (kind == "live_docs") live = sprintf("{bytes_%d, %d}", sections, size)
  if (kind == "result") results = results sprintf("{bytes_%d, %d}, ", sections, size + slack)
  page_count += kind == "page"
  result_count += kind == "result"
  sections++
  kind = hex = ""
}
function end_file() {
  finish()
  if (name == "") return
  if (page_count) printf "static const struct memory_page pages_%d[] = {%s};\n", files, pages
  printf "static const struct vector_bytes results_%d[] = {%s};\n", files, results
  if (live == "") live = "{0, 0}"
  array = page_count ? "pages_" files : "0"
  list = list sprintf("  {\"%s\", %s, %d, %s, %s, ", name, array, page_count, plan, live)
  list = list sprintf("results_%d, %d},\n", files, result_count)
  files++
}
BEGIN {
  files = sections = 0
  print "#include \"vectors.h\""
}
FNR == 1 {
  end_file()
  name = FILENAME
  sub(/.*\//, "", name)
  sub(/\.vec$/, "", name)
  pages = plan = live = results = ""
  page_count = result_count = plan_bytes = live_bytes = 0
}
/^#/ { next }
/^plan_bytes/ { plan_bytes = $3; next }
/^live_docs_bytes/ { live_bytes = $3; next }
/^\[/ {
  finish()
  kind = $1
  gsub(/[][]/, "", kind)
  lba = $2
  gsub(/\]/, "", lba)
  next
}
kind != "" { gsub(/[ \t\r]/, ""); hex = hex $0 }
END {
  end_file()
  print "const struct vector vectors[] = {"
  printf "%s};\nconst uint32_t vector_count = %d;\n", list, files
}' "$@"
