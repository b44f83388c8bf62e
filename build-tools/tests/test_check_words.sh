#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# check_words.sh finds each kind of word, name and folder that it forbids, and no other.
set -u
tools=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
faults=0

expect() { # STATUS WHAT
  sh "$tools/check_words.sh" "$folder" >"$folder/said.log" 2>&1
  result=$?
  if [ "$result" -ne "$1" ]; then
    echo "test_check_words: $2: status $result, not $1" >&2
    cat "$folder/said.log" >&2
    faults=$((faults + 1))
  fi
}

planted() { # STATUS FILE TEXT; of the text, a ~ falls out, so that the check passes this file
  printf '%s\n' "$3" | sed 's/~//' >"$folder/$2"
  expect "$1" "$2 with $3"
  rm "$folder/$2"
}

method() { # STATUS JAVADOC DECLARATION
  planted "$1" java/src/main/java/Method.java "$(printf '  /** %s */\n%s' "$2" "$3")"
}

mkdir -p "$folder/core" "$folder/java/src/main/java"
echo 'int csd_one(void);' >"$folder/core/one.c"
expect 0 "nothing planted"
planted 1 core/limits.c '#define MOST~_PAGES 4'
planted 1 core/limits.h '#define CSD_LEAST~_PAGES 4'
planted 0 core/limits.h '#define CSD_MIN_PAGES 4'
planted 1 core/sort.c 'bool hope~less;'
planted 1 java/Pool.java 'void len~dAll() {}'
planted 1 java/Pool.java '/** The session is le~nt. */'
planted 0 java/Pool.java '/** A silent calendar, called. */'
planted 1 page.md 'An inverted li~st.'
planted 1 java/Text.java 'String.format("%d", 1);'
planted 1 java/Text.java 'out.printf("%d", 1);'
planted 1 java/Text.java "$(printf 'out.printf(\n    "%%d", 1);')"
planted 1 java/Text.java '"%d".format~ted(1);'
planted 1 java/Text.java 'text.toLowerCase()'
planted 0 java/Text.java "$(printf 'out.printf(\n    Locale.ROOT, "%%d", 1);')"
planted 0 java/Text.java 'text.toLowerCase(Locale.ROOT); dates.format(day);'
planted 1 java/one.c 'int csd_other(void);'
method 1 'The next doc.' '  public int next() {'
method 1 'Whether there is one.' '  boolean hasNext();'
method 1 'Docs of a list.' '  protected abstract int[] docs(int list);'
annotated=$(printf '  @Some({\n    "no", one()\n  })\n  static String time(\n')
method 1 '{@code 12 ms}.' "$annotated"
method 0 'Returns {@code 12 ms}.' "$annotated"
method 1 "$(printf '\n   * Null if there is none.\n   *\n   * @param at a place\n   ')" '  int at('
method 0 "$(printf '\n   * Returns it.\n   ')" "$(printf '  @Override\n  public <T>\n      T get(')"
method 0 '{@return the next doc}' '  int next();'
method 0 'Runs.' '  void run() {'
method 0 'The last doc.' '  static final int LAST = last();'
method 0 'Hits of a query.' '  public record Hits(int[] docs) {'
method 0 'A reader of it.' '  public Method(int docs) {'
planted 0 java/package-info.java '/** Here. */'
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
  : >"$folder/java/source$i.h"
done
mkdir "$folder/java/source2" # its files come between those of its parent
: >"$folder/java/source2/deeper.h"
expect 0 "25 sources at one level"
planted 1 java/source26.h ''
[ "$faults" -eq 0 ] || exit 1
echo "word check: finds what it forbids"
