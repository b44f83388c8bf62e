/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.pageindex;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.luceneoffload.QuickRun;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.cli.output.Progress;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.papers.pageindex.IndexLab.Load;
import org.luceneoffload.papers.study.PaperReport;
import org.luceneoffload.papers.study.Papers;
import org.luceneoffload.papers.study.Verdicts;

/** The paper on page indexes. */
class TestIndexStudy {
  private static final List<Kind> TIMED =
      List.of(Kind.NONE, Kind.TREE, Kind.DEVICE_TREE, Kind.S, Kind.HS);

  private DeviceProfile profile;
  private IndexLab lab;

  @BeforeEach
  void open() throws Exception {
    assumeTrue(CliRun.devices().contains("sim"), "no native library here");
    profile = Profiles.load(Papers.profileOf(Papers.PAGE_INDEX));
    lab = new IndexLab(profile, IndexFit.INSERTED);
  }

  @AfterEach
  void close() throws Exception {
    if (lab != null) {
      lab.close();
    }
  }

  @Test
  void everyFigureAndStatementIsMetOrHasItsReason() throws Exception {
    PaperReport report = new IndexStudy().run(profile, Progress.NONE);
    Verdicts.check(report, IndexReasons.KNOWN);
    assertEquals(10, report.trends().size());
    assertEquals(6, report.plots().size());
  }

  @Test
  void fittingGivesTheNumbersAgain() throws Exception {
    QuickRun.skipLong();
    IndexStudy study = new IndexStudy();
    study
        .fit(profile, Progress.NONE)
        .forEach((name, value) -> assertEquals(study.inUse(profile, name), value, name));
  }

  @Test
  void aProfileWithoutCostsIsRefused() throws Exception {
    assertNull(new IndexStudy().missing(profile));
    DeviceProfile lacking = profile.with("device.work.index_check.core_millicycles", 0, "none");
    assertNotNull(new IndexStudy().missing(lacking));
  }

  /**
   * The engine's index loses no page with a match, and a host that knows the least keys asks for
   * all that the index names.
   */
  @Test
  void noPageWithAMatchIsMissed() throws Exception {
    SplittableRandom random = new SplittableRandom(7);
    for (PagedTable table : List.of(lab.tables().lineitem, lab.tables().part)) {
      int vain = 0;
      for (int i = 0; i < 50; i++) {
        long low = table.key(random.nextInt(table.rowCount()));
        Range range = new Range(low, low + random.nextInt(20));
        BitSet exact = table.exact(range);
        assertFalse(exact.isEmpty());
        BitSet indexed = table.indexed(0, table.pages(), range);
        assertTrue(contains(indexed, exact), range::toString);
        BitSet candidates = table.candidates(range);
        assertTrue(contains(candidates, indexed), range::toString);
        vain += candidates.cardinality() - exact.cardinality();
        BitSet joined = table.joined(new TreeSet<>(List.of(low)));
        assertTrue(contains(joined, table.exact(new Range(low, low))));
        assertTrue(joined.cardinality() < table.pages());
      }
      assertTrue(vain <= 50, "at most the page before a range is asked for in vain");
    }
  }

  private static boolean contains(BitSet all, BitSet some) {
    BitSet left = (BitSet) some.clone();
    left.andNot(all);
    return left.isEmpty();
  }

  /** The index of the engine is that of the product: it is small, is cached, and survives. */
  @Test
  void theIndexIsTheEngines() throws Exception {
    ProductIndex product = ProductIndex.of(lab);
    assertEquals(0, product.rebuiltAfterFlush());
    assertEquals(ProductIndex.REWRITTEN, product.rebuilt());
    assertTrue(product.share() < 0.0025, () -> "of a page: " + product.share());
    assertTrue(product.loads() > 0, "an empty cache");
    assertTrue(product.hitPercent() > 99);
  }

  /** A plan of the engine finds the same rows by the same index, and reads few pages for them. */
  @Test
  void aPlanFindsTheRows() throws Exception {
    IndexPlan plan = lab.plan();
    assertEquals(lab.scanned(), plan.rows());
    assertTrue(plan.report().pageLoads() > 0);
    assertTrue(plan.report().pageLoads() < lab.tables().lineitem.pages() / 4);
    assertTrue(plan.report().elapsedMs() < lab.run(Load.SCAN, Kind.S).ms());
  }

