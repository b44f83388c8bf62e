/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tables;

import java.util.Map;

/** Why figures and statements are missed with the profile of the paper's own drive. */
final class TableReasons {
  /** By the ID of a figure or the text of a statement. */
  static final Map<String, String> KNOWN = Map.of();

  private TableReasons() {}
}
