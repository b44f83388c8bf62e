# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
"""Vectors of TOP_K_BY_COLUMN: its structs, plans and programs, good ones and bad ones."""
from model import E
from vector import of_struct

KIND, TRANSFORM, SELECTOR = E["sort_kind"], E["sort_transform"], E["sort_selector"]


def structs():
    flags = E["sort_flag"]
    yield of_struct("sort_header", "Three keys, after and bottom keys", "sort_header", key_count=3,
                    flags=flags["HAS_AFTER"] | flags["HAS_BOTTOM"], after_doc=-7)
    yield of_struct("sort_key", "The greatest float of a doc, descending, none as infinity",
                    "sort_key", kind=KIND["COLUMN"], transform=TRANSFORM["SORTABLE_F32"],
                    selector=SELECTOR["MAX"], flags=E["sort_key_flag"]["REVERSE"], column=2,
                    missing=0xFF800000)
    yield of_struct("sort_key_constant", "A column that the segment lacks", "sort_key",
                    kind=KIND["CONSTANT"], missing=1 << 63)


def good_vectors():
    yield from structs()
