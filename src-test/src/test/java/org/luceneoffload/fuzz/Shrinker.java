/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.Query;

/** Looks for a smaller round that fails like a given one, within limits. */
final class Shrinker {
  private final RoundRunner rounds;
  private final long deadline;
  private final int tries;
  private int runs;

  /**
   * @param seconds to spend
   * @param tries how often a smaller round is run before it counts as sound
   */
  Shrinker(RoundRunner rounds, int seconds, int tries) {
    this.rounds = rounds;
    this.deadline = System.nanoTime() + seconds * 1_000_000_000L;
    this.tries = tries;
  }

  /** How many rounds it took. */
  int runs() {
    return runs;
  }

  /**
   * The smallest failure that was found.
   *
   * @return the failure itself if it does not come again
   */
  Failure shrink(Failure failure) throws IOException {
    Failure smallest = failure;
    List<Action> actions = failure.recipe().actions();
    int end = Math.min(actions.size(), failure.action() + 1);
    List<Action> upTo = actions.subList(0, end);
    Failure shorter = again(failure, upTo, failure.focus());
    if (shorter != null) {
      smallest = shorter;
    }
    smallest = fewerActions(smallest);
    smallest = smallerActions(smallest);
    smallest = smallerQuery(smallest);
    return fewerActions(smallest);
  }

  private Failure fewerActions(Failure failure) throws IOException {
    Failure smallest = failure;
    int chunk = Math.max(1, smallest.recipe().actions().size() / 2);
    for (; chunk >= 1; chunk /= 2) {
      for (int from = smallest.recipe().actions().size() - 1 - chunk; from >= 0; from -= chunk) {
        List<Action> fewer = new ArrayList<>(smallest.recipe().actions());
        if (from + chunk >= fewer.size()) {
          continue;
        }
        fewer.subList(from, from + chunk).clear();
        Failure next = again(smallest, fewer, smallest.focus());
        smallest = next == null ? smallest : next;
      }
    }
    return smallest;
  }

  private Failure smallerActions(Failure failure) throws IOException {
    Failure smallest = failure;
    for (int i = 0; i < smallest.recipe().actions().size(); i++) {
      if (smallest.recipe().actions().get(i).kind() == Action.Kind.SEARCH) {
        continue;
      }
      for (int size = smallest.recipe().actions().get(i).size(); size > 1; size -= (size + 3) / 4) {
        List<Action> less = new ArrayList<>(smallest.recipe().actions());
        less.set(i, less.get(i).withSize(size - (size + 3) / 4));
        Failure next = again(smallest, less, smallest.focus());
        if (next == null) {
          break;
        }
        smallest = next;
      }
    }
    return smallest;
  }

  private Failure smallerQuery(Failure failure) throws IOException {
    Failure smallest = failure;
    boolean found = smallest.focus() != null;
    while (found) {
      found = false;
      for (Query query : QueryShrinker.smaller(smallest.focus().query())) {
        Failure next =
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

  private Failure again(Failure like, List<Action> actions, Focus focus) throws IOException {
    for (int i = 0; i < tries && System.nanoTime() < deadline; i++) {
      runs++;
      Failure failure = rounds.run(like.recipe().withActions(actions), focus);
      if (failure != null && failure.isLike(like)) {
        return failure;
      }
    }
    return null;
  }
}
