/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload.shape;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;
import org.luceneoffload.workload.BenchClass;

/** The words of an index: of its bodies by how frequent they are, and of its stored titles. */
final class IndexWords {
  /** Words of a rank that queries are made of, at most. */
  private static final int MAX_OF_RANK = 500;

  /** A rare word that fewer documents have is a number or a misprint more often than not. */
  private static final int MIN_DOCS = 5;

  /** The most frequent words of all are so many. */
  private static final int COMMON = 5;

  /** Titles that are looked at for a phrase, at most. */
  private static final int TITLES = 200;

  /** A word and the number of documents that have it. */
  private record Word(BytesRef bytes, int docs) {}

  private final DirectoryReader reader;
  private final List<Word> words = new ArrayList<>(); // the rarest first
  private final long[] docsBefore; // sum over the words before each
  private final List<List<Word>> byRank =
      List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
  private final Analyzer analyzer = new StandardAnalyzer();

  IndexWords(DirectoryReader reader, String field) throws IOException {
    this.reader = reader;
    Terms terms = MultiTerms.getTerms(reader, field);
    if (terms != null) {
      TermsEnum at = terms.iterator();
      for (BytesRef term = at.next(); term != null; term = at.next()) {
        if (at.docFreq() >= MIN_DOCS) {
          words.add(new Word(BytesRef.deepCopyOf(term), at.docFreq()));
        }
      }
    }
    words.sort(Comparator.comparingInt(Word::docs).thenComparing(Word::bytes));
    docsBefore = new long[words.size() + 1];
    for (int i = 0; i < words.size(); i++) {
      docsBefore[i + 1] = docsBefore[i] + words.get(i).docs();
    }
    for (int rank = 0; rank < byRank.size(); rank++) {
      fill(rank);
    }
  }

  /** Takes words of a rank from all over it; those that come next to it if it has none. */
  private void fill(int rank) {
    int[] members =
        IntStream.range(0, words.size())
            .filter(i -> BenchClass.rank(words.get(i).docs(), reader.maxDoc()) == rank)
            .toArray();
    if (members.length == 0) {
      int n = words.size();
      int first = rank == 0 ? 0 : rank == 1 ? n / 2 : n - n / 10;
      members = IntStream.range(first, Math.min(n, first + n / 10 + 1)).toArray();
    }
    int step = Math.max(1, members.length / MAX_OF_RANK);
    for (int i = members.length - 1; i >= 0; i -= step) {
      byRank.get(rank).add(words.get(members[i]));
    }
  }

  /** Returns whether there are too few words to make queries of. */
  boolean isEmpty() {
    return words.size() < 10;
  }

  /** Returns how many words there are. */
  int size() {
    return words.size();
  }

  /** Returns a word of a rank, see {@link BenchClass#rank}. */
  BytesRef ofRank(int rank, SplittableRandom random) {
    List<Word> list = byRank.get(rank);
    return list.get(random.nextInt(list.size())).bytes();
  }

  /** Returns one of the most frequent words of all. */
  BytesRef common(SplittableRandom random) {
    return words.get(words.size() - 1 - random.nextInt(Math.min(COMMON, words.size()))).bytes();
  }

  /** Returns a word as a document has it: the more frequent, the likelier. */
  BytesRef ofText(SplittableRandom random) {
    long at = random.nextLong(docsBefore[words.size()]);
    int found = Arrays.binarySearch(docsBefore, at);
    return words.get(found >= 0 ? found : -found - 2).bytes();
  }

  /** Sorts words of this index, the rarest first. */
  List<BytesRef> rarestFirst(Set<BytesRef> some) {
    return words.stream().map(Word::bytes).filter(some::contains).toList();
  }

  /**
   * Returns words that start alike, in the order of the dictionary; fewer if there are not as many.
   */
  List<BytesRef> startingWith(BytesRef start, int count) {
    return words.stream()
        .map(Word::bytes)
        .filter(word -> StringHelper.startsWith(word, start))
        .sorted()
        .limit(count)
        .toList();
  }

  /**
   * Returns as many words that follow each other in the title of some document; null if none is
   * found.
   */
  List<String> ofTitle(int count, SplittableRandom random) throws IOException {
    StoredFields stored = reader.storedFields();
    for (int i = 0; i < TITLES && reader.maxDoc() > 0; i++) {
      String title = stored.document(random.nextInt(reader.maxDoc()), Set.of("title")).get("title");
      List<String> tokens = title == null ? List.of() : tokens(title);
      if (tokens.size() >= count) {
        int from = random.nextInt(tokens.size() - count + 1);
        return tokens.subList(from, from + count);
      }
    }
    return null;
  }

  private List<String> tokens(String text) throws IOException {
    List<String> tokens = new ArrayList<>();
    try (TokenStream stream = analyzer.tokenStream("title", text)) {
      CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
      stream.reset();
      while (stream.incrementToken()) {
        tokens.add(term.toString());
      }
      stream.end();
    }
    return tokens;
  }

  /**
   * Returns as many IDs of documents, as {@code ./offload index} stores them; fewer if there are
   * none.
   */
  List<BytesRef> ids(int count, SplittableRandom random) throws IOException {
    List<BytesRef> ids = new ArrayList<>();
    StoredFields stored = reader.storedFields();
    for (int i = 0; i < count && reader.maxDoc() > 0; i++) {
      String id = stored.document(random.nextInt(reader.maxDoc()), Set.of("id")).get("id");
      if (id != null) {
        ids.add(new BytesRef(id));
      }
    }
    return ids;
  }
}
