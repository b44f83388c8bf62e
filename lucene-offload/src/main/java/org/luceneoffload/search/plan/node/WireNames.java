/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan.node;

import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.Operator;

/** The names of the wire's numbers, as explanations show them. */
final class WireNames {
  private WireNames() {}

  static String op(int op) {
    return Operator.of(op).name();
  }

  static String occur(int occur) {
    return switch (occur) {
      case OffloadWire.Occur.MUST -> "MUST";
      case OffloadWire.Occur.FILTER -> "FILTER";
      case OffloadWire.Occur.SHOULD -> "SHOULD";
      default -> "MUST_NOT";
    };
  }
}
