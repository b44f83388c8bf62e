/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.QuickRun;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.maintain.IndexDetach;
import org.luceneoffload.maintain.IndexImport;
import org.luceneoffload.maintain.IndexRepair;
import org.luceneoffload.maintain.MaintenanceProgress;
import org.luceneoffload.store.image.ImageFiles;

/**
 * Whatever fails while columns are imported, repaired or detached, and whenever: the index is
 * whole, no column says anything wrong, and to do it again is all that it needs.
 */
class TestFailingUpkeep extends ColumnTestCase {
  /** What is done while something fails. */
  enum Work {
    /** Of a stock index; with an update. */
    IMPORT,
    /** Once more, after another update. */
    IMPORT_AGAIN,
    /** Of a segment of our codec, whose files are lost. */
    REPAIR,
    /** Of what lies beside a segment. */
    REPAIR_IMPORTED,
    DETACH
  }

  /** What fails. */
  enum Trouble {
    ONE_CALL_OF_THE_DIRECTORY,
    THE_DIRECTORY_FROM_THEN_ON,
    THE_DEVICE_FROM_THEN_ON,
    FLUSHES
  }

  private static final int DOCS = 120;
  private static final long FIRST = 1L << 40;
  private static final long SECOND = 1L << 41;

  private Directory files;
  private FailingDirectory failing;
  private RamBlockDevice ram;
  private Work work;
  private long updated;

  private void prepare(Work what, Trouble trouble) throws IOException {
    work = what;
    files = new ByteBuffersDirectory();
    failing = new FailingDirectory(files, trouble == Trouble.ONE_CALL_OF_THE_DIRECTORY);
    ram = new RamBlockDevice(1 << 12);
    boolean stock = what != Work.REPAIR;
    IndexWriterConfig config = config(false, false);
    if (stock) {
      config.setCodec(Codec.getDefault());
    }
    try (OffloadDirectory directory = open();
        IndexWriter writer = new IndexWriter(directory, config)) {
      addDocuments(writer, 0, DOCS, DOCS);
      writer.commit();
      writer.updateNumericDocValue(new Term("id", "id3"), "later", FIRST);
    }
    updated = FIRST;
    if (stock && what != Work.IMPORT) {
      try (OffloadDirectory directory = open()) {
        IndexImport.run(directory, MaintenanceProgress.NONE);
      }
    }
    switch (what) {
      case IMPORT_AGAIN -> {
        try (IndexWriter writer =
            new IndexWriter(files, config(false, false).setCodec(Codec.getDefault()))) {
          writer.updateNumericDocValue(new Term("id", "id3"), "later", SECOND);
        }
        updated = SECOND;
      }
      case REPAIR -> {
        files.deleteFile("_0.odm");
        files.deleteFile("_0_1.odv");
      }
      case REPAIR_IMPORTED -> {
        for (String name : files.listAll()) {
          if (ImageFiles.sidecarId(name) != null && name.endsWith(".odm")) {
            files.deleteFile(name);
          }
        }
      }
      default -> {}
    }
  }

  private OffloadDirectory open() throws IOException {
    return OffloadDirectory.wrap(failing, ram);
  }

  private void run() throws IOException {
    try (OffloadDirectory directory = open()) {
      switch (work) {
        case IMPORT, IMPORT_AGAIN -> IndexImport.run(directory, MaintenanceProgress.NONE);
        case REPAIR, REPAIR_IMPORTED -> IndexRepair.run(directory, MaintenanceProgress.NONE);
        case DETACH -> IndexDetach.run(directory);
      }
    }
  }

  private Map<String, byte[]> luceneFiles() throws IOException {
    Map<String, byte[]> all = new TreeMap<>();
    for (String name : files.listAll()) {
      boolean own = name.startsWith("offload") || name.matches("_.*[.]od[mv]");
      if (!own && !name.equals("write.lock")) {
        try (IndexInput in = files.openInput(name, IOContext.READONCE)) {
          byte[] bytes = new byte[(int) in.length()];
          in.readBytes(bytes, 0, bytes.length);
          all.put(name, bytes);
        }
      }
    }
    return all;
  }

