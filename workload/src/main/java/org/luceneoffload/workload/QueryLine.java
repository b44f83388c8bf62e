/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A query as the user wrote it.
 *
 * @param text the query
 * @param origin file and line, or null if it stood on the command line
 */
public record QueryLine(String text, String origin) {
  private static final int SHOWN = 200;

  /** Returns how a message begins, before the reason; names the file and line if there is one. */
  public String where() {
    String shown = text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
    return (origin == null ? "" : origin + ": ") + "query '" + shown + "'";
  }

  /**
   * Reads a file of queries, one a line; blank lines and lines that start with {@code #} are
   * ignored.
   *
   * @throws InputException if it cannot be read or holds none
   */
  public static List<QueryLine> readAll(Path file) {
    List<QueryLine> queries = new ArrayList<>();
    long lineNumber = 0;
    try (LineReader reader = new LineReader(CorpusFile.open(file, new AtomicLong()))) {
      for (byte[] line = reader.next(); line != null; line = reader.next()) {
        lineNumber = reader.lineNumber();
        String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line)).toString();
        String query = text.strip();
        if (!query.isEmpty() && !query.startsWith("#")) {
          queries.add(new QueryLine(query, file + ":" + lineNumber));
        }
      }
    } catch (CharacterCodingException e) {
      throw new InputException(file + ":" + lineNumber + ": not UTF-8", e);
    } catch (IOException e) {
      throw new InputException(file + ": cannot be read: " + e.getMessage(), e);
    }
    if (queries.isEmpty()) {
      throw new InputException(file + ": holds no query");
    }
    return queries;
  }
}
