/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.split;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.luceneoffload.searcher.split.SplitAnswers.same;
import static org.luceneoffload.searcher.split.SplitAnswers.searcher;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.config.Placement;
import org.luceneoffload.device.Device;
import org.luceneoffload.nvme.tcp.CsdDeviceProvider;
import org.luceneoffload.nvme.tcp.CsdTarget;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.searcher.SearcherTestCase;
import org.luceneoffload.searcher.Words;
import org.luceneoffload.sim.SimDeviceProvider;
import org.luceneoffload.wire.OffloadWire;

/** Plans that are split over pages that are damaged, or are not those that the host has copied. */
class TestDamagedSplits {
  private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
  private static final int LBAS = 1 << 12;

  /** Drives that others use may take their time to write an index. */
  private static final String PATIENCE = ",claim=empty,timeout=60000";

  private static final OffloadOptions PATIENT =
      OffloadOptions.DEFAULT.withDeviceTimeout(Duration.ofMinutes(1));

  private static final int DOCS = 700;
  private static final int ROUNDS = 3;
  private static final int REWRITES = 8;
  private static final int MAX_WINDOWS = 11;

  @TempDir Path home;

  private final Random random = new Random(SEED);
  private final Words words = new Words(random);

  private void index(Device device) throws IOException {
    System.out.println("seed of TestDamagedSplits: -Dtests.seed=" + SEED);
    try (OffloadDirectory directory =
            OffloadDirectory.wrap(FSDirectory.open(home), device, PATIENT);
        IndexWriter writer = new IndexWriter(directory, SearcherTestCase.config())) {
      words.add(writer, DOCS);
      words.delete(writer, DOCS / 20);
    }
  }

  private static ByteBuffer page() {
    return ByteBuffer.allocateDirect(OffloadWire.LBA_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static ByteBuffer read(Device device, long lba) throws IOException {
    ByteBuffer page = page();
    device.read(lba, page);
    return page.flip();
  }

  /** LBAs with pages of lists and columns. */
  private static List<Long> pages(Device device) throws IOException {
    List<Long> pages = new ArrayList<>();
    for (long lba = 0; lba < LBAS; lba++) {
      int magic = read(device, lba).getInt(0);
      if (magic == OffloadWire.PAGE_MAGIC || magic == OffloadWire.COLUMN_MAGIC) {
        pages.add(lba);
      }
    }
    return pages;
  }

  private interface Asking {
    void of(OffloadIndexSearcher ours, OffloadDirectory directory) throws IOException;
  }

  private void ask(Device device, Asking asking) throws IOException {
    ForcedSplits splits = new ForcedSplits(device);
    splits.cutInto(2 + random.nextInt(MAX_WINDOWS));
    try (OffloadDirectory directory = OffloadDirectory.wrap(FSDirectory.open(home), splits);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      asking.of(searcher(reader, Placement.ALWAYS), directory);
    }
  }

  /** Each page in its turn is damaged, in some byte, and then all of them. */
  private void everyAnswerIsTheHosts(Device device) throws IOException {
    index(device);
    List<Long> pages = pages(device);
    assertTrue(pages.size() > 4, pages.toString());
    for (int round = 0; round < ROUNDS; round++) {
      long lba = pages.get(random.nextInt(pages.size()));
      ByteBuffer whole = read(device, lba);
      damage(device, lba);
      ask(device, (ours, directory) -> same(ours, words.query()));
      device.write(lba, whole);
    }
    ask(
        device,
        (ours, directory) -> {
          same(ours, words.query());
          assertEquals(0, directory.stats().get(Counter.LEAVES_FALLEN_BACK), "all are whole");
        });
    for (long lba : pages) {
      damage(device, lba);
    }
    ask(
        device,
        (ours, directory) -> {
          same(ours, Words.term("w0"));
          same(ours, words.query());
          assertTrue(directory.stats().get(Counter.LEAVES_FALLEN_BACK) > 0, "nobody fell back");
          assertTrue(directory.stats().get(Counter.IMAGES_BAD) > 0, "no image was given up");
        });
  }

  private void damage(Device device, long lba) throws IOException {
    ByteBuffer page = read(device, lba);
    int at = Integer.BYTES + random.nextInt(page.limit() - Integer.BYTES);
    page.put(at, (byte) (page.get(at) ^ 1 << random.nextInt(Byte.SIZE)));
    device.write(lba, page);
  }

  @Test
  void damagedPagesOfTheSimulator() throws IOException {
    String options = "capacity=" + LBAS * 4 + "k,threads=1,raw=50";
    try (Device device = new SimDeviceProvider().openForWriting(options, home)) {
      everyAnswerIsTheHosts(device);
    }
  }

  private CsdTarget node(int rawPercent) throws IOException {
    return new CsdTarget(
        home,
        "--capacity",
        LBAS * 4 + "K",
        "--dram",
        "16M",
        "--raw-percent",
        Integer.toString(rawPercent));
  }

  @Test
  void damagedPagesOfANode() throws IOException {
    try (CsdTarget node = node(50);
        Device device = new CsdDeviceProvider().openForWriting(node.node() + PATIENCE, home)) {
      everyAnswerIsTheHosts(device);
    }
  }

  /**
   * A host that only reads has copies of pages in whose place a writer has put others: it finds out
   * by their stamps, copies the new ones and runs the plan again.
   */
  @Test
  void copiesThatAreOlderThanThePlan() throws IOException {
    try (CsdTarget node = node(100);
        Device writer = new CsdDeviceProvider().openForWriting(node.node() + PATIENCE, home)) {
      index(writer);
      List<Long> pages = pages(writer);
      ByteBuffer before = read(writer, pages.getFirst());
      Device device = new CsdDeviceProvider().open(node.node() + ",readonly=true", home);
      ask(
          device,
          (ours, directory) -> {
            for (int round = 0; round < REWRITES; round++) {
              try (DirectoryReader reader = DirectoryReader.open(directory)) {
                OffloadIndexSearcher anew = searcher(reader, Placement.ALWAYS);
                anew.setStrict(true);
                same(anew, Words.term("w0"));
                same(anew, words.query());
              }
              writeAnew(writer);
            }
            assertTrue(!read(writer, pages.getFirst()).equals(before), "no page was overwritten");
            assertEquals(0, directory.stats().get(Counter.PLANS_FAILED));
          });
    }
  }

  private void writeAnew(Device writer) throws IOException {
    try (OffloadDirectory directory =
            OffloadDirectory.wrap(FSDirectory.open(home), writer, PATIENT);
        IndexWriter index = new IndexWriter(directory, SearcherTestCase.config())) {
      index.deleteAll();
      index.commit();
      words.add(index, DOCS);
    }
  }
}
