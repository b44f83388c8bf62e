/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.options;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.cli.workload.CorpusFile;
import org.luceneoffload.cli.workload.LineReader;
import org.luceneoffload.cli.workload.QueryLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Where queries come from: arguments, a file, or both. */
public final class QueryOptions {
  @Parameters(
      paramLabel = "QUERY",
      arity = "0..*",
      description = "One query for each argument, in Lucene's classic syntax; default field: body.")
  private List<String> arguments = List.of();

  @Option(
      names = "--queries",
      paramLabel = "FILE",
      description = "A file of queries, one a line; # starts a comment line.")
  private Path file;

  /**
   * All queries, arguments first.
   *
   * @throws Failure if there is none, or the file cannot be read
   */
  public List<QueryLine> read() {
    List<QueryLine> queries = new ArrayList<>();
    for (String argument : arguments) {
      if (argument.startsWith("--")) {
        throw Failure.usage("unknown option: " + argument);
      } else if (argument.isBlank()) {
        throw Failure.usage("an empty query");
      }
      queries.add(new QueryLine(argument, null));
    }
    if (file != null) {
      queries.addAll(readFile(file));
    }
    if (queries.isEmpty()) {
      throw Failure.usage("no query: give one as an argument, or a file with --queries");
    }
    return queries;
  }

  /**
   * The queries of a file.
   *
   * @throws Failure if it cannot be read or holds none
   */
  public static List<QueryLine> readFile(Path file) {
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
      throw Failure.of(file + ":" + lineNumber + ": not UTF-8", e);
    } catch (IOException e) {
      throw Failure.of(file + ": cannot be read: " + e.getMessage(), e);
    }
    if (queries.isEmpty()) {
      throw Failure.of(file + ": holds no query");
    }
    return queries;
  }
}
