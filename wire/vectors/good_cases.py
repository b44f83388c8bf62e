# Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project.
"""The good vectors: every struct, every mode, every operator."""
import model
from model import C, E, Image, Node, Plan, bm25_table
from vector import of_page, of_plan, of_program, of_result, of_struct

STAMP = 0x1122334455667788
TABLE = bm25_table(40.0)


def noise(seed):
    """A small generator of numbers (Knuth's MMIX constants), the same everywhere."""
    state = seed
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield state >> 33


def postings(seed, count, gap, start=0):
    """`count` postings with gaps of 1 to `gap`, freqs mostly low, norms 20 to 79."""
    numbers, doc, out = noise(seed), start, []
    for _ in range(count):
        doc += 1 + next(numbers) % gap
        high = next(numbers) % 20 == 0
        out.append((doc, 1 + next(numbers) % (300 if high else 4), 20 + next(numbers) % 60))
    return out


def submissions():
    base = dict(command_id=0x1234, nsid=1)
    data = dict(data=0x7F0000001000, data_bytes=8192)
    op = E["opcode"]
    yield of_struct("submission_flush", "FLUSH", "submission", opcode=op["FLUSH"], **base)
    yield of_struct("submission_write", "WRITE of 2 LBAs at 0x100000005", "submission",
                    opcode=op["WRITE"], cdw10=5, cdw11=1, cdw12=1, **base, **data)
    yield of_struct("submission_read", "READ of 1 LBA at 7", "submission", opcode=op["READ"],
                    cdw10=7, **base, data=0x7F0000001000, data_bytes=4096)
    yield of_struct("submission_trim", "TRIM of 3 ranges", "submission", opcode=op["TRIM"],
                    cdw10=2, cdw11=4, **base, data=0x7F0000001000, data_bytes=48)
    yield of_struct("submission_open", "OPEN with a grant of 1 MiB", "submission",
                    opcode=op["OPEN"], cdw10=1 << 20, **base)
    yield of_struct("submission_submit", "SUBMIT of a plan of 1,312 bytes in session 0x10001",
                    "submission", opcode=op["SUBMIT"], cdw10=0x10001, cdw11=1312, **base, **data)
    yield of_struct("submission_fetch", "FETCH of 4,096 bytes from byte 64 on", "submission",
                    opcode=op["FETCH"], cdw10=0x10001, cdw11=64, cdw12=4096, **base, **data)
    yield of_struct("submission_fetch_info", "FETCH of the capabilities", "submission",
                    opcode=op["FETCH"], cdw12=128, **base, **data)
    yield of_struct("submission_close", "CLOSE of session 0x10001", "submission",
                    opcode=op["CLOSE"], cdw10=0x10001, **base)
    yield of_struct("submission_put", "PUT of the second 8,192 bytes of 20,000", "submission",
                    opcode=op["PUT"], cdw10=1, cdw11=8192, cdw12=0x2001, cdw13=8192, cdw14=20000,
                    **base, **data)
    yield of_struct("submission_read_idx",
                    "READ_IDX of 255 LBAs from 7 on, page 3 of a file, by rule 0x2002",
                    "submission", opcode=op["READ_IDX"], cdw10=7, cdw12=254, cdw13=0x2002, cdw14=3,
                    **base, **data)
    yield of_struct("submission_drop", "DROP of resource 0x2001", "submission",
                    opcode=op["DROP"], cdw10=0x2001, **base)
    yield of_struct("submission_model", "MODEL with a profile and 100 trace records a session",
                    "submission", opcode=op["MODEL"], cdw10=model.size("model_profile"),
                    cdw11=100, **base, **data)
    yield of_struct("submission_model_fetch", "MODEL_FETCH of the host's report in one go",
                    "submission", opcode=op["MODEL_FETCH"], cdw10=0x10001,
                    cdw12=model.size("model_report"), cdw13=E["model_data"]["HOST_REPORT"],
                    **base, **data)
    yield of_struct("submission_init_tsk", "INIT_TSK of a plan of 1,312 bytes: DYNAMIC, 2 windows",
                    "submission", opcode=op["INIT_TSK"], cdw10=0x10001, cdw11=1312,
                    cdw12=E["task_mode"]["DYNAMIC"], cdw13=2, **base, **data)
    yield of_struct("submission_read_proc", "READ_PROC of the docs 4,096 to 8,191 from 1.5 on",
                    "submission", opcode=op["READ_PROC"], cdw10=0x10001, cdw11=4096, cdw12=8192,
                    cdw13=0x3FC00000, **base)
    yield of_struct("submission_read_filt", "READ_FILT of the docs 4,096 to 8,191", "submission",
                    opcode=op["READ_FILT"], cdw10=0x10001, cdw11=4096, cdw12=8192, **base)
    yield of_struct("submission_final", "FINAL that takes windows back", "submission",
                    opcode=op["FINAL"], cdw10=0x10001, cdw11=E["final_flag"]["HAND_BACK"], **base)


