/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload.shape;

import static org.luceneoffload.workload.shape.Clauses.all;
import static org.luceneoffload.workload.shape.Clauses.allBut;
import static org.luceneoffload.workload.shape.Clauses.and;
import static org.luceneoffload.workload.shape.Clauses.constant;
import static org.luceneoffload.workload.shape.Clauses.filtered;
import static org.luceneoffload.workload.shape.Clauses.filters;
import static org.luceneoffload.workload.shape.Clauses.or;
import static org.luceneoffload.workload.shape.Clauses.orOfWords;

import java.io.IOException;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;

/** Shapes of terms alone, and of what is asked of them. */
final class TextShapes {
  private TextShapes() {}

  /** Adds queries of which many hits score the same, so that the first ones are the best. */
  static void equalScores(ShapeList list) throws IOException {
    list.top("*:*", d -> all())
        .top("*:* -frequent", d -> allBut(d.frequent()))
        .top("*:* -mid", d -> allBut(d.mid()))
        .top("*:* -rare", d -> allBut(d.rare()))
        .add("*:* -mid, k = 1000", SearchCall.top(1000), d -> allBut(d.mid()))
        .add("*:* -mid, top 10 and count", SearchCall.TOP_10_COUNT, d -> allBut(d.mid()))
        .add("*:* -frequent, count", SearchCall.COUNT, d -> allBut(d.frequent()))
        .top("const(frequent)", d -> constant(d.frequent()))
        .top("const(mid)", d -> constant(d.mid()))
        .top("const(frequent mid)", d -> constant(or(d.frequent(), d.mid())))
        .top("const(frequent frequent)", d -> constant(or(d.frequent(), d.frequent())))
        .top("const(+frequent +frequent)", d -> constant(and(d.frequent(), d.frequent())))
        .top("const(+mid +rare)", d -> constant(and(d.mid(), d.rare())))
        .top("const(100 words)", d -> constant(orOfWords(d.text(100), 0)))
        .top("#frequent #frequent", d -> filters(d.frequent(), d.frequent()))
        .top("#(mid mid)", d -> filters(or(d.mid(), d.mid())))
        .top(
            "#frequent -mid",
            d -> new Clauses().add(Occur.FILTER, d.frequent()).add(Occur.MUST_NOT, d.mid()).build())
        .top(
            "const(frequent)^2 const(mid)",
            d -> or(new BoostQuery(constant(d.frequent()), 2), constant(d.mid())))
        .add(
            "frequent frequent mid, 1 each, top 10",
            SearchCall.TOP_10_OF_ONES,
            d -> or(d.frequent(), d.frequent(), d.mid()))
        .add(
            "frequent frequent frequent mid, 1 each, top 10",
            SearchCall.TOP_10_OF_ONES,
            d -> or(d.frequent(), d.frequent(), d.frequent(), d.mid()))
        .add(
            "mid mid mid, 1 each, top 10",
            SearchCall.TOP_10_OF_ONES,
            d -> or(d.mid(), d.mid(), d.mid()))
        .add("frequent, 1 each, top 10", SearchCall.TOP_10_OF_ONES, Draw::frequent)
        .top("*:* mid", d -> or(all(), d.mid()))
        .top(
            "+*:* mid frequent",
            d ->
                new Clauses()
                    .add(Occur.MUST, all())
                    .add(Occur.SHOULD, d.mid(), d.frequent())
                    .build());
  }

  /** Adds queries of few to very many optional terms. */
  static void disjunctions(ShapeList list) throws IOException {
    for (int words : new int[] {2, 5, 10, 20, 40, 60, 100, 200, 400, 800}) {
      list.top("OR of " + words + " words", d -> orOfWords(d.text(words), 0));
    }
    list.add(
            "OR of 100 words, top 10 and count",
            SearchCall.TOP_10_COUNT,
            d -> orOfWords(d.text(100), 0))
        .add(
            "OR of 400 words, top 10 and count",
            SearchCall.TOP_10_COUNT,
            d -> orOfWords(d.text(400), 0))
        .add("OR of 100 words, count", SearchCall.COUNT, d -> orOfWords(d.text(100), 0))
        .add("OR of 100 words, all hits", SearchCall.DOCS, d -> orOfWords(d.text(100), 0))
        .add("OR of 100 words, k = 1000", SearchCall.top(1000), d -> orOfWords(d.text(100), 0))
        .top("30 of 100 words", d -> orOfWords(d.text(100), 30))
        .top("2 of 20 words", d -> orOfWords(d.text(20), 2))
        .top("more like this, 25 terms", d -> orOfWords(d.typical(25), 0))
        .top("more like this, 100 terms", d -> orOfWords(d.typical(100), 0))
        .top("+mid (40 words)", d -> filteredBy(d, 40, Occur.SHOULD))
        .top("+mid +(40 words)", d -> filteredBy(d, 40, Occur.MUST))
        .top("+frequent #(100 words)", d -> filtered(d.frequent(), orOfWords(d.text(100), 0)))
        .top("rare rare", d -> or(d.rare(), d.rare()))
        .top("frequent rare", d -> or(d.frequent(), d.rare()))
        .top("mid (+frequent +frequent)", d -> or(d.mid(), and(d.frequent(), d.frequent())))
        .top(
            "(+frequent +frequent) (+frequent +mid)",
            d -> or(and(d.frequent(), d.frequent()), and(d.frequent(), d.mid())))
        .top("frequent (+frequent -mid)", d -> or(d.frequent(), without(d.frequent(), d.mid())));
  }

