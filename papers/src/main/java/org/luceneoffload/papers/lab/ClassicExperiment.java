/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.lab;

import org.luceneoffload.papers.classic.Operation;

/**
 * A classic program on synthetic lists.
 *
 * @param operation what it does with them
 * @param ranked whether the ten best are chosen where the operation runs; otherwise the host ranks
 * @param workload the lists
 */
public record ClassicExperiment(Operation operation, boolean ranked, Workload workload) {
  /** Returns a text such as {@code ranked union}. */
  public String text() {
    return (ranked ? "ranked " : "") + operation.text();
  }
}
