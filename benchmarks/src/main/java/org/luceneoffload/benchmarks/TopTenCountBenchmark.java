/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.benchmarks;

import org.luceneoffload.workload.BenchKind;

/**
 * How long do the ten best hits take, with the exact count? One thread, warm, all queries of a
 * shape in turn.
 */
public class TopTenCountBenchmark extends QuestionBenchmark {
  /** Made by JMH. */
  public TopTenCountBenchmark() {
    super(BenchKind.TOP_10_COUNT);
  }
}
