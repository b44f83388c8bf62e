/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.queryparser.classic.ParseException;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;

/**
 * Lucene's classic query syntax; terms without a field are looked for in {@code body}. Of typed
 * fields, values and ranges are asked for: {@code created:[2020-01-01 TO 2020-12-31]}, {@code
 * words:{100 TO *}}, {@code cat:"math.CO"}; {@code field:*} asks for any value.
 */
public final class Queries {
  /** The field of terms that name none. */
  public static final String DEFAULT_FIELD = "body";

  private static final Pattern OPEN_QUOTE = Pattern.compile("(?s)Encountered: <EOF>.*\"\\\\\"");

  /** How the generated parser names its own states. */
  private static final Pattern STATE = Pattern.compile("\\s*\\(in lexical state \\d+\\)");

  private final Analyzer analyzer = new StandardAnalyzer();
  private final TypedFields fields;
  private final String defaultField;
  private final Set<String> notes = new LinkedHashSet<>();

  /** Queries of an index with these typed fields. */
  public Queries(TypedFields fields) {
    this(fields, DEFAULT_FIELD);
  }

  /** Queries whose terms without a field are looked for in {@code defaultField}. */
  public Queries(TypedFields fields, String defaultField) {
    this.fields = fields;
    this.defaultField = defaultField;
  }

  /**
   * Parses a query.
   *
   * @throws InputException if the syntax is wrong; the message names the query, and its file and
   *     line
   */
  public Query parse(QueryLine line) {
    try {
      return new Parser(defaultField, analyzer, fields, notes).parse(line.text());
    } catch (ParseException | IndexSearcher.TooManyClauses | IllegalArgumentException e) {
      throw new InputException(line.where() + ": " + reason(e), e);
    } catch (StackOverflowError e) {
      throw new InputException(line.where() + ": nested too deeply to be parsed", e);
    }
  }

  /** Returns what is odd about the queries parsed so far, a sentence each; any may be right. */
  public Set<String> notes() {
    return notes;
  }

  /**
   * Returns the parser's own words without the query and the list of all tokens that it would
   * accept.
   */
  private static String reason(Exception e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    String message = String.valueOf(cause.getMessage());
    if (OPEN_QUOTE.matcher(message).find()) {
      return "a quote is not closed";
    }
    String plain = message.split("\\s+Was expecting", 2)[0];
    plain = plain.replaceFirst("(?s)^Cannot parse '.*?': (?=\\S)", "");
    plain = STATE.matcher(plain).replaceAll("").replaceAll("\\s+", " ").strip();
    return plain.isEmpty() ? "wrong syntax" : plain;
  }

  /** Asks typed fields for values, not for words. */
  private static final class Parser extends QueryParser {
    private final TypedFields fields;
    private final Set<String> notes;

    Parser(String defaultField, Analyzer analyzer, TypedFields fields, Set<String> notes) {
      super(defaultField, analyzer);
      this.fields = fields;
      this.notes = notes;
    }

    @Override
    protected Query getFieldQuery(String field, String text, boolean quoted) throws ParseException {
      TypedField typed = fields.get(field);
      return typed == null ? super.getFieldQuery(field, text, quoted) : typed.exactly(text);
    }

    @Override
    protected Query getWildcardQuery(String field, String text) throws ParseException {
      TypedField typed = fields.get(field);
      return typed != null && text.equals("*")
          ? typed.exactly(text)
          : super.getWildcardQuery(field, text);
    }

    @Override
    protected Query getRangeQuery(
        String field, String from, String to, boolean withFrom, boolean withTo)
        throws ParseException {
      TypedField typed = fields.get(field);
      if (typed == null) {
        return super.getRangeQuery(field, from, to, withFrom, withTo);
      }
      if (typed.isReversed(from, to)) {
        notes.add(
            "the range of " + field + " from " + from + " to " + to + " ends before it begins");
      }
      return typed.range(from, to, withFrom, withTo);
    }
  }
}
