/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.MultiCollectorManager;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.luceneoffload.util.CauseLog;

/**
 * The fields of Lucene's collector managers, which are private and have no getters. They can be
 * read on the class path, and on the module path if Lucene's package is opened to us. Where they
 * cannot, or another release has others, nothing is known of a manager.
 */
final class ManagerFields {
  private static final VarHandle HITS =
      field(TopScoreDocCollectorManager.class, "numHits", int.class);
  private static final VarHandle AFTER =
      field(TopScoreDocCollectorManager.class, "after", ScoreDoc.class);
  private static final VarHandle THRESHOLD =
      field(TopScoreDocCollectorManager.class, "totalHitsThreshold", int.class);

  private static final VarHandle SORT = field(TopFieldCollectorManager.class, "sort", Sort.class);
  private static final VarHandle SORTED_HITS =
      field(TopFieldCollectorManager.class, "numHits", int.class);
  private static final VarHandle SORTED_AFTER =
      field(TopFieldCollectorManager.class, "after", FieldDoc.class);
  private static final VarHandle SORTED_THRESHOLD =
      field(TopFieldCollectorManager.class, "totalHitsThreshold", int.class);

  private static final VarHandle MANAGERS =
      field(MultiCollectorManager.class, "collectorManagers", CollectorManager[].class);

  private ManagerFields() {}

  /** Returns null if there is no such field, or if it cannot be read. */
  private static VarHandle field(Class<?> owner, String name, Class<?> type) {
    try {
      return MethodHandles.privateLookupIn(owner, MethodHandles.lookup())
          .findVarHandle(owner, name, type);
    } catch (ReflectiveOperationException | SecurityException e) {
      String what = owner.getName() + "." + name;
      CauseLog.log(
          Level.DEBUG,
          "manager fields",
          what,
          what
              + " cannot be read, so that searches with it collect one match after the other: "
              + e);
      return null;
    }
  }

  /** Returns what a manager was made with; null if that cannot be read. */
  static ManagerRequest.Hits hits(TopScoreDocCollectorManager manager) {
    return HITS == null || AFTER == null || THRESHOLD == null
        ? null
        : new ManagerRequest.Hits(
            (int) HITS.get(manager), (ScoreDoc) AFTER.get(manager), (int) THRESHOLD.get(manager));
  }

  /** Returns what a manager was made with; null if that cannot be read. */
  static ManagerRequest.SortedHits sortedHits(TopFieldCollectorManager manager) {
    return SORT == null || SORTED_HITS == null || SORTED_AFTER == null || SORTED_THRESHOLD == null
        ? null
        : new ManagerRequest.SortedHits(
            (Sort) SORT.get(manager),
            (int) SORTED_HITS.get(manager),
            (FieldDoc) SORTED_AFTER.get(manager),
            (int) SORTED_THRESHOLD.get(manager));
  }

  /** Returns the managers of a manager; null if they cannot be read. */
  static ManagerRequest.Several several(MultiCollectorManager manager) {
    return MANAGERS == null
        ? null
        : new ManagerRequest.Several(List.of((CollectorManager<?, ?>[]) MANAGERS.get(manager)));
  }
}
