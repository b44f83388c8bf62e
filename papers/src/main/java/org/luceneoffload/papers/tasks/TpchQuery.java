/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import org.luceneoffload.papers.classic.RowTask;

/** TPC-H's queries of the paper (algorithms 1 to 3), with the benchmark's validation parameters. */
enum TpchQuery {
  /** Pricing summary: groups by two flags, six sums. */
  Q1(RowTask.Program.QUERY_1),
  /** Forecast of revenue: one sum over a narrow filter. */
  Q6(RowTask.Program.QUERY_6),
  /** Effect of a promotion: a join with the parts, by a hash table of these. */
  Q14(RowTask.Program.QUERY_14);

  private final RowTask.Program program;

  TpchQuery(RowTask.Program program) {
    this.program = program;
  }

  /** Returns the program that runs over pages of LINEITEM. */
  RowTask.Program program() {
    return program;
  }
}
