/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.split;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.luceneoffload.searcher.split.SplitAnswers.same;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.QueryTimeout;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.Query;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.config.Placement;
import org.luceneoffload.nvme.tcp.CsdTarget;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.searcher.Words;
import org.luceneoffload.wire.OffloadWire;

/** Plans that a storage node and stock Lucene share, without an engine in the host's process. */
class TestStockWindows {
  private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
  private static final int DOCS_OF_A_SEGMENT = 2_000;
  private static final int QUERIES = Boolean.getBoolean("tests.long") ? 200 : 3;
  private static final String WHY = "not shared with stock Lucene: ";

  @TempDir Path home;

  private final Words words = new Words(new Random(SEED));

  private void ask(
      int rawPercent, boolean mayBlock, boolean hidesEngine, SharingNode.Asking<NoEngine> asking)
      throws Exception {
    System.out.println("seed of TestStockWindows: -Dtests.seed=" + SEED);
    new SharingNode(home, words, DOCS_OF_A_SEGMENT)
        .ask(
            rawPercent,
            "",
            device -> new NoEngine(device, mayBlock, hidesEngine),
            Placement.DYNAMIC,
            asking);
  }

  private void ask(OffloadIndexSearcher ours) throws IOException {
    Query frequent = Words.bool("+w0 +w1 w2");
    same(ours, frequent);
    same(ours, new ConstantScoreQuery(frequent));
    for (int i = 0; i < QUERIES; i++) {
      Query query = words.query();
      same(ours, query);
      same(ours, new ConstantScoreQuery(query));
    }
  }

  private static void assertShared(OffloadStats.Snapshot work, boolean alsoByDevice) {
    long byStock = work.get(Counter.WINDOWS_BY_STOCK);
    assertTrue(byStock > 0, "stock Lucene has done no window: " + work);
    assertEquals(
        byStock, work.get(Counter.WINDOWS_RAW) + work.get(Counter.WINDOWS_HANDED_BACK), "" + work);
    assertEquals(alsoByDevice, work.get(Counter.WINDOWS_ON_DEVICE) > 0, "" + work);
    assertEquals(0, work.get(Counter.PLANS_FAILED), "" + work);
    assertEquals(0, work.get(Counter.LEAVES_FALLEN_BACK), "" + work);
    assertTrue(work.get(Counter.PLANS_UNSHARED) > 0, "scores were shared: " + work);
    assertTrue(
        work.troubles().getOrDefault(WHY + "scores would be rounded in another way", 0L) > 0,
        work.troubles().toString());
  }

  /** One node for all of it: first it works, and then it dies. */
  @Test
  void answersAreStocksWhoeverHasAWindow() throws Exception {
    ask(
        50,
        false,
        true,
        (node, device, directory, ours) -> {
          ask(ours);
          assertShared(directory.stats().read(), true);
          strictOrWithATimeLimit(directory, ours);
          nodeDiesBetweenWindows(node, device, directory, ours);
        });
  }

  private void strictOrWithATimeLimit(OffloadDirectory directory, OffloadIndexSearcher ours)
      throws IOException {
    OffloadStats.Snapshot before = directory.stats().read();
    Query query = new ConstantScoreQuery(Words.bool("+w0 +w1"));
    QueryTimeout never = () -> false;
    ours.setTimeout(never);
    ours.count(query);
    ours.setTimeout(null);
    ours.setStrict(true);
    same(ours, query);
    ours.setStrict(false);
    OffloadStats.Snapshot work = directory.stats().read().since(before);
    assertEquals(0, work.get(Counter.PLANS_SPLIT), work.toString());
    for (String why :
        List.of("a strict search takes no answer of the host", "a search with a time limit")) {
      assertTrue(work.troubles().getOrDefault(WHY + why, 0L) > 0, work.toString());
    }
  }

  private void nodeDiesBetweenWindows(
      CsdTarget node, NoEngine device, OffloadDirectory directory, OffloadIndexSearcher ours)
      throws IOException {
    AtomicInteger windows = new AtomicInteger();
    device.watch(
        opcode -> {
          if (opcode == OffloadWire.Opcode.READ_PROC && windows.incrementAndGet() == 2) {
            node.kill();
          }
        });
    Query query = new ConstantScoreQuery(Words.bool("+w0 +w1"));
    same(ours, query);
    assertTrue(windows.get() >= 2, "no plan was split");
    assertTrue(directory.stats().get(Counter.LEAVES_FALLEN_BACK) > 0, "nobody fell back");
  }

  @Test
  void aNodeBehindAGuardMayRefuseAll() throws Exception {
    ask(
        100,
        true,
        true,
        (node, device, directory, ours) -> {
          ask(ours);
          assertShared(directory.stats().read(), false);
        });
  }

  /** A JVM whose native library cannot be found. */
  @Test
  void aProcessWithoutTheLibrary() throws Exception {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Dorg.luceneoffload.library=/no/such/library.so",
                "-Dtests.seed=" + SEED,
                "-cp",
                System.getProperty("java.class.path"),
                TestStockWindows.class.getName(),
                home.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, child.waitFor(), output);
  }

  /** The child: argument is the folder of node and index. */
  public static void main(String[] args) throws Exception {
    TestStockWindows test = new TestStockWindows();
    test.home = Path.of(args[0]);
    test.ask(
        50,
        false,
        false,
        (node, device, directory, ours) -> {
          test.ask(ours);
          assertShared(directory.stats().read(), true);
        });
  }
}