def small_structs():
    yield of_struct("completion_ok", "OK in the first pass of a queue: phase 1", "completion",
                    dw0=1088, sq_head=3, sq_id=1, command_id=0x1234, phase_status=1)
    yield of_struct("completion_page_stale", "PAGE_STALE in the second pass: phase 0",
                    "completion", sq_head=9, sq_id=2, command_id=0xFFFF,
                    phase_status=E["status"]["PAGE_STALE"] << 1)
    yield of_struct("trim_range", "16 LBAs at 0x100000000", "trim_range", lba_count=16,
                    lba=0x100000000)
    yield of_struct("device_info", "Capabilities of a device of 64 GiB", "device_info",
                    magic=C["INFO_MAGIC"], version=model.VERSION, lba_bytes=4096, page_bytes=4096,
                    lba_count=1 << 24, dram_bytes=1 << 30, max_transfer_bytes=1 << 20,
                    max_plan_bytes=327744, max_result_bytes=1 << 20, max_sessions=1024,
                    max_grant_bytes=64 << 20, mode_bits=0x1E, op_bits=0x3E,
                    kernels=b"scalar", model=b"csd in-process device")
    yield of_struct("device_info_read_only", "Capabilities of a device that refuses writes",
                    "device_info", magic=C["INFO_MAGIC"], version=model.VERSION,
                    flags=E["info_flag"]["READ_ONLY"], lba_bytes=4096, page_bytes=4096,
                    lba_count=2**63, kernels=b"sixteen letters!", model=b"m")


# Numbers that came later: they draw none, and those of the other structs stay as they are.
LATER_NUMBERS = dict(core_power_hz=0x0102030405060708, host_power_hz=0x1112131415161718,
                     copy_bytes_per_s=0x2122232425262728, thread_worker_ns=0x31323334,
                     thread_master_ns=0x41424344, host_read_pj_per_byte=0x5152535455565758)


def model_structs():
    # No device is like this: every field has another value, so that none can be mistaken.
    numbers = noise(17)
    for name, about, marks in (
            ("model_profile", "Every field of a profile",
             dict(magic=C["MODEL_PROFILE_MAGIC"], version=model.VERSION, name=b"any-device",
                  **LATER_NUMBERS)),
            ("model_report", "Every field of a report of the host",
             dict(magic=C["MODEL_REPORT_MAGIC"], version=model.VERSION,
                  side=E["model_side"]["HOST"])),
            ("model_trace_record", "A flash page read on plane 300 for request 7",
             dict(start_ns=2**40, end_ns=2**40 + 40000, page=0x80000001, unit=300, request=7,
                  resource=E["model_resource"]["PLANE"], what=E["model_activity"]["SENSE"],
                  amount=0))):
        values = {}
        for field, _, kind, count in model.fields(name):
            if (field.startswith("reserved") or name == "model_trace_record"
                    or field in LATER_NUMBERS):
                continue
            bits = 30 if kind == "u32" else 60
            row = [next(numbers) * next(numbers) % 2**bits for _ in range(max(count, 1))]
            values[field] = row if count else row[0]
        yield of_struct(name, about, name, **{**values, **marks})


def page_of(name, about, lists, page=0, first_page=1, bitmaps=None):
    image = Image(STAMP, first_page, bitmaps)
    for part in lists:
        image.add(part, paged=True)
    image.finish()
    return of_page(name, about, image.pages[page], image.page_blocks[page])


