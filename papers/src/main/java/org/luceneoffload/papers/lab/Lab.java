/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.lab;

import java.io.IOException;

/** Runs experiments under one profile. */
@FunctionalInterface
public interface Lab {
  /**
   * Runs an experiment.
   *
   * @return what both sides would take
   * @throws IOException naming what is wrong, if the model refuses it
   */
  Modelled run(ClassicExperiment experiment) throws IOException;
}
