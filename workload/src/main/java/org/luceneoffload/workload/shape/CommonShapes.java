/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload.shape;

import static org.luceneoffload.workload.shape.Clauses.constant;
import static org.luceneoffload.workload.shape.Clauses.or;
import static org.luceneoffload.workload.shape.Clauses.orOfWords;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.workload.Queries;

/**
 * Queries that have one of the most frequent words of all beside others, in every form, as people
 * type them: what goes through its list has lost.
 */
final class CommonShapes {
  private static final String BODY = Queries.DEFAULT_FIELD;

  private CommonShapes() {}

  /** Adds the best hits of each. */
  static void add(ShapeList list) throws IOException {
    list.top("a common word", d -> word(d.commonWord()))
        .top("common mid rare, any", d -> or(word(d.commonWord()), d.mid(), d.rare()))
        .top("dis-max of a common word", d -> OtherShapes.bothFields(d.commonWord()))
        .top(
            "dis-max each of common mid rare, any",
            d ->
                or(
                    OtherShapes.bothFields(d.commonWord()),
                    OtherShapes.bothFields(d.midWord()),
                    OtherShapes.bothFields(d.rareWord())))
        .top("best field of common mid rare, any", CommonShapes::bestField)
        .top(
            "synonyms of a common and a rare word",
            d -> OtherShapes.synonyms(d.commonWord(), d.rareWord()))
        .top(
            "synonyms of a common and a mid word, or a mid word",
            d -> or(OtherShapes.synonyms(d.commonWord(), d.midWord()), d.mid()))
        .top(
            "combined fields each of common mid, any",
            d -> or(OtherShapes.combined(d.commonWord()), OtherShapes.combined(d.midWord())))
        .top(
            "constant scores of common mid rare, any",
            d -> or(constant(word(d.commonWord())), constant(d.mid()), constant(d.rare())))
        .top(
            "2 of common mid mid",
            d -> orOfWords(List.of(d.commonWord(), d.midWord(), d.midWord()), 2))
        .top("common mid, any, or the phrase", CommonShapes::wordsAndPhrase);
  }

  private static Query word(BytesRef word) {
    return new TermQuery(new Term(BODY, word));
  }

  /** Returns a dis-max of what two fields score for the same words. */
  private static Query bestField(Draw draw) {
    List<BytesRef> words = List.of(draw.commonWord(), draw.midWord(), draw.rareWord());
    Query[] titles =
        words.stream().map(word -> new TermQuery(new Term("title", word))).toArray(Query[]::new);
    return new DisjunctionMaxQuery(
        List.of(new BoostQuery(or(titles), 2), orOfWords(words, 1)), 0.1f);
  }

  private static Query wordsAndPhrase(Draw draw) {
    BytesRef common = draw.commonWord();
    BytesRef mid = draw.midWord();
    return or(word(common), word(mid), new BoostQuery(new PhraseQuery(BODY, common, mid), 2));
  }
}
