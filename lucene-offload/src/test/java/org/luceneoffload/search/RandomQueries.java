/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.SynonymQuery;
import org.apache.lucene.search.TermQuery;

/** Random queries: of the kinds that plans express, or with parts that they do not. */
final class RandomQueries {
  private final Random random;
  private final RandomIndex index;

  RandomQueries(Random random, RandomIndex index) {
    this.random = random;
    this.index = index;
  }

  /** A query that plans can express. */
  Query expressible() {
    return query(random.nextInt(4), false);
  }

  /** A Boolean query with at least one part that plans cannot express. */
  Query mixed() {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    builder.add(foreign(), random.nextBoolean() ? Occur.MUST : Occur.SHOULD);
    int clauses = 1 + random.nextInt(3);
    for (int i = 0; i < clauses; i++) {
      builder.add(query(1 + random.nextInt(2), random.nextInt(4) == 0), occur());
    }
    return builder.build();
  }

  private Query query(int depth, boolean mayBeForeign) {
    if (mayBeForeign && random.nextInt(4) == 0) {
      return foreign();
    }
    if (depth == 0) {
      return leaf();
    }
    return switch (random.nextInt(14)) {
      case 0 -> new BoostQuery(query(depth - 1, mayBeForeign), boost());
      case 1 -> new ConstantScoreQuery(query(depth - 1, mayBeForeign));
      case 2 -> new BoostQuery(new ConstantScoreQuery(query(depth - 1, mayBeForeign)), boost());
      case 3, 4 -> disMax(depth, mayBeForeign);
      default -> bool(depth, mayBeForeign);
    };
  }

  private float boost() {
    return switch (random.nextInt(6)) {
      case 0 -> 0f;
      case 1 -> 1f;
      default -> random.nextFloat() * 10;
    };
  }

  private Query bool(int depth, boolean mayBeForeign) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    int clauses = 1 + random.nextInt(random.nextInt(8) == 0 ? 12 : 5);
    int optional = 0;
    for (int i = 0; i < clauses; i++) {
      Occur occur = occur();
      optional += occur == Occur.SHOULD ? 1 : 0;
      builder.add(query(random.nextInt(depth), mayBeForeign), occur);
    }
    if (optional > 0 && random.nextInt(3) == 0) {
      builder.setMinimumNumberShouldMatch(random.nextInt(optional + 1));
    }
    return builder.build();
  }

  private Query disMax(int depth, boolean mayBeForeign) {
    List<Query> disjuncts = new ArrayList<>();
    int count = 1 + random.nextInt(random.nextInt(8) == 0 ? 20 : 4);
    for (int i = 0; i < count; i++) {
      disjuncts.add(query(random.nextInt(depth), mayBeForeign));
    }
    float tieBreaker = random.nextInt(8) == 0 ? 1f : random.nextFloat();
    return new DisjunctionMaxQuery(disjuncts, random.nextInt(3) == 0 ? 0f : tieBreaker);
  }

  private Occur occur() {
    int dice = random.nextInt(10);
    return dice < 5
        ? Occur.SHOULD
        : dice < 8 ? Occur.MUST : dice < 9 ? Occur.FILTER : Occur.MUST_NOT;
  }

  private Query leaf() {
    int dice = random.nextInt(40);
    if (dice == 0) {
      return MatchAllDocsQuery.INSTANCE;
    }
    if (dice == 1) {
      return MatchNoDocsQuery.INSTANCE;
    }
    if (dice == 2) {
      return new TermQuery(new Term(random.nextBoolean() ? "body" : "nofield", "nothere"));
    }
    if (dice < 9) {
      return phrase();
    }
    String field = RandomIndex.FIELDS[Math.max(0, random.nextInt(7) - 3)];
    if (dice < 12) {
      return synonym(field);
    }
    return new TermQuery(new Term(field, index.word()));
  }

  /** An exact phrase, mostly of words that follow each other; gaps, and words at one place, too. */
  private Query phrase() {
    PhraseQuery.Builder builder = new PhraseQuery.Builder();
    String field = RandomIndex.FIELDS[random.nextInt(3)];
    int terms = random.nextInt(12) == 0 ? random.nextInt(8) : 2 + random.nextInt(3);
    int place = random.nextInt(3) == 0 ? random.nextInt(4) : 0;
    for (int i = 0; i < terms; i++) {
      builder.add(new Term(field, index.word()), place);
      place += random.nextInt(4) == 0 ? random.nextInt(3) : 1;
    }
    return builder.build();
  }

  /** Terms as one: with factors at most two, whose frequencies have one sum. */
  private Query synonym(String field) {
    SynonymQuery.Builder builder = new SynonymQuery.Builder(field);
    boolean weighted = random.nextBoolean();
    int count = 1 + random.nextInt(weighted ? 2 : 4);
    for (int i = 0; i < count; i++) {
      String word = random.nextInt(8) == 0 ? "nothere" : index.word();
      builder.addTerm(new Term(field, word), weighted ? 1f - random.nextFloat() : 1f);
    }
    return builder.build();
  }

  private Query foreign() {
    return switch (random.nextInt(3)) {
      case 0 -> IntPoint.newRangeQuery("point", random.nextInt(50), 50 + random.nextInt(50));
      case 1 -> IntPoint.newExactQuery("point", random.nextInt(100));
      default -> new PhraseQuery(2, "body", index.word(), index.word());
    };
  }
}
