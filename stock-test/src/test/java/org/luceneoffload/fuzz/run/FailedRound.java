/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.run;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.luceneoffload.fuzz.generate.Recipe;
import org.luceneoffload.fuzz.probe.Difference;
import org.luceneoffload.fuzz.probe.FailingQuestion;

/**
 * The failure of a round.
 *
 * @param recipe the round
 * @param action number of the action; the number of actions: what follows the last of them
 * @param focus the question; null: no question went wrong, but something else
 * @param setup how it was asked; null if it was not
 * @param error the difference, or what was thrown
 */
public record FailedRound(
    Recipe recipe, int action, FailingQuestion focus, String setup, Throwable error) {
  /** The whole story. */
  public String story() {
    StringWriter stack = new StringWriter();
    if (error instanceof Difference) {
      stack.write(error.getMessage());
    } else {
      error.printStackTrace(new PrintWriter(stack));
    }
    String step =
        action < recipe.actions().size()
            ? "action " + action + ", " + recipe.actions().get(action)
            : "the end";
    return recipe
        + "\nfailed in "
        + step
        + (focus == null ? "" : "\nquery: " + focus.query() + "\nasked by: " + focus.probe())
        + (setup == null ? "" : "\nsetup: " + setup)
        + "\n"
        + stack;
  }

  /** Returns whether another failure is most likely the same fault. */
  public boolean isLike(FailedRound other) {
    return other.error.getClass() == error.getClass()
        && (focus == null) == (other.focus == null)
        && (focus == null || focus.probe() == other.focus.probe());
  }
}
