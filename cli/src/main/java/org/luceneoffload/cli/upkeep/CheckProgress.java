/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.upkeep;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ObjDoubleConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.Directory;

/** Tells how far Lucene's CheckIndex is, from the lines in which it names each segment. */
final class CheckProgress extends PrintStream {
  private static final Pattern SEGMENT = Pattern.compile("(\\d+ of \\d+): name=(\\w+)");

  private final ObjDoubleConsumer<String> shown;
  private final Map<String, Long> bytes = new HashMap<>(); // of each segment
  private final long all;
  private long done;

  /**
   * Opens the stream that CheckIndex is to print to.
   *
   * @param shown takes what runs now, and which share of the files' bytes is done
   */
  CheckProgress(Directory directory, ObjDoubleConsumer<String> shown) throws IOException {
    super(OutputStream.nullOutputStream());
    this.shown = shown;
    long sum = 0;
    for (String file : directory.listAll()) {
      long length = directory.fileLength(file);
      bytes.merge(IndexFileNames.parseSegmentName(file), length, Long::sum);
      sum += length;
    }
    all = sum;
  }

  /** Takes a line; with several threads, all lines of a segment. */
  @Override
  public void println(String text) {
    Matcher segment = SEGMENT.matcher(text);
    if (segment.find()) {
      String what = "Lucene's CheckIndex, segment " + segment.group(1);
      shown.accept(what, (double) done / Math.max(all, 1));
      done += bytes.getOrDefault(segment.group(2), 0L);
    }
  }
}
