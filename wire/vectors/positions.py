# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
"""Position pages, for the vectors: as plain as model.py, and of the same independence."""
import struct

import model
from model import C, E
from vector import Vector, rows_at

FLAG = E["position_flag"]
MAX_VALUES = C["MAX_POSITION_VALUES"]


def differences(positions):
    """The values of a doc."""
    return [b - a for a, b in zip([0, *positions], positions)]


def packed(values, exceptions=None):
    """(bytes, width, exceptions) of values; the fewest bytes, or with so many exceptions."""
    width = max(values).bit_length()
    best = None
    for low in range(width, max(width - 8, 0) - 1, -1):
        high = [(i, v >> low) for i, v in enumerate(values) if v >> low]
        if len(high) > C["MAX_POSITION_EXCEPTIONS"]:
            break
        word = sum(v % 2**low << i * low for i, v in enumerate(values))
        data = word.to_bytes((len(values) * low + 7) // 8, "little") + b"".join(
            struct.pack("<HB", *exception) for exception in high)
        if best is None or (len(data) < len(best[0]) if exceptions is None
                            else len(high) == exceptions):
            best = data, low, high
    return best


class Block:
    """A position block: values from a rank of their posting block on."""

    def __init__(self, first_doc, last_doc, rank, values, exceptions=None):
        self.first_doc, self.last_doc, self.rank, self.values = first_doc, last_doc, rank, values
        data, self.bits, self.exceptions = packed(values, exceptions)
        self.data = (struct.pack("<I", rank) if rank else b"") + data
        self.flags = FLAG["INSIDE"] if rank else 0

    def bytes(self):
        return 4 + model.size("position_entry") + len(self.data)


def blocks_of(docs):
    """The position blocks of a list of (doc, positions)."""
    blocks = []
    for start in range(0, len(docs), model.BLOCK):
        rank, held = 0, []  # of posting block; (doc, values) of the position block under way

        def flush():
            nonlocal rank
            if held:
                values = [v for _, part in held for v in part]
                blocks.append(Block(held[0][0], held[-1][0], rank % 2**32, values))
                rank += len(values)
                held.clear()

        for doc, positions in docs[start:start + model.BLOCK]:
            values = differences(positions)
            if len(values) > MAX_VALUES:
                flush()
                for part in range(0, len(values), MAX_VALUES):
                    held.append((doc, values[part:part + MAX_VALUES]))
                    flush()
                continue
            if sum(len(part) for _, part in held) + len(values) > MAX_VALUES:
                flush()
            held.append((doc, values))
        flush()
    blocks[0].flags |= FLAG["FIRST_OF_LIST"]
    blocks[-1].flags |= FLAG["LAST_OF_LIST"]
    return blocks


def encode(blocks, stamp, file_page):
    lead = next((i + 1 for i, b in enumerate(blocks) if b.flags & FLAG["LAST_OF_LIST"]),
                len(blocks))
    at = model.size("position_page_header") + len(blocks) * (4 + model.size("position_entry"))
    directory = b"".join(struct.pack("<I", b.last_doc) for b in blocks)
    body = b""
    for b in blocks:
        directory += model.pack("position_entry", offset=at + len(body), value_count=len(b.values),
                                value_bits=b.bits, exceptions=len(b.exceptions), flags=b.flags)
        body += b.data
    header = model.pack("position_page_header", magic=C["POSITION_MAGIC"], version=model.VERSION,
                        file_page=file_page, stamp=stamp, block_count=len(blocks),
                        lead_blocks=lead, used_bytes=at + len(body),
                        lead_first_doc=blocks[0].first_doc, lead_last_doc=blocks[lead - 1].last_doc)
    return model.seal((header + directory + body).ljust(model.PAGE_BYTES, b"\0"))


class Positions:
    """The position pages of a file: add lists, then take `pages` (after finish)."""

    def __init__(self, stamp, first_page):
        self.stamp, self.first_page = stamp, first_page
        self.pages, self.page_blocks, self.blocks = [], [], []

    def add(self, docs):
        """Adds a list of (doc, positions); returns (first page, slot, page count)."""
        first = None
        for block in blocks_of(docs):
            used = model.size("position_page_header") + sum(b.bytes() for b in self.blocks)
            if self.blocks and (used + block.bytes() > model.PAGE_BYTES
                                or len(self.blocks) == C["MAX_POSITION_BLOCKS"]):
                self.finish()
            self.blocks.append(block)
            first = first or (self.next_page(), len(self.blocks) - 1)
        return *first, self.next_page() - first[0] + 1

    def next_page(self):
        return self.first_page + len(self.pages)

    def finish(self):
        if self.blocks:
            self.pages.append(encode(self.blocks, self.stamp, self.next_page()))
            self.page_blocks.append(self.blocks)
            self.blocks = []


def of_position_page(name, about, page, blocks):
    """A vector of a position page that holds these blocks."""
    count, at = len(blocks), model.size("position_page_header")
    rows = rows_at("position_page_header", page, 0)
    for b in range(count):
        rows += [(f"u32@{at + 4 * b}", str(blocks[b].last_doc))]
    for b in range(count):
        rows += rows_at("position_entry", page,
                        at + 4 * count + b * model.size("position_entry"))
    lines = "".join(f"{b} = {block.last_doc}:{block.rank} " + " ".join(map(str, block.values))
                    + "\n" for b, block in enumerate(blocks))
    return Vector(name, about, "position_page").fields(rows).lines("blocks", lines).bytes(page)
