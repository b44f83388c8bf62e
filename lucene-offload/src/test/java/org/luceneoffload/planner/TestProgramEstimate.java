/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.report.PlanExplanation.LeafEstimate;
import org.luceneoffload.wire.OffloadWire.Mode;
import org.luceneoffload.wire.OffloadWire.ModelWork;
import org.luceneoffload.wire.OffloadWire.Occur;
import org.luceneoffload.wire.OffloadWire.Op;

/** Estimates of this project's own programs. */
class TestProgramEstimate {
  private static final int MAX_DOC = 1_000_000;
  private static final int POSTINGS_A_PAGE = 1900;
  private static final int[] MODES = {Mode.COUNT, Mode.DOCS, Mode.SCORED_DOCS, Mode.TOP_K};

  private static ProgramNode term(int occur, int postings) {
    int pages = postings == 1 ? 0 : 1 + postings / POSTINGS_A_PAGE;
    return ProgramNode.term(occur, postings, pages);
  }

  private static ProgramNode bool(ProgramNode... children) {
    return ProgramNode.bool(Occur.MUST, 0, List.of(children));
  }

  private static ProgramRequest request(int mode) {
    return new ProgramRequest(mode, mode == Mode.TOP_K ? 10 : 0, 1000, MAX_DOC, 300);
  }

  private static LeafEstimate estimate(String profile, int mode, ProgramNode root)
      throws IOException {
    return ProgramEstimate.of(new CostModel(Profiles.load(profile)), root, request(mode));
  }

  @Test
  void longerListsTakeLonger() throws IOException {
    for (String profile : Profiles.names()) {
      for (int mode : MODES) {
        for (int occur : new int[] {Occur.MUST, Occur.SHOULD, Occur.MUST_NOT}) {
          int first = occur == Occur.SHOULD ? Occur.SHOULD : Occur.MUST;
          LeafEstimate before = new LeafEstimate(0, 0);
          // Beyond, blocks are bitmaps, which cost less.
          for (int length = 4000; length < MAX_DOC / 12; length += length / 3) {
            ProgramNode root = bool(term(first, 3000), term(occur, length));
            LeafEstimate now = estimate(profile, mode, root);
            // Fewer matches to send make up for the longer list of what is left out.
            double slack = occur == Occur.MUST_NOT ? 0.98 : 1;
            String what = profile + " mode " + mode + " occur " + occur + " " + length;
            assertTrue(now.deviceNs() >= slack * before.deviceNs(), what);
            assertTrue(now.hostNs() >= slack * before.hostNs(), what);
            before = now;
          }
        }
      }
    }
  }

  @Test
  void aSessionThatTakesLongIsNotOpenedForLittle() throws IOException {
    DeviceProfile profile =
        Profiles.load("pcie5-csd").with("device.session_open_ns", 5_000_000, "a test");
    CostModel costs = new CostModel(profile);
    ProgramNode tiny = bool(term(Occur.MUST, 3), term(Occur.MUST, 40));
    assertFalse(ProgramEstimate.of(costs, tiny, request(Mode.TOP_K)).prefersDevice());
    LeafEstimate usual = estimate("pcie5-csd", Mode.TOP_K, tiny);
    assertTrue(usual.prefersDevice(), usual.toString());
  }

  @Test
  void longListsWithFewResultsAreForTheDevice() throws IOException {
    ProgramNode root = bool(term(Occur.MUST, 300), term(Occur.MUST, 80_000));
    for (String profile : List.of("smart-ssd-sas", "cosmos-openssd", "pcie5-csd")) {
      LeafEstimate estimate = estimate(profile, Mode.TOP_K, root);
      assertTrue(estimate.prefersDevice(), profile + " " + estimate);
    }
  }

  @Test
  void allMatchesOfLongListsAreForTheHost() throws IOException {
    ProgramNode root = bool(term(Occur.SHOULD, 60_000), term(Occur.SHOULD, 80_000));
    for (String profile : List.of("smart-ssd-sas", "summarizer-board", "pcie5-csd")) {
      LeafEstimate estimate = estimate(profile, Mode.DOCS, root);
      assertFalse(estimate.prefersDevice(), profile + " " + estimate);
    }
  }

  @Test
  void listsThatAreSkippedAreNotReadWhole() {
    ProgramNode rare = bool(term(Occur.MUST, 50), term(Occur.MUST, 60_000));
    ExpectedWork work = ProgramEstimate.work(rare, request(Mode.COUNT));
    assertTrue(work.loads > 20 && work.loads < 33, "loads " + work.loads);
    assertTrue(work.units[ModelWork.POSTING_DECODE] < 10_000);
    ExpectedWork all =
        ProgramEstimate.work(
            bool(term(Occur.SHOULD, 50), term(Occur.SHOULD, 60_000)), request(Mode.COUNT));
    assertTrue(all.units[ModelWork.POSTING_DECODE] >= 60_050);
  }

