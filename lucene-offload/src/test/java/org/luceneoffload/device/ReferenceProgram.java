/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.luceneoffload.wire.ListRef;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.Plan;
import org.luceneoffload.wire.PlanNode;
import org.luceneoffload.wire.PlanReader;
import org.luceneoffload.wire.layout.ResultHeaderLayout;
import org.luceneoffload.wire.plan.NormTable;
import org.luceneoffload.wire.plan.PlanRequest;
import org.luceneoffload.wire.plan.ResultReader;

/**
 * Plans in plain Java, for tests that need no native code: terms, synonyms and what joins them,
 * counted, ranked, listed and aggregated. Engines know more operators, and are held against stock
 * Lucene. Every node is evaluated over every doc of the segment; nothing is skipped.
 */
public final class ReferenceProgram implements RamBlockDevice.Program {
  /** Matches and scores of a node. */
  private record Matches(BitSet docs, float[] scores) {}

  private record Hit(int doc, float score) {}

  @Override
  public ByteBuffer run(RamBlockDevice device, ByteBuffer bytes, DeviceSession.StopSignal stop)
      throws IOException {
    PlanReader reader = new PlanReader(bytes, bytes.limit());
    Plan plan = reader.plan();
    PlanRequest request = reader.request();
    long hitBytes = (long) request.k * ResultReader.entryBytes(request.mode);
    if (ResultHeaderLayout.BYTES + hitBytes > device.info().maxResultBytes()) {
      throw new OffloadException(OffloadWire.Status.PLAN_TOO_LARGE, request.k + " hits");
    }
    ReferenceLists lists = new ReferenceLists(device, plan);
    Matches matches = new Evaluation(plan, lists, stop).evaluate(plan.root());
    BitSet docs = matches.docs;
    docs.clear(0, request.minDoc);
    docs.clear(request.limitDoc, Math.max(request.limitDoc, docs.length()));
    if (request.liveDocs != 0) {
      docs.and(liveDocs(device, request.liveDocs, plan.maxDoc()));
    }
    if (request.mode == OffloadWire.Mode.COUNT) {
      return finish(header(request, 0), request, 0, docs.cardinality(), request.limitDoc, 0, lists);
    }
    if (request.mode == OffloadWire.Mode.AGGREGATE) {
      ByteBuffer page =
          new ReferenceAggregates(plan, reader.aggregates(), new ReferenceColumns(device, plan))
              .run(docs, request);
      int count = reader.aggregates().size();
      return finish(page, request, count, docs.cardinality(), request.limitDoc, 0, lists);
    }
    return switch (request.mode) {
      case OffloadWire.Mode.TOP_K -> topK(matches, request, lists);
      case OffloadWire.Mode.DOCS, OffloadWire.Mode.SCORED_DOCS -> docs(matches, request, lists);
      default -> throw new AssertionError("of mode " + request.mode + " engines are tested");
    };
  }

  private static BitSet liveDocs(RamBlockDevice device, int resource, int maxDoc)
      throws OffloadException {
    long[] words = device.liveDocs(resource);
    if (words == null || words.length * 64L < maxDoc) {
      throw new OffloadException(OffloadWire.Status.NO_RESOURCE, "docs " + resource);
    }
    return BitSet.valueOf(words);
  }

  private static final class Evaluation {
    private final Plan plan;
    private final ReferenceLists lists;
    private final DeviceSession.StopSignal stop;

    Evaluation(Plan plan, ReferenceLists lists, DeviceSession.StopSignal stop) {
      this.plan = plan;
      this.lists = lists;
      this.stop = stop;
    }

    Matches evaluate(PlanNode node) throws IOException {
      if (stop.stop()) {
        throw new OffloadException(OffloadWire.Status.ABORTED, "stopped");
      }
      return switch (node.op()) {
        case OffloadWire.Op.TERM -> term(node);
        case OffloadWire.Op.ALL -> {
          BitSet all = new BitSet(plan.maxDoc());
          all.set(0, plan.maxDoc());
          yield new Matches(all, constant(node.weight()));
        }
        case OffloadWire.Op.CONST ->
            new Matches(evaluate(node.children().get(0)).docs, constant(node.weight()));
        case OffloadWire.Op.BOOL -> bool(node);
        case OffloadWire.Op.DIS_MAX -> disMax(node);
        case OffloadWire.Op.SYNONYM -> synonym(node);
        case OffloadWire.Op.NONE -> new Matches(new BitSet(), constant(0f));
        default -> throw new AssertionError("of operator " + node.op() + " engines are tested");
      };
    }

