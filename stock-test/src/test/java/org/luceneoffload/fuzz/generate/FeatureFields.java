/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.generate;

import java.util.Random;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.FeatureField;
import org.apache.lucene.search.Query;
import org.luceneoffload.fuzz.base.Seeds;

/** Features of documents, and queries for them. */
final class FeatureFields {
  private static final String FIELD = "features";
  private static final String[] NAMES = {"rank", "stars", "rare", "absent"};

  private final Random random;

  FeatureFields(Random random) {
    this.random = random;
  }

  void addTo(Document document) {
    if (random.nextInt(8) > 0) {
      float rank = (float) Math.exp(3 * random.nextGaussian());
      document.add(new FeatureField(FIELD, NAMES[0], rank));
    }
    if (random.nextInt(4) == 0) {
      document.add(new FeatureField(FIELD, NAMES[1], 1 + random.nextInt(5)));
    }
    if (Seeds.oneIn(random, 100)) {
      document.add(new FeatureField(FIELD, NAMES[2], random.nextFloat() + 0.1f));
    }
  }

  Query query() {
    String name = NAMES[random.nextInt(Seeds.oneIn(random, 5) ? NAMES.length : 2)];
    float weight = 0.1f + 4 * random.nextFloat();
    float pivot = 0.1f + 5 * random.nextFloat();
    return switch (random.nextInt(4)) {
      case 0 -> FeatureField.newLinearQuery(FIELD, name, weight);
      case 1 -> FeatureField.newLogQuery(FIELD, name, weight, 1 + pivot);
      case 2 -> FeatureField.newSigmoidQuery(FIELD, name, weight, pivot, 0.3f + random.nextFloat());
      default -> FeatureField.newSaturationQuery(FIELD, name, weight, pivot);
    };
  }
}
