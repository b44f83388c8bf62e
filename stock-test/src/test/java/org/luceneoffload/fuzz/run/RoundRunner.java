/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.util.IOUtils;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.fuzz.base.Coverage;
import org.luceneoffload.fuzz.base.FileTrees;
import org.luceneoffload.fuzz.device.ResourceWatch;
import org.luceneoffload.fuzz.generate.Action;
import org.luceneoffload.fuzz.generate.Recipe;
import org.luceneoffload.fuzz.probe.FailingQuestion;

/** Runs one round: an index, perhaps its twin, and every action. */
public final class RoundRunner {
  private final Path work;
  private final ExecutorService pool;
  private final Coverage coverage;

  /**
   * @param work folder in which rounds have their own
   * @param pool threads for searchers
   * @param coverage counts what is tried
   */
  public RoundRunner(Path work, ExecutorService pool, Coverage coverage) {
    this.work = work;
    this.pool = pool;
    this.coverage = coverage;
  }

  /** Threads for searchers. */
  public ExecutorService pool() {
    return pool;
  }

  /**
   * Runs a round.
   *
   * @param focus the one question of the last search that is asked, nothing else is; null: all
   * @return what went wrong; null: nothing
   */
  public FailedRound run(Recipe recipe, FailingQuestion focus) throws IOException {
    ResourceWatch before = ResourceWatch.now(false);
    Path home = Files.createTempDirectory(work, "round");
    int at = 0;
    SearchAction search = new SearchAction(recipe, pool, coverage);
    FailedRound failure = null;
    boolean brokenByStock = false;
    FuzzIndex index =
        new FuzzIndex(recipe, makeFolder(home, "index"), new OffloadCodec(), coverage);
    FuzzIndex twin =
        recipe.twin()
            ? new FuzzIndex(recipe, makeFolder(home, "twin"), new Lucene104Codec(), new Coverage())
            : null;
    try {
      index.open(FuzzIndex.Opening.DEVICE);
      if (twin != null) {
        twin.open(FuzzIndex.Opening.PLAIN);
      }
      List<Action> actions = recipe.actions();
      for (; at < actions.size(); at++) {
        Action action = actions.get(at);
        coverage.add("actions", action.kind().name());
        if (action.kind() != Action.Kind.SEARCH) {
          new ActionRunner(index, true).run(action);
          if (twin != null) {
            new ActionRunner(twin, false).run(action);
          }
        } else if (focus == null) {
          search.run(action, index, twin, null);
        } else if (at == actions.size() - 1) {
          search.run(action, index, twin, focus);
        } else {
          // A search that is left out leaves the reader behind that it would have opened.
          index.reader();
          if (twin != null) {
            twin.reader();
          }
        }
      }
    } catch (Throwable t) {
      brokenByStock = isBrokenMerge(recipe, t);
      failure = brokenByStock ? null : failure(recipe, at, t);
    }
    try {
      IOUtils.close(index, twin);
      if (failure == null && !brokenByStock) {
        EndOfRound.check(recipe, index.home, before);
      }
    } catch (Throwable t) {
      brokenByStock |= isBrokenMerge(recipe, t);
      if (failure != null) {
        failure.error().addSuppressed(t);
      } else if (!brokenByStock) {
        failure = failure(recipe, recipe.actions().size(), t);
      }
    }
    if (brokenByStock) {
      coverage.add("actions", "round ended: soft updates broke a merge of stock's");
    }
    FileTrees.delete(home);
    return failure;
  }

  /**
   * Returns whether stock's writer closed itself, as it does at times when documents are
   * soft-updated while their segments merge: the merge then has a field of doc values that no
   * segment has.
   */
  private static boolean isBrokenMerge(Recipe recipe, Throwable error) {
    Throwable root = error;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    StackTraceElement[] stack = root.getStackTrace();
    return recipe.writer().softDeletes()
        && !recipe.writer().serial()
        && root instanceof NullPointerException
        && stack.length > 0
        && stack[0].getClassName().startsWith("org.apache.lucene.index.DocIDMerger$");
  }

  private static FailedRound failure(Recipe recipe, int at, Throwable error) {
    return error instanceof WrongAnswer wrong
        ? new FailedRound(recipe, at, wrong.focus(), wrong.setup(), wrong.getCause())
        : new FailedRound(recipe, at, null, null, error);
  }

  private static Path makeFolder(Path home, String name) throws IOException {
    return Files.createDirectory(home.resolve(name));
  }
}
