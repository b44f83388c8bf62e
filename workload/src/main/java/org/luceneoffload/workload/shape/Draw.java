/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload.shape;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.workload.Queries;

/**
 * The words of one query, drawn from those of an index: no word twice, unless there are too few.
 */
final class Draw {
  private static final int RARE = 0;
  private static final int MID = 1;
  private static final int FREQUENT = 2;

  /** Draws in vain after which the words count as used up, for each that is wanted. */
  private static final int TRIES = 50;

  private final IndexWords words;
  private final SplittableRandom random;
  private final Set<BytesRef> drawn = new HashSet<>();

  Draw(IndexWords words, long seed) {
    this.words = words;
    this.random = new SplittableRandom(seed);
  }

  private BytesRef draw(Supplier<BytesRef> source) {
    BytesRef word = source.get();
    for (int i = 0; i < TRIES && !drawn.add(word); i++) {
      word = source.get();
    }
    return word;
  }

  private static Query term(BytesRef word) {
    return new TermQuery(new Term(Queries.DEFAULT_FIELD, word));
  }

  /** Draws a word that less than 0.1 % of the documents have. */
  Query rare() {
    return term(rareWord());
  }

  BytesRef rareWord() {
    return draw(() -> words.ofRank(RARE, random));
  }

  /** Returns as many rare words. */
  List<BytesRef> rareWords(int count) {
    return Stream.generate(this::rareWord).limit(count).toList();
  }

  /** Draws a word that less than 2 % of the documents have. */
  Query mid() {
    return term(midWord());
  }

  BytesRef midWord() {
    return draw(() -> words.ofRank(MID, random));
  }

  /** Draws a word that 2 % of the documents have, or more. */
  Query frequent() {
    return term(frequentWord());
  }

  BytesRef frequentWord() {
    return draw(() -> words.ofRank(FREQUENT, random));
  }

  /** Draws one of the most frequent words of all. */
  BytesRef commonWord() {
    return draw(() -> words.common(random));
  }

  /** Draws different words as a document has them; fewer if the index has not as many. */
  List<BytesRef> text(int count) {
    Set<BytesRef> text = new LinkedHashSet<>();
    for (int i = 0; i < TRIES * count && text.size() < Math.min(count, words.size()); i++) {
      text.add(words.ofText(random));
    }
    return List.copyOf(text);
  }

  /**
   * Draws the rarest of about four times as many words of a text, which are typical of a document.
   */
  List<BytesRef> typical(int count) {
    List<BytesRef> text = words.rarestFirst(Set.copyOf(text(4 * count)));
    return text.subList(0, Math.min(count, text.size()));
  }

  /**
   * Returns words that follow each other in some title, or frequent ones if there are no titles.
   */
  List<String> phrase(int count) throws IOException {
    List<String> title = words.ofTitle(count, random);
    if (title != null) {
      return title;
    }
    List<String> phrase = new ArrayList<>();
    while (phrase.size() < count) {
      phrase.add(frequentWord().utf8ToString());
    }
    return phrase;
  }

  /**
   * Returns words that start alike, in the order of the dictionary; fewer if there are not as many.
   */
  List<BytesRef> startingWith(String start, int count) {
    return words.startingWith(new BytesRef(start), count);
  }

  /** Draws a number from 0 on. */
  int below(int limit) {
    return random.nextInt(limit);
  }

  /** Draws IDs of documents. */
  List<BytesRef> ids(int count) throws IOException {
    return words.ids(count, random);
  }
}
