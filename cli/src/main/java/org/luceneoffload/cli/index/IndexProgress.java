/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.index;

import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import org.luceneoffload.cli.output.Terminal;
import org.luceneoffload.workload.CorpusReader;

/** Counts what has been indexed and shows it, now and then, on a terminal. */
public final class IndexProgress {
  private static final long SHOW_EVERY_NANOS = 250_000_000L;
  private static final long LOG_EVERY_NANOS = 30_000_000_000L;

  private final Terminal terminal;
  private final CorpusReader reader;
  private final long totalBytes;
  private final long start = System.nanoTime();
  private final LongAdder documents = new LongAdder();
  private final LongAdder inputBytes = new LongAdder();
  private long shown = start;

  IndexProgress(Terminal terminal, CorpusReader reader, long totalBytes) {
    this.terminal = terminal;
    this.reader = reader;
    this.totalBytes = totalBytes;
  }

  /** Counts one batch; may be called on any thread. */
  void add(long docs, long bytes) {
    documents.add(docs);
    inputBytes.add(bytes);
  }

  /** Returns how many documents were counted. */
  long documents() {
    return documents.sum();
  }

  /** Returns how many bytes of lines were counted. */
  long inputBytes() {
    return inputBytes.sum();
  }

  /** Returns the seconds since the start. */
  double seconds() {
    return (System.nanoTime() - start) / 1e9;
  }

  /** Shows the state unless it was shown a moment ago; reading thread only. */
  void show() {
    long now = System.nanoTime();
    if (now - shown >= (terminal.interactive() ? SHOW_EVERY_NANOS : LOG_EVERY_NANOS)) {
      shown = now;
      String line = line(documents(), inputBytes(), seconds(), share());
      terminal.show(line);
      terminal.log(line);
    }
  }

  /** Says what goes on when there is nothing to count. */
  void show(String what) {
    terminal.show(what);
  }

  /** Wipes the line. */
  void end() {
    terminal.clear();
  }

  private double share() {
    return totalBytes == 0 ? 1 : (double) reader.consumedBytes() / totalBytes;
  }

  /** Returns the line: documents, rates, share of the input, time left. */
  public static String line(long documents, long bytes, double seconds, double share) {
    return String.format(
        Locale.ROOT,
        "%,d documents  %,.0f docs/s  %.1f MB/s  %.0f %%%s",
        documents,
        documents / seconds,
        bytes / 1e6 / seconds,
        100 * share,
        Terminal.left(seconds, share));
  }
}
