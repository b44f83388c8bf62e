/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.concurrency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.NamedThreadFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.OffloadQuery;
import org.luceneoffload.concurrency.GatedDevice.Call;
import org.luceneoffload.concurrency.GatedDevice.Gate;
import org.luceneoffload.maintain.IndexImport;
import org.luceneoffload.maintain.MaintenanceProgress;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.search.SameAnswers;
import org.luceneoffload.sim.SimDeviceProvider;
import org.luceneoffload.store.image.ImageDirectory;

/**
 * While one call waits for the device, nothing else does: another thread asks, indexes, opens and
 * closes all the while. Only a sync waits for a sync before it, since they follow one another on
 * the device.
 */
class TestNoLockOverDevice {
  private static final long SEED = Long.getLong("tests.seed", System.nanoTime());

  /** For work of milliseconds, on a machine that has much else to do. */
  private static final int PATIENCE_SECONDS = 120;

  @TempDir Path folder;
  private final Random random = new Random(SEED);
  private final List<Query> queries = new ArrayList<>();
  private final List<Throwable> waits = new ArrayList<>();
  private GatedDevice device;
  private OffloadDirectory directory;
  private OffloadDirectory neighbour; // over the same device
  private ExecutorService threads;

  /** Something to be done while a call waits. */
  private interface Work {
    void run() throws Exception;
  }

  @BeforeEach
  void open() throws IOException {
    System.out.println("seed of TestNoLockOverDevice: -Dtests.seed=" + SEED);
    device = newDevice("device");
    directory = OffloadDirectory.wrap(new ByteBuffersDirectory(), device);
    neighbour = OffloadDirectory.wrap(new ByteBuffersDirectory(), device);
    for (OffloadDirectory each : List.of(directory, neighbour)) {
      write(each, 600);
      write(each, 300);
    }
    for (int i = 0; i < 6; i++) {
      queries.add(WordIndex.query(random));
    }
    threads = Executors.newCachedThreadPool(new NamedThreadFactory("TestNoLockOverDevice"));
  }

  private GatedDevice newDevice(String name) throws IOException {
    return new GatedDevice(
        new SimDeviceProvider()
            .openForWriting("capacity=1g,dram=8m,sessions=8", folder.resolve(name)));
  }

  /** Adds documents, deletes some, and commits; merges nothing. */
  private void write(OffloadDirectory into, int documents) throws IOException {
    IndexWriterConfig config = new IndexWriterConfig().setCodec(new OffloadCodec());
    config.setMergePolicy(NoMergePolicy.INSTANCE);
    try (IndexWriter writer = new IndexWriter(into, config)) {
      for (int id = 0; id < documents; id++) {
        writer.addDocument(WordIndex.document(random, id));
      }
      for (int i = 0; i < 10; i++) {
        writer.deleteDocuments(WordIndex.id(random.nextInt(documents)));
      }
    }
  }

