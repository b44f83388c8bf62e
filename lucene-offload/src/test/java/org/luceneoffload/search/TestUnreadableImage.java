/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.codec.HandMadeImages;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.device.ReferenceProgram;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.search.compile.TestQueryCompiler;
import org.luceneoffload.store.guard.ClockedHandle;
import org.luceneoffload.store.guard.DeviceHandle;
import org.luceneoffload.store.volume.Extent;

/** Bad LBAs cost the image that lies on them; a bad device costs no image. */
class TestUnreadableImage {
  private static final int TIMES_OPENED = 3;
  private static final int FAILURES_IN_A_ROW = 3;

  /** A plan may take as long as a busy machine makes it; only the test's clock runs so far. */
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private final RandomIndex documents = new RandomIndex(new Random(5));
  private final RamBlockDevice device = new RamBlockDevice(1 << 20, new ReferenceProgram());
  private final OffloadOptions options = OffloadOptions.DEFAULT.withDeviceTimeout(TIMEOUT);
  private final AtomicLong clock = new AtomicLong();
  private final DeviceHandle handle = ClockedHandle.of(device, options, clock::get);
  private final HandMadeImages images = new HandMadeImages(handle, options);
  private final Query query = TestQueryCompiler.parse("body:w0 body:w1");
  private ByteBuffersDirectory directory;
  private DirectoryReader reader;
  private OffloadIndexSearcher offload;
  private TopDocs expected;

  @BeforeEach
  void openIndex() throws Exception {
    directory = new ByteBuffersDirectory();
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer()).setMergePolicy(NoMergePolicy.INSTANCE);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < 2; i++) {
        documents.add(writer, 200);
        writer.flush();
      }
    }
    reader = images.open(DirectoryReader.open(directory));
    offload = new OffloadIndexSearcher(reader);
    expected = new IndexSearcher(reader).search(query, 20);
    search();
    assertEquals(2, images.images().size());
    assertEquals(0, count(Counter.LEAVES_FALLEN_BACK));
  }

  @AfterEach
  void close() throws Exception {
    reader.close();
    handle.release();
  }

  private long count(Counter counter) {
    return handle.stats().get(counter);
  }

  private void search() throws Exception {
    TopDocs found = offload.search(query, 20);
    assertEquals(expected.scoreDocs.length, found.scoreDocs.length);
    for (int i = 0; i < found.scoreDocs.length; i++) {
      assertEquals(expected.scoreDocs[i].toString(), found.scoreDocs[i].toString());
    }
  }

  private LeafReader leaf(int number) {
    return reader.leaves().get(number).reader();
  }

  private void makeUnreadable(SegmentImage image) {
    for (Extent extent : image.extents()) {
      for (int i = 0; i < extent.pageCount(); i++) {
        device.failReadsOf(extent.lba() + i);
      }
    }
  }

  private void searchLeaf(LeafReader leaf) throws Exception {
    new OffloadIndexSearcher(leaf).search(query, 20);
  }

  /** Waits until the device may be probed, and lets a plan that succeeds be the probe. */
  private void takeBack(LeafReader sound) throws Exception {
    long halfOpened = count(Counter.BREAKER_HALF_OPENED);
    do {
      clock.addAndGet(TIMEOUT.toNanos());
      searchLeaf(sound);
    } while (count(Counter.BREAKER_HALF_OPENED) == halfOpened);
  }

  @Test
  void anImageThatSetsTheDeviceAsideTimeAndAgainIsGivenUp() throws Exception {
    LeafReader unreadable = leaf(0);
    SegmentImage damaged = images.image(unreadable);
    makeUnreadable(damaged);
    for (int times = 1; times <= TIMES_OPENED; times++) {
      assertTrue(damaged.usable(), "a read error may pass");
      for (int i = 0; i < FAILURES_IN_A_ROW; i++) {
        searchLeaf(unreadable);
      }
      assertEquals(times, count(Counter.BREAKER_OPENED));
      takeBack(leaf(1));
    }
    assertFalse(damaged.usable());
    assertTrue(damaged.unusableReason().contains("is bad"), damaged.unusableReason());
    assertEquals(1, count(Counter.IMAGES_BAD));
    long offloaded = count(Counter.LEAVES_OFFLOADED);
    long fallenBack = count(Counter.LEAVES_FALLEN_BACK);
    for (int i = 0; i < 10; i++) {
      search();
    }
    assertEquals(offloaded + 10, count(Counter.LEAVES_OFFLOADED), "the other segment's image");
    assertEquals(fallenBack, count(Counter.LEAVES_FALLEN_BACK));
    assertEquals(TIMES_OPENED, count(Counter.BREAKER_OPENED));
    assertTrue(images.image(leaf(1)).usable());
  }

  @Test
  void readErrorsNowAndThenCostTheQueriesThatMeetThem() throws Exception {
    makeUnreadable(images.image(leaf(0)));
    for (int i = 0; i < 10; i++) {
      search();
    }
    assertEquals(10, count(Counter.LEAVES_FALLEN_BACK));
    assertEquals(0, count(Counter.BREAKER_OPENED));
    assertEquals(0, count(Counter.IMAGES_BAD));
  }

  @Test
  void aDeviceThatReadsNothingKeepsItsImages() throws Exception {
    device.failReadsAfter(0);
    for (int i = 0; i < 10; i++) {
      search();
    }
    assertEquals(1, count(Counter.BREAKER_OPENED));
    device.heal();
    long offloaded = count(Counter.LEAVES_OFFLOADED);
    do {
      clock.addAndGet(TIMEOUT.toNanos());
      search();
    } while (count(Counter.BREAKER_HALF_OPENED) == 0);
    search();
    assertTrue(count(Counter.LEAVES_OFFLOADED) >= offloaded + 2);
    assertEquals(0, count(Counter.IMAGES_BAD));
    for (SegmentImage image : images.images()) {
      assertTrue(image.usable());
    }
  }
}
