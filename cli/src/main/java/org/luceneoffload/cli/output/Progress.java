/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.output;

/** Is told how far work is that takes a while. */
@FunctionalInterface
public interface Progress {
  /** Is told, and shows nothing. */
  Progress NONE = (step, done, total) -> {};

  /**
   * Is told what runs now.
   *
   * @param done parts of the work that are done, this one not; a smaller share than before begins
   *     another work
   * @param total parts of the work; 0: not known
   */
  void tell(String step, int done, int total);

  /** Is told what runs now; how far that is, is not known. */
  default void tell(String step) {
    tell(step, 0, 0);
  }
}