  private void assertIndexIs(Map<String, byte[]> expected) throws IOException {
    Map<String, byte[]> now = luceneFiles();
    assertEquals(expected.keySet(), now.keySet());
    for (String name : expected.keySet()) {
      assertArrayEquals(expected.get(name), now.get(name), name);
    }
  }

  /** Every column that can be used holds what stock's doc values are. */
  private void assertNothingWrong(String when) throws IOException {
    try (OffloadDirectory directory = open()) {
      try (CheckIndex check = new CheckIndex(directory)) {
        assertTrue(check.checkIndex().clean, when);
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        for (String problem : ColumnCheck.run(reader).problems()) {
          assertFalse(problem.contains(", field "), problem); // a file, if anything
        }
        for (LeafReaderContext leaf : reader.leaves()) {
          FieldInfo later = leaf.reader().getFieldInfos().fieldInfo("later");
          DeviceColumn column = DeviceColumns.of(leaf.reader(), later.name);
          if (column != null && column.image().usable()) {
            assertEquals(updated, column.max(), when);
          }
        }
      }
    }
  }

  private void assertDone(String when) throws IOException {
    run();
    try (OffloadDirectory directory = open()) {
      if (work == Work.DETACH) {
        assertEquals(
            List.of(),
            Arrays.stream(files.listAll()).filter(name -> name.startsWith("offload")).toList(),
            when);
        return;
      }
      if (work == Work.REPAIR_IMPORTED) {
        // A repair that could not finish may leave nothing that tells of columns.
        IndexImport.run(directory, MaintenanceProgress.NONE);
      }
      assertComplete(directory);
      assertEquals(1, IndexRepair.run(directory, MaintenanceProgress.NONE).segmentsPresent(), when);
    }
  }

  private void close() throws IOException {
    files.close();
    ram.close();
  }

  @ParameterizedTest
  @EnumSource(Work.class)
  void wheneverSomethingFails(Work what) throws IOException {
    for (Trouble trouble : Trouble.values()) {
      long most = callsOf(what, trouble);
      assertTrue(most > 0, what + ", " + trouble);
      int first = QuickRun.drawn(1, List.of(0, 1, 2)).getFirst();
      for (long after = first; after < most; after += QuickRun.times(3, 1)) {
        String when = what + ", " + trouble + " after " + after;
        prepare(what, trouble);
        Map<String, byte[]> before = luceneFiles();
        fail(trouble, after);
        assertIndexIs(before);
        assertNothingWrong(when);
        assertDone(when);
        assertIndexIs(before);
        close();
      }
    }
  }

  /** Returns how often a work calls what is to fail, or more. */
  private long callsOf(Work what, Trouble trouble) throws IOException {
    prepare(what, trouble);
    final long lbas = ram.lbasWritten();
    final long flushes = ram.flushes();
    failing.failAfter(Integer.MAX_VALUE);
    run();
    final long calls =
        switch (trouble) {
          case ONE_CALL_OF_THE_DIRECTORY, THE_DIRECTORY_FROM_THEN_ON ->
              Integer.MAX_VALUE - failing.allowed();
          case THE_DEVICE_FROM_THEN_ON -> ram.lbasWritten() - lbas;
          case FLUSHES -> ram.flushes() - flushes;
        };
    close();
    return calls;
  }

  /** Does the work while something fails. */
  private void fail(Trouble trouble, long after) {
    switch (trouble) {
      case THE_DEVICE_FROM_THEN_ON -> ram.failWritesAfter(after);
      case FLUSHES -> ram.failFlushesAfter(after);
      default -> failing.failAfter(after);
    }
    try {
      run();
    } catch (IOException | AlreadyClosedException e) {
      // As it may.
    }
    failing.heal();
    ram.heal();
  }
}
