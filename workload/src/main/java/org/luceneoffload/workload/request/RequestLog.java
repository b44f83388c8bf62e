/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload.request;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.luceneoffload.workload.CorpusLine;
import org.luceneoffload.workload.InputException;
import org.luceneoffload.workload.Queries;
import org.luceneoffload.workload.QueryLine;
import org.luceneoffload.workload.TypedFields;

/**
 * A log of queries, one a line: in Lucene's classic syntax, or a JSON object. An object is a
 * request body itself, or has one as {@code body}, with {@code name} and {@code count} beside it.
 */
public final class RequestLog {
  private static final int SIZE = 10;

  private final Queries queries;
  private final RequestParser requests;

  /** Logs of an index with these typed fields. */
  public RequestLog(TypedFields fields) {
    queries = new Queries(fields);
    requests = new RequestParser(fields);
  }

  /**
   * Reads a log. A line of wrong syntax is one that could not be translated.
   *
   * @throws InputException if it cannot be read
   */
  public List<LoggedRequest> read(Path file) {
    return parse(QueryLine.readAll(file));
  }

  /** Parses lines. */
  public List<LoggedRequest> parse(List<QueryLine> lines) {
    List<LoggedRequest> log = new ArrayList<>();
    for (QueryLine line : lines) {
      try {
        log.add(line.text().startsWith("{") ? json(line) : plain(line));
      } catch (InputException e) {
        log.add(new LoggedRequest(null, 1, e.getMessage(), null, LoggedRequest.WRONG_SYNTAX));
      }
    }
    return log;
  }

  private LoggedRequest plain(QueryLine line) {
    return new LoggedRequest(
        null, 1, line.origin(), SearchRequest.top(queries.parse(line), SIZE), null);
  }

  private LoggedRequest json(QueryLine line) {
    JsonNode node = CorpusLine.tree(line.text().getBytes(StandardCharsets.UTF_8), line.where());
    JsonNode body = node.has("body") ? node.get("body") : node;
    String name = node.has("body") && node.has("name") ? node.get("name").asText() : null;
    JsonNode times = node.has("body") ? node.path("count") : node.path(-1);
    long count = times.isMissingNode() ? 1 : times.asLong();
    if (count < 1 || !(times.isMissingNode() || times.isIntegralNumber())) {
      throw new InputException(line.where() + ": \"count\" must be a whole number of at least 1");
    }
    try {
      return new LoggedRequest(name, count, line.origin(), requests.parse(body), null);
    } catch (UntranslatedException e) {
      return new LoggedRequest(name, count, line.origin(), null, e.getMessage());
    } catch (InputException e) {
      throw new InputException(line.where() + ": " + e.getMessage(), e);
    } catch (IllegalArgumentException e) {
      throw new InputException(line.where() + ": " + e.getMessage(), e);
    }
  }
}
