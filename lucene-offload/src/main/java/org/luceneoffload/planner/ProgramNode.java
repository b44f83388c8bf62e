/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.planner;

import java.util.List;
import org.luceneoffload.wire.OffloadWire;

/**
 * A node of a plan as a planner sees it: what the dictionary says of its lists.
 *
 * @param op a value of {@link OffloadWire.Op}
 * @param occur the part it plays in its parent, a value of {@link OffloadWire.Occur}
 * @param minShould BOOL: least number of SHOULD children that must match
 * @param postings TERM: postings of its list; COLUMN_RANGE: docs that are expected to match
 * @param pages pages that hold the list, or that have to be read of the column; 0 if it is in the
 *     plan itself
 * @param children the children, in any order
 */
public record ProgramNode(
    int op, int occur, int minShould, int postings, int pages, List<ProgramNode> children) {
  /** Copies the children. */
  public ProgramNode {
    children = List.copyOf(children);
  }

  /** Returns a node of a posting list. */
  public static ProgramNode term(int occur, int postings, int pages) {
    return new ProgramNode(OffloadWire.Op.TERM, occur, 0, postings, pages, List.of());
  }

  /**
   * Returns a node of a range of a column.
   *
   * @param docs docs that are expected to match
   * @param pages pages that have to be read
   */
  public static ProgramNode column(int occur, int docs, int pages) {
    return new ProgramNode(OffloadWire.Op.COLUMN_RANGE, occur, 0, docs, pages, List.of());
  }

  /** Returns a Boolean node. */
  public static ProgramNode bool(int occur, int minShould, List<ProgramNode> children) {
    return new ProgramNode(OffloadWire.Op.BOOL, occur, minShould, 0, 0, children);
  }

  boolean isRequired() {
    return occur == OffloadWire.Occur.MUST || occur == OffloadWire.Occur.FILTER;
  }

  boolean isOptional() {
    return occur == OffloadWire.Occur.SHOULD;
  }

  boolean isProhibited() {
    return occur == OffloadWire.Occur.MUST_NOT;
  }
}
