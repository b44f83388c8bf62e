/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.tests.search.FixedBitSetCollector;
import org.apache.lucene.util.FixedBitSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.OffloadQuery;
import org.luceneoffload.QuickRun;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceInfo;
import org.luceneoffload.device.DeviceProvider;
import org.luceneoffload.device.Devices;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.device.ReferenceProgram;
import org.luceneoffload.maintain.IndexDetach;
import org.luceneoffload.maintain.IndexImport;
import org.luceneoffload.maintain.IndexRepair;
import org.luceneoffload.maintain.MaintenanceProgress;
import org.luceneoffload.wire.OffloadException;

/**
 * Whatever a method of a device throws, from the beginning or once the device is in use: the host
 * answers, an index writer goes on without images, and nothing is left open.
 */
class TestThrowingDevice {
  private static final List<Class<? extends Throwable>> KINDS =
      List.of(
          IllegalStateException.class,
          NullPointerException.class,
          AssertionError.class,
          LinkageError.class,
          UnsupportedOperationException.class,
          AlreadyClosed.class);

  /**
   * Nothing here models plans or stops them, the size of an LBA is asked of the capabilities, and
   * the device is closed by the code that opened it. Plans are staged for devices that take several
   * at once, and what memory did is asked for with the counters.
   */
  private static final Set<String> NOT_CALLED =
      Set.of(
          "Device.close",
          "Device.lbaBytes",
          "Device.memoryCounts",
          "DeviceSession.executeStaged",
          "DeviceSession.isUsable",
          "DeviceSession.stage",
          "DeviceSession.windowPages");

  private static final OffloadOptions STRICT = OffloadOptions.DEFAULT.withStrict(true);
  private static final Set<String> THREW = ConcurrentHashMap.newKeySet();

  /** The exception of a device that was closed by somebody else. */
  static final class AlreadyClosed extends AlreadyClosedException {
    private static final long serialVersionUID = 1L;

    AlreadyClosed() {
      super("injected");
    }
  }

  /** Keeps the directory behind it from being closed. */
  private static final class Kept extends FilterDirectory {
    Kept(ByteBuffersDirectory in) {
      super(in);
    }

    @Override
    public void close() {}
  }

  private final ByteBuffersDirectory plain = new ByteBuffersDirectory();
  private final List<Query> queries = FaultIndex.queries(7).subList(0, 6);

  static Stream<Arguments> cases() {
    List<Arguments> cases = new ArrayList<>();
    int next = 0;
    int methods = 0;
    for (String method : ThrowingDevice.methods()) {
      boolean guarded = !QuickRun.QUICK || methods++ % 4 == 0;
      for (boolean mayBlock : guarded ? new boolean[] {false, true} : new boolean[] {false}) {
        for (boolean fromTheBeginning : new boolean[] {false, true}) {
          Class<?> kind = KINDS.get(next++ % KINDS.size());
          cases.add(Arguments.of(method, kind, mayBlock, fromTheBeginning));
        }
      }
    }
    return cases.stream();
  }

  @AfterAll
  static void everyMethodThrew() {
    Set<String> missing = new TreeSet<>(ThrowingDevice.methods());
    missing.removeAll(THREW);
    missing.removeAll(NOT_CALLED);
    assertEquals(Set.of(), missing, "methods that nothing here calls");
  }

