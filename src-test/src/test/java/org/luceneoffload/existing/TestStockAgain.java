/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.existing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoDeletionPolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.LockObtainFailedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.device.Device;
import org.luceneoffload.maintain.IndexDetach;
import org.luceneoffload.sim.SimDeviceProvider;

/** Indexes of our codec that become indexes of stock Lucene's. */
class TestStockAgain extends ExistingIndexTestCase {
  private void write(StockIndex.Shape shape) throws IOException {
    try (OffloadDirectory directory = open(index)) {
      Codec below = StockIndex.codec(random, shape.formats());
      new StockIndex(random, shape)
          .write(directory, new OffloadCodec(below, field -> !field.equals("title")));
    }
  }

  private IndexDetach.Report toStock() throws IOException {
    IndexDetach.Report report = IndexDetach.run(index, DEVICE, IndexDetach.Codec.STOCK);
    assertEquals(List.of(), report.leftOut());
    return report;
  }

  /** In a JVM that has stock Lucene alone. */
  private List<String> inspectedByStock(boolean softDeletes) throws Exception {
    return Child.run(
        entry ->
            List.of("lucene-offload", "jni-bridge", "cli", "papers", "workload").stream()
                .noneMatch(module -> Child.isModule(entry, module)),
        StockCheckChild.class,
        index,
        seed,
        softDeletes);
  }

  private void assertStock(StockIndex.Shape shape, List<String> expected) throws Exception {
    assertEquals(expected, StockCheckChild.inspect(index, seed));
    assertEquals(expected, inspectedByStock(shape.softDeletes()));
    for (String file : luceneFiles(index).keySet()) {
      assertFalse(file.endsWith(".odp") || file.endsWith(".odh"), file);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ofRandomShapes(boolean compound) throws Exception {
    StockIndex.Shape any = StockIndex.Shape.random(random);
    StockIndex.Shape shape =
        new StockIndex.Shape(
            1 + any.segments(),
            any.documents(),
            any.formats(),
            compound,
            any.sorted(),
            any.softDeletes(),
            true);
    write(shape);
    List<String> expected = StockCheckChild.inspect(index, seed);
    IndexDetach.Report report = toStock();
    assertTrue(report.segmentsRewritten() > shape.segments() - 1, report.toString());
    assertTrue(report.images() > 0 && report.storeRemoved(), report.toString());
    assertStock(shape, expected);

    Map<String, Long> files = luceneFiles(index);
    assertEquals(0, toStock().segmentsRewritten());
    assertEquals(files, luceneFiles(index), "there is nothing left to do");
    importAll(index);
    assertOffloaded(QueryAnswers.ofStock(index, queries));
  }

  /** Files that stock Lucene wrote stay as they are, byte by byte. */
  @Test
  void segmentsOfBothCodecs() throws Exception {
    writeStock(PLAIN);
    importAll(index);
    Set<String> before = luceneFiles(index).keySet();
    try (OffloadDirectory directory = open(index)) {
      new StockIndex(random, PLAIN).write(directory, new OffloadCodec());
    }
    List<String> expected = StockCheckChild.inspect(index, seed);
    toStock();
    Set<String> stayed = new TreeSet<>(before);
    stayed.removeIf(file -> !file.matches("_[0-9a-z]+\\.(si|fdt|fnm)"));
    assertFalse(stayed.isEmpty());
    assertTrue(luceneFiles(index).keySet().containsAll(stayed));
    assertStock(PLAIN, expected);
  }

  /** Earlier commits need our codec, too. */
  @Test
  void earlierCommitsGo() throws Exception {
    try (OffloadDirectory directory = open(index);
        IndexWriter writer =
            new IndexWriter(
                directory,
                new StockIndex(random, PLAIN)
                    .config(new OffloadCodec())
                    .setIndexDeletionPolicy(NoDeletionPolicy.INSTANCE))) {
      new StockIndex(random, PLAIN).add(writer);
      assertTrue(DirectoryReader.listCommits(directory).size() > 1);
    }
    List<String> expected = StockCheckChild.inspect(index, seed);
    toStock();
    assertStock(PLAIN, expected);
  }

  @Test
  void whileAReaderOrAWriterIsOpen() throws Exception {
    try (OffloadDirectory directory = open(index)) {
      new StockIndex(random, PLAIN).write(directory, new OffloadCodec());
      List<String> expected = QueryAnswers.ofStock(index, queries);
      IndexWriterConfig config = new IndexWriterConfig().setCodec(new OffloadCodec());
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        assertTrue(writer.isOpen());
        assertThrows(
            LockObtainFailedException.class,
            () -> IndexDetach.run(directory, IndexDetach.Codec.STOCK));
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        toStock();
        assertOffloaded(expected, directory, reader);
      }
      assertEquals(expected, QueryAnswers.ofStock(index, queries));
    }
  }

  /** The old commit is whole as long as the new one is not there. */
  @Test
  void whenTheDiskIsFull() throws Exception {
    write(PLAIN);
    List<String> expected = StockCheckChild.inspect(index, seed);
    Map<String, Long> files = luceneFiles(index);
    boolean failed = true;
    for (int allowed = random.nextInt(5); failed; allowed += 1 + random.nextInt(7)) {
      try (Device device = new SimDeviceProvider().open("capacity=1g,dram=32m", index);
          OffloadDirectory directory =
              OffloadDirectory.wrap(new FullDirectory(FSDirectory.open(index), allowed), device)) {
        IndexDetach.run(directory, IndexDetach.Codec.STOCK);
        failed = false;
      } catch (IOException e) {
        assertTrue(e.getMessage().contains("disk is full"), e.toString());
        assertEquals(files, luceneFiles(index), "after " + allowed + " files");
      }
    }
    assertStock(PLAIN, expected);
  }

  /** Lets so many files be made, and no more. */
  private static final class FullDirectory extends FilterDirectory {
    private int allowed;

    FullDirectory(Directory in, int allowed) {
      super(in);
      this.allowed = allowed;
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      if (allowed-- <= 0) {
        throw new IOException("the disk is full");
      }
      return super.createOutput(name, context);
    }
  }
}