  private static Query without(Query query, Query prohibited) {
    return new Clauses().add(Occur.MUST, query).add(Occur.MUST_NOT, prohibited).build();
  }

  private static Query filteredBy(Draw d, int words, Occur occur) {
    return new Clauses().add(Occur.MUST, d.mid()).add(occur, orOfWords(d.text(words), 0)).build();
  }

  /** Adds searches for many hits, and for hits after others. */
  static void paging(ShapeList list) throws IOException {
    for (int k : new int[] {100, 1000, 10_000}) {
      list.add("frequent, k = " + k, SearchCall.top(k), d -> d.frequent())
          .add(
              "frequent frequent, k = " + k, SearchCall.top(k), d -> or(d.frequent(), d.frequent()))
          .add("frequent mid, k = " + k, SearchCall.top(k), d -> or(d.frequent(), d.mid()))
          .add("mid rare, k = " + k, SearchCall.top(k), d -> or(d.mid(), d.rare()))
          .add(
              "+frequent +frequent, k = " + k,
              SearchCall.top(k),
              d -> and(d.frequent(), d.frequent()))
          .add("+frequent +mid, k = " + k, SearchCall.top(k), d -> and(d.frequent(), d.mid()));
    }
    list.add(
            "frequent mid, 10 pages of 10",
            SearchCall.pages(10, 10),
            d -> or(d.frequent(), d.mid()))
        .add(
            "frequent mid, 10 pages of 100",
            SearchCall.pages(10, 100),
            d -> or(d.frequent(), d.mid()))
        .add(
            "+frequent +mid, 10 pages of 10",
            SearchCall.pages(10, 10),
            d -> and(d.frequent(), d.mid()))
        .add("frequent, 10 pages of 100", SearchCall.pages(10, 100), d -> d.frequent())
        .add("*:* -mid, 10 pages of 100", SearchCall.pages(10, 100), d -> allBut(d.mid()));
  }

  /**
   * Adds searches by stock's managers, and by collectors that want everything or next to nothing.
   */
  static void collectors(ShapeList list) throws IOException {
    SearchCall manager = SearchCall.manager(10, 1000);
    SearchCall sorted = SearchCall.sorted(10, Sort.INDEXORDER);
    list.add("frequent, manager(10, 1000)", manager, Draw::frequent)
        .add("frequent rare, manager(10, 1000)", manager, d -> or(d.frequent(), d.rare()))
        .add("frequent frequent, manager(10, 1000)", manager, d -> or(d.frequent(), d.frequent()))
        .add("+frequent +mid, manager(10, 1000)", manager, d -> and(d.frequent(), d.mid()))
        .add("const(frequent), manager(10, 1000)", manager, d -> constant(d.frequent()))
        .add("frequent mid, exact manager", SearchCall.TOP_10_COUNT, d -> or(d.frequent(), d.mid()))
        .add(
            "+frequent +mid, exact manager",
            SearchCall.TOP_10_COUNT,
            d -> and(d.frequent(), d.mid()))
        .add("frequent mid, all hits", SearchCall.DOCS, d -> or(d.frequent(), d.mid()))
        .add("rare rare, all hits", SearchCall.DOCS, d -> or(d.rare(), d.rare()))
        .add("*:* -mid, all hits", SearchCall.DOCS, d -> allBut(d.mid()))
        .add("frequent, first hit", SearchCall.first(1), Draw::frequent)
        .add("frequent mid, first hit", SearchCall.first(1), d -> or(d.frequent(), d.mid()))
        .add("+frequent +mid, first hit", SearchCall.first(1), d -> and(d.frequent(), d.mid()))
        .add("frequent, first 100 hits", SearchCall.first(100), Draw::frequent)
        .add("frequent mid, first 100 hits", SearchCall.first(100), d -> or(d.frequent(), d.mid()))
        .add("frequent, in index order", sorted, Draw::frequent)
        .add("frequent mid, in index order", sorted, d -> or(d.frequent(), d.mid()));
  }
}
