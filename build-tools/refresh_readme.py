#!/usr/bin/env python3
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
"""Runs the commands whose output README.md shows and puts the output between its marks.

usage: refresh_readme.py [demo|bench]

Without an argument both are run. The bench wants a quiet machine.

The demo is shortened to its first and last search; the table of the bench
has one row a kind of answer and one column a shape of query.
"""
import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
README = TOP / "README.md"
DEMO = ["demo"]
BENCH = ["bench", "--index", "sample-corpus/target/demo-index", "--queries",
         "sample-corpus/target/corpus/queries.txt", "--rounds", "20"]


def run(arguments):
    """Standard output of ./offload, as paragraphs."""
    done = subprocess.run(["./offload", *arguments], cwd=TOP, check=True, text=True,
                          stdout=subprocess.PIPE)
    return done.stdout.strip("\n").replace(str(TOP) + "/", "").split("\n\n")


def block(lines):
    return "```\n" + "\n".join(lines).rstrip("\n") + "\n```"


def between(text, name, body):
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    if begin not in text or end not in text:
        raise SystemExit(f"README.md lacks the marks of {name}")
    return text.split(begin)[0] + begin + "\n" + body + "\n" + end + text.split(end)[1]


def demo():
    parts = run(DEMO)
    parts[0] = "\n".join(parts[0].split("\n")[:2])  # without the names of the fields
    shown = parts[:2] + ["    ..."] + parts[-2:]
    return block("\n\n".join(shown).split("\n"))


def bench():
    """One row a kind of answer, one column a shape: both times and the median ratio of them."""
    table, notes = run(BENCH)
    head, *rows = [re.split(r"\s{2,}", line.strip()) for line in table.split("\n")]
    shapes, cells, differences = [], {}, 0
    for values in rows:
        row = dict(zip(head, values, strict=True))
        if row["shape"] not in shapes:
            shapes.append(row["shape"])
        cells.setdefault(row["kind"], {})[row["shape"]] = (
            f"{row['lucene_us']} / {row['offload_us']} us: **{row['ratio_median']}**"
            f" ({row['quartiles']})")
        differences += int(row["differences"])
    out = ["| | " + " | ".join(shapes) + " |", "| --- |" + " --- |" * len(shapes)]
    out += [f"| {kind} | " + " | ".join(row[shape] for shape in shapes) + " |"
            for kind, row in cells.items()]
    command = "    ./offload " + " ".join(BENCH)
    found = f"Answers that were not identical to Lucene's: {differences}."
    # The last note explains a column that is not shown here.
    notes = notes.split("\n")[:-1]
    notes[-1] += " " + found
    return "\n".join([command, "", *out, "", "  \n".join(notes)])


def main():
    blocks = {"demo": demo, "bench": bench}
    wanted = sys.argv[1:] or list(blocks)
    if len(wanted) > len(blocks) or not set(wanted) <= set(blocks):
        raise SystemExit("usage: refresh_readme.py [demo|bench]")
    text = README.read_text(encoding="utf-8")
    for name in wanted:
        text = between(text, name, blocks[name]())
    README.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
