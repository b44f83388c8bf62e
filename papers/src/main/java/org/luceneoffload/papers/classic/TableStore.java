/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.classic;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.luceneoffload.natives.NativeHandle;
import org.luceneoffload.natives.Trail;
import org.luceneoffload.wire.OffloadException;

/**
 * A simulated device in a temporary folder that holds one table at a time, and the scans of the
 * first computational SSDs over its pages, recorded for the timing model. One thread at a time.
 */
public final class TableStore implements AutoCloseable {
  /** Queries of one scan. */
  public static final int MAX_QUERIES = 8;

  /**
   * A table of 32-bit integers whose values follow from the row and the column.
   *
   * @param columns 2 to 64
   * @param rows at least 1; the last page is full in any case
   * @param byColumns whether a page holds column after column, else row after row
   */
  public record Table(int columns, long rows, boolean byColumns) {}

  /**
   * A query for the rows whose first column is below a bound.
   *
   * @param bound of the first column
   * @param sums whether it returns the sum of their second column; else that column
   */
  public record Question(int bound, boolean sums) {}

  /**
   * What a scan found, and did.
   *
   * @param matches rows
   * @param sum of their second column
   * @param log what it did; the caller closes it
   */
  public record Answer(long matches, long sum, EventLog log) {}

  /**
   * The shape of a table.
   *
   * @param pages of 8 KB
   * @param pageRows rows of a page
   */
  public record Shape(long pages, int pageRows) {}

  private final Path home;
  private final NativeHandle handle;
  private Table written;

  /**
   * Opens a store.
   *
   * @throws IllegalStateException if the native library cannot be loaded
   */
  public TableStore() throws IOException {
    ClassicLibrary.load();
    home = Files.createTempDirectory("offload-tables");
    byte[] path = home.resolve("tables").toString().getBytes(StandardCharsets.UTF_8);
    Trail trail = new Trail();
    try {
      long address = trail.check(nativeOpen(path, trail.bytes), "opening a device for tables");
      handle = new NativeHandle("the store of tables", address);
    } catch (IOException | RuntimeException e) {
      delete();
      throw e;
    }
  }

  /**
   * Returns the shape of a table.
   *
   * @throws IllegalArgumentException if its number of columns is out of range
   */
  public static Shape shape(Table table) {
    ClassicLibrary.load();
    Trail trail = new Trail();
    ByteBuffer b = struct(table);
    check(trail, nativeShape(b, trail.bytes), "looking at a table");
    return new Shape(TableScanStruct.pages(b, 0), TableScanStruct.pageRows(b, 0));
  }

  /**
   * Scans a table, which is written first unless it is there.
   *
   * @param side a {@link org.luceneoffload.wire.OffloadWire.ModelSide}
   * @param questions at most {@link #MAX_QUERIES}, each a session of its own
   * @throws IllegalArgumentException if a value is out of its range
   */
  public List<Answer> scan(Table table, int side, List<Question> questions) {
    if (questions.size() > MAX_QUERIES) {
      throw new IllegalArgumentException(questions.size() + " queries, not 1 to " + MAX_QUERIES);
    }
    ByteBuffer b = struct(table);
    TableScanStruct.side(b, 0, side);
    TableScanStruct.count(b, 0, questions.size());
    for (int i = 0; i < questions.size(); i++) {
      TableScanStruct.bounds(b, 0, i, questions.get(i).bound());
      TableScanStruct.sums(b, 0, i, questions.get(i).sums() ? 1 : 0);
    }
    run(table, b);
    List<Answer> answers = new ArrayList<>();
    for (int i = 0; i < questions.size(); i++) {
      answers.add(
          new Answer(
              TableScanStruct.matches(b, 0, i),
              TableScanStruct.totals(b, 0, i),
              EventLog.of(TableScanStruct.logs(b, 0, i))));
    }
    return answers;
  }

  private void run(Table table, ByteBuffer b) {
    Trail trail = new Trail();
    try {
      long address = handle.acquire();
      try {
        if (!table.equals(written)) {
          written = null;
          check(trail, nativeWrite(address, b, trail.bytes), "writing a table");
          written = table;
        }
        check(trail, nativeScan(address, b, trail.bytes), "scanning a table");
      } finally {
        handle.release();
      }
    } catch (OffloadException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  private static ByteBuffer struct(Table table) {
    ByteBuffer b = ClassicModel.struct(TableScanStruct.BYTES);
    TableScanStruct.columns(b, 0, table.columns());
    TableScanStruct.layout(b, 0, table.byColumns() ? 1 : 0);
    TableScanStruct.rows(b, 0, table.rows());
    return b;
  }

  private static void check(Trail trail, long result, String what) {
    try {
      trail.check(result, what);
    } catch (OffloadException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** Closes the device and deletes the table; logs of scans stay. */
  @Override
  public void close() throws IOException {
    handle.close(TableStore::nativeClose);
    delete();
  }

  private void delete() throws IOException {
    if (!Files.exists(home)) {
      return;
    }
    try (Stream<Path> files = Files.walk(home)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static native long nativeOpen(byte[] path, byte[] trail);

  private static native void nativeClose(long handle);

  private static native long nativeShape(ByteBuffer table, byte[] trail);

  private static native long nativeWrite(long handle, ByteBuffer table, byte[] trail);

  private static native long nativeScan(long handle, ByteBuffer scan, byte[] trail);
}
