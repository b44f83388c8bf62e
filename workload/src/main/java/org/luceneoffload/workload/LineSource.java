/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/** The lines of a file, one after the other. */
interface LineSource extends Closeable {
  /**
   * Opens a file of lines; of rows of a table if its name ends in {@code .csv}, {@code .tsv} or
   * {@code .parquet}, the first two perhaps packed.
   *
   * @param consumed counts the bytes of the file as they are read
   * @param fields of a table, those whose values are numbers or texts
   */
  static LineSource open(Path file, AtomicLong consumed, TypedFields fields) throws IOException {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    if (name.endsWith(".parquet")) {
      CorpusFile.check(file);
      return ParquetLines.open(file, consumed, fields);
    }
    InputStream in = CorpusFile.open(file, consumed);
    String unpacked = name.replaceFirst("\\.(gz|zst)$", "");
    if (unpacked.endsWith(".csv")) {
      return TableLines.ofCommas(in, fields);
    } else if (unpacked.endsWith(".tsv")) {
      return TableLines.ofTabs(in, fields);
    }
    return new LineReader(in);
  }

  /** Returns the next line, without its end, or null at the end of the file. */
  byte[] next() throws IOException;

  /** Returns the number of the line that {@link #next} returned last, from 1 on. */
  long lineNumber();
}
