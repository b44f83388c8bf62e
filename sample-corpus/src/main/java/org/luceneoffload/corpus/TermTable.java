/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.corpus;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/** Which plain words stand in which document bodies, as the standard analyzer sees them. */
final class TermTable {
  /** Words that need no escaping in a query and mean something to a reader. */
  private static final Pattern PLAIN_WORD = Pattern.compile("[a-z]{3,20}");

  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<String> terms = new ArrayList<>();
  private final List<int[]> docTerms = new ArrayList<>();
  private int[] docFreqs = new int[1024];
  private final Analyzer analyzer = new StandardAnalyzer();

  /** Adds a document's body. */
  void add(String body) {
    List<Integer> own = new ArrayList<>();
    try (TokenStream tokens = analyzer.tokenStream("body", body)) {
      CharTermAttribute text = tokens.addAttribute(CharTermAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) {
        String term = text.toString();
        if (PLAIN_WORD.matcher(term).matches()) {
          own.add(numberOf(term));
        }
      }
      tokens.end();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a string reader does not fail
    }
    int[] distinct = own.stream().mapToInt(Integer::intValue).sorted().distinct().toArray();
    for (int term : distinct) {
      docFreqs[term]++;
    }
    docTerms.add(distinct);
  }

  private int numberOf(String term) {
    Integer known = numbers.get(term);
    if (known != null) {
      return known;
    }
    int number = terms.size();
    numbers.put(term, number);
    terms.add(term);
    if (number == docFreqs.length) {
      docFreqs = Arrays.copyOf(docFreqs, 2 * number);
    }
    return number;
  }

  /** Returns how many documents were added. */
  int docCount() {
    return docTerms.size();
  }

  /** Returns the word of a number. */
  String term(int number) {
    return terms.get(number);
  }

  /** Returns how many documents a word stands in. */
  int docFreq(int number) {
    return docFreqs[number];
  }

  /** Returns the distinct words of a document, ascending by number. */
  int[] termsOf(int doc) {
    return docTerms.get(doc);
  }
}
