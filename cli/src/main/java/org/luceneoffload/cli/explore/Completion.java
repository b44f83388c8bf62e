/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.explore;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.workload.Queries;
import org.luceneoffload.workload.TypedField;
import org.luceneoffload.workload.TypedFields;

/**
 * Words and fields of the index that a word of a query may become.
 *
 * @param from place in the query at which the word begins, which a choice replaces up to the caret
 * @param choices the best first
 */
record Completion(int from, List<Choice> choices) {
  private static final int MAX_CHOICES = 10;

  /** Terms with the prefix that are looked at. */
  private static final int MAX_TERMS = 5_000;

  /** Characters at which a word of a query begins anew. */
  private static final String SEPARATORS = " \t\n()+-!^~[]{}\"";

  /**
   * A choice.
   *
   * @param text what the query has then, escaped as the syntax needs it
   * @param kind {@code field} or {@code word}
   * @param docs documents with the word, those of deleted ones too; null for a field
   */
  record Choice(String text, String kind, Long docs) {}

  /**
   * Completes the word that ends at a place in a query.
   *
   * @param caret the place
   */
  static Completion of(DirectoryReader reader, TypedFields typed, String query, int caret)
      throws IOException {
    int from = caret;
    while (from > 0 && SEPARATORS.indexOf(query.charAt(from - 1)) < 0) {
      from--;
    }
    String word = query.substring(from, caret);
    Collection<String> fields = fields(reader, typed);
    int colon = word.indexOf(':');
    List<Choice> choices = new ArrayList<>();
    if (colon > 0 && fields.contains(word.substring(0, colon))) {
      String field = word.substring(0, colon);
      addWords(reader, typed.get(field), field, word.substring(colon + 1), choices);
      return new Completion(from + colon + 1, best(choices));
    }
    if (word.isEmpty()) {
      return new Completion(from, List.of());
    }
    for (String field : fields) {
      if (field.startsWith(word)) {
        choices.add(new Choice(QueryParser.escape(field) + ":", "field", null));
      }
    }
    addWords(reader, null, Queries.DEFAULT_FIELD, word, choices);
    return new Completion(from, best(choices));
  }

  /** Returns the names of all fields that queries can ask about. */
  static Collection<String> fields(DirectoryReader reader, TypedFields typed) {
    Collection<String> fields = new TreeSet<>(FieldInfos.getIndexedFields(reader));
    typed.all().forEach(field -> fields.add(field.name()));
    return fields;
  }

  private static void addWords(
      DirectoryReader reader, TypedField typed, String field, String prefix, List<Choice> choices)
      throws IOException {
    Terms terms = MultiTerms.getTerms(reader, field);
    if (terms == null || typed != null && typed.type() != TypedField.Type.KEYWORD) {
      return;
    }
    String start = typed == null ? prefix.toLowerCase(Locale.ROOT) : prefix;
    TermsEnum each = terms.iterator();
    TermsEnum.SeekStatus found = each.seekCeil(new BytesRef(start));
    BytesRef term = found == TermsEnum.SeekStatus.END ? null : each.term();
    for (int i = 0; i < MAX_TERMS && term != null; i++) {
      String text = term.utf8ToString();
      if (!text.startsWith(start)) {
        return;
      }
      choices.add(new Choice(asQuery(text), "word", (long) each.docFreq()));
      term = each.next();
    }
  }

  /** Returns a term as a query has it: quoted if it would fall apart, else escaped. */
  private static String asQuery(String term) {
    return term.chars().anyMatch(Character::isWhitespace)
        ? '"' + term.replace("\\", "\\\\").replace("\"", "\\\"") + '"'
        : QueryParser.escape(term);
  }

  /** Fields come first, then the words in most documents. */
  private static List<Choice> best(List<Choice> choices) {
    return choices.stream()
        .sorted(
            Comparator.comparing((Choice choice) -> choice.docs() != null)
                .thenComparing(choice -> choice.docs() == null ? 0 : -choice.docs()))
        .limit(MAX_CHOICES)
        .toList();
  }
}
