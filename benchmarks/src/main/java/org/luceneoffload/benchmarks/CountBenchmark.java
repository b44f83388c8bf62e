/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.benchmarks;

import org.luceneoffload.workload.BenchKind;

/** How long does the number of hits take? One thread, warm, all queries of a shape in turn. */
public class CountBenchmark extends QuestionBenchmark {
  /** Made by JMH. */
  public CountBenchmark() {
    super(BenchKind.COUNT);
  }
}
