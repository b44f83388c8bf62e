/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.generate;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.apache.lucene.search.similarities.AfterEffectL;
import org.apache.lucene.search.similarities.AxiomaticF2LOG;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.BasicModelIn;
import org.apache.lucene.search.similarities.BooleanSimilarity;
import org.apache.lucene.search.similarities.ClassicSimilarity;
import org.apache.lucene.search.similarities.DFRSimilarity;
import org.apache.lucene.search.similarities.DistributionLL;
import org.apache.lucene.search.similarities.IBSimilarity;
import org.apache.lucene.search.similarities.LMDirichletSimilarity;
import org.apache.lucene.search.similarities.LMJelinekMercerSimilarity;
import org.apache.lucene.search.similarities.LambdaDF;
import org.apache.lucene.search.similarities.NormalizationH1;
import org.apache.lucene.search.similarities.NormalizationH2;
import org.apache.lucene.search.similarities.PerFieldSimilarityWrapper;
import org.apache.lucene.search.similarities.Similarity;

/** Random similarities, most of them BM25. */
public final class SimilarityGenerator {
  /** A subclass of BM25Similarity: it may score as it likes. */
  public static final class Bm25OfOurOwn extends BM25Similarity {
    Bm25OfOurOwn(float k1, float b) {
      super(k1, b);
    }

    @Override
    protected float idf(long docFreq, long docCount) {
      return 1f + (float) docCount / (docFreq + 1);
    }
  }

  private SimilarityGenerator() {}

  public static Similarity random(Random random, Schema schema) {
    return switch (random.nextInt(10)) {
      case 0, 1, 2, 3 -> new BM25Similarity();
      case 4, 5 -> bm25(random);
      case 6, 7 -> perField(random, schema);
      default -> one(random);
    };
  }

  static BM25Similarity bm25(Random random) {
    float k1 =
        switch (random.nextInt(6)) {
          case 0 -> 0f;
          case 1 -> 100f * random.nextFloat();
          case 2 -> 0.001f * random.nextFloat();
          default -> 3f * random.nextFloat();
        };
    float b =
        switch (random.nextInt(5)) {
          case 0 -> 0f;
          case 1 -> 1f;
          default -> random.nextFloat();
        };
    return new BM25Similarity(k1, b, random.nextBoolean());
  }

  private static Similarity one(Random random) {
    return switch (random.nextInt(10)) {
      case 4 -> new LMJelinekMercerSimilarity(0.01f + 0.98f * random.nextFloat());
      case 5 -> new DFRSimilarity(new BasicModelIn(), new AfterEffectL(), new NormalizationH2());
      case 6 -> new IBSimilarity(new DistributionLL(), new LambdaDF(), new NormalizationH1());
      case 7 -> new AxiomaticF2LOG();
      case 0 -> new ClassicSimilarity();
      case 1 -> new BooleanSimilarity();
      case 2 -> new Bm25OfOurOwn(2f * random.nextFloat(), random.nextFloat());
      case 3 -> new LMDirichletSimilarity();
      default -> bm25(random);
    };
  }

  private static Similarity perField(Random random, Schema schema) {
    Map<String, Similarity> byField = new HashMap<>();
    boolean bm25Only = random.nextBoolean();
    schema.texts().forEach(t -> byField.put(t.name(), bm25Only ? bm25(random) : one(random)));
    Similarity others = bm25(random);
    return new PerFieldSimilarityWrapper() {
      @Override
      public Similarity get(String field) {
        return byField.getOrDefault(field, others);
      }

      @Override
      public String toString() {
        return "PerField" + byField;
      }
    };
  }
}
