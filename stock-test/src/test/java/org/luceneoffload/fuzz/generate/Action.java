/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.generate;

import java.util.Random;
import org.luceneoffload.fuzz.base.Seeds;

/**
 * One step of a round. What it does depends on its own seed and size, and on the index as the steps
 * before it left it.
 *
 * @param kind what to do
 * @param seed of everything random in it
 * @param size documents, terms or queries
 */
public record Action(Kind kind, long seed, int size) {
  /** Kinds of steps; the number says how often one comes up. */
  public enum Kind {
    ADD(12, 300),
    /** Short documents, many: long posting lists. Only in rounds that are made for them. */
    ADD_MANY(0, 0),
    ADD_BLOCKS(3, 60),
    UPDATE(5, 40),
    DELETE_BY_TERM(5, 40),
    DELETE_BY_QUERY(3, 2),
    SOFT_UPDATE(4, 40),
    UPDATE_DOC_VALUES(3, 30),
    FLUSH(4, 0),
    COMMIT(4, 0),
    REFRESH(8, 0),
    FORCE_MERGE(2, 3),
    MAYBE_MERGE(2, 0),
    MERGE_DELETES_AWAY(1, 0),
    MERGE_IN_BACKGROUND(3, 3),
    ADD_IN_BACKGROUND(2, 400),
    ADD_DIRECTORIES(2, 150),
    ADD_READERS(2, 150),
    ROLLBACK(1, 0),
    REOPEN(3, 0),
    IMPORT(2, 0),
    REPAIR(1, 0),
    DETACH(1, 0),
    DELETE_ALL(1, 0),
    SEARCH(16, 30);

    private final int weight;
    private final int mostSize;

    Kind(int weight, int mostSize) {
      this.weight = weight;
      this.mostSize = mostSize;
    }

    private static Kind random(Random random) {
      int sum = 0;
      for (Kind kind : values()) {
        sum += kind.weight;
      }
      int dice = random.nextInt(sum);
      for (Kind kind : values()) {
        dice -= kind.weight;
        if (dice < 0) {
          return kind;
        }
      }
      throw new AssertionError();
    }
  }

  public static Action random(Random random) {
    return random(Kind.random(random), random);
  }

  public static Action random(Kind kind, Random random) {
    int size = kind.mostSize == 0 ? 0 : 1 + random.nextInt(kind.mostSize);
    if (kind == Kind.ADD && Seeds.oneIn(random, 8)) {
      size *= Seeds.oneIn(random, 6) ? 30 : 8; // lists of many blocks
    }
    return new Action(kind, random.nextLong(), size);
  }

  public Action withSize(int newSize) {
    return new Action(kind, seed, newSize);
  }

  @Override
  public String toString() {
    return kind + (size == 0 ? "" : " " + size);
  }
}
