/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract;

import static java.util.Comparator.reverseOrder;
import static java.util.stream.Collectors.counting;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.ScatteredColumn;
import org.luceneoffload.device.StridedList;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.Plan;
import org.luceneoffload.wire.PlanTreeWriter;
import org.luceneoffload.wire.WireRange;
import org.luceneoffload.wire.aggregate.Aggregate;
import org.luceneoffload.wire.aggregate.AggregatePart;
import org.luceneoffload.wire.aggregate.AggregateReader;
import org.luceneoffload.wire.aggregate.AggregateResult;
import org.luceneoffload.wire.aggregate.StatsCarry;
import org.luceneoffload.wire.plan.PlanRequest;
import org.luceneoffload.wire.plan.PlanTail;
import org.luceneoffload.wire.sort.SortKey;
import org.luceneoffload.wire.sort.SortPart;
import org.luceneoffload.wire.sort.SortedResultReader;

/** The modes that look at values, for every backend that has them. */
public abstract class ColumnContractTest {
  private static final long STAMP = 0xC01;

  /** The device of a test, with room for 1,024 LBAs. */
  public abstract Device device();

  /** Runs a plan that looks at a column, in a mode that the device may lack. */
  private ByteBuffer runOverColumn(
      DeviceSession session, StridedList list, PlanRequest request, PlanTail tail, WireRange... of)
      throws IOException {
    assumeTrue(device().info().hasMode(request.mode), "a device without mode " + request.mode);
    ScatteredColumn column = ScatteredColumn.write(device(), 500, list.maxDoc(), STAMP + 1);
    Plan plan = column.plan(list, List.of(of));
    int bytes = PlanTreeWriter.write(session.planBuffer(), plan, request, tail);
    return session.execute(bytes, DeviceSession.StopSignal.NEVER);
  }

  private static LongStream values(StridedList list) {
    return IntStream.range(0, list.ref().postingCount())
        .mapToLong(i -> ScatteredColumn.value(list.doc(i)));
  }

  private static Map<Long, Long> counts(LongStream keys) {
    return keys.boxed().collect(Collectors.groupingBy(key -> key, TreeMap::new, counting()));
  }

  private static Map<Long, Long> counts(AggregateResult result) {
    Map<Long, Long> counts = new TreeMap<>();
    for (int i = 0; i < result.counts().length; i++) {
      long key = result.keys().length > 0 ? result.keys()[i] : i;
      if (result.counts()[i] > 0) {
        counts.put(key, (long) result.counts()[i]);
      }
    }
    return counts;
  }

  @Test
  void aggregatesOfAllKinds() throws IOException {
    for (int postings : new int[] {2, 130, 20_000}) {
      StridedList list = StridedList.write(device(), 0, postings, 3, STAMP);
      List<Aggregate> asked =
          List.of(
              Aggregate.stats(0, OffloadWire.StatsType.I64, StatsCarry.NONE),
              Aggregate.terms(0, 0),
              Aggregate.values(0, 500),
              Aggregate.histogram(0, 70, Long.MIN_VALUE),
              Aggregate.ranges(0, 0, 2));
      PlanRequest request = PlanRequest.of(OffloadWire.Mode.AGGREGATE, 0, list.maxDoc(), 1 << 16);
      try (DeviceSession session = device().openSession()) {
        ByteBuffer page =
            runOverColumn(
                session,
                list,
                request,
                new AggregatePart(asked),
                new WireRange(-5, 99),
                new WireRange(50, 700));
        AggregateReader reader = new AggregateReader(page, request, asked);
        assertEquals(postings, reader.matchCount());
        List<AggregateResult> results = reader.results();
        LongSummaryStatistics stats = values(list).summaryStatistics();
        assertEquals(postings, results.get(0).valueCount());
        assertEquals(stats.getSum(), results.get(0).sum());
        assertEquals(stats.getMin(), results.get(0).min());
        assertEquals(stats.getMax(), results.get(0).max());
        assertEquals(counts(values(list)), counts(results.get(1)));
        assertEquals(counts(values(list).filter(v -> v >= 500)), counts(results.get(2)));
        assertEquals(counts(values(list).map(v -> v / 70)), counts(results.get(3)));
        assertEquals(values(list).filter(v -> v <= 99).count(), results.get(4).counts()[0]);
        long second = values(list).filter(v -> v >= 50 && v <= 700).count();
        assertEquals(second, results.get(4).counts()[1]);
      }
    }
  }

  @Test
  void hitsSortedByAColumn() throws IOException {
    for (boolean reverse : new boolean[] {false, true}) {
      for (int postings : new int[] {2, 130, 20_000}) {
        StridedList list = StridedList.write(device(), 0, postings, 3, STAMP);
        PlanRequest request =
            PlanRequest.of(OffloadWire.Mode.TOP_K_BY_COLUMN, 0, list.maxDoc(), 1 << 16);
        request.k = 25;
        SortPart sort =
            new SortPart(
                List.of(
                    SortKey.ofColumn(
                        0, OffloadWire.SortTransform.I64, OffloadWire.SortSelector.MIN, 0, reverse),
                    SortKey.ofDoc(true)));
        Comparator<Integer> byValue = Comparator.comparingLong(ScatteredColumn::value);
        int[] expected =
            IntStream.range(0, postings)
                .mapToObj(list::doc)
                .sorted((reverse ? byValue.reversed() : byValue).thenComparing(reverseOrder()))
                .limit(request.k)
                .mapToInt(Integer::intValue)
                .toArray();
        try (DeviceSession session = device().openSession()) {
          SortedResultReader hits = new SortedResultReader();
          hits.reset(runOverColumn(session, list, request, sort), request, sort);
          int found = hits.header().entryCount();
          assertArrayEquals(expected, IntStream.range(0, found).map(hits::doc).toArray());
          assertEquals(postings, hits.header().matchCount());
        }
      }
    }
  }
}
