/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.OffloadQuery;
import org.luceneoffload.fuzz.base.Coverage;
import org.luceneoffload.fuzz.base.Seeds;
import org.luceneoffload.fuzz.generate.Action;
import org.luceneoffload.fuzz.generate.QueryCount;
import org.luceneoffload.fuzz.generate.QueryGenerator;
import org.luceneoffload.fuzz.generate.Recipe;
import org.luceneoffload.fuzz.probe.Difference;
import org.luceneoffload.fuzz.probe.FailingQuestion;
import org.luceneoffload.fuzz.probe.Probe;
import org.luceneoffload.fuzz.probe.ProbedQuery;
import org.luceneoffload.fuzz.searcher.StockSearcher;
import org.luceneoffload.report.PlanExplanation;

/**
 * Asks searchers the same and compares their answers.
 *
 * @param recipe the round
 * @param coverage counts what is asked
 * @param setup how the offloading searcher is made, for people
 * @param plain stock without a cache: says what the whole answer is
 * @param stock stock, with the caches of the one under test
 * @param offload the one under test
 * @param fresh makes another like it
 * @param twin stock, over the twin; null: there is none
 * @param partitioned whether they cut segments
 * @param pool where the one under test searches slices at the same time; null: it does not
 */
public record Interrogation(
    Recipe recipe,
    Coverage coverage,
    String setup,
    IndexSearcher plain,
    IndexSearcher stock,
    OffloadIndexSearcher offload,
    Supplier<IndexSearcher> fresh,
    IndexSearcher twin,
    boolean partitioned,
    Executor pool) {
  private static final int PROBES = 4;
  private static final List<Probe> PRUNING =
      List.of(Probe.TOP, Probe.TOP_AFTER, Probe.TOP_BY_COLLECTOR, Probe.AGGREGATIONS);
  private static final int THREADS = 3;

  /** Times that stock is asked whether it, too, answers like that at times. */
  private static final int TRIES = 50;

  /** All questions of a search, one after another. */
  public void ask(Action action) throws WrongAnswer {
    for (int i = 0; i < action.size(); i++) {
      ask(action, i);
    }
  }

  /** All questions of a search, several at the same time, of the same searchers. */
  public void askTogether(Action action) throws WrongAnswer {
    List<FutureTask<Void>> tasks = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      int first = t;
      FutureTask<Void> task =
          new FutureTask<>(
              () -> {
                for (int i = first; i < action.size(); i += THREADS) {
                  ask(action, i);
                }
                return null;
              });
      tasks.add(task);
      Thread thread = new Thread(task, "fuzz asker");
      thread.setDaemon(true);
      thread.start();
    }
    WrongAnswer wrong = null;
    for (FutureTask<Void> task : tasks) {
      try {
        task.get();
      } catch (ExecutionException e) {
        wrong =
            e.getCause() instanceof WrongAnswer answer
                ? answer
                : new WrongAnswer(null, setup, e.getCause());
      } catch (InterruptedException e) {
        throw new WrongAnswer(null, setup, e);
      }
    }
    if (wrong != null) {
      throw wrong;
    }
  }

  /** One question, that has failed before. */
  public void askOnly(Action action, FailingQuestion only) throws WrongAnswer {
    compare(only, exact(only.query()), only.probe(), seed(action, only.number()));
  }

  /** The answer, and by whom a last bit of a score may be another one. */
  private ProbedQuery.Exact exact(Query query) {
    List<IndexSearcher> others = new ArrayList<>();
    if (partitioned) {
      others.add(((StockSearcher) stock).whole());
    }
    if (stock.getQueryCache() != null) {
      others.add(stock); // which fills its cache
      others.add(stock); // and is asked with it full
    }
    return new ProbedQuery.Exact(plain, others, query);
  }

  private static long seed(Action action, int number) {
    return Seeds.mix(action.seed(), number);
  }

  private void ask(Action action, int number) throws WrongAnswer {
    long seed = seed(action, number);
    Query query = new QueryGenerator(recipe.schema(), new Random(seed)).any();
    QueryCount.add(coverage, query);
    Set<Probe> probes = EnumSet.noneOf(Probe.class);
    Random dice = Seeds.random(seed, 1);
    for (int p = 0; p < PROBES; p++) {
      probes.add(Probe.values()[dice.nextInt(Probe.values().length)]);
    }
    if (recipe.schema().dense()) {
      probes.add(PRUNING.get(dice.nextInt(PRUNING.size())));
      probes.addAll(List.of(Probe.SORTED, Probe.SORTED_AFTER));
    }
    ProbedQuery.Exact exact = exact(query);
    for (Probe probe : probes) {
      if (isMatterOfTime(probe)) {
        coverage.add("probes", "left out: sorted as the index, in slices at once");
        continue;
      }
      coverage.add("probes", probe.name());
      compare(new FailingQuestion(number, query, probe), exact, probe, seed);
    }
  }

  /**
   * Stock searchers differ from themselves here: over a sorted index, one that sorts hits by the
   * same field may leave hits out, and which ones depends on what other slices found by then.
   */
  private boolean isMatterOfTime(Probe probe) {
    return pool != null
        && recipe.writer().sort() != null
        && (probe == Probe.SORTED || probe == Probe.SORTED_AFTER);
  }

  private void compare(
      FailingQuestion focus, ProbedQuery.Exact exact, Probe probe, long questionSeed)
      throws WrongAnswer {
    long seed = Seeds.mix(questionSeed, 2 + probe.ordinal());
    try {
      compare(focus.query(), exact, probe, seed);
    } catch (Difference | IOException | RuntimeException | Error e) {
      throw new WrongAnswer(focus, setup, e);
    }
  }

  private void compare(Query query, ProbedQuery.Exact exact, Probe probe, long seed)
      throws IOException, Difference {
    List<String> expected = answer(stock, query, exact, probe, seed);
    if (Probe.isException(expected)) {
      coverage.add("stock throws", expected.get(0));
      if (Probe.isFailedAssert(expected)) {
        return; // stock trips over itself: there is nothing to compare with
      }
    }
    List<String> got = answer(offload, query, exact, probe, seed);
    if (!expected.equals(got) && looksAtOtherDocs() && ProbedQuery.isUnsteady(query)) {
      coverage.add("probes", "left out: unsteady scores, in slices at once or pieces");
      return;
    }
    sameAsStock("stock and offload differ", expected, got, query, exact, probe, seed);
    if (probe == Probe.TIMEOUT) {
      return;
    }
    // A weight without scores is made of all clauses by stock; an OffloadQuery drops some, and with
    // them what may be wrong with them, as a search would.
    boolean askedForTooMuch = probe == Probe.SCORER && Probe.isException(expected);
    if (seed % 3 == 0 && !askedForTooMuch) {
      coverage.add("probes", "of these by OffloadQuery too");
      sameAsStock(
          "stock and OffloadQuery differ",
          expected,
          answer(stock, new OffloadQuery(query), exact, probe, seed),
          query,
          exact,
          probe,
          seed);
    }
    if (twin != null) {
      coverage.add("probes", "of these over the twin too");
      List<String> ofTwin = answer(twin, query, exact, probe, seed);
      if (!expected.equals(ofTwin)) {
        throw new Difference("the index that stock Lucene wrote differs", expected, ofTwin);
      }
    }
  }

  /**
   * Returns whether the one under test may look at other docs than stock, if both are stock
   * throughout: slices that run at the same time tell each other which scores can compete, and a
   * timeout cuts a search into pieces.
   */
  private boolean looksAtOtherDocs() {
    return pool != null || offload.getTimeout() != null;
  }

  /**
   * Compares with stock, which over partitions has two answers. Whether a term without scores is in
   * a segment, it learns when its first partition is searched; the others then leave the clause
   * out, and as many optional clauses as have to match become required, which adds the same scores
   * up in another way. What is answered as if a segment were not cut is right, too. In the same way
   * stock leaves out a clause that it has cached, and found empty.
   */
  private void sameAsStock(
      String what,
      List<String> expected,
      List<String> got,
      Query query,
      ProbedQuery.Exact exact,
      Probe probe,
      long seed)
      throws IOException, Difference {
    if (expected.equals(got)) {
      return;
    }
    if (partitioned && stockAnswersWhole(got, query, probe, seed)) {
      coverage.add("probes", "answered as stock without partitions");
      return;
    }
    if (stock.getQueryCache() != null
        && (got.equals(answer(stock, query, exact, probe, seed))
            || got.equals(answer(plain, query, exact, probe, seed)))) {
      coverage.add("probes", "answered as stock with more or nothing in its cache");
      return;
    }
    if ((Probe.isException(got) || looksAtOtherDocs())
        && stockAnswersLike(got, query, exact, probe, seed)) {
      coverage.add("probes", "answered as stock in slices at once or pieces");
      return;
    }
    throw new Difference(what, expected, got);
  }

  /**
   * Returns whether stock answers the same if it leaves segments whole: all, or those on the
   * device.
   */
  private boolean stockAnswersWhole(List<String> got, Query query, Probe probe, long seed)
      throws IOException {
    StockSearcher cut = (StockSearcher) stock;
    Set<Integer> onDevice =
        offload.explainPlan(query).leaves().stream()
            .filter(leaf -> leaf.place() == PlanExplanation.Place.DEVICE)
            .map(PlanExplanation.Leaf::ord)
            .collect(Collectors.toSet());
    for (StockSearcher whole :
        List.of(cut.whole(), cut.cutting(context -> !onDevice.contains(context.ord)))) {
      ProbedQuery.Exact exact = new ProbedQuery.Exact(whole, List.of(), query);
      if (got.equals(answer(whole, query, exact, probe, seed))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether stock answers the same if it runs as the one under test does: slices at the
   * same time, or piece by piece for the sake of a timeout. Scores below zero make it throw at
   * times, or leave hits out; it also throws when sorting over a range of a sorted index where
   * nothing of a piece is competitive.
   */
  private boolean stockAnswersLike(
      List<String> got, Query query, ProbedQuery.Exact exact, Probe probe, long seed)
      throws IOException {
    StockSearcher alone = (StockSearcher) stock;
    for (int i = 0; i < TRIES; i++) {
      StockSearcher other = pool == null ? alone.another() : alone.in(pool);
      if (i % 2 == 0) {
        other.setTimeout(() -> false);
      }
      if (got.equals(answer(other, query, exact, probe, seed))) {
        return true;
      }
    }
    return false;
  }

  private List<String> answer(
      IndexSearcher searcher, Query query, ProbedQuery.Exact exact, Probe probe, long seed)
      throws IOException {
    Supplier<IndexSearcher> again =
        searcher == offload ? fresh : ((StockSearcher) searcher)::another;
    return probe.ask(new ProbedQuery(searcher, again, query, partitioned, exact), seed);
  }
}