  /** An update leaves the key of its row as it is: the host hears of rows that come alone. */
  @Test
  void onlyInsertsTellTheHostLeastKeys() throws Exception {
    long payment = lab.run(Load.PAYMENT, Kind.HS).updateBytes();
    assertTrue(payment > 0);
    assertEquals(12 * payment, lab.run(Load.NEW_ORDER, Kind.HS).updateBytes(), "rows inserted");
    assertEquals(0, lab.run(Load.PAYMENT, Kind.S).updateBytes());
    assertEquals(0, lab.run(Load.SCAN, Kind.HS).updateBytes());
  }

  private double[] ms(DeviceProfile with, Load load) throws Exception {
    lab.use(with, IndexFit.INSERTED);
    double[] all = new double[TIMED.size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = lab.run(load, TIMED.get(i)).ms();
    }
    return all;
  }

  private DeviceProfile times(double factor, String... paths) throws Exception {
    DeviceProfile changed = profile;
    for (String path : paths) {
      changed = changed.with(path, Math.round(profile.get(path) * factor), "what if");
    }
    return changed;
  }

  private static double at(double[] ms, Kind kind) {
    return ms[TIMED.indexOf(kind)];
  }

  /** A faster core helps what is in the device; a host's tree has none of it. */
  @Test
  void aFasterCoreHelpsTheDevice() throws Exception {
    DeviceProfile faster = times(4, "device.core_hz");
    double[] before = ms(profile, Load.SCAN);
    double[] after = ms(faster, Load.SCAN);
    assertTrue(at(after, Kind.S) < 0.9 * at(before, Kind.S));
    assertTrue(at(after, Kind.HS) < at(before, Kind.HS));
    assertTrue(at(after, Kind.DEVICE_TREE) < at(before, Kind.DEVICE_TREE));
    assertEquals(at(before, Kind.TREE), at(after, Kind.TREE));
    assertEquals(at(before, Kind.NONE), at(after, Kind.NONE));
  }

  /** A host whose cores are four times as slow works longer with any index. */
  @Test
  void aSlowerHostIsSlowerWithAll() throws Exception {
    DeviceProfile slower = times(0.25, "host.core_hz");
    for (Load load : List.of(Load.SCAN, Load.INSERT)) {
      double[] before = ms(profile, load);
      double[] after = ms(slower, load);
      for (int i = 0; i < before.length; i++) {
        assertTrue(after[i] > before[i], load.title + ", " + TIMED.get(i).title);
      }
    }
  }

  /** Half the work for an entry helps S most, which checks all of them. */
  @Test
  void quickerEntriesHelpSMost() throws Exception {
    double[] before = ms(profile, Load.SCAN);
    double[] after = ms(times(0.5, "device.work.index_check.core_millicycles"), Load.SCAN);
    double s = at(before, Kind.S) - at(after, Kind.S);
    double hs = at(before, Kind.HS) - at(after, Kind.HS);
    assertTrue(s > 4 * hs && hs > 0, s + " and " + hs + " ms");
    assertEquals(at(before, Kind.TREE), at(after, Kind.TREE));
    assertEquals(at(before, Kind.NONE), at(after, Kind.NONE));
  }

  /** S sends a command a page, so slow commands hurt it more than the host's tree. */
  @Test
  void slowCommandsHurtSMost() throws Exception {
    DeviceProfile slower = times(10, "device.link_command_ns", "device.link_completion_ns");
    double[] before = ms(profile, Load.SCAN);
    double[] after = ms(slower, Load.SCAN);
    for (Kind kind : TIMED) {
      assertTrue(at(after, kind) > at(before, kind), kind.title);
    }
    assertTrue(
        at(after, Kind.S) / at(before, Kind.S) > at(after, Kind.TREE) / at(before, Kind.TREE));
  }

  /** What is better helps all who read pages, and what is worse hurts them. */
  @Test
  void linkChannelsAndFlashMoveAllThatRead() throws Exception {
    double[] before = ms(profile, Load.SCAN);
    double[] link = ms(times(2, "device.link_bytes_per_s"), Load.SCAN);
    double[] channels = ms(times(2, "device.channel_bytes_per_s"), Load.SCAN);
    String[] sense = {"device.flash_read_ns.page0", "device.flash_read_ns.page1"};
    double[] quick = ms(times(0.5, sense), Load.SCAN);
    double[] slow = ms(times(2, sense), Load.SCAN);
    for (int i = 0; i < before.length; i++) {
      String kind = TIMED.get(i).title;
      assertTrue(link[i] < before[i], kind);
      assertTrue(channels[i] < before[i], kind);
      assertTrue(quick[i] < before[i], kind);
      assertTrue(slow[i] > before[i], kind);
    }
    assertTrue(at(slow, Kind.TREE) / at(before, Kind.TREE) > 1.2, "it waits for its nodes");
  }
}
