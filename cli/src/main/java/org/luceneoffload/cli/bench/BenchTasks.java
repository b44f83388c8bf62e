/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import java.io.IOException;

/** What is measured together, each on both sides. */
interface BenchTasks {
  /** Returns how many tasks there are. */
  int size();

  /** Runs one of them; returns its answer. */
  Object run(int task, boolean stock) throws IOException;

  /** Runs one of them; returns its microseconds. */
  double time(int task, boolean stock) throws IOException;

  /** Returns what a message about one of them begins with. */
  String where(int task);
}