def pages():
    yield page_of("page_worked_example", "The worked example of WIRE.md: 4 postings",
                  [[(3, 1, 40), (4, 2, 40), (10, 1, 41), (11, 5, 43)]])
    yield page_of("page_width_zero", "Neighbouring docs, freq 1, one norm: no column takes a byte",
                  [[(d, 1, 1) for d in range(128)]], bitmaps=False)
    yield page_of("page_bitmap", "The worked example of a doc bitmap in WIRE.md: 10 postings",
                  [[(d, 1, 40) for d in (2, 3, 5, 8, 9, 10, 11, 12, 13, 60)]])
    yield page_of("page_bitmap_sizes", "Bitmaps of one bit, of exactly one word and of all ones",
                  [[(0, 1, 1)], [(62, 1, 1), (63, 1, 1)], [(d, 1, 1) for d in range(300)]],
                  bitmaps=True)
    yield page_of("page_bitmap_longest", "A bitmap of MAX_BITMAP_BYTES",
                  [[(7, 1, 1), (8 * C["MAX_BITMAP_BYTES"] - 1, 2, 3)]], bitmaps=True)
    yield page_of("page_bitmaps_to_the_highest", "Bitmaps up to the last doc; bit 0 is not set",
                  [[(C["MAX_DOC"] - 2 * d, 1 + d % 3, d) for d in range(200, 0, -1)]])
    yield page_of("page_packed_dense", "Dense lists may be packed",
                  [postings(1, 300, 3), postings(2, 5, 2), postings(3, 130, 6)], bitmaps=False)
    few = [(5 * i, 1 + (i % 40 == 7) * (250 * i % 255 + 1), 9) for i in range(260)]
    yield page_of("page_freq_exceptions", "A few high freqs: exceptions over columns of width 0",
                  [few])
    yield page_of("page_both_forms", "A list of sparse and of dense blocks",
                  [postings(21, 256, 60) + postings(22, 200, 4, 20000)])
    yield page_of("page_widest", "Widest columns: the last doc, the highest freq, norms 0 and 255",
                  [[(0, 2**31 - 1, 255), (C["MAX_DOC"] - 1, 1, 0)]])
    yield page_of("page_one_posting", "A list of one posting may be paged", [[(77, 9, 200)]])
    yield page_of("page_three_lists", "Lists of 300, 5 and 130 postings share a page",
                  [postings(1, 300, 9), postings(2, 5, 4000), postings(3, 130, 60)])
    long = [postings(4, 9, 100), postings(5, 9000, 40), postings(6, 20, 100)]
    yield page_of("page_opens_long_list", "The page ends within a list", long)
    yield page_of("page_inside_long_list", "Every block is of a list that began before", long, 1)
    yield page_of("page_ends_long_list", "The lead list ends, another follows", long, 2)
    yield page_of("page_200_blocks", "As many blocks as a page may hold",
                  [[(i, 1, 9), (i + 1, 1, 9)] for i in range(210)])
    image = Image(STAMP)
    image.add(postings(7, 200, 30))  # of two blocks: a block of its own has no impacts
    for block in image.blocks:
        block.impacts = 0
    image.finish()
    yield of_page("page_impacts_unknown", "Blocks without impacts", image.pages[0],
                  image.page_blocks[0])


def scene():
    """An image with three lists, at LBA 40 on, and an inline list."""
    image = Image(STAMP)
    lists = {"a": postings(11, 400, 4), "b": postings(12, 150, 12), "c": postings(13, 40, 45),
             "one": [(501, 3, 33)]}
    refs = {name: image.add(part) for name, part in lists.items()}
    image.finish()
    return image, lists, refs


class Query:
    """Builds plans over the scene; TERM nodes name their lists."""

    def __init__(self):
        self.image, self.lists, refs = scene()
        self.names = list(refs)
        self.refs = list(refs.values())
        self.pages = {40 + i: page for i, page in enumerate(self.image.pages)}
        self.extents = [(0, 1, 30), (1, len(self.image.pages), 40)]

    def term(self, name, occur="MUST", weight=1.5):
        return Node("TERM", occur, weight=weight, list=self.names.index(name),
                    postings=self.lists[name])

    def plan(self, mode, root, **header):
        scored = mode in ("SCORED_DOCS", "TOP_K")
        return Plan(mode, root, self.refs, self.extents, [TABLE] if scored else [], **header)

    def program(self, name, about, mode, root, live=None, doc_set=None, norms=None,
                **header):
        if live is not None:
            header["live_docs"] = 1
        return of_program(f"program_{name}", about, self.plan(mode, root, **header), self.pages,
                          live, doc_set=doc_set, norms=norms)


