/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.options;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.cli.output.Printable;
import org.luceneoffload.workload.InputException;
import org.luceneoffload.workload.Queries;
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
   * Reads all queries, arguments first.
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
      queries.addAll(QueryLine.readAll(file));
    }
    if (queries.isEmpty()) {
      throw Failure.usage("no query: give one as an argument, or a file with --queries");
    }
    return queries;
  }

  /**
   * Parses the queries of an index, and notes what is odd about them.
   *
   * @param err takes the notes, a line each
   * @throws Failure of usage if an argument's syntax is wrong
   * @throws InputException if a file's is; the message names file and line
   */
  public static List<Query> parse(List<QueryLine> lines, DirectoryReader reader, PrintWriter err)
      throws IOException {
    TypedFields fields = TypedFields.of(reader);
    Queries parser = new Queries(fields);
    List<Query> queries = parse(lines, parser);
    Set<String> there = new TreeSet<>(FieldInfos.getIndexedFields(reader));
    fields.all().forEach(field -> there.add(field.name()));
    Set<String> asked = new TreeSet<>();
    for (Query query : queries) {
      query.visit(
          new QueryVisitor() {
            @Override
            public boolean acceptField(String field) {
              asked.add(field);
              return true;
            }
          });
    }
    asked.removeAll(there);
    for (String field : asked) {
      if (reader.maxDoc() > 0 && field != null && !field.isEmpty()) {
        note(err, "the index has no field " + field + "; it has " + String.join(", ", there));
      }
    }
    parser.notes().forEach(note -> note(err, note));
    return queries;
  }

  private static void note(PrintWriter err, String text) {
    err.println("offload: note: " + Printable.lines(text));
  }

  /**
   * Parses queries.
   *
   * @param fields typed fields of the index
   * @throws Failure of usage if an argument's syntax is wrong
   * @throws InputException if a file's is; the message names file and line
   */
  public static List<Query> parse(List<QueryLine> lines, TypedFields fields) {
    return parse(lines, new Queries(fields));
  }

  private static List<Query> parse(List<QueryLine> lines, Queries parser) {
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
