/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.generate;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.search.similarities.Similarity;
import org.luceneoffload.fuzz.base.Seeds;
import org.luceneoffload.fuzz.device.RandomDeviceNames;

/**
 * All that a round is made of; follows from its seed, but for actions that shrinking took away.
 *
 * @param seed the round's
 * @param schema the fields
 * @param writer how the index is written
 * @param similarity how it is written and scored
 * @param otherSimilarity how it is scored now and then
 * @param device the name of the device
 * @param twin whether the same documents go through the stock codec too
 * @param actions the steps
 */
public record Recipe(
    long seed,
    Schema schema,
    WriterPlan writer,
    Similarity similarity,
    Similarity otherSimilarity,
    String device,
    boolean twin,
    List<Action> actions) {
  private static final int MAX_ACTIONS = 24;
  private static final int LONG_LISTS_ONE_IN = 40;
  private static final int LONG_LISTS_QUERIES = 40;
  private static final int DENSE_ONE_IN = 8;
  private static final int DENSE_QUERIES = 30;
  private static final int DENSE_MIN_DOCS = 4_000;
  private static final int DENSE_MAX_DOCS = 14_000;
  private static final int LONG_LISTS_MIN_DOCS = 60_000;
  private static final int LONG_LISTS_MAX_DOCS = 180_000;

  /** Returns the round of a seed. */
  public static Recipe of(long seed) {
    return hasLongLists(seed)
        ? withLongLists(seed)
        : hasDenseMatches(seed) ? withDenseMatches(seed) : usual(seed);
  }

  /**
   * Returns whether the round of a seed has lists of tens or hundreds of thousands of postings, on
   * many pages. Such a round takes seconds, so few are.
   */
  public static boolean hasLongLists(long seed) {
    return Seeds.oneIn(Seeds.random(seed, 1), LONG_LISTS_ONE_IN);
  }

  /**
   * Returns whether in the round of a seed all operators have so many matches that every mode can
   * leave most of them out. A round with long lists is none.
   */
  public static boolean hasDenseMatches(long seed) {
    return !hasLongLists(seed) && Seeds.oneIn(Seeds.random(seed, 2), DENSE_ONE_IN);
  }

  private static Recipe withLongLists(long seed) {
    Random random = new Random(seed);
    Schema schema = Schema.ofLongLists(random);
    WriterPlan writer = WriterPlan.ofLargeSegments(random);
    Similarity similarity = SimilarityGenerator.bm25(random);
    Similarity other = SimilarityGenerator.bm25(random);
    String device = RandomDeviceNames.roomy(random);
    int docs = LONG_LISTS_MIN_DOCS + random.nextInt(LONG_LISTS_MAX_DOCS - LONG_LISTS_MIN_DOCS);
    List<Action> actions = new ArrayList<>();
    actions.add(new Action(Action.Kind.ADD_MANY, random.nextLong(), docs));
    actions.add(Action.random(Action.Kind.ADD, random));
    if (random.nextBoolean()) {
      actions.add(Action.random(Action.Kind.DELETE_BY_TERM, random));
    }
    if (random.nextBoolean()) {
      actions.add(new Action(Action.Kind.FORCE_MERGE, random.nextLong(), 1));
    }
    actions.add(Action.random(Action.Kind.REFRESH, random));
    actions.add(new Action(Action.Kind.SEARCH, random.nextLong(), LONG_LISTS_QUERIES));
    return new Recipe(
        seed,
        schema,
        writer,
        similarity,
        other,
        device,
        writer.isRepeatable(),
        List.copyOf(actions));
  }

  private static Recipe withDenseMatches(long seed) {
    Random random = new Random(seed);
    Schema schema = Schema.ofDenseMatches(random);
    WriterPlan writer = WriterPlan.ofLargeSegments(random);
    Similarity similarity = SimilarityGenerator.bm25(random);
    Similarity other = SimilarityGenerator.bm25(random);
    String device = RandomDeviceNames.roomy(random);
    int docs = DENSE_MIN_DOCS + random.nextInt(DENSE_MAX_DOCS - DENSE_MIN_DOCS);
    List<Action> actions = new ArrayList<>();
    actions.add(new Action(Action.Kind.ADD, random.nextLong(), docs));
    if (random.nextBoolean()) {
      actions.add(new Action(Action.Kind.DELETE_BY_TERM, random.nextLong(), docs / 20));
    }
    actions.add(Action.random(Action.Kind.REFRESH, random));
    actions.add(new Action(Action.Kind.SEARCH, random.nextLong(), DENSE_QUERIES));
    return new Recipe(seed, schema, writer, similarity, other, device, false, List.copyOf(actions));
  }

  private static Recipe usual(long seed) {
    Random random = new Random(seed);
    Schema schema = Schema.random(random);
    WriterPlan writer = WriterPlan.random(random);
    Similarity similarity = SimilarityGenerator.random(random, schema);
    Similarity other = SimilarityGenerator.random(random, schema);
    String device = RandomDeviceNames.random(random);
    boolean twin = writer.isRepeatable();
    List<Action> actions = new ArrayList<>();
    actions.add(Action.random(Action.Kind.ADD, random));
    int count = 6 + random.nextInt(MAX_ACTIONS - 6);
    for (int i = 0; i < count; i++) {
      actions.add(Action.random(random));
    }
    actions.add(Action.random(Action.Kind.REFRESH, random));
    actions.add(Action.random(Action.Kind.SEARCH, random));
    return new Recipe(seed, schema, writer, similarity, other, device, twin, List.copyOf(actions));
  }

  public Recipe withActions(List<Action> newActions) {
    return new Recipe(
        seed, schema, writer, similarity, otherSimilarity, device, twin, List.copyOf(newActions));
  }

  @Override
  public String toString() {
    return "schema: "
        + schema
        + "\nwriter: "
        + writer
        + "\nsimilarity: "
        + similarity
        + "\nother similarity: "
        + otherSimilarity
        + "\ndevice: "
        + device
        + (twin ? "\nwith a twin of the stock codec" : "")
        + "\nactions: "
        + actions;
  }
}