def plans(q):
    t = q.term
    yield of_plan("plan_count_term", "COUNT of one term", q.plan("COUNT", t("a")))
    yield of_plan("plan_docs_not", "DOCS of a NOT b", q.plan(
        "DOCS", Node("BOOL", children=[t("a"), t("b", "MUST_NOT")]), live_docs=7))
    yield of_plan("plan_scored_docs_or", "SCORED_DOCS of a OR b, docs 100 to 199", q.plan(
        "SCORED_DOCS", Node("BOOL", children=[t("a", "SHOULD"), t("b", "SHOULD", 0.25)]),
        min_doc=100, limit_doc=200, max_result_bytes=4096))
    flags = E["plan_flag"]
    yield of_plan("plan_top_k_all_operators", "TOP_K with every operator and every flag", q.plan(
        "TOP_K", Node("BOOL", children=[
            Node("CONST", weight=2.5, children=[t("a", "SHOULD")]),
            Node("ALL", "FILTER", weight=1.0), Node("NONE", "SHOULD"),
            Node("BOOL", "SHOULD", min_should=2, children=[
                t("a", "SHOULD"), t("b", "SHOULD"), t("one", "SHOULD")])]),
        k=25, count_threshold=1000, flags=flags["HAS_AFTER"] | flags["HAS_MIN_SCORE"]
        | flags["MIN_SCORE_TIES"], min_score=0.125, after_score=3.5, after_doc=-1))


