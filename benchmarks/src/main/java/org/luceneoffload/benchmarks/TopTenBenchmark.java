/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.benchmarks;

import org.luceneoffload.workload.BenchKind;

/**
 * How long do the ten best hits take, counted up to 1,000? One thread, warm, all queries of a shape
 * in turn.
 */
public class TopTenBenchmark extends QuestionBenchmark {
  /** Made by JMH. */
  public TopTenBenchmark() {
    super(BenchKind.TOP_10);
  }
}
