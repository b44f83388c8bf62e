/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.benchmarks;

import org.luceneoffload.workload.BenchKind;

/**
 * How long do all doc IDs take, without scores? One thread, warm, all queries of a shape in turn.
 */
public class DocsBenchmark extends QuestionBenchmark {
  /** Made by JMH. */
  public DocsBenchmark() {
    super(BenchKind.DOCS);
  }
}
