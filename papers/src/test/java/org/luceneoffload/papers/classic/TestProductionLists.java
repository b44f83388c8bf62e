/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.classic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.device.Device;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.papers.classic.ProductionLists.Outcome;
import org.luceneoffload.sim.SimDeviceProvider;
import org.luceneoffload.wire.OffloadWire.ModelSide;

/** Lucene's programs on the lists of the classic ones, under a profile. */
class TestProductionLists {
  private static final int UNIVERSE = 10_000_000;

  @TempDir Path home;

  private Device open() throws IOException {
    return new SimDeviceProvider().openForWriting("capacity=256m", home);
  }

  private static ClassicModel.Workload workload(int lists, int longest, int skew) {
    return new ClassicModel.Workload(lists, longest, skew, 10_000, 0, 3, false);
  }

  @Test
  void listsAreThoseOfTheWorkload() {
    ClassicModel.Workload workload = workload(3, 10_000, 10);
    ClassicLists lists = ClassicLists.of(workload);
    assertArrayEquals(
        new int[] {1000, 10_000, 1000}, lists.docs().stream().mapToInt(d -> d.length).toArray());
    for (int i = 0; i < 3; i++) {
      int[] docs = lists.docs().get(i);
      int[] freqs = lists.freqs().get(i);
      assertEquals(docs.length, freqs.length);
      assertTrue(IntStream.range(1, docs.length).allMatch(j -> docs[j - 1] < docs[j]));
      assertTrue(docs[0] >= 0 && docs[docs.length - 1] < UNIVERSE);
      assertTrue(IntStream.of(freqs).allMatch(f -> f >= 1 && f <= 16));
      assertTrue(IntStream.of(freqs).distinct().count() > 3);
    }
    ClassicLists swapped =
        ClassicLists.of(new ClassicModel.Workload(3, 10_000, 10, 10_000, 0, 3, true));
    assertArrayEquals(lists.docs().get(0), swapped.docs().get(1));
    assertArrayEquals(lists.freqs().get(1), swapped.freqs().get(0));
    List<Integer> lengths = List.of(50, 700, 300);
    ClassicLists uneven = ClassicLists.of(ClassicModel.Workload.ofLengths(lengths, 0, 0, 3));
    assertEquals(lengths, uneven.docs().stream().map(d -> d.length).toList());
    assertThrows(IllegalArgumentException.class, () -> ClassicLists.of(workload(9, 1000, 1)));
  }

  @Test
  void matchesAreThoseOfTheClassicPrograms() throws IOException {
    DeviceProfile profile = Profiles.load("smart-ssd-sas");
    ClassicModel.Workload workload = workload(2, 20_000, 10);
    ClassicLists lists = ClassicLists.of(workload);
    try (Device device = open()) {
      ProductionLists production =
          ProductionLists.write(device, lists.docs(), lists.freqs(), UNIVERSE, 17);
      for (Operation operation : Operation.values()) {
        long expected;
        try (ClassicModel classic =
            ClassicModel.record(workload, Operation.valueOf(operation.name()), false, true, 0)) {
          expected = classic.deviceCounts().results();
        }
        Outcome all = production.run(profile, operation, false);
        assertEquals(expected, all.matches(), operation.name());
        assertTrue(all.exact());
        assertEquals(expected, all.device().resultsRanked());
        assertEquals(expected, all.host().resultsRanked());
        Outcome best = production.run(profile, operation, true);
        assertEquals(0, best.device().resultsRanked());
        assertTrue(best.matches() == expected || !best.exact());
        assertTrue(best.device().bytesSent() <= all.device().bytesSent());
        assertEquals(
            all, production.run(profile, operation, false), "a second run is as the first");
      }
    }
  }

  /** More docs than a result page holds: several plans make one request. */
  @Test
  void longResultsComeInParts() throws IOException {
    int[] docs = IntStream.range(0, 300_000).map(i -> 2 * i).toArray();
    int[] ones = new int[docs.length];
    java.util.Arrays.fill(ones, 1);
    Set<Long> elapsed = new HashSet<>();
    try (Device device = open()) {
      ProductionLists lists =
          ProductionLists.write(device, List.of(docs, docs), List.of(ones, ones), 600_000, 1);
      Outcome outcome = lists.run(Profiles.load("pcie5-csd"), Operation.UNION, false);
      assertEquals(docs.length, outcome.matches());
      assertEquals(4L * docs.length, outcome.device().bytesSent(), 1000);
      ModelReport r = outcome.device();
      assertEquals(r.elapsedPs(), r.partsPs().values().stream().mapToLong(Long::longValue).sum());
      elapsed.add(r.elapsedPs());
    }
    assertFalse(elapsed.contains(0L));
  }

  /** Wins a ranked union, which the first of these devices could not. */
  @Test
  void theSmartSsdWinsRankedUnionsAgainstTheClassicHost() throws IOException {
    DeviceProfile profile = Profiles.load("smart-ssd-sas");
    ClassicModel.Workload workload = workload(4, 100_000, 10);
    ClassicLists lists = ClassicLists.of(workload);
    try (Device device = open();
        ClassicModel classic = ClassicModel.record(workload, Operation.UNION, true, true, 0)) {
      Outcome outcome =
          ProductionLists.write(device, lists.docs(), lists.freqs(), UNIVERSE, 1)
              .run(profile, Operation.UNION, true);
      ModelReport host = ModelReport.read(classic.play(profile.wireArray(), ModelSide.HOST));
      ModelReport first = ModelReport.read(classic.play(profile.wireArray(), ModelSide.DEVICE));
      assertTrue(outcome.device().elapsedPs() < host.elapsedPs(), "against the regular SSD");
      assertTrue(host.elapsedPs() < first.elapsedPs(), "as the classic program does not");
    }
  }
}
