/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz;

import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.luceneoffload.OffloadIndexSearcher;

/** Asks stock and offloading searchers over one reader, and one over the twin's. */
final class SearchAction {
  private static final int PROBES = 4;

  private final Recipe recipe;
  private final Executor pool;
  private final Coverage coverage;
  private Focus focus;
  private String setup;

  SearchAction(Recipe recipe, Executor pool, Coverage coverage) {
    this.recipe = recipe;
    this.pool = pool;
    this.coverage = coverage;
  }

  /** The question that was asked last. */
  Focus focus() {
    return focus;
  }

  /** How it was asked. */
  String setup() {
    return setup;
  }

  /**
   * Searches.
   *
   * @param twin null: there is none
   * @param only the only question to ask; null: those that the action's seed has
   */
  void run(Action action, FuzzIndex index, FuzzIndex twin, Focus only)
      throws IOException, Difference {
    focus = null;
    Random random = new Random(action.seed());
    SearcherSetup searchers = SearcherSetup.random(random, recipe);
    ReaderWrap wrap = ReaderWrap.random(random);
    if (wrap == ReaderWrap.SOFT_DELETES && !recipe.writer().softDeletes()) {
      wrap = ReaderWrap.NONE;
    }
    boolean committed = Seeds.oneIn(random, 4) && DirectoryReader.indexExists(index.directory());
    setup = searchers + ", reader " + wrap + (committed ? " over the last commit" : "");
    coverage.add("readers", wrap + (committed ? " (commit)" : ""));
    coverage.add("threads", searchers.threads() + (searchers.partitionDocs() > 0 ? "/parts" : ""));
    try (Readers readers = new Readers(index, twin, committed)) {
      IndexReader reader = wrap.around(readers.own, readers.twin);
      try {
        Supplier<IndexSearcher> offload = () -> searchers.offload(reader, pool);
        Questions questions =
            new Questions(
                searchers.plain(reader),
                searchers.stock(reader),
                (OffloadIndexSearcher) offload.get(),
                offload,
                wrap == ReaderWrap.NONE && readers.twin != null
                    ? searchers.stock(readers.twin)
                    : null,
                searchers.partitionDocs() > 0);
        ask(action, questions, only);
      } finally {
        readers.closeWrapper(reader);
      }
    }
  }

  /** The readers of a search; they are the index's own and stay open, or closed with this. */
  private static final class Readers implements AutoCloseable {
    final DirectoryReader own;
    final DirectoryReader twin;
    private final boolean committed;

    Readers(FuzzIndex index, FuzzIndex twinIndex, boolean committed) throws IOException {
      this.committed = committed;
      if (committed) {
        own = DirectoryReader.open(index.directory());
        twin = twinIndex == null ? null : DirectoryReader.open(twinIndex.directory());
      } else {
        own = index.reader();
        own.incRef();
        twin = twinIndex == null ? null : twinIndex.reader();
        if (twin != null) {
          twin.incRef();
        }
      }
    }

    /**
     * Closes what was put around {@link #own}. A filter reader closes what it wraps, for good: not
     * if that belongs to the index.
     */
    void closeWrapper(IndexReader wrapper) throws IOException {
      if (wrapper == own) {
        return;
      }
      if (!(wrapper instanceof DirectoryReader)) {
        wrapper.close();
      } else if (committed) {
        own.incRef();
        wrapper.close();
      }
    }

    @Override
    public void close() throws IOException {
      own.decRef();
      if (twin != null) {
        twin.decRef();
      }
    }
  }

  /** The searchers that are asked the same. */
  private record Questions(
      IndexSearcher plain,
      IndexSearcher stock,
      OffloadIndexSearcher offload,
      Supplier<IndexSearcher> fresh,
      IndexSearcher twin,
      boolean partitioned) {}

  private void ask(Action action, Questions questions, Focus only) throws IOException, Difference {
    int first = only == null ? 0 : only.number();
    int end = only == null ? action.size() : first + 1;
    for (int i = first; i < end; i++) {
      long seed = Seeds.mix(action.seed(), i);
      Random random = new Random(seed);
      Query query = only == null ? new QueryGenerator(recipe.schema(), random).any() : only.query();
      Set<Probe> probes = EnumSet.noneOf(Probe.class);
      if (only != null) {
        probes.add(only.probe());
      } else {
        Random dice = Seeds.random(seed, 1);
        for (int p = 0; p < PROBES; p++) {
          probes.add(Probe.values()[dice.nextInt(Probe.values().length)]);
        }
        count(query);
      }
      Asked.Exact exact = new Asked.Exact(questions.plain, query);
      for (Probe probe : probes) {
        focus = new Focus(i, query, probe);
        coverage.add("probes", probe.name());
        compare(questions, query, exact, probe, Seeds.mix(seed, 2 + probe.ordinal()));
      }
      focus = null;
    }
  }

  private void compare(Questions questions, Query query, Asked.Exact exact, Probe probe, long seed)
      throws IOException, Difference {
    List<String> expected =
        answer(questions, questions.stock, questions.fresh, query, exact, probe, seed);
    List<String> got =
        answer(questions, questions.offload, questions.fresh, query, exact, probe, seed);
    if (Probe.isException(expected)) {
      coverage.add("stock throws", expected.get(0));
    }
    if (!expected.equals(got)) {
      throw new Difference("stock and offload differ", expected, got);
    }
    if (questions.twin != null && probe != Probe.TIMEOUT) {
      coverage.add("probes", "of these with twin");
      List<String> twins =
          answer(questions, questions.twin, questions.fresh, query, exact, probe, seed);
      if (!expected.equals(twins)) {
        throw new Difference("the index that stock Lucene wrote differs", twins, expected);
      }
    }
  }

  private static List<String> answer(
      Questions questions,
      IndexSearcher searcher,
      Supplier<IndexSearcher> fresh,
      Query query,
      Asked.Exact exact,
      Probe probe,
      long seed)
      throws IOException {
    // The stock searcher's twin for timeouts is stock, too: it does not cut segments.
    Supplier<IndexSearcher> again =
        searcher == questions.offload
            ? fresh
            : () -> {
              IndexSearcher other = new IndexSearcher(searcher.getIndexReader());
              other.setSimilarity(searcher.getSimilarity());
              other.setQueryCache(null);
              return other;
            };
    return probe.ask(new Asked(searcher, again, query, questions.partitioned, exact), seed);
  }

  /** The simple name of a class, or of the named one that an anonymous class extends. */
  private static String name(Query query) {
    Class<?> type = query.getClass();
    return (type.isAnonymousClass() ? type.getSuperclass() : type).getSimpleName();
  }

  private void count(Query query) {
    coverage.add("queries", query.getClass().getSimpleName());
    query.visit(
        new QueryVisitor() {
          @Override
          public QueryVisitor getSubVisitor(BooleanClause.Occur occur, Query parent) {
            coverage.add("parents of leaves", parent.getClass().getSimpleName() + " " + occur);
            return this;
          }

          @Override
          public void visitLeaf(Query leaf) {
            coverage.add("leaves", name(leaf));
          }

          @Override
          public void consumeTerms(Query leaf, Term... terms) {
            coverage.add("leaves", name(leaf));
          }
        });
  }
}
