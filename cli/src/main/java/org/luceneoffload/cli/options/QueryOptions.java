/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.options;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.Query;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.workload.InputException;
import org.luceneoffload.workload.Queries;
import org.luceneoffload.workload.QueryFile;
import org.luceneoffload.workload.QueryLine;
import org.luceneoffload.workload.TypedFields;
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
      queries.add(new QueryLine(argument.stripLeading(), null));
    }
    if (file != null) {
      queries.addAll(QueryFile.read(file));
    }
    if (queries.isEmpty()) {
      throw Failure.usage("no query: give one as an argument, or a file with --queries");
    }
    return queries;
  }

  /**
   * Parses queries.
   *
   * @param fields typed fields of the index
   * @throws Failure of usage if an argument's syntax is wrong
   * @throws InputException if a file's is; the message names file and line
   */
  public static List<Query> parse(List<QueryLine> lines, TypedFields fields) {
    Queries parser = new Queries(fields);
    List<Query> queries = new ArrayList<>();
    for (QueryLine line : lines) {
      try {
        queries.add(parser.parse(line));
      } catch (InputException e) {
        if (line.origin() == null) {
          throw Failure.usage(e.getMessage(), e);
        }
        throw e;
      }
    }
    return queries;
  }
}