def programs(q):
    t, flags = q.term, E["plan_flag"]
    both = [t("a"), t("b", weight=2.25)]
    either = [t("a", "SHOULD"), t("b", "SHOULD", 2.25), t("c", "SHOULD", 3.0)]
    conjunction, disjunction = Node("BOOL", children=both), Node("BOOL", children=either)
    yield q.program("count_term", "COUNT of a term", "COUNT", t("a"))
    yield q.program("count_and", "COUNT of a AND b", "COUNT", conjunction)
    yield q.program("docs_or", "DOCS of a OR b OR c", "DOCS", disjunction)
    yield q.program("docs_not", "DOCS of a NOT b", "DOCS",
                    Node("BOOL", children=[t("a"), t("b", "MUST_NOT")]))
    yield q.program("docs_all_not", "DOCS of everything but a and b", "DOCS",
                    Node("BOOL", children=[Node("ALL", weight=1.0), t("a", "MUST_NOT"),
                                           t("b", "MUST_NOT")]), limit_doc=700)
    yield q.program("docs_none", "No doc", "DOCS", Node("NONE"))
    yield q.program("docs_inline", "A list without a page", "DOCS", t("one"))
    yield q.program("docs_pages", "Result pages of 20 docs: MORE and next_doc", "DOCS",
                    conjunction, max_result_bytes=64 + 20 * 4)
    yield q.program("docs_live", "Half of the docs are deleted", "DOCS", disjunction,
                    live=set(range(1, 1000, 2)))
    odd = set(range(1, 1000, 2))
    yield q.program("docs_doc_set", "A set of docs, of which a has some, and b none", "DOCS",
                    Node("BOOL", children=[Node("DOC_SET", "FILTER", list=1, docs=odd), t("a"),
                                           t("b", "MUST_NOT")]), doc_set=odd)
    yield q.program("scored_docs_doc_set", "A set of docs as an optional part of a score",
                    "SCORED_DOCS", Node("BOOL", children=[
                        t("a"), Node("DOC_SET", "SHOULD", weight=2.5, list=1, docs=odd)]),
                    doc_set=odd)
    yield q.program("docs_range", "Docs 333 to 665 of a OR b OR c", "DOCS", disjunction,
                    min_doc=333, limit_doc=666)
    yield q.program("docs_min_should", "At least 2 of a, b, c", "DOCS",
                    Node("BOOL", min_should=2, children=either))
    yield q.program("scored_docs_and", "Scores of a AND b", "SCORED_DOCS", conjunction)
    yield q.program("scored_docs_mixed", "MUST, FILTER and SHOULD in one: M + S in float",
                    "SCORED_DOCS", Node("BOOL", children=[
                        t("a"), t("b", "FILTER"), t("c", "SHOULD", 3.0), t("one", "SHOULD", 7.0)]))
    yield q.program("scored_docs_filter_should", "FILTER and SHOULD: 0 + S", "SCORED_DOCS",
                    Node("BOOL", children=[t("a", "FILTER"), t("b", "SHOULD")]))
    yield q.program("scored_docs_nested", "A BOOL within a BOOL is cast to float first",
                    "SCORED_DOCS", Node("BOOL", children=[
                        t("a"), Node("BOOL", children=[t("b", "SHOULD", 2.25),
                                                       t("c", "SHOULD", 3.0)])]))
    yield q.program("scored_docs_const", "Constant scores", "SCORED_DOCS",
                    Node("BOOL", children=[Node("CONST", weight=0.5, children=[t("b")]),
                                           Node("ALL", "SHOULD", weight=0.25)]))
    yield q.program("scored_docs_dis_max", "The greatest score, and 0.3 times the others",
                    "SCORED_DOCS", Node("DIS_MAX", weight=0.3, children=either))
    yield q.program("scored_docs_dis_max_in_bool", "DIS_MAX of terms and BOOLs, required and"
                    " optional", "SCORED_DOCS", Node("BOOL", children=[
                        Node("DIS_MAX", weight=0.0, children=[
                            Node("BOOL", "SHOULD", children=both), t("c", "SHOULD", 3.0)]),
                        Node("DIS_MAX", "SHOULD", weight=1.0, children=[
                            t("a", "SHOULD"), t("one", "SHOULD", 7.0)])]))
    same_norms = [t("a", "SHOULD", 1.0), t("a", "SHOULD", 0.7)]
    yield q.program("scored_docs_synonym", "Frequencies of two lists as one",
                    "SCORED_DOCS", Node("SYNONYM", weight=1.75, children=same_norms))
    yield q.program("scored_docs_synonym_in_bool", "SYNONYM required, optional and in DIS_MAX",
                    "SCORED_DOCS", Node("BOOL", children=[
                        Node("SYNONYM", weight=2.0, children=same_norms),
                        Node("DIS_MAX", "SHOULD", weight=0.5, children=[
                            Node("SYNONYM", "SHOULD", weight=0.5, children=[
                                t("b", "SHOULD", 0.25)]), t("c", "SHOULD", 0.5)])]))
    norms = [80 + doc % 40 for doc in range(1000)]  # none below that of a posting
    combined = Node("COMBINED", weight=1.75, list=1, norms=norms,
                    children=[t("a", "SHOULD", 1.0), t("b", "SHOULD", 2.5)])
    yield q.program("scored_docs_combined", "Frequencies of two fields as one, with own norms",
                    "SCORED_DOCS", combined, norms=norms)
    yield q.program("top_k_combined", "The 10 best of a required and an optional COMBINED",
                    "TOP_K", Node("BOOL", children=[
                        combined, Node("COMBINED", "SHOULD", weight=0.5, list=1, norms=norms,
                                       children=[t("c", "SHOULD", 3.0)])]), norms=norms)
    yield q.program("docs_synonym", "Docs of a SYNONYM: those of a OR b OR c", "DOCS",
                    Node("SYNONYM", weight=0.5, children=[
                        t("a", "SHOULD", 1.0), t("b", "SHOULD", 0.5), t("c", "SHOULD", 1.0)]))
    yield q.program("docs_dis_max", "Docs of a DIS_MAX: those of a OR b OR c", "DOCS",
                    Node("DIS_MAX", weight=0.5, children=either))
    yield q.program("top_k_dis_max", "The 10 best of a DIS_MAX", "TOP_K",
                    Node("DIS_MAX", weight=0.1, children=either))
    yield q.program("scored_docs_pages", "Result pages of 7 docs and scores", "SCORED_DOCS",
                    conjunction, max_result_bytes=64 + 7 * 8)
    yield q.program("top_k_or", "The 10 best of a OR b OR c", "TOP_K", disjunction)
    yield q.program("top_k_and", "The 10 best of a AND b", "TOP_K", conjunction)
    yield q.program("top_k_more_than_match", "100 hits wanted, fewer match", "TOP_K", t("c"),
                    k=100)
    yield q.program("top_k_ties", "Equal scores: lower docs first", "TOP_K",
                    Node("CONST", weight=1.0, children=[t("a")]), k=15)
    best = q.plan("TOP_K", disjunction).run()[0]
    tenth_doc = int.from_bytes(best[-8:-4], "little")
    tenth_score = model.struct.unpack("<f", best[-4:])[0]
    yield q.program("top_k_after", "The 10 hits after the best 10", "TOP_K", disjunction,
                    flags=flags["HAS_AFTER"], after_score=tenth_score, after_doc=tenth_doc)
    yield q.program("top_k_min_score", "Only above the tenth best score", "TOP_K", disjunction,
                    flags=flags["HAS_MIN_SCORE"], min_score=tenth_score, k=50)
    yield q.program("top_k_min_score_ties", "The tenth best score may tie", "TOP_K", disjunction,
                    flags=flags["HAS_MIN_SCORE"] | flags["MIN_SCORE_TIES"],
                    min_score=tenth_score, k=50)
    yield q.program("top_k_live", "Every third doc is live", "TOP_K", disjunction,
                    live=set(range(0, 1000, 3)))


