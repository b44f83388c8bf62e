/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.MultiDocValues;
import org.apache.lucene.index.MultiDocValues.MultiSortedSetDocValues;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.luceneoffload.QuickRun;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults.OrdinalCounts;
import org.luceneoffload.aggregate.AggregationResults.TermCounts.Count;
import org.luceneoffload.search.aggregate.keyword.GlobalKeywords;
import org.luceneoffload.search.aggregate.keyword.KeywordCounts;
import org.luceneoffload.search.aggregate.keyword.Keywords;
import org.luceneoffload.search.aggregate.keyword.OrdinalCounter;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.aggregate.Aggregate;
import org.luceneoffload.wire.aggregate.AggregateResult;

class TestKeywordCounts {
  private static final List<String> FIELDS = List.of("few", "many", "single", "absent");

  private final long seed = Long.getLong("tests.seed", new Random().nextLong());
  private final Random random = new Random(seed);

  /** Segments of which the last has none of the fields. */
  private void write(IndexWriter writer) throws IOException {
    int keywords = 3 * (int) Keywords.MAX_KEPT;
    for (int segment = 0; segment < 3; segment++) {
      for (int doc = 0; doc < 2 * Keywords.MAX_KEPT; doc++) {
        Document document = new Document();
        if (segment < 2) {
          document.add(new SortedDocValuesField("single", keyword(keywords)));
          for (int n = random.nextInt(4); n > 0; n--) {
            document.add(new SortedSetDocValuesField("few", keyword(40)));
            document.add(new SortedSetDocValuesField("many", keyword(keywords)));
          }
        }
        writer.addDocument(document);
      }
      writer.flush();
    }
  }

  private BytesRef keyword(int many) {
    return new BytesRef(Integer.toString(random.nextInt(many)));
  }

  /** Counts some docs; a segment's in several parts. */
  private List<OrdinalCounts.Segment> count(
      DirectoryReader reader, String field, int oneIn, Map<BytesRef, Long> plain)
      throws IOException {
    List<OrdinalCounts.Segment> parts = new ArrayList<>();
    for (LeafReaderContext leaf : reader.leaves()) {
      SortedSetDocValues values = DocValues.getSortedSet(leaf.reader(), field);
      OrdinalCounter counter = new OrdinalCounter(values.getValueCount());
      int middle = random.nextInt(leaf.reader().maxDoc());
      for (int doc = 0; doc < leaf.reader().maxDoc(); doc++) {
        if (doc == middle) {
          parts.add(counter.result(leaf.ord));
          counter = new OrdinalCounter(values.getValueCount());
        }
        if (random.nextInt(oneIn) == 0 && values.advanceExact(doc)) {
          for (int i = values.docValueCount(); i > 0; i--) {
            long ord = values.nextOrd();
            counter.add(ord);
            plain.merge(BytesRef.deepCopyOf(values.lookupOrd(ord)), 1L, Long::sum);
          }
        }
      }
      parts.add(counter.result(leaf.ord));
    }
    return parts;
  }

  private static List<Count> best(Map<BytesRef, Long> plain, int n) {
    return plain.entrySet().stream()
        .map(entry -> new Count(entry.getKey(), entry.getValue()))
        .sorted(Comparator.comparingLong(count -> -count.count())) // stable: terms in order
        .limit(n)
        .toList();
  }

  @Test
  void theyAreThoseOfTermsWithAndWithoutOrdinalsInCommon() throws IOException {
    int before = GlobalKeywords.readersKnown();
    try (Directory directory = new ByteBuffersDirectory();
        IndexWriter writer =
            new IndexWriter(
                directory, new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE))) {
      write(writer);
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        for (int round = 0; round < QuickRun.rounds(60); round++) {
          // Some search has to compare enough keywords for the others to be worth a map.
          boolean all = round == 0;
          String field = all ? "many" : FIELDS.get(random.nextInt(FIELDS.size()));
          Map<BytesRef, Long> plain = new TreeMap<>();
          int oneIn = all || random.nextInt(3) == 0 ? 1 : 1 + random.nextInt(500);
          List<OrdinalCounts.Segment> parts = count(reader, field, oneIn, plain);
          String what = field + ", one in " + oneIn + ", seed " + seed;
          KeywordCounts counts = KeywordCounts.of(reader.getContext(), field, parts);
          assertEquals(plain.size(), counts.distinct(), what);
          long sum = plain.values().stream().mapToLong(Long::longValue).sum();
          assertEquals(sum, counts.values(), what);
          for (int n : new int[] {1, 10, Integer.MAX_VALUE}) {
            assertEquals(best(plain, n), counts.top(n), what);
          }
          assertSameByOrdinal(reader, field, parts, plain, what);
        }
        assertEquals(before + 1, GlobalKeywords.readersKnown());
        long keywords = 2L * 3 * Keywords.MAX_KEPT;
        assertNotNull(GlobalKeywords.of(reader.getContext(), "many", keywords));
      }
    }
    assertEquals(before, GlobalKeywords.readersKnown());
  }

  private static void assertSameByOrdinal(
      DirectoryReader reader,
      String field,
      List<OrdinalCounts.Segment> parts,
      Map<BytesRef, Long> plain,
      String what)
      throws IOException {
    if (MultiDocValues.getSortedSetValues(reader, field)
        instanceof MultiSortedSetDocValues values) {
      int[] expected = new int[(int) values.getValueCount()];
      for (Map.Entry<BytesRef, Long> entry : plain.entrySet()) {
        expected[(int) values.lookupTerm(entry.getKey())] = entry.getValue().intValue();
      }
      int[] sums = new int[expected.length];
      new OrdinalCounts(0, 0, parts).addTo(sums, values.mapping);
      assertArrayEquals(expected, sums, what);
    }
  }

  private static AggregateResult result(long[] keys, int... counts) {
    return new AggregateResult(9, 9, 0, 0, 0, 0, 0, keys, counts, false, 0);
  }

  @Test
  void ordinalsBehindTheLastKeywordAreAnErrorIfTheyHaveCounts() throws IOException {
    try (Directory directory = new ByteBuffersDirectory();
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
      for (String keyword : List.of("a", "b", "c")) {
        Document document = new Document();
        document.add(new SortedDocValuesField("few", new BytesRef(keyword)));
        writer.addDocument(document);
      }
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        LeafReaderContext leaf = reader.leaves().get(0);
        KeywordTally tally = (KeywordTally) Tally.of(Aggregation.terms("few", 2));
        Aggregate dense = Aggregate.terms(0, 0);
        Aggregate pairs = Aggregate.values(0, Long.MIN_VALUE);
        tally.addResult(leaf, dense.from(1), result(new long[0], 4, 1, 0, 0));
        tally.addResult(leaf, pairs, result(new long[] {0, 2}, 5, 2));
        Count first = new Count(new BytesRef("a"), 5);
        KeywordCounts counted = KeywordCounts.of(tally.top, "few", tally.parts);
        assertEquals(List.of(first, new Count(new BytesRef("b"), 4)), counted.top(2));
        assertEquals(3, counted.distinct());
        for (int[] counts : new int[][] {{1, 1, 1, 1}, {0, 0, 0, 0, 7}}) {
          assertThrows(
              OffloadException.class,
              () -> tally.addResult(leaf, dense, result(new long[0], counts)));
        }
        for (long[] keys : new long[][] {{-1, 2}, {2, 3}}) {
          assertThrows(
              OffloadException.class, () -> tally.addResult(leaf, pairs, result(keys, 1, 1)));
        }
      }
    }
  }
}
