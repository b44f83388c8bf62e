/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload.shape;

import static org.luceneoffload.workload.shape.Clauses.and;
import static org.luceneoffload.workload.shape.Clauses.filtered;
import static org.luceneoffload.workload.shape.Clauses.or;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.lucene.document.FeatureField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.BytesRef;

/**
 * Queries of learned sparse vectors: the weightiest features of some documents, for all of which
 * there is a linear query.
 */
public final class FeatureShapes {
  /** The field of the features; an index without it has no such shapes. */
  public static final String FIELD = "vector";

  private static final int DOCS = 24; // whose vectors are read
  private static final int[] COUNTS = {3, 5, 10, 20, 30, 60, 120};

  private record Feature(String name, float value) {}

  private static final int COMMON = 8;

  private final List<List<Feature>> vectors = new ArrayList<>(); // the weightiest features first
  private final Map<String, Integer> docs = new HashMap<>(); // that have a feature
  private List<String> common = List.of();

  private FeatureShapes() {}

  static void add(ShapeList list, DirectoryReader reader) throws IOException {
    FeatureShapes features = new FeatureShapes();
    features.read(reader);
    if (features.vectors.isEmpty()) {
      return;
    }
    for (int count : COUNTS) {
      list.top(count + " features", d -> or(features.draw(d, count)))
          .add(count + " features, top 100", SearchCall.top(100), d -> or(features.draw(d, count)));
    }
    list.top("1 feature", d -> features.draw(d, 1)[0])
        .add("30 features, top 1000", SearchCall.top(1000), d -> or(features.draw(d, 30)))
        .add("30 features, top 10 + count", SearchCall.TOP_10_COUNT, d -> or(features.draw(d, 30)))
        .top("+feature +feature", d -> and(features.draw(d, 2)))
        .top("dis-max of 2 features", d -> disMax(features.draw(d, 2)))
        .top("dis-max of 10 features", d -> disMax(features.draw(d, 10)))
        .top("1 common feature", features::common)
        .top(
            "3 common features",
            d -> or(features.common(d), features.common(d), features.common(d)))
        .top("+frequent common feature", d -> mustAndShould(d.frequent(), features.common(d)))
        .top("+mid common feature", d -> mustAndShould(d.mid(), features.common(d)))
        .top("frequent common feature", d -> or(d.frequent(), features.common(d)))
        .top("frequent mid common feature", d -> or(d.frequent(), d.mid(), features.common(d)))
        .top("frequent mid feature", d -> or(d.frequent(), d.mid(), features.draw(d, 1)[0]))
        .top(
            "(frequent mid) (10 features)",
            d -> or(or(d.frequent(), d.mid()), or(features.draw(d, 10))))
        .top("frequent mid 10 features", d -> beside(features.draw(d, 10), d.frequent(), d.mid()))
        .top("30 features, 3 must match", d -> some(features.draw(d, 30), 3))
        .top("30 features #mid", d -> filtered(or(features.draw(d, 30)), d.mid()));
  }

  private void read(DirectoryReader reader) throws IOException {
    for (LeafReaderContext leaf : reader.leaves()) {
      Terms terms = leaf.reader().terms(FIELD);
      int fromHere = DOCS / reader.leaves().size();
      if (terms == null || fromHere == 0) {
        continue;
      }
      int[] wanted =
          new SplittableRandom(1)
              .ints(fromHere, 0, leaf.reader().maxDoc())
              .sorted()
              .distinct()
              .toArray();
      List<List<Feature>> found = new ArrayList<>();
      Arrays.stream(wanted).forEach(doc -> found.add(new ArrayList<>()));
      TermsEnum at = terms.iterator();
      PostingsEnum postings = null;
      for (BytesRef term = at.next(); term != null; term = at.next()) {
        docs.merge(term.utf8ToString(), at.docFreq(), Integer::sum);
        postings = at.postings(postings, PostingsEnum.FREQS);
        for (int i = 0; i < wanted.length; i++) {
          int doc = postings.docID() < wanted[i] ? postings.advance(wanted[i]) : postings.docID();
          if (doc == wanted[i]) {
            float value = Float.intBitsToFloat(postings.freq() << 15);
            found.get(i).add(new Feature(term.utf8ToString(), value));
          }
        }
      }
      found.forEach(vector -> vector.sort(Comparator.comparing(Feature::value).reversed()));
      found.stream().filter(vector -> !vector.isEmpty()).forEach(vectors::add);
    }
    Comparator<Map.Entry<String, Integer>> byDocs = Map.Entry.comparingByValue();
    Stream<Map.Entry<String, Integer>> sorted = docs.entrySet().stream().sorted(byDocs.reversed());
    common = sorted.limit(COMMON).map(Map.Entry::getKey).toList();
  }

  /** Draws linear queries of the weightiest features of a document, of weights near theirs. */
  private Query[] draw(Draw draw, int count) {
    List<Feature> vector = vectors.get(draw.below(vectors.size()));
    Query[] queries = new Query[Math.min(count, vector.size())];
    for (int i = 0; i < queries.length; i++) {
      Feature feature = vector.get(i);
      float weight = Math.clamp(feature.value * (50 + draw.below(100)) / 100, 0.01f, 64f);
      queries[i] = FeatureField.newLinearQuery(FIELD, feature.name, weight);
    }
    return queries;
  }

  /** Draws a linear query of one of the features that most documents have. */
  private Query common(Draw draw) {
    return FeatureField.newLinearQuery(FIELD, common.get(draw.below(common.size())), 1f);
  }

  private static Query mustAndShould(Query must, Query should) {
    return new Clauses().add(Occur.MUST, must).add(Occur.SHOULD, should).build();
  }

  private static Query disMax(Query... queries) {
    return new DisjunctionMaxQuery(List.of(queries), 0.1f);
  }

  private static Query beside(Query[] queries, Query... others) {
    return or(Stream.of(others, queries).flatMap(Stream::of).toArray(Query[]::new));
  }

  private static Query some(Query[] queries, int minShould) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    Stream.of(queries).forEach(query -> builder.add(query, Occur.SHOULD));
    return builder.setMinimumNumberShouldMatch(minShould).build();
  }
}
