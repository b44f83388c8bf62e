#!/usr/bin/env python3
# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
"""Writes the golden vectors: good/*.vec and bad/*.vec. The format is in README.md.

usage: make_vectors.py [--check]

The output depends on nothing but this folder and offload_wire.toml. With --check nothing is
written, and the exit status is 1 if a file is missing, superfluous or different.
"""
import pathlib
import sys

sys.dont_write_bytecode = True  # no caches among the vectors

import aggregate_cases  # noqa: E402
import bad_cases  # noqa: E402
import column_cases  # noqa: E402
import feature_cases  # noqa: E402
import geo_cases  # noqa: E402
import good_cases  # noqa: E402
import join_cases  # noqa: E402
import position_cases  # noqa: E402
import sort_cases  # noqa: E402
import table_cases  # noqa: E402

FOLDER = pathlib.Path(__file__).resolve().parent


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    wanted = {}
    for folder, vectors in (("good", good_cases.vectors), ("good", column_cases.good_vectors),
                            ("good", position_cases.good_vectors),
                            ("good", aggregate_cases.good_vectors),
                            ("good", sort_cases.good_vectors),
                            ("good", table_cases.good_vectors),
                            ("good", geo_cases.good_vectors), ("bad", geo_cases.bad_vectors),
                            ("good", join_cases.good_vectors), ("bad", join_cases.bad_vectors),
                            ("good", feature_cases.good_vectors),
                            ("bad", bad_cases.vectors), ("bad", column_cases.bad_vectors),
                            ("bad", position_cases.bad_vectors),
                            ("bad", aggregate_cases.bad_vectors),
                            ("bad", sort_cases.bad_vectors),
                            ("bad", table_cases.bad_vectors),
                            ("bad", feature_cases.bad_vectors)):
        for vector in vectors():
            path = FOLDER / folder / f"{vector.name}.vec"
            if path in wanted:
                sys.exit(f"make_vectors.py: two vectors are called {path.name}")
            wanted[path] = vector.text()
    present = set(FOLDER.glob("*/*.vec"))
    stale = [p for p in sorted(present | set(wanted))
             if p not in wanted or p not in present
             or p.read_text(encoding="utf-8") != wanted[p]]
    if sys.argv[1:] == ["--check"]:
        if stale:
            sys.exit("make_vectors.py: out of date, run wire/vectors/make_vectors.py: "
                     + ", ".join(p.name for p in stale))
        return
    for path in stale:
        if path in wanted:
            path.parent.mkdir(exist_ok=True)
            path.write_text(wanted[path], encoding="utf-8")
            print(f"wrote {path.relative_to(FOLDER)}")
        else:
            path.unlink()
            print(f"removed {path.relative_to(FOLDER)}")


if __name__ == "__main__":
    main()
