/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.contract.csd;

import java.util.List;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Stock Lucene's answers from a storage node by the standard's own commands; in full runs. */
@EnabledIfSystemProperty(
    named = "tests.share",
    matches = "1",
    disabledReason = "the device contract is run by these commands; this is for -Pfull")
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
