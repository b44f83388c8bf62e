/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.shrink;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.Query;
import org.luceneoffload.fuzz.generate.Action;
import org.luceneoffload.fuzz.probe.FailingQuestion;
import org.luceneoffload.fuzz.run.FailedRound;
import org.luceneoffload.fuzz.run.RoundRunner;

/** Looks for a smaller round that fails like a given one, within limits. */
public final class Shrinker {
  private final RoundRunner rounds;
  private final long deadline;
  private final int tries;
  private int runs;

  /**
   * @param seconds to spend
   * @param tries how often a smaller round is run before it counts as sound
   */
  public Shrinker(RoundRunner rounds, int seconds, int tries) {
    this.rounds = rounds;
    this.deadline = System.nanoTime() + seconds * 1_000_000_000L;
    this.tries = tries;
  }

  /** How many rounds it took. */
  public int runs() {
    return runs;
  }

  /**
   * The smallest failure that was found.
   *
   * @return the failure itself if it does not come again
   */
  public FailedRound shrink(FailedRound failure) throws IOException {
    FailedRound smallest = failure;
    List<Action> actions = failure.recipe().actions();
    int end = Math.min(actions.size(), failure.action() + 1);
    List<Action> upTo = actions.subList(0, end);
    FailedRound shorter = again(failure, upTo, failure.focus());
    if (shorter != null) {
      smallest = shorter;
    }
    smallest = fewerActions(smallest);
    smallest = smallerActions(smallest);
    smallest = smallerQuery(smallest);
    return fewerActions(smallest);
  }

  private FailedRound fewerActions(FailedRound failure) throws IOException {
    FailedRound smallest = failure;
    int chunk = Math.max(1, smallest.recipe().actions().size() / 2);
    for (; chunk >= 1; chunk /= 2) {
      for (int from = smallest.recipe().actions().size() - 1 - chunk; from >= 0; from -= chunk) {
        List<Action> fewer = new ArrayList<>(smallest.recipe().actions());
        if (from + chunk >= fewer.size()) {
          continue;
        }
        fewer.subList(from, from + chunk).clear();
        FailedRound next = again(smallest, fewer, smallest.focus());
        smallest = next == null ? smallest : next;
      }
    }
    return smallest;
  }

  private FailedRound smallerActions(FailedRound failure) throws IOException {
    FailedRound smallest = failure;
    for (int i = 0; i < smallest.recipe().actions().size(); i++) {
      if (smallest.recipe().actions().get(i).kind() == Action.Kind.SEARCH) {
        continue;
      }
      for (int size = smallest.recipe().actions().get(i).size(); size > 1; size -= (size + 3) / 4) {
        List<Action> less = new ArrayList<>(smallest.recipe().actions());
        less.set(i, less.get(i).withSize(size - (size + 3) / 4));
        FailedRound next = again(smallest, less, smallest.focus());
        if (next == null) {
          break;
        }
        smallest = next;
      }
    }
    return smallest;
  }

  private FailedRound smallerQuery(FailedRound failure) throws IOException {
    FailedRound smallest = failure;
    boolean found = smallest.focus() != null;
    while (found) {
      found = false;
      for (Query query : QueryShrinker.smaller(smallest.focus().query())) {
        FailedRound next =
            again(smallest, smallest.recipe().actions(), smallest.focus().withQuery(query));
        if (next != null) {
          smallest = next;
          found = true;
          break;
        }
      }
    }
    return smallest;
  }

  private FailedRound again(FailedRound like, List<Action> actions, FailingQuestion focus)
      throws IOException {
    for (int i = 0; i < tries && System.nanoTime() < deadline; i++) {
      runs++;
      FailedRound failure = rounds.run(like.recipe().withActions(actions), focus);
      if (failure != null && failure.isLike(like)) {
        return failure;
      }
    }
    return null;
  }
}
