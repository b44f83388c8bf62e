/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.queryparser.classic.ParseException;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;

/** Lucene's classic query syntax; terms without a field are looked for in {@code body}. */
public final class Queries {
  /** The field of terms that name none. */
  static final String DEFAULT_FIELD = "body";

  private final Analyzer analyzer = new StandardAnalyzer();

  /**
   * Parses a query.
   *
   * @throws InputException if the syntax is wrong; the message names the query, and its file and
   *     line
   */
  public Query parse(QueryLine line) {
    try {
      return new QueryParser(DEFAULT_FIELD, analyzer).parse(line.text());
    } catch (ParseException | IndexSearcher.TooManyClauses | IllegalArgumentException e) {
      throw new InputException(line.where() + ": " + reason(e), e);
    } catch (StackOverflowError e) {
      throw new InputException(line.where() + ": nested too deeply to be parsed", e);
    }
  }

  /** The parser's own words without the query and the list of all tokens that it would accept. */
  private static String reason(Exception e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    String message = String.valueOf(cause.getMessage());
    String plain = message.split("\\s+Was expecting", 2)[0];
    plain = plain.replaceFirst("(?s)^Cannot parse '.*?': (?=\\S)", "");
    plain = plain.replaceAll("\\s+", " ").strip();
    return plain.isEmpty() ? "wrong syntax" : plain;
  }
}
