/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.store.AlreadyClosedException;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ColumnPageHeaderLayout;
import org.luceneoffload.wire.page.ColumnPageDecoder;

/** Compares every column of an index with the stock doc values. Reads the pages with the host. */
public final class ColumnCheck {
  /**
   * The findings of a check.
   *
   * @param columns columns compared
   * @param values values compared
   * @param pages column pages read
   * @param unusable segment and reason, for each image with columns that cannot be used
   * @param problems what is wrong, at most {@link #MAX_PROBLEMS}
   */
  public record Result(
      long columns, long values, long pages, List<String> unusable, List<String> problems) {}

  /** Most problems that are reported; a check ends when it has found so many. */
  public static final int MAX_PROBLEMS = 100;

  private final List<String> unusable = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private final ByteBuffer page =
      ByteBuffer.allocateDirect(OffloadWire.PAGE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private long columns;
  private long values;
  private long pages;

  private ColumnCheck() {}

  /**
   * Checks an index.
   *
   * @throws IOException if the stock index cannot be read
   */
  public static Result run(DirectoryReader reader) throws IOException {
    ColumnCheck check = new ColumnCheck();
    for (LeafReaderContext leaf : reader.leaves()) {
      SegmentReader segment = SharedDocValues.segment(leaf.reader());
      if (segment != null) {
        check.checkSegment(segment, "segment " + leaf.ord);
      }
    }
    return new Result(
        check.columns,
        check.values,
        check.pages,
        List.copyOf(check.unusable),
        List.copyOf(check.problems));
  }

  private void checkSegment(SegmentReader segment, String name) throws IOException {
    SegmentImage lastUnusable = null;
    SegmentColumns state = SegmentColumns.of(segment, false);
    for (OwnColumns lost : state.lost()) {
      if (lost.lostMetadata() != null) {
        problems.add(name + ": " + lost.lostMetadata());
      }
    }
    for (FieldInfo field : segment.getFieldInfos()) {
      if (!ColumnValues.canHaveColumn(field)) {
        continue;
      }
      DeviceColumn column = DeviceColumns.of(segment, field);
      if (column == null || problems.size() >= MAX_PROBLEMS) {
        continue;
      }
      SegmentImage image = column.image();
      if (image.usable()) {
        check(segment, field, column);
      } else if (image != lastUnusable) {
        lastUnusable = image;
        (image.bad() ? problems : unusable).add(name + ": columns: " + image.unusableReason());
      }
    }
    String damage = state.importDamage();
    if (damage != null && (lastUnusable == null || damage != lastUnusable.unusableReason())) {
      problems.add(name + ": columns beside it: " + damage); // of no field that could be named
    }
  }

  private void check(SegmentReader segment, FieldInfo field, DeviceColumn column)
      throws IOException {
    ColumnValues stock = ColumnValues.of(field, segment.getDocValuesReader());
    try {
      compare(stock, column);
    } catch (OffloadException | AlreadyClosedException | MismatchException e) {
      problems.add(column.image().fileName() + ", field " + field.name + ": " + e.getMessage());
    }
    columns++;
  }

  private void compare(ColumnValues stock, DeviceColumn column) throws IOException {
    int docs = 0;
    long found = 0;
    long min = Long.MAX_VALUE;
    long max = Long.MIN_VALUE;
    PageBounds.Builder bounds = new PageBounds.Builder();
    for (int i = 0; i < column.pageCount(); i++) {
      Map<Integer, long[]> inPage = load(column, column.firstPage() + i);
      bounds.add(page);
      for (Map.Entry<Integer, long[]> doc : inPage.entrySet()) {
        expect("doc", stock.next() ? stock.docs().docID() : -1, doc.getKey());
        long[] own = doc.getValue();
        long[] expected = stock.values();
        if (!Arrays.equals(expected, own)) {
          throw new MismatchException(
              "at doc "
                  + doc.getKey()
                  + ": stock values "
                  + Arrays.toString(expected)
                  + ", device "
                  + Arrays.toString(own));
        }
        docs++;
        found += own.length;
        min = Math.min(min, own[0]);
        max = Math.max(max, own[own.length - 1]);
      }
    }
    values += found;
    if (stock.next()) {
      throw new MismatchException("the column lacks doc " + stock.docs().docID());
    }
    expect("number of docs", docs, column.docCount());
    expect("number of values", found, column.valueCount());
    expect("least value", min, column.min());
    expect("greatest value", max, column.max());
    if (column.bounds() != null && !column.bounds().equals(bounds.build())) {
      throw new MismatchException("the bounds of its pages are not those of the metadata");
    }
  }

  private Map<Integer, long[]> load(DeviceColumn column, int number) throws IOException {
    column.image().readPage(number, page.clear());
    page.clear();
    pages++;
    Map<Integer, long[]> docs = ColumnPageDecoder.decode(page);
    expect(
        "stamp of page " + number, column.image().stamp(), ColumnPageHeaderLayout.stamp(page, 0));
    expect("number of page", number, ColumnPageHeaderLayout.filePage(page, 0));
    return docs;
  }

  private static void expect(String what, long expected, long actual) {
    if (expected != actual) {
      throw new MismatchException(what + ": expected " + expected + ", got " + actual);
    }
  }

  /** The column says something else than stock's doc values. */
  private static final class MismatchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MismatchException(String message) {
      super(message);
    }
  }
}