    private float[] constant(float score) {
      float[] scores = new float[plan.maxDoc()];
      Arrays.fill(scores, score);
      return scores;
    }

    private Matches term(PlanNode node) throws IOException {
      ListRef list = plan.lists().get(node.list());
      ReferenceLists.Postings postings = lists.read(list);
      BitSet docs = new BitSet(plan.maxDoc());
      float[] scores = new float[plan.maxDoc()];
      // Without a table the scores are not asked for.
      NormTable table =
          node.table() < plan.tables().size() ? plan.tables().get(node.table()) : null;
      float weight = node.weight();
      for (int i = 0; i < postings.docs().length; i++) {
        int doc = postings.docs()[i];
        docs.set(doc);
        if (table != null) {
          float freq = postings.freqs()[i];
          scores[doc] = weight - weight / (1f + freq * table.get(postings.norms()[i]));
        }
      }
      return new Matches(docs, scores);
    }

    private Matches synonym(PlanNode node) throws IOException {
      BitSet docs = new BitSet(plan.maxDoc());
      float[] freqs = new float[plan.maxDoc()];
      int[] norms = new int[plan.maxDoc()];
      for (PlanNode child : node.children()) {
        ReferenceLists.Postings postings = lists.read(plan.lists().get(child.list()));
        for (int i = 0; i < postings.docs().length; i++) {
          int doc = postings.docs()[i];
          docs.set(doc);
          freqs[doc] += (float) postings.freqs()[i] * child.weight();
          norms[doc] = postings.norms()[i];
        }
      }
      float[] scores = new float[plan.maxDoc()];
      if (node.table() < plan.tables().size()) {
        NormTable table = plan.tables().get(node.table());
        float weight = node.weight();
        docs.stream()
            .forEach(
                doc -> scores[doc] = weight - weight / (1f + freqs[doc] * table.get(norms[doc])));
      }
      return new Matches(docs, scores);
    }

    private Matches disMax(PlanNode node) throws IOException {
      BitSet docs = new BitSet(plan.maxDoc());
      float[] greatest = new float[plan.maxDoc()];
      double[] others = new double[plan.maxDoc()];
      for (PlanNode child : node.children()) {
        Matches matches = evaluate(child);
        docs.or(matches.docs);
        matches.docs.stream()
            .forEach(
                doc -> {
                  float score = matches.scores[doc];
                  others[doc] += Math.min(score, greatest[doc]);
                  greatest[doc] = Math.max(score, greatest[doc]);
                });
      }
      float[] scores = new float[plan.maxDoc()];
      docs.stream()
          .forEach(doc -> scores[doc] = (float) (greatest[doc] + others[doc] * node.weight()));
      return new Matches(docs, scores);
    }

    private Matches bool(PlanNode node) throws IOException {
      int maxDoc = plan.maxDoc();
      BitSet required = new BitSet(maxDoc);
      required.set(0, maxDoc);
      double[] mustSum = new double[maxDoc];
      double[] shouldSum = new double[maxDoc];
      int[] shouldCount = new int[maxDoc];
      boolean anyRequired = false;
      boolean anyShould = false;
      for (PlanNode child : node.children()) {
        Matches matches = evaluate(child);
        switch (child.occur()) {
          case OffloadWire.Occur.MUST -> {
            anyRequired = true;
            required.and(matches.docs);
            matches.docs.stream().forEach(doc -> mustSum[doc] += matches.scores[doc]);
          }
          case OffloadWire.Occur.FILTER -> {
            anyRequired = true;
            required.and(matches.docs);
          }
          case OffloadWire.Occur.MUST_NOT -> required.andNot(matches.docs);
          default -> {
            anyShould = true;
            matches.docs.stream()
                .forEach(
                    doc -> {
                      shouldCount[doc]++;
                      shouldSum[doc] += matches.scores[doc];
                    });
          }
        }
      }
      int least = Math.max(node.minShould(), anyRequired ? 0 : 1);
      float[] scores = new float[maxDoc];
      for (int doc = required.nextSetBit(0); doc >= 0; doc = required.nextSetBit(doc + 1)) {
        if (shouldCount[doc] < least) {
          required.clear(doc);
          continue;
        }
        float must = (float) mustSum[doc];
        float should = (float) shouldSum[doc];
        if (!anyRequired) {
          scores[doc] = should;
        } else if (!anyShould || shouldCount[doc] == 0) {
          scores[doc] = must;
        } else {
          scores[doc] = must + should;
        }
      }
      return new Matches(required, scores);
    }
  }

