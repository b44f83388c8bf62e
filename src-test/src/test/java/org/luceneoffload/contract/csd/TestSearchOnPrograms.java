/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract.csd;

import java.util.List;

/** Stock Lucene's answers from a storage node by the standard's own commands. */
class TestSearchOnPrograms extends TestSearchOnCsd {
  @Override
  List<String> nodeOptions() {
    return List.of("--programs", "512M");
  }

  @Override
  String hostOptions() {
    return super.hostOptions() + ",commands=programs";
  }
}