def long_list():
    """Lists over several pages, whose file lies in three extents in no order."""
    image = Image(STAMP + 1)
    parts = [postings(21, 9000, 6), postings(22, 700, 80)]
    refs = [image.add(part) for part in parts]
    image.finish()
    lbas = [90, 91, 7, 500, 501, 502, 503, 504][:len(image.pages)]
    extents = [(1, 2, 90), (3, 1, 7), (4, len(image.pages) - 3, 500)]
    nodes = [Node("TERM", list=i, weight=1.0 + i, postings=part) for i, part in enumerate(parts)]
    plan = Plan("TOP_K", Node("BOOL", children=nodes), refs, extents, [TABLE], max_doc=60000,
                k=20)
    yield of_program("program_top_k_long_lists", "AND of lists over several pages and extents",
                     plan, dict(zip(lbas, image.pages)))


def worked_example():
    """The smallest exchange: the list of WIRE.md's worked example, asked for its docs."""
    image = Image(STAMP)
    four = [(3, 1, 40), (4, 2, 40), (10, 1, 41), (11, 5, 43)]
    refs = [image.add(four)]
    image.finish()
    root = Node("TERM", weight=1.5, list=0, postings=four)
    plan = Plan("DOCS", root, refs, [(1, 1, 40)], [], max_doc=12, limit_doc=12)
    yield of_program("program_worked_example", "The worked example of docs/VENDORS.md: DOCS",
                     plan, {40: image.pages[0]})


def results(q):
    both = Node("BOOL", children=[q.term("a"), q.term("b", weight=2.25)])
    for mode in ("COUNT", "DOCS", "SCORED_DOCS", "TOP_K"):
        limit = {"max_result_bytes": 64 + 8 * 8} if mode == "DOCS" else {}
        page = q.plan(mode, both, **limit).run()[0]
        yield of_result(f"result_{mode.lower()}", f"A result page of {mode}", page)
    counts = dict(pages_read=5, blocks_decoded=17, blocks_skipped=4, postings_decoded=2176,
                  docs_scored=300, pages_skipped=9)
    head = model.pack("result_header", magic=C["RESULT_MAGIC"], version=model.VERSION,
                      mode=E["mode"]["TOP_K"], flags=E["result_flag"]["COUNT_LOWER_BOUND"],
                      total_bytes=64, match_count=1001, next_doc=60000, **counts)
    yield of_result("result_lower_bound", "A lower bound of the count, with work counters", head)


def vectors():
    q = Query()
    yield from submissions()
    yield from small_structs()
    yield from model_structs()
    yield from pages()
    yield from plans(q)
    yield from results(q)
    yield from programs(q)
    yield from worked_example()
    yield from long_list()
