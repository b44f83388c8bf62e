/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.split;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.luceneoffload.searcher.split.SplitAnswers.same;
import static org.luceneoffload.searcher.split.SplitAnswers.searcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.config.Placement;
import org.luceneoffload.device.DeviceSession.StopSignal;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.searcher.SearcherTestCase;
import org.luceneoffload.searcher.Words;
import org.luceneoffload.sim.SimDeviceProvider;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/** Plans that are cut wherever a window may end, and devices that go between two windows. */
class TestForcedSplits {
  private static final boolean LONG = Boolean.getBoolean("tests.long");
  private static final long SEED = Long.getLong("tests.seed", System.nanoTime());

  /** A window begins at a multiple of this. */
  private static final int DOCS_OF_A_WORD = 64;

  private static final int DOCS_OF_A_SEGMENT = 700;

  /** With so many, each word of the largest segment is a window of its own. */
  private static final int MAX_WINDOWS = DOCS_OF_A_SEGMENT / DOCS_OF_A_WORD + 1;

  private static final int QUERIES = LONG ? 300 : 6;
  private static final int CLOSES = LONG ? 500 : 6;
  private static final int MAX_STOPS = 30;
  private static final int MAX_PLANS = 20;
  private static final int MAX_DELAY_NANOS = 200_000;

  @TempDir static Path home;

  private static final Random RANDOM = new Random(SEED);
  private static final Words WORDS = new Words(RANDOM);

  @BeforeAll
  static void index() throws IOException {
    System.out.println("seed of TestForcedSplits: -Dtests.seed=" + SEED);
    try (OffloadDirectory directory = OffloadDirectory.open(home, SearcherTestCase.DEVICE);
        IndexWriter writer = new IndexWriter(directory, SearcherTestCase.config())) {
      WORDS.add(writer, DOCS_OF_A_SEGMENT);
      WORDS.delete(writer, DOCS_OF_A_SEGMENT / 20);
      writer.flush();
      WORDS.add(writer, DOCS_OF_A_SEGMENT / 3);
    }
  }

  private static ForcedSplits device(String options) throws IOException {
    return new ForcedSplits(new SimDeviceProvider().open(options, home));
  }

  private static OffloadDirectory directory(ForcedSplits device) throws IOException {
    return OffloadDirectory.wrap(FSDirectory.open(home), device);
  }

  @Test
  void everyBoundaryMayPartDeviceAndHost() throws IOException {
    ForcedSplits device = device("threads=1");
    try (OffloadDirectory directory = directory(device);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      OffloadIndexSearcher ours = searcher(reader, Placement.ALWAYS);
      for (int windows = 2; windows <= MAX_WINDOWS; windows++) {
        device.cutInto(windows);
        for (int i = 0; i < QUERIES; i++) {
          same(ours, WORDS.query());
        }
      }
      assertEquals(0, directory.stats().get(Counter.LEAVES_FALLEN_BACK));
      assertEquals(0, directory.stats().get(Counter.PLANS_FAILED));
    }
    long onHost = device.raw.get() + device.handedBack.get();
    assertEquals(device.windows.get(), device.onDevice.get() + onHost);
    assertTrue(device.onDevice.get() > 0, "the device has done no window");
    assertTrue(onHost > 0, "the device has done all windows");
  }

  private static void randomPlans(OffloadIndexSearcher ours, ForcedSplits device)
      throws IOException {
    for (int i = 0; i < QUERIES; i++) {
      device.cutInto(2 + RANDOM.nextInt(MAX_WINDOWS));
      same(ours, WORDS.query());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 50, 90, 100})
  void aDeviceMayAnswerRawAtRandom(int percent) throws IOException {
    ForcedSplits device = device("threads=1,raw=" + percent);
    try (OffloadDirectory directory = directory(device);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      OffloadIndexSearcher ours = searcher(reader, Placement.ALWAYS);
      ours.setStrict(true);
      do {
        randomPlans(ours, device);
      } while (device.raw.get() == 0); // by chance it has refused no window
    }
    if (percent == 100) {
      assertEquals(device.windows.get(), device.raw.get());
    }
  }