  @AfterEach
  void close() throws Exception {
    threads.shutdown();
    assertTrue(threads.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS));
    directory.close();
    neighbour.close();
    assertEquals(0, device.openSessions(), "sessions left open");
    assertEquals(0, device.openResources(), "live docs left in device memory");
    device.close();
  }

  private void answer(DirectoryReader reader) throws IOException {
    for (Query query : queries) {
      SameAnswers.check(new IndexSearcher(reader), new OffloadIndexSearcher(reader), query, 10);
    }
  }

  /** Does what makes a call of this kind. */
  private void cause(Call call, DirectoryReader fresh) throws IOException {
    switch (call) {
      case EXECUTE, OPEN_SESSION, PUT_LIVE_DOCS -> answer(fresh);
      case DROP_RESOURCE -> fresh.close();
      case READ -> DirectoryReader.open(directory).close();
      case WRITE, FLUSH, TRIM -> write(directory, 200);
      case OPEN_FOR_WRITING -> throw new AssertionError("the device is open for writing");
    }
  }

  @ParameterizedTest
  @EnumSource(value = Call.class, mode = EnumSource.Mode.EXCLUDE, names = "OPEN_FOR_WRITING")
  void othersGoOnWhileOneCallWaits(Call call) throws Exception {
    DirectoryReader used = DirectoryReader.open(directory);
    DirectoryReader toClose = DirectoryReader.open(directory);
    DirectoryReader fresh = DirectoryReader.open(directory);
    DirectoryReader other = DirectoryReader.open(neighbour);
    if (call != Call.OPEN_SESSION) {
      answer(used);
      answer(toClose);
    }
    if (call == Call.DROP_RESOURCE) {
      answer(fresh);
    }
    Gate gate = device.hold(call);
    Future<?> held =
        threads.submit(
            () -> {
              cause(call, fresh);
              return null;
            });
    try {
      assertTrue(gate.awaitCaller(PATIENCE_SECONDS), "no call of this kind came");
      others(call, used, toClose, other);
      assertFalse(held.isDone(), "the call did not wait");
    } finally {
      gate.open();
      held.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      for (DirectoryReader reader : List.of(used, toClose, fresh, other)) {
        reader.close();
      }
    }
    failIfWaited("a call of kind " + call);
    assertTrue(directory.stats().get(Counter.LEAVES_OFFLOADED) > 0);
    assertEquals(0, directory.stats().get(Counter.LEAVES_FALLEN_BACK));
  }

  private void others(
      Call call, DirectoryReader used, DirectoryReader toClose, DirectoryReader other)
      throws Exception {
    go("reading the counters", () -> directory.stats().snapshot());
    go("asking a reader in use", () -> answer(used));
    go("asking another directory of the device", () -> answer(other));
    go("opening a reader", () -> DirectoryReader.open(neighbour).close());
    go("listing the volume", () -> ImageDirectory.find(directory).handle().volume().list());
    go("another device", this::anotherDevice);
    go("closing a reader", toClose::close);
    if (call != Call.FLUSH) {
      go("indexing beside", () -> write(neighbour, 50));
      go(
          "one more directory of the device",
          () -> OffloadDirectory.wrap(new ByteBuffersDirectory(), device).close());
    } else {
      go("indexing beside, without a sync", this::writeUncommitted);
    }
  }

  /** A device that does not answer when it is opened keeps no other from being opened. */
  @Test
  void openingOneDeviceWhileAnotherOneIsOpened() throws Exception {
    GatedDevice slow = newDevice("slow");
    Gate gate = slow.hold(Call.READ);
    Future<OffloadDirectory> held =
        threads.submit(() -> OffloadDirectory.wrap(new ByteBuffersDirectory(), slow));
    try (DirectoryReader used = DirectoryReader.open(directory)) {
      assertTrue(gate.awaitCaller(PATIENCE_SECONDS), "the device was not read");
      go("another device", this::anotherDevice);
      go("a device by name", this::deviceByName);
      go("asking a reader in use", () -> answer(used));
      go(
          "one more directory of an open device",
          () -> OffloadDirectory.wrap(new ByteBuffersDirectory(), device).close());
      assertFalse(held.isDone(), "the call did not wait");
    } finally {
      gate.open();
      held.get(PATIENCE_SECONDS, TimeUnit.SECONDS).close();
      slow.close();
    }
    failIfWaited("the opening of a device");
  }

  private DirectoryReader openStock(Directory plain) throws IOException {
    try (IndexWriter writer = new IndexWriter(plain, new IndexWriterConfig())) {
      for (int id = 0; id < 300; id++) {
        writer.addDocument(WordIndex.document(random, id));
      }
    }
    return DirectoryReader.open(plain);
  }

  /** Asks a searcher that is not of ours. */
  private void answerWrapped(DirectoryReader reader) throws IOException {
    IndexSearcher searcher = new IndexSearcher(reader);
    for (Query query : queries) {
      TopDocs expected = searcher.search(query, 10);
      TopDocs found = searcher.search(new OffloadQuery(query), 10);
      assertEquals(List.of(expected.scoreDocs).toString(), List.of(found.scoreDocs).toString());
    }
  }

  /** Imported lists are read when a query first meets the index. */
  @Test
  void askingAnImportedIndexForTheFirstTime() throws Exception {
    ByteBuffersDirectory plain = new ByteBuffersDirectory();
    openStock(plain).close();
    try (OffloadDirectory over = OffloadDirectory.wrap(new Unclosed(plain), device)) {
      IndexImport.run(over, MaintenanceProgress.NONE);
    }
    try (OffloadDirectory over = OffloadDirectory.wrap(plain, device);
        DirectoryReader imported = DirectoryReader.open(over);
        DirectoryReader unrelated = openStock(new ByteBuffersDirectory());
        DirectoryReader used = DirectoryReader.open(directory)) {
      Gate gate = device.hold(Call.READ);
      Future<?> held =
          threads.submit(
              () -> {
                answerWrapped(imported);
                return null;
              });
      try {
        assertTrue(gate.awaitCaller(PATIENCE_SECONDS), "the device was not read");
        go("asking the same index", () -> answerWrapped(imported));
        go("asking an index without a device", () -> answerWrapped(unrelated));
        go("asking another index of the device", () -> answerWrapped(used));
        go("asking it through a searcher of ours", () -> answer(used));
        assertFalse(held.isDone(), "the call did not wait");
      } finally {
        gate.open();
        held.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      }
      long before = over.stats().get(Counter.LEAVES_OFFLOADED);
      answerWrapped(imported);
      assertTrue(over.stats().get(Counter.LEAVES_OFFLOADED) > before);
    }
    failIfWaited("the first look at an imported index");
  }

  /** An index on a device that is closed. */
  private ByteBuffersDirectory written(String device) throws IOException {
    ByteBuffersDirectory plain = new ByteBuffersDirectory();
    try (GatedDevice writable = newDevice(device);
        OffloadDirectory over = OffloadDirectory.wrap(new Unclosed(plain), writable)) {
      write(over, 200);
    }
    return plain;
  }

  private GatedDevice reading(String device) throws IOException {
    return new GatedDevice(
        new SimDeviceProvider().open("capacity=1g,dram=8m", folder.resolve(device)));
  }

  /** Readers do not notice that their device becomes writable, however long that takes. */
  @ParameterizedTest
  @EnumSource(
      value = Call.class,
      names = {"OPEN_FOR_WRITING", "READ"})
  void readersGoOnWhileTheDeviceBecomesWritable(Call call) throws Exception {
    ByteBuffersDirectory plain = written("shared");
    try (GatedDevice reading = reading("shared");
        OffloadDirectory over = OffloadDirectory.wrap(plain, reading);
        DirectoryReader reader = DirectoryReader.open(over)) {
      answer(reader);
      Gate gate = reading.hold(call);
      Future<?> held =
          threads.submit(
              () -> {
                write(over, 200);
                return null;
              });
      try {
        assertTrue(gate.awaitCaller(PATIENCE_SECONDS), "the device was not made writable");
        go("listing the volume", () -> ImageDirectory.find(over).handle().volume().list());
        go("asking a reader in use", () -> answer(reader));
        go("opening a reader", () -> DirectoryReader.open(over).close());
        go(
            "one more directory of the device",
            () -> OffloadDirectory.wrap(new ByteBuffersDirectory(), reading).close());
        go("another device", this::anotherDevice);
        assertFalse(held.isDone(), "the call did not wait");
      } finally {
        gate.open();
        held.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      }
      assertTrue(over.stats().get(Counter.LEAVES_OFFLOADED) > 0);
      assertTrue(ImageDirectory.find(over).handle().volume().isWritable());
    }
    failIfWaited("a device that becomes writable");
  }

  /** Somebody looks on a device that another process writes for a file written since. */
  @Test
  void lookingForANewFileOnAReadOnlyDevice() throws Exception {
    ByteBuffersDirectory plain = written("shared");
    try (GatedDevice reading = reading("shared");
        OffloadDirectory over = OffloadDirectory.wrap(plain, reading);
        DirectoryReader reader = DirectoryReader.open(over)) {
      answer(reader);
      Gate gate = reading.hold(Call.READ);
      Future<Boolean> held =
          threads.submit(() -> ImageDirectory.find(over).handle().volume().exists("unheard of"));
      try {
        assertTrue(gate.awaitCaller(PATIENCE_SECONDS), "the device was not read");
        go("listing the volume", () -> ImageDirectory.find(over).handle().volume().list());
        go("asking a reader in use", () -> answer(reader));
        go("opening a reader", () -> DirectoryReader.open(over).close());
        assertFalse(held.isDone(), "the call did not wait");
      } finally {
        gate.open();
        assertFalse(held.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
      }
      assertTrue(over.stats().get(Counter.LEAVES_OFFLOADED) > 0);
    }
    failIfWaited("a look for a new file");
  }

  private void deviceByName() throws IOException {
    OffloadDirectory.open(folder.resolve("named"), "sim:capacity=64m,dram=4m").close();
  }

  private void failIfWaited(String what) {
    if (!waits.isEmpty()) {
      AssertionError all = new AssertionError(waits.size() + " works waited for " + what);
      waits.forEach(all::addSuppressed);
      throw all;
    }
  }

  private void anotherDevice() throws IOException {
    try (GatedDevice second = newDevice("second");
        OffloadDirectory over = OffloadDirectory.wrap(new ByteBuffersDirectory(), second)) {
      write(over, 20);
      try (DirectoryReader reader = DirectoryReader.open(over)) {
        answer(reader);
      }
    }
  }

  private void writeUncommitted() throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig().setCodec(new OffloadCodec()).setCommitOnClose(false);
    IndexWriter writer = new IndexWriter(neighbour, config);
    writer.addDocument(WordIndex.document(random, 1));
    writer.addDocument(WordIndex.document(random, 2));
    try (DirectoryReader reader = DirectoryReader.open(writer)) {
      answer(reader);
    }
    writer.rollback();
  }

  /** Runs work on a thread of its own, and notes where it is if it does not end. */
  private void go(String what, Work work) throws Exception {
    Thread[] runner = new Thread[1];
    Future<?> future =
        threads.submit(
            () -> {
              runner[0] = Thread.currentThread();
              work.run();
              return null;
            });
    try {
      future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      AssertionError wait = new AssertionError(what + " waits");
      if (runner[0] != null) {
        wait.setStackTrace(runner[0].getStackTrace());
      }
      waits.add(wait);
    }
  }
}
