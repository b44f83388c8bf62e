#!/bin/sh
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
#
# Checks words, names and folders of all sources, generated ones too. Words: those that
# docs/GLOSSARY.md forbids, as far as they have no other sense in the field. Java: nothing is
# formatted, or changes case, by the locale of the machine. Javadoc of methods begins with a verb.
# Names: no two sources have the same. Folders: at most 25 sources at one level.
#
# usage: check_words.sh [FOLDER]
set -u
cd "${1:-$(dirname "$0")/..}" || exit 1
max_sources=25

# Generated folders.
large='
lucene-offload/src/main/java/org/luceneoffload/wire/layout
'

# Words that end in "s" as verbs do, but with which no javadoc of a method begins.
no_verbs='
Accesses Arrays As Bytes Candidates Capabilities Clauses Comparisons Days Docs Documents Dwords
Elements Entries Figures Flags Hits Impacts Its Less Matches Microseconds Milliseconds Names
Nanoseconds Nodes Pages Pairs Patterns Phrases Picoseconds Positions Postings Queries Readers
Refusals Rows Seconds Segments Slots Tables Terms This Tokens Values Was Whether Words
'

list=$(mktemp)
trap 'rm -f "$list"' EXIT
find . \( -name target -o -name build -o -name '.[!.]*' \) -prune -o -type f \
  \( -name '*.c' -o -name '*.h' -o -name '*.java' -o -name '*.py' -o -name '*.sh' \
  -o -name '*.toml' -o -name '*.md' \) ! -path ./docs/GLOSSARY.md -print | sed 's|^\./||' |
  sort >"$list"
faults=0

# Words. The patterns do not find themselves.
xargs awk '
  function fault(text) { print FILENAME ":" FNR ": " text; bad = 1 }
  FNR == 1 { split_call = 0; java = FILENAME ~ /\.java$/ }
  /(^|[^A-Za-z0-9])(MOST|LEAST)_[A-Z]/ { fault("limits are MAX_ and MIN_") }
  {
    words = " " $0 " "
    gsub(/[A-Z][a-z]+/, " &", words)
    words = tolower(words)
    gsub(/[^a-z]+/, " ", words)
  }
  words ~ / hope(less|ful) / { fault("the word is non-competitive, or competitive") }
  words ~ / l(end(s|ing)?|ent) / { fault("sessions are acquired and released") }
  words ~ / inverte[d] lists? / { fault("the word is posting list") }
  words ~ / set asid[e] | on tria[l] / { fault("a circuit breaker is open, or half-open") }
  java && split_call && !/^ *Locale\./ { fault("formats with the default locale") }
  { split_call = java && /(String\.format|\.printf|new Formatter)\($/ }
  java && (/(String\.format|\.printf)\([^L]/ || /\.format\("/ || /\.formatted\(/) {
    fault("formats with the default locale")
  }
  java && /\.to(Lower|Upper)Case\(\)|new Formatter\(\)/ { fault("uses the default locale") }
  END { exit bad }' <"$list" >&2 || faults=1

# Javadoc of methods.
grep '/src/main/java/' "$list" | grep -v '/wire/layout/' | xargs awk -v no_verbs="$no_verbs" '
  BEGIN { count = split(no_verbs, names); for (i = 1; i <= count; i++) no_verb[names[i]] = 1 }
  FNR == 1 { state = 0 }
  /^ *\/\*\*/ { state = 1; word = ""; declaration = ""; depth = 0 }
  state == 1 { # in the javadoc
    text = $0
    sub(/^ *\/?\*+\/? */, "", text)
    sub(/^[{]@return /, "Returns ", text)
    split(text, words, /[ .,;:]/)
    if (word == "") word = words[1]
    if (/\*\/ *$/) state = 2
    next
  }
  state == 2 && declaration == "" && (depth > 0 || /^ *@/) { # an annotation
    depth += gsub(/\(/, "(") - gsub(/\)/, ")")
    next
  }
  state == 2 {
    declaration = declaration " " $0
    if (!match(declaration, /[({;=]/)) next
    state = 0
    method = substr(declaration, RSTART, 1) == "("
    if (!method || substr(declaration, 1, RSTART - 1) !~ /[^ ] +[a-z][A-Za-z0-9]*$/) next
    if (word ~ /^[A-Z][a-z]*s$/ && !(word in no_verb)) next
    print FILENAME ":" FNR ": the javadoc of a method begins with a verb, not with \"" word "\""
    bad = 1
  }
  END { exit bad }' >&2 || faults=1

# Names.
grep -E '\.(java|[ch])$' "$list" | grep -v -e '/package-info\.java$' -e '/module-info\.java$' |
  sed 's|.*/||' | sort | uniq -d |
  (
    twice=0
    while IFS= read -r name; do
      echo "two sources have one name:" $(grep "/$name\$" "$list") >&2
      twice=1
    done
    exit $twice
  ) || faults=1

# Folders.
grep -E '\.(java|[ch]|py|sh)$' "$list" | grep -v '/package-info\.java$' | sed 's|/[^/]*$||' |
  sort | uniq -c | awk -v max="$max_sources" -v large="$large" '
    BEGIN { count = split(large, names, "\n"); for (i = 1; i <= count; i++) allowed[names[i]] = 1 }
    $1 > max && !($2 in allowed) { print $2 ": " $1 " sources at one level"; bad = 1 }
    END { exit bad }' >&2 || faults=1

exit $faults
