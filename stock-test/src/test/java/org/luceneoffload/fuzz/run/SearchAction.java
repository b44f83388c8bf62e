/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.run;

import java.io.IOException;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.IndexSearcher;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.fuzz.base.Coverage;
import org.luceneoffload.fuzz.base.Seeds;
import org.luceneoffload.fuzz.generate.Action;
import org.luceneoffload.fuzz.generate.Recipe;
import org.luceneoffload.fuzz.probe.FailingQuestion;
import org.luceneoffload.fuzz.searcher.ReaderWrap;
import org.luceneoffload.fuzz.searcher.SearcherSetup;

/** Makes stock and offloading searchers over one reader, and one over the twin's, to be asked. */
public final class SearchAction {
  private final Recipe recipe;
  private final ExecutorService pool;
  private final Coverage coverage;

  public SearchAction(Recipe recipe, ExecutorService pool, Coverage coverage) {
    this.recipe = recipe;
    this.pool = pool;
    this.coverage = coverage;
  }

  /**
   * Searches.
   *
   * @param twin null: there is none
   * @param only the only question to ask; null: those that the action's seed has
   * @throws WrongAnswer if something differs
   */
  public void run(Action action, FuzzIndex index, FuzzIndex twin, FailingQuestion only)
      throws IOException, WrongAnswer {
    Random random = new Random(action.seed());
    SearcherSetup searchers = SearcherSetup.random(random, recipe);
    ReaderWrap wrap = ReaderWrap.random(random);
    if (wrap == ReaderWrap.SOFT_DELETES && !recipe.writer().softDeletes()) {
      wrap = ReaderWrap.NONE;
    }
    boolean committed = Seeds.oneIn(random, 4) && DirectoryReader.indexExists(index.directory());
    boolean together = Seeds.oneIn(random, 6);
    String setup =
        searchers
            + ", reader "
            + wrap
            + (committed ? " over the last commit" : "")
            + (together ? ", several threads" : "");
    coverage.add("readers", wrap + (committed ? " (commit)" : ""));
    coverage.add(
        "searchers",
        searchers.threads()
            + (searchers.partitionDocs() > 0 ? "/partitions" : "")
            + (together ? "/asked by several threads" : ""));
    try (Readers readers = new Readers(index, twin, committed)) {
      IndexReader reader = wrap.around(readers.own, readers.twin);
      try {
        Supplier<IndexSearcher> offload = () -> searchers.offload(reader, pool);
        Interrogation interrogation =
            new Interrogation(
                recipe,
                coverage,
                setup,
                searchers.plain(reader),
                searchers.stock(reader),
                (OffloadIndexSearcher) offload.get(),
                offload,
                wrap == ReaderWrap.NONE && readers.twin != null
                    ? searchers.stock(readers.twin)
                    : null,
                searchers.partitionDocs() > 0,
                searchers.threads() == SearcherSetup.Threads.POOL ? pool : null);
        if (only != null) {
          interrogation.askOnly(action, only);
        } else if (together) {
          interrogation.askTogether(action);
        } else {
          interrogation.ask(action);
        }
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
}
