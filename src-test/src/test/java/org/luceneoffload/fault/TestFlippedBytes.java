/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.Query;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.report.OffloadStats.Counter;

/**
 * One byte after the other is changed of all that this project writes: the volume with its
 * superblock, snapshots and images, and the stubs. Answers stay stock's. {@code -Dfaults.bytes=all}
 * takes every byte, a number so many of them at random; {@code -Dtests.seed} replays.
 */
class TestFlippedBytes {
  private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
  private static final String BYTES = System.getProperty("faults.bytes", "120");
  private static final String DEVICE = "sim:capacity=64m,dram=1m,sessions=2";

  @TempDir Path folder;
  private final Random random = new Random(SEED);
  private final List<Query> queries = FaultIndex.queries(SEED).subList(0, 6);
  private List<String> expected;

  @BeforeEach
  void write() throws IOException {
    System.out.println("seed of TestFlippedBytes: -Dtests.seed=" + SEED);
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer()).setCodec(new OffloadCodec());
    try (OffloadDirectory directory = OffloadDirectory.open(folder, DEVICE);
        IndexWriter writer = new IndexWriter(directory, config)) {
      FaultIndex.add(writer, SEED, 250);
      writer.commit();
    }
    expected = FaultIndex.stockAnswers(folder, queries);
  }

  /** Asserts that answers are stock's; returns how many segments the device answered. */
  private long assertAnswers(String what) throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.open(folder, DEVICE);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      assertEquals(expected, FaultIndex.answers(new OffloadIndexSearcher(reader), queries), what);
      return directory.stats().get(Counter.LEAVES_OFFLOADED);
    }
  }

  /** Positions to be changed: all of those that hold data, or some. */
  private List<Long> positions(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    List<Long> all = new ArrayList<>();
    for (int at = 0; at < bytes.length; at++) {
      // Of long runs of zeros, which are trimmed or were never written, one byte in 64 will do.
      int from = Math.max(0, at - 64);
      boolean data = at % 64 == 0;
      for (int i = from; i <= at && !data; i++) {
        data = bytes[i] != 0;
      }
      if (data) {
        all.add((long) at);
      }
    }
    if (BYTES.equals("all")) {
      return all;
    }
    List<Long> some = new ArrayList<>();
    for (int i = Integer.parseInt(BYTES); i > 0; i--) {
      some.add(all.get(random.nextInt(all.size())));
    }
    return some;
  }

  private void flipEach(Path file) throws IOException {
    int flipped = 0;
    long offloaded = assertAnswers("as it was written");
    assertTrue(offloaded > 0);
    for (long position : positions(file)) {
      int mask = 1 << random.nextInt(8);
      flip(file, position, mask);
      assertAnswers(file.getFileName() + ", byte " + position + ", mask " + mask);
      flip(file, position, mask);
      flipped++;
      if (flipped % 5_000 == 0) {
        System.out.println(flipped + " bytes of " + file.getFileName() + " changed");
      }
    }
    System.out.println(flipped + " bytes of " + file.getFileName() + " changed");
    // No damage has led to another: an image is not cleared away for that of its stub.
    assertEquals(offloaded, assertAnswers("all as it was"));
  }

  private static void flip(Path file, long position, int mask) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      channel.read(one, position);
      one.put(0, (byte) (one.get(0) ^ mask));
      channel.write(one.flip(), position);
    }
  }

  @Test
  void ofTheVolume() throws IOException {
    flipEach(folder.resolve(FaultIndex.STORE));
  }

  @Test
  void ofTheStub() throws IOException {
    List<Path> stubs;
    try (Stream<Path> files = Files.list(folder)) {
      stubs = files.filter(f -> f.toString().matches(".*[.]od[cpv]")).toList();
    }
    assertTrue(!stubs.isEmpty());
    for (Path stub : stubs) {
      flipEach(stub);
    }
  }

  /**
   * The term hash is looked at before the terms dictionary. Whichever of its bytes is damaged, the
   * device's lists are found, through the dictionary if need be.
   */
  @Test
  void ofTheTermHash() throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer())
            .setCodec(new OffloadCodec())
            .setUseCompoundFile(false)
            .setOpenMode(IndexWriterConfig.OpenMode.CREATE);
    try (OffloadDirectory directory = OffloadDirectory.open(folder, DEVICE);
        IndexWriter writer = new IndexWriter(directory, config)) {
      FaultIndex.add(writer, SEED, 250);
    }
    Path hash;
    try (Stream<Path> files = Files.list(folder)) {
      hash = files.filter(f -> f.toString().endsWith(".odh")).findFirst().orElseThrow();
    }
    long size = Files.size(hash);
    assertTrue(assertAnswers("as it was written") > 0);
    List<Long> positions = new ArrayList<>(positions(hash));
    LongStream.range(size - CodecUtil.footerLength(), size).forEach(positions::add);
    for (long position : positions) {
      flip(hash, position, 4);
      assertTrue(assertAnswers("byte " + position + " of the hash") > 0);
      flip(hash, position, 4);
    }
  }

  /** Under an open reader: the pages are not in device memory yet. */
  @Test
  void underAReader() throws IOException {
    Path store = folder.resolve(FaultIndex.STORE);
    for (int round = 0; round < 10; round++) {
      List<Long> changed = new ArrayList<>();
      try (OffloadDirectory directory = OffloadDirectory.open(folder, DEVICE);
          DirectoryReader reader = DirectoryReader.open(directory)) {
        for (long position : positions(store).subList(0, 40)) {
          flip(store, position, 1);
          changed.add(position);
        }
        assertEquals(expected, FaultIndex.answers(new OffloadIndexSearcher(reader), queries));
      }
      for (long position : changed) {
        flip(store, position, 1);
      }
      write();
    }
  }
}
