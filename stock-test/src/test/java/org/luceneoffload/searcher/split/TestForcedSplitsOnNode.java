/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.split;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.luceneoffload.searcher.split.SplitAnswers.same;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.search.Query;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.config.Placement;
import org.luceneoffload.nvme.tcp.CsdTarget;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.searcher.Answers;
import org.luceneoffload.searcher.SearcherTestCase;
import org.luceneoffload.searcher.Words;
import org.luceneoffload.wire.OffloadException;

/**
 * Plans that a storage node and the host share: they are cut wherever a window may end, windows are
 * refused at random, and nodes go between INIT_TSK and FINAL.
 */
class TestForcedSplitsOnNode {
  private static final boolean LONG = Boolean.getBoolean("tests.long");
  private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
  private static final int DOCS_OF_A_SEGMENT = 700;

  /** With so many, each word of bits of the largest segment is a window of its own. */
  private static final int MAX_WINDOWS = DOCS_OF_A_SEGMENT / 64 + 1;

  private static final int QUERIES = LONG ? 100 : 1;

  @TempDir Path home;

  private final Random random = new Random(SEED);
  private final Words words = new Words(random);

  private void ask(int rawPercent, String options, SharingNode.Asking<ForcedSplits> asking)
      throws Exception {
    System.out.println("seed of TestForcedSplitsOnNode: -Dtests.seed=" + SEED);
    new SharingNode(home, words, DOCS_OF_A_SEGMENT)
        .ask(rawPercent, options, ForcedSplits::new, Placement.ALWAYS, asking);
  }

  @Test
  void everyBoundaryMayPartNodeAndHost() throws Exception {
    ask(
        30,
        "",
        (node, device, directory, ours) -> {
          ours.setStrict(true);
          for (int windows = 2; windows <= MAX_WINDOWS; windows++) {
            device.cutInto(windows);
            for (int i = 0; i < QUERIES; i++) {
              same(ours, words.query());
            }
          }
          long onHost = device.raw.get() + device.handedBack.get();
          assertEquals(device.windows.get(), device.onDevice.get() + onHost);
          assertTrue(device.onDevice.get() > 0, "the node has done no window");
          assertTrue(device.raw.get() > 0, "the node has refused no window");
          assertEquals(0, directory.stats().get(Counter.PLANS_FAILED));
        });
  }

  @Test
  void aNodeMayRefuseAll() throws Exception {
    ask(
        100,
        "",
        (node, device, directory, ours) -> {
          ours.setStrict(true);
          device.cutInto(MAX_WINDOWS);
          sameHits(ours);
          for (int i = 0; i < 2 * QUERIES; i++) {
            same(ours, words.query());
          }
          assertTrue(device.windows.get() > 0, "no plan was split");
          assertEquals(device.windows.get(), device.raw.get());
        });
  }

  /** Does something to the node between INIT_TSK and FINAL of the next plan. */
  private void betweenWindows(ForcedSplits device, Runnable deed) {
    device.cutInto(MAX_WINDOWS);
    int after = 2 + random.nextInt(4); // INIT_TSK is the first step; each window is one more
    device.meet(
        plan -> {
          AtomicInteger steps = new AtomicInteger();
          return () -> {
            if (plan == 0 && steps.incrementAndGet() == after) {
              deed.run();
            }
            return false;
          };
        });
  }

  /** A search whose first plan is cut. */
  private static void sameHits(OffloadIndexSearcher ours) throws IOException {
    Query query = Words.term("w0");
    assertEquals(
        Answers.hits(SearcherTestCase.stock(ours.getIndexReader()).search(query, 30)),
        Answers.hits(ours.search(query, 30)));
  }

  @Test
  void aNodeThatDiesBetweenWindowsIsAFallback() throws Exception {
    ask(
        0,
        "",
        (node, device, directory, ours) -> {
          same(ours, words.query());
          betweenWindows(device, node::kill);
          sameHits(ours);
          same(ours, words.query());
          assertTrue(directory.stats().get(Counter.LEAVES_FALLEN_BACK) > 0, "nobody fell back");
        });
  }

  @Test
  void aNodeThatDiesBetweenWindowsIsAClearErrorIfStrict() throws Exception {
    ask(
        0,
        "",
        (node, device, directory, ours) -> {
          ours.setStrict(true);
          betweenWindows(device, node::kill);
          OffloadException failure = assertThrows(OffloadException.class, () -> sameHits(ours));
          assertTrue(failure.getMessage().contains("127.0.0.1"), failure.toString());
        });
  }

  @Test
  void aNodeThatStopsBetweenWindowsIsAFallback() throws Exception {
    ask(
        0,
        ",timeout=1000",
        (node, device, directory, ours) -> {
          same(ours, words.query());
          betweenWindows(device, () -> signal("STOP", node));
          sameHits(ours);
          assertTrue(directory.stats().get(Counter.LEAVES_FALLEN_BACK) > 0, "nobody fell back");
          signal("CONT", node);
        });
  }

  private static void signal(String name, CsdTarget node) {
    String pid = Long.toString(node.process().pid());
    try {
      assertEquals(0, new ProcessBuilder("kill", "-" + name, pid).start().waitFor());
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