  /** Stops each plan at one of the first moments at which it may be stopped. */
  private static void stopSoon(ForcedSplits device) {
    device.meet(
        plan -> {
          AtomicInteger left = new AtomicInteger(RANDOM.nextInt(MAX_STOPS));
          return () -> left.getAndDecrement() == 0;
        });
  }

  @Test
  void aPlanThatTakesTooLongIsTheHosts() throws IOException {
    ForcedSplits device = device("threads=1,budget=1");
    try (OffloadDirectory directory = directory(device);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      OffloadIndexSearcher ours = searcher(reader, Placement.ALWAYS);
      stopSoon(device);
      // Which plans run so long that they look at the signal is a matter of the seed and the
      // threads.
      for (int i = 0; i < 100 && directory.stats().get(Counter.PLANS_TOO_LONG) == 0; i++) {
        randomPlans(ours, device);
      }
      assertTrue(directory.stats().get(Counter.PLANS_TOO_LONG) > 0, "no plan was stopped");
      assertEquals(0, directory.stats().get(Counter.PLANS_FAILED));
      ours.setStrict(true);
      OffloadException failure = failure(ours);
      assertEquals(OffloadWire.Status.ABORTED, failure.status());
      assertTrue(failure.getMessage().contains("deviceTimeout"), failure.toString());
      device.meet(plan -> StopSignal.NEVER); // what was stopped leaves nothing behind
      randomPlans(ours, device);
    }
  }

  /** Closes the device on another thread, a moment after one of its next plans has begun. */
  private static void closeSoon(ForcedSplits device, ExecutorService closer) {
    int last = RANDOM.nextInt(MAX_PLANS);
    long delay = RANDOM.nextInt(MAX_DELAY_NANOS);
    device.meet(
        plan -> {
          if (plan == last) {
            closer.execute(() -> closeAfter(device, delay));
          }
          return StopSignal.NEVER;
        });
  }

  private static void closeAfter(ForcedSplits device, long nanos) {
    for (long end = System.nanoTime() + nanos; System.nanoTime() < end; ) {
      Thread.onSpinWait();
    }
    try {
      device.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns what a searcher fails with, asked until it does. */
  private static OffloadException failure(OffloadIndexSearcher ours) {
    return assertThrows(
        OffloadException.class,
        () -> {
          while (true) {
            same(ours, WORDS.query());
          }
        });
  }

  /** What is asked of a searcher whose device closes meanwhile. */
  @FunctionalInterface
  private interface Asking {
    void of(OffloadIndexSearcher ours, OffloadDirectory directory) throws IOException;
  }

  private void whileDevicesClose(Asking asking) throws IOException {
    try (ExecutorService closer = Executors.newSingleThreadExecutor()) {
      for (int round = 0; round < CLOSES; round++) {
        ForcedSplits device = device("threads=1");
        try (OffloadDirectory directory = directory(device);
            DirectoryReader reader = DirectoryReader.open(directory)) {
          OffloadIndexSearcher ours = searcher(reader, Placement.ALWAYS);
          device.cutInto(MAX_WINDOWS);
          closeSoon(device, closer);
          asking.of(ours, directory);
        }
      }
    }
  }

  @Test
  void aDeviceThatIsClosedBetweenWindowsIsAFallback() throws IOException {
    whileDevicesClose(
        (ours, directory) -> {
          do {
            same(ours, WORDS.query());
          } while (directory.stats().get(Counter.LEAVES_FALLEN_BACK) == 0);
          same(ours, WORDS.query());
        });
  }

  @Test
  void aDeviceThatIsClosedBetweenWindowsIsAClearErrorIfStrict() throws IOException {
    whileDevicesClose(
        (ours, directory) -> {
          ours.setStrict(true);
          OffloadException failure = failure(ours);
          assertTrue(failure.getMessage().contains("closed"), failure.toString());
        });
  }
}