  private static ByteBuffer docs(Matches matches, PlanRequest request, ReferenceLists lists) {
    boolean scored = request.mode == OffloadWire.Mode.SCORED_DOCS;
    int room = (request.maxResultBytes - ResultHeaderLayout.BYTES) / (scored ? 8 : 4);
    int[] docs = matches.docs.stream().limit(room).toArray();
    boolean more = docs.length < matches.docs.cardinality();
    ByteBuffer result = header(request, docs.length);
    for (int doc : docs) {
      result.putInt(doc);
    }
    for (int i = 0; scored && i < docs.length; i++) {
      result.putFloat(matches.scores[docs[i]]);
    }
    int next = more ? docs[docs.length - 1] + 1 : request.limitDoc;
    int flags = more ? OffloadWire.ResultFlag.MORE : 0;
    return finish(result, request, docs.length, docs.length, next, flags, lists);
  }

  private static ByteBuffer topK(Matches matches, PlanRequest request, ReferenceLists lists) {
    List<Hit> hits = new ArrayList<>();
    matches.docs.stream()
        .mapToObj(doc -> new Hit(doc, matches.scores[doc]))
        .filter(hit -> competes(hit, request))
        .forEach(hits::add);
    hits.sort(
        (a, b) ->
            a.score != b.score ? Float.compare(b.score, a.score) : Integer.compare(a.doc, b.doc));
    long count = matches.docs.cardinality();
    long threshold = Integer.toUnsignedLong(request.countThreshold);
    boolean canPrune =
        hits.size() > request.k || (request.flags & OffloadWire.PlanFlag.HAS_MIN_SCORE) != 0;
    int flags = 0;
    if (canPrune && count > threshold && threshold != 0xFFFFFFFFL) {
      // As if pruning had set in halfway between the threshold and the end.
      count = threshold + 1 + (count - threshold - 1) / 2;
      flags = OffloadWire.ResultFlag.COUNT_LOWER_BOUND;
    }
    List<Hit> best = hits.subList(0, Math.min(hits.size(), request.k));
    count = Math.max(count, best.size());
    ByteBuffer result = header(request, best.size());
    for (Hit hit : best) {
      result.putInt(hit.doc).putFloat(hit.score);
    }
    return finish(result, request, best.size(), count, request.limitDoc, flags, lists);
  }

  private static boolean competes(Hit hit, PlanRequest request) {
    boolean after = (request.flags & OffloadWire.PlanFlag.HAS_AFTER) != 0;
    if (after
        && (hit.score > request.afterScore
            || (hit.score == request.afterScore && hit.doc <= request.afterDoc))) {
      return false;
    }
    if ((request.flags & OffloadWire.PlanFlag.HAS_MIN_SCORE) != 0) {
      boolean ties = (request.flags & OffloadWire.PlanFlag.MIN_SCORE_TIES) != 0;
      return ties ? hit.score >= request.minScore : hit.score > request.minScore;
    }
    return true;
  }

  private static ByteBuffer header(PlanRequest request, int entries) {
    return header(ResultReader.entryBytes(request.mode), entries);
  }

  private static ByteBuffer header(int entryBytes, int entries) {
    int bytes = ResultHeaderLayout.BYTES + entries * entryBytes;
    ByteBuffer result = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    return result.position(ResultHeaderLayout.BYTES);
  }

  private static ByteBuffer finish(
      ByteBuffer result,
      PlanRequest request,
      int entries,
      long matchCount,
      int nextDoc,
      int flags,
      ReferenceLists lists) {
    ResultHeaderLayout.magic(result, 0, OffloadWire.RESULT_MAGIC);
    ResultHeaderLayout.version(result, 0, OffloadWire.VERSION);
    ResultHeaderLayout.mode(result, 0, request.mode);
    ResultHeaderLayout.flags(result, 0, flags);
    ResultHeaderLayout.totalBytes(result, 0, result.capacity());
    ResultHeaderLayout.entryCount(result, 0, entries);
    ResultHeaderLayout.matchCount(result, 0, matchCount);
    ResultHeaderLayout.nextDoc(result, 0, nextDoc);
    ResultHeaderLayout.pagesRead(result, 0, lists.pagesRead());
    ResultHeaderLayout.blocksDecoded(result, 0, lists.blocksDecoded());
    ResultHeaderLayout.postingsDecoded(result, 0, lists.postingsDecoded());
    return result.clear();
  }
}
