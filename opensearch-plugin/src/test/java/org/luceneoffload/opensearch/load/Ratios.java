/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.load;

import java.util.Collection;

/** Means of ratios. */
final class Ratios {
  private Ratios() {}

  /** The geometric mean; of nothing, NaN. */
  static double mean(Collection<Double> ratios) {
    return Math.exp(ratios.stream().mapToDouble(Math::log).average().orElse(Double.NaN));
  }
}
