#!/usr/bin/env python3
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
"""Runs the commands whose output README.md shows and puts the output between its marks.

usage: refresh_readme.py

The demo is shortened to its first and last query; the table of the bench is shown whole, without
its last column.
"""
import pathlib
import re
import subprocess

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
    shown = parts[:2] + ["    ..."] + parts[-2:]
    return block("\n\n".join(shown).split("\n"))


def bench():
    table, notes = run(BENCH)
    rows = [re.split(r"\s{2,}", line.strip()) for line in table.split("\n")]
    # "AND" and the number before it are columns of their own, however wide the gaps are.
    rows = [" ".join(row).split()[:10] for row in rows]
    head, body = rows[0], rows[1:]
    out = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    out += ["| " + " | ".join(row) + " |" for row in body]
    command = "    ./offload " + " ".join(BENCH)
    return "\n".join([command, "", *out, "", notes.replace("\n", "  \n")])


def main():
    text = README.read_text(encoding="utf-8")
    text = between(text, "demo", demo())
    text = between(text, "bench", bench())
    README.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
