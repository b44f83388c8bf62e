/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Cuts corpus files into batches of lines of JSON, as rows of tables are, too; used by one thread.
 */
public final class CorpusReader {
  /**
   * Some lines that follow each other in a file.
   *
   * @param file the file
   * @param firstLine number of the first line, from 1 on
   * @param lines the lines, blank ones too
   * @param bytes bytes of the lines
   */
  public record Batch(Path file, long firstLine, List<byte[]> lines, long bytes) {
    /** Returns the file and the line, such as {@code corpus.jsonl:17}. */
    public String origin(int index) {
      return file + ":" + (firstLine + index);
    }
  }

  /** Takes batches in the order of the input. */
  @FunctionalInterface
  public interface Consumer {
    /** Takes one; returns false to end the reading. */
    boolean accept(Batch batch) throws IOException, InterruptedException;
  }

  private static final int BATCH_LINES = 200;
  private static final int BATCH_BYTES = 1 << 20;

  private final List<Path> files;
  private final AtomicLong consumed = new AtomicLong();

  /** Checks that all files are there, before a long run starts. */
  public CorpusReader(List<Path> files) {
    this.files = List.copyOf(files);
    files.forEach(CorpusFile::check);
  }

  /** Returns how many bytes the files have, packed as they are. */
  public long totalBytes() throws IOException {
    long total = 0;
    for (Path file : files) {
      total += Files.size(file);
    }
    return total;
  }

  /** Returns how many of {@link #totalBytes()} have been read; for any thread. */
  public long consumedBytes() {
    return consumed.get();
  }

  /**
   * Reads all files, one after the other.
   *
   * @param fields which columns of tables have numbers, and which have texts; of others, what looks
   *     like a number is one
   */
  public void read(TypedFields fields, Consumer consumer) throws IOException, InterruptedException {
    for (Path file : files) {
      if (!readFile(file, fields, consumer)) {
        return;
      }
    }
  }

  private boolean readFile(Path file, TypedFields fields, Consumer consumer)
      throws IOException, InterruptedException {
    try (LineSource reader = LineSource.open(file, consumed, fields)) {
      while (true) {
        List<byte[]> lines = new ArrayList<>();
        long firstLine = reader.lineNumber() + 1;
        long bytes = 0;
        while (lines.size() < BATCH_LINES && bytes < BATCH_BYTES) {
          byte[] line = nextLine(reader, file);
          if (line == null) {
            break;
          }
          lines.add(line);
          bytes += line.length + 1;
        }
        if (lines.isEmpty()) {
          return true;
        }
        if (!consumer.accept(new Batch(file, firstLine, lines, bytes))) {
          return false;
        }
      }
    }
  }

  private static byte[] nextLine(LineSource reader, Path file) {
    try {
      return reader.next();
    } catch (IOException e) {
      // A packed file that was cut off or damaged shows only here.
      throw new InputException(
          file + ": cannot be read after line " + reader.lineNumber() + ": " + e.getMessage(), e);
    }
  }
}
