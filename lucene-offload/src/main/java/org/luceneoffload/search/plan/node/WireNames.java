/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan.node;

import org.luceneoffload.wire.OffloadWire;

/** The names of the wire's numbers, as explanations show them. */
final class WireNames {
  private WireNames() {}

  static String op(int op) {
    return switch (op) {
      case OffloadWire.Op.TERM -> "TERM";
      case OffloadWire.Op.ALL -> "ALL";
      case OffloadWire.Op.BOOL -> "BOOL";
      case OffloadWire.Op.CONST -> "CONST";
      case OffloadWire.Op.COLUMN_RANGE -> "COLUMN_RANGE";
      case OffloadWire.Op.COLUMN_IN -> "COLUMN_IN";
      case OffloadWire.Op.DIS_MAX -> "DIS_MAX";
      case OffloadWire.Op.PHRASE -> "PHRASE";
      case OffloadWire.Op.MULTI_PHRASE -> "MULTI_PHRASE";
      case OffloadWire.Op.DOC_SET -> "DOC_SET";
      case OffloadWire.Op.SYNONYM -> "SYNONYM";
      case OffloadWire.Op.COMBINED -> "COMBINED";
      case OffloadWire.Op.ORDERED_SPANS -> "ORDERED_SPANS";
      case OffloadWire.Op.UNORDERED_SPANS -> "UNORDERED_SPANS";
      case OffloadWire.Op.ORDERED_INTERVALS -> "ORDERED_INTERVALS";
      case OffloadWire.Op.UNORDERED_INTERVALS -> "UNORDERED_INTERVALS";
      case OffloadWire.Op.TABLE_TERM -> "TABLE_TERM";
      case OffloadWire.Op.FEATURE_TERM -> "FEATURE_TERM";
      default -> "NONE";
    };
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