  @ParameterizedTest(name = "{0} {1} mayBlock={2} fromTheBeginning={3}")
  @MethodSource("cases")
  void theHostAnswers(
      String method, Class<? extends Throwable> kind, boolean mayBlock, boolean fromTheBeginning)
      throws Exception {
    RamBlockDevice ram = new RamBlockDevice(1 << 14, new ReferenceProgram());
    try (OffloadDirectory directory = OffloadDirectory.wrap(new Kept(plain), ram)) {
      index(directory, 3);
    }
    ThrowingDevice throwing = new ThrowingDevice(ram, mayBlock);
    if (fromTheBeginning) {
      throwing.arm(method, kind);
    }
    OffloadDirectory directory = OffloadDirectory.wrap(new Kept(plain), throwing.device());
    DirectoryReader before = DirectoryReader.open(directory);
    check(before);
    throwing.arm(method, kind);
    check(before);
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      check(reader);
    }
    index(directory, 2);
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      check(reader);
    }
    upkeep(() -> IndexRepair.run(directory, MaintenanceProgress.NONE));
    upkeep(() -> IndexImport.run(directory, MaintenanceProgress.NONE));
    upkeep(() -> IndexDetach.run(directory));
    check(before);
    before.close();
    directory.close();
    if (throwing.thrown() > 0) {
      THREW.add(method);
    }
    // What could not be given back while the device threw is given back with the device.
    assertEquals(0, throwing.openSessions(), "sessions left open");
    assertTrue(fromTheBeginning || throwing.thrown() > 0 || isAskedOnce(method, mayBlock), method);
    throwing.arm("", kind);
    try (OffloadDirectory again = OffloadDirectory.wrap(new Kept(plain), ram)) {
      assertNull(again.whyNoImages());
      index(again, 1);
      try (DirectoryReader reader = DirectoryReader.open(again)) {
        check(reader);
      }
    }
  }

  /** A device that was opened by its name is closed with the last directory. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDeviceThatDoesNotCloseIsLetGo(boolean mayBlock, @TempDir Path index) throws IOException {
    ThrowingDevice throwing =
        new ThrowingDevice(new RamBlockDevice(1 << 14, new ReferenceProgram()), mayBlock);
    ThrowingDeviceProvider.device = throwing.device();
    throwing.arm("Device.close", IllegalStateException.class);
    try (OffloadDirectory directory = OffloadDirectory.open(index, ThrowingDeviceProvider.SCHEME)) {
      index(directory, 1);
    }
    assertEquals(1, throwing.thrown());
    // Nobody takes it for open: the next one is opened anew.
    ThrowingDeviceProvider.device = new RamBlockDevice(1 << 14, new ReferenceProgram());
    try (OffloadDirectory directory =
        OffloadDirectory.open(index, ThrowingDeviceProvider.SCHEME, STRICT)) {
      index(directory, 1);
    }
    assertEquals(1, throwing.thrown());
  }

  /** Whatever a provider throws, the directory works without its device. */
  @ParameterizedTest
  @ValueSource(strings = {"unavailableReason", "isReadOnly", "storeFile", "open", "scheme"})
  void aProviderThatThrows(String method, @TempDir Path index) throws IOException {
    ThrowingDeviceProvider.device = new RamBlockDevice(1 << 14, new ReferenceProgram());
    for (RuntimeException thrown :
        List.of(new IllegalStateException("injected"), new NullPointerException())) {
      ThrowingDeviceProvider.arm(method, thrown);
      try {
        if (method.equals("scheme")) {
          OffloadDirectory.open(index, "sim:capacity=16m", STRICT).close(); // another one
          continue;
        }
        try (OffloadDirectory directory =
            OffloadDirectory.open(index, ThrowingDeviceProvider.SCHEME)) {
          index(directory, 1);
          try (DirectoryReader reader = DirectoryReader.open(directory)) {
            check(reader);
          }
        }
        assertThrows(
            IOException.class,
            () -> OffloadDirectory.open(index, ThrowingDeviceProvider.SCHEME, STRICT));
      } finally {
        ThrowingDeviceProvider.arm("", null);
      }
    }
  }

  /**
   * Returns whether a method need not be called again once a device is in use. It says what it is
   * when it is opened, and a session may be there already. The guard of a device that may hang
   * keeps its capabilities, too: whoever asks for them must not wait. Nor is such a device asked
   * for pages ahead, or for pages of doc IDs without these.
   */
  private static boolean isAskedOnce(String method, boolean mayBlock) {
    return NOT_CALLED.contains(method)
        || (mayBlock
            && Set.of(
                    "Device.info",
                    "DeviceSession.hasAsked",
                    "DeviceSession.ask",
                    "DeviceSession.executeDocs")
                .contains(method))
        || Set.of(
                "Device.as",
                "Device.name",
                "Device.openSession",
                "Device.profile",
                "Device.claim",
                "Device.mayBlock",
                "Device.mostStaged",
                "Device.plansRunElsewhere",
                "DeviceSession.as",
                "DeviceSession.planBuffer")
            .contains(method);
  }

  /** Something that says by an IOException, or a report, what it could not do. */
  private interface Work {
    void run() throws IOException;
  }

  private static void upkeep(Work work) {
    try {
      work.run();
    } catch (IOException | AlreadyClosedException e) {
      // As it should, if the device cannot be written.
    }
  }

  private void index(OffloadDirectory directory, int segments) throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer()).setCodec(new OffloadCodec());
    IndexWriter writer = new IndexWriter(directory, config);
    for (int i = 0; i < segments; i++) {
      FaultIndex.add(writer, 100 + i, 150);
      writer.deleteDocuments(new Term("body", "w" + (20 + i)));
      writer.flush();
    }
    writer.commit();
    writer.forceMerge(2);
    writer.commit();
    FaultIndex.add(writer, 200, 20);
    writer.deleteDocuments(new Term("body", "w31"));
    try (DirectoryReader reader = DirectoryReader.open(writer)) {
      check(reader);
    }
    assertNull(writer.getTragicException());
    writer.close();
  }

  private void check(DirectoryReader reader) throws IOException {
    List<String> stock = FaultIndex.answers(new IndexSearcher(reader), queries);
    assertEquals(stock, FaultIndex.answers(new OffloadIndexSearcher(reader), queries));
    List<Query> wrapped = new ArrayList<>();
    queries.forEach(query -> wrapped.add(new OffloadQuery(query)));
    List<String> offloaded = FaultIndex.answers(new IndexSearcher(reader), wrapped);
    for (int i = 0; i < stock.size(); i++) {
      assertEquals(answer(stock.get(i)), answer(offloaded.get(i)));
    }
    // A collector of the application takes every match.
    OffloadIndexSearcher offload = new OffloadIndexSearcher(reader);
    for (Query query : queries) {
      assertEquals(matches(new IndexSearcher(reader), query), matches(offload, query));
    }
  }

  private static FixedBitSet matches(IndexSearcher searcher, Query query) throws IOException {
    int docs = searcher.getIndexReader().maxDoc();
    return searcher.search(query, FixedBitSetCollector.createManager(docs));
  }

  private static String answer(String line) {
    return line.substring(line.indexOf(" ->")).replaceAll(" of \\d+", "");
  }

  /** A tool that looks at all back ends meets nothing but what the interface says. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "description",
        "unavailableReason",
        "needsName",
        "storeFileName",
        "storeFile",
        "isReadOnly",
        "find",
        "open",
        "openForWriting"
      })
  void aProviderFoundByItsSchemeIsChecked(String method, @TempDir Path home) throws IOException {
    ThrowingDeviceProvider.device = new RamBlockDevice(1 << 14, new ReferenceProgram());
    ThrowingDeviceProvider.arm(method, new IllegalStateException("injected"));
    try {
      DeviceProvider provider = Devices.provider(ThrowingDeviceProvider.SCHEME);
      assertNotNull(provider.description());
      assertEquals(method.equals("unavailableReason"), provider.unavailableReason() != null);
      assertFalse(provider.needsName());
      assertNull(provider.storeFileName());
      assertEquals(List.of(), provider.find(device -> ""));
      List<Work> works =
          List.of(
              () -> provider.open("", home).info(),
              () -> provider.openForWriting("", home).info(),
              () -> assertFalse(provider.isReadOnly("")),
              () -> provider.storeFile("", home));
      int failures = 0;
      for (Work work : works) {
        try {
          work.run();
        } catch (IOException | UncheckedIOException e) {
          failures++;
        }
      }
      boolean mayFail =
          Set.of("open", "openForWriting", "isReadOnly", "storeFile").contains(method);
      assertEquals(mayFail ? 1 : 0, failures);
    } finally {
      ThrowingDeviceProvider.arm("", null);
    }
  }

  /**
   * Whatever a new device throws when it is asked what it is, its provider says it could not open.
   */
  @ParameterizedTest
  @ValueSource(strings = {"Device.info", "Device.name", "Device.claim", "Device.mayBlock"})
  void aDeviceThatDoesNotSayWhatItIsIsNotOpened(String method, @TempDir Path home) {
    ThrowingDevice throwing =
        new ThrowingDevice(new RamBlockDevice(1 << 14, new ReferenceProgram()), false);
    ThrowingDeviceProvider.device = throwing.device();
    DeviceProvider provider = Devices.provider(ThrowingDeviceProvider.SCHEME);
    for (Class<? extends Throwable> kind : KINDS) {
      throwing.arm(method, kind);
      assertThrows(OffloadException.class, () -> provider.open("", home), kind.getName());
    }
    ThrowingDeviceProvider.device = null;
    assertThrows(OffloadException.class, () -> provider.open("", home));
  }

  /** Who opens a device asks what it stands for; one that throws is refused, and closed. */
  @Test
  void aDeviceWhoseProfileThrowsIsRefused(@TempDir Path index) throws IOException {
    for (Class<? extends Throwable> kind : KINDS) {
      ThrowingDevice throwing =
          new ThrowingDevice(new RamBlockDevice(1 << 14, new ReferenceProgram()), false);
      ThrowingDeviceProvider.device = throwing.device();
      throwing.arm("ProfiledDevice.profile", kind);
      assertThrows(
          OffloadException.class,
          () -> OffloadDirectory.open(index, ThrowingDeviceProvider.SCHEME, STRICT),
          kind.getName());
      assertEquals(1, throwing.thrown());
      assertEquals(1, throwing.closed());
    }
    ThrowingDeviceProvider.device = new RamBlockDevice(1 << 14, new ReferenceProgram());
    try (OffloadDirectory directory =
        OffloadDirectory.open(index, ThrowingDeviceProvider.SCHEME, STRICT)) {
      index(directory, 1);
    }
  }

  /** A device that fails once it is open still says what it is, as a tool shows it. */
  @Test
  void anOpenDeviceGoesOnSayingWhatItIs(@TempDir Path home) throws IOException {
    ThrowingDevice throwing =
        new ThrowingDevice(new RamBlockDevice(1 << 14, new ReferenceProgram()), false);
    ThrowingDeviceProvider.device = throwing.device();
    try (Device device = Devices.provider(ThrowingDeviceProvider.SCHEME).open("", home)) {
      DeviceInfo info = device.info();
      String name = device.name();
      for (String method : List.of("Device.info", "Device.name")) {
        throwing.arm(method, LinkageError.class);
        assertEquals(info, device.info());
        assertEquals(name, device.name());
      }
      throwing.arm("", LinkageError.class);
    }
  }
}