  @Test
  void pruningScoresLess() {
    ProgramNode root = bool(term(Occur.SHOULD, 5000), term(Occur.SHOULD, 50_000));
    double scored = ProgramEstimate.work(root, request(Mode.SCORED_DOCS)).units[scores()];
    double pruned = ProgramEstimate.work(root, request(Mode.TOP_K)).units[scores()];
    assertEquals(55_000, scored);
    assertTrue(pruned < 10_000, "scored " + pruned);
  }

  private static int scores() {
    return ModelWork.POSTING_SCORE;
  }

  private static ExpectedWork columnWork(int mode, int matches, Integer... pages) {
    ProgramNode root = bool(term(Occur.MUST, matches));
    ProgramRequest request = new ProgramRequest(mode, 10, 1000, MAX_DOC, 300, List.of(pages));
    return ProgramEstimate.work(root, request);
  }

  @Test
  void aggregatesReadTheirColumns() {
    double list = columnWork(Mode.AGGREGATE, 5000).loads;
    ExpectedWork few = columnWork(Mode.AGGREGATE, 5000, 400);
    ExpectedWork many = columnWork(Mode.AGGREGATE, 5000, 400, 4000);
    assertEquals(list + 400, few.loads, 1);
    assertTrue(many.loads > few.loads + 2500 && many.loads < few.loads + 4000, "" + many.loads);
    assertEquals(5000, few.units[ModelWork.AGGREGATE_VALUE]);
    assertEquals(10_000, many.units[ModelWork.AGGREGATE_VALUE]);
    assertTrue(columnWork(Mode.AGGREGATE, 5, 4000).loads <= list + 5);
  }

  @Test
  void sortsReadFurtherColumnsForTheBestOnly() {
    double list = columnWork(Mode.TOP_K_BY_COLUMN, 5000).loads;
    ExpectedWork one = columnWork(Mode.TOP_K_BY_COLUMN, 5000, 400);
    ExpectedWork two = columnWork(Mode.TOP_K_BY_COLUMN, 5000, 400, 4000);
    assertEquals(list + 400, one.loads, 1);
    assertTrue(two.loads > one.loads + 10 && two.loads < one.loads + 200, "" + two.loads);
    assertEquals(5000, two.units[ModelWork.KEY_COMPARE]);
    double docs = columnWork(Mode.DOCS, 5000).sentBytes;
    assertTrue(two.sentBytes < docs / 10, "only the best are sent: " + two.sentBytes);
  }

  @Test
  void pagesOutsideARangeAreNotRead() {
    ProgramNode narrow =
        bool(term(Occur.MUST, 50_000), ProgramNode.column(Occur.FILTER, 60_000, 3));
    ProgramNode wide =
        bool(term(Occur.MUST, 50_000), ProgramNode.column(Occur.FILTER, 60_000, 300));
    double less = ProgramEstimate.work(narrow, request(Mode.COUNT)).loads;
    double more = ProgramEstimate.work(wide, request(Mode.COUNT)).loads;
    assertEquals(297, more - less, 1);
  }

  @Test
  void everyKindOfNode() throws IOException {
    ProgramNode all = new ProgramNode(Op.ALL, Occur.MUST, 0, 0, 0, List.of());
    ProgramNode none = new ProgramNode(Op.NONE, Occur.MUST, 0, 0, 0, List.of());
    ProgramNode inline = term(Occur.SHOULD, 1);
    ProgramNode nested =
        ProgramNode.bool(
            Occur.SHOULD, 1, List.of(term(Occur.SHOULD, 500), term(Occur.MUST_NOT, 70)));
    ProgramNode constant =
        new ProgramNode(Op.CONST, Occur.FILTER, 0, 0, 0, List.of(term(Occur.MUST, 900)));
    for (int mode : MODES) {
      for (ProgramNode root :
          List.of(
              all,
              none,
              inline,
              nested,
              constant,
              bool(all, term(Occur.MUST_NOT, 40)),
              bool(inline, nested),
              bool(constant, nested, inline),
              bool(nested, nested))) {
        LeafEstimate estimate = estimate("cosmos-openssd", mode, root);
        assertTrue(estimate.deviceNs() > 0 && estimate.deviceNs() < 1e10, "" + root);
        assertTrue(estimate.hostNs() > 0 && estimate.hostNs() < 1e10, "" + root);
      }
    }
  }
}
