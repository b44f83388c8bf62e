/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.generate;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.search.similarities.Similarity;
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
  private static final int MOST_ACTIONS = 24;

  public static Recipe of(long seed) {
    Random random = new Random(seed);
    Schema schema = Schema.random(random);
    WriterPlan writer = WriterPlan.random(random);
    Similarity similarity = SimilarityGenerator.random(random, schema);
    Similarity other = SimilarityGenerator.random(random, schema);
    String device = RandomDeviceNames.random(random);
    boolean twin = writer.isRepeatable();
    List<Action> actions = new ArrayList<>();
    actions.add(Action.random(Action.Kind.ADD, random));
    int count = 6 + random.nextInt(MOST_ACTIONS - 6);
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
