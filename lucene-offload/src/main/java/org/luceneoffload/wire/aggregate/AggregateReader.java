/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.aggregate;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.OffloadWire.AggregateFlag;
import org.luceneoffload.wire.OffloadWire.AggregateKind;
import org.luceneoffload.wire.layout.AggregateResultLayout;
import org.luceneoffload.wire.layout.ResultHeaderLayout;
import org.luceneoffload.wire.plan.PlanRequest;
import org.luceneoffload.wire.plan.ResultReader;

/**
 * Checks a result page of mode AGGREGATE and gives what is in it. Nothing of the page is trusted:
 * what breaks a rule of the wire is an {@link OffloadException} with status INTERNAL, since the
 * device made it. For one thread.
 */
public final class AggregateReader {
  private static final long[] NO_KEYS = {};
  private static final int[] NO_COUNTS = {};

  private final ByteBuffer page;
  private final List<AggregateResult> results = new ArrayList<>();
  private int data;

  /**
   * Reads a result page, from byte 0 to its limit, that answers a plan.
   *
   * @param asked the plan's aggregates, in their order
   * @throws OffloadException if it breaks a rule
   */
  public AggregateReader(ByteBuffer page, PlanRequest request, List<Aggregate> asked)
      throws OffloadException {
    this.page = page;
    ResultReader.checkHead(page, request);
    int entries = ResultHeaderLayout.entryCount(page, 0);
    check(entries == asked.size(), "entry_count", entries);
    check(ResultHeaderLayout.flags(page, 0) == 0, "flags", ResultHeaderLayout.flags(page, 0));
    int next = ResultHeaderLayout.nextDoc(page, 0);
    check(next == request.limitDoc, "next_doc", next);
    check(
        matchCount() >= 0 && matchCount() <= request.limitDoc - request.minDoc,
        "match_count",
        matchCount());
    data = ResultHeaderLayout.BYTES + entries * AggregateResultLayout.BYTES;
    check(data <= page.limit(), "entry_count", entries);
    for (int i = 0; i < entries; i++) {
      results.add(read(ResultHeaderLayout.BYTES + i * AggregateResultLayout.BYTES, asked.get(i)));
    }
    check(data == page.limit(), "total_bytes", page.limit());
  }

  /** Returns the number of live docs that match. */
  public long matchCount() {
    return ResultHeaderLayout.matchCount(page, 0);
  }

  /** Returns the results, in the order of the aggregates. */
  public List<AggregateResult> results() {
    return results;
  }

  private AggregateResult read(int at, Aggregate asked) throws OffloadException {
    int kind = AggregateResultLayout.kind(page, at);
    check(kind == asked.kind(), "kind", kind);
    check(page.getShort(at + AggregateResultLayout.RESERVED0) == 0, "reserved0", 1);
    int flags = AggregateResultLayout.flags(page, at);
    boolean more = flags == OffloadWire.AggregateResultFlag.MORE;
    check(flags == 0 || (more && asked.keyed()), "flags of an aggregate", flags);
    long docs = AggregateResultLayout.docCount(page, at);
    check(docs >= 0 && docs <= matchCount(), "doc_count", docs);
    int count = AggregateResultLayout.entryCount(page, at);
    boolean pairs = kind == AggregateKind.VALUES || kind == AggregateKind.HISTOGRAM;
    int width = Integer.BYTES + (pairs ? Long.BYTES : 0);
    boolean fits = count >= 0 && count <= (page.limit() - data) / width;
    check(fits && (kind != AggregateKind.STATS || count == 0), "entry_count", count);
    check(kind != AggregateKind.RANGES || count == asked.rangeCount(), "entry_count", count);
    long[] keys = pairs && count > 0 ? new long[count] : NO_KEYS;
    if (keys.length > 0) {
      page.slice(data, keys.length * Long.BYTES).order(page.order()).asLongBuffer().get(keys);
      data += keys.length * Long.BYTES;
    }
    int[] counts = count > 0 ? new int[count] : NO_COUNTS;
    if (count > 0) {
      page.slice(data, count * Integer.BYTES).order(page.order()).asIntBuffer().get(counts);
    }
    data = (data + count * Integer.BYTES + Long.BYTES - 1) & -Long.BYTES;
    check(data <= page.limit(), "entry_count", count);
    checkKeys(asked, keys);
    checkCounts(kind, counts, docs);
    long next = AggregateResultLayout.next(page, at);
    checkNext(asked, keys, count, more, next);
    checkStats(asked, at);
    long values = AggregateResultLayout.valueCount(page, at);
    check(
        switch (kind) {
          case AggregateKind.STATS, AggregateKind.TERMS -> values >= docs;
          case AggregateKind.RANGES -> values >= 0 && values <= docs;
          default -> values == 0;
        },
        "value_count",
        values);
    return new AggregateResult(
        docs,
        values,
        AggregateResultLayout.sum(page, at),
        AggregateResultLayout.min(page, at),
        AggregateResultLayout.max(page, at),
        AggregateResultLayout.mean(page, at),
        AggregateResultLayout.variance(page, at),
        keys,
        counts,
        more,
        next);
  }

  private static void checkKeys(Aggregate asked, long[] keys) throws OffloadException {
    for (int i = 0; i < keys.length; i++) {
      check(i == 0 ? keys[0] >= asked.from() : keys[i] > keys[i - 1], "key", keys[i]);
    }
  }

  /**
   * Checks counts: TERMS count values, of which a doc may have many; pairs are of keys that occur.
   */
  private static void checkCounts(int kind, int[] counts, long docs) throws OffloadException {
    boolean keyed = kind == AggregateKind.VALUES || kind == AggregateKind.HISTOGRAM;
    for (int count : counts) {
      boolean inDocs = count >= (keyed ? 1 : 0) && count <= docs;
      check(kind == AggregateKind.TERMS ? count >= 0 : inDocs, "count", count);
    }
  }

  private static void checkNext(Aggregate asked, long[] keys, int count, boolean more, long next)
      throws OffloadException {
    if (!more) {
      check(next == 0, "next", next);
    } else if (asked.kind() == AggregateKind.TERMS) {
      check(count > 0 && next == asked.from() + count, "next", next);
    } else {
      check(keys.length > 0 && next > keys[keys.length - 1], "next", next);
    }
  }

  /** Checks that what only STATS have is zero elsewhere. */
  private void checkStats(Aggregate asked, int at) throws OffloadException {
    if (asked.kind() != AggregateKind.STATS) {
      long sums =
          AggregateResultLayout.sum(page, at)
              | AggregateResultLayout.min(page, at)
              | AggregateResultLayout.max(page, at);
      check(sums == 0, "sum, min or max", sums);
    }
    if (asked.flags() != AggregateFlag.MOMENTS) {
      long moments =
          AggregateResultLayout.mean(page, at) | AggregateResultLayout.variance(page, at);
      check(moments == 0, "mean or variance", moments);
    }
  }

  private static void check(boolean holds, String field, long got) throws OffloadException {
    ResultReader.check(holds, field, got);
  }
}
