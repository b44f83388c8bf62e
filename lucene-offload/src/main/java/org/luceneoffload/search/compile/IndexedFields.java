/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.luceneoffload.codec.DeviceTerms;
import org.luceneoffload.codec.OffloadTerms;
import org.luceneoffload.search.score.CombinedFields;

/**
 * The fields that queries of one searcher ask for; does not keep the searcher alive. A reader shows
 * one point in time, so terms and statistics of its fields can be kept; those that an application's
 * searcher computes cannot.
 */
public final class IndexedFields {
  /** Queries may name fields that do not exist: do not keep all of them. */
  private static final int MAX_FIELDS = 64;

  /** What a class of searchers computes as stock does; methods take long to look up. */
  private record Stock(boolean collectionStatistics, boolean termStatistics) {}

  private static final ClassValue<Stock> STOCK =
      new ClassValue<>() {
        @Override
        protected Stock computeValue(Class<?> type) {
          return new Stock(
              isStock(type, "collectionStatistics", String.class),
              isStock(type, "termStatistics", Term.class, int.class, long.class));
        }
      };

  private final Stock stock;
  private final Map<String, IndexedField> fields = new ConcurrentHashMap<>();

  /** The field asked for last: nearly always the one that is asked for next. */
  private volatile IndexedField latest;

  /** The fields combined last: most queries combine the same ones, with the same weights. */
  private volatile CombinedFields latestCombined;

  /**
   * A query that plans cannot express.
   *
   * @param scored whether scores were needed
   * @param part the first part of a kind that they cannot express
   */
  public record Other(Query query, boolean scored, Query part) {}

  /** The one found out last: it is asked about again on its way to stock. */
  private volatile Other latestOther;

  /**
   * Nothing yet of a searcher.
   *
   * @param searcher the searcher; this does not refer to it
   */
  public IndexedFields(IndexSearcher searcher) {
    this.stock = STOCK.get(searcher.getClass());
  }

  private static boolean isStock(Class<?> type, String method, Class<?>... parameters) {
    try {
      Class<?> by = type.getMethod(method, parameters).getDeclaringClass();
      return by == IndexSearcher.class;
    } catch (NoSuchMethodException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns whether the statistics of a term are those of its look-up. */
  boolean stockTermStatistics() {
    return stock.termStatistics();
  }

  /** Returns the query that was found last to be one that plans cannot express; null if none. */
  public Other latestOther() {
    return latestOther;
  }

  /** Keeps a query that plans cannot express. */
  public void latestOther(Other other) {
    latestOther = other;
  }

  /** Returns the fields that a query combined last; null if none did. */
  public CombinedFields latestCombined() {
    return latestCombined;
  }

  /** Keeps the fields that a query combines. */
  public void latestCombined(CombinedFields combined) {
    latestCombined = combined;
  }

  /**
   * Returns a field's terms and statistics; null if the reader is closed: the next read throws
   * {@link org.apache.lucene.store.AlreadyClosedException}.
   *
   * @param searcher the searcher that this was made for
   */
  public IndexedField get(IndexSearcher searcher, String name) throws IOException {
    if (searcher.getIndexReader().getRefCount() <= 0) {
      return null;
    }
    IndexedField field = latest;
    if (field == null || !field.name().equals(name)) {
      field = fields.get(name);
      if (field == null) {
        field = read(searcher, name);
        if (fields.size() >= MAX_FIELDS) {
          fields.clear();
        }
        fields.put(name, field);
      }
      latest = field;
    }
    return field;
  }

  /**
   * Returns whether every term of a field is in one document, in each segment that has terms of the
   * field.
   *
   * @param searcher the searcher that this was made for
   */
  public boolean hasUniqueTerms(IndexSearcher searcher, String name) throws IOException {
    IndexedField field = get(searcher, name);
    return field != null && field.hasUniqueTerms();
  }

  /**
   * Returns whether each of a segment's terms of a field, of which it may have none, is in one
   * document.
   */
  public static boolean areUnique(Terms terms) throws IOException {
    return terms != null && terms.size() > 0 && terms.size() == terms.getSumDocFreq();
  }

  private IndexedField read(IndexSearcher searcher, String name) throws IOException {
    List<LeafReaderContext> leaves = searcher.getLeafContexts();
    Terms[] terms = new Terms[leaves.size()];
    boolean hashed = true;
    boolean positioned = false;
    boolean otherNorms = false;
    boolean unique = false;
    boolean shared = false;
    for (LeafReaderContext leaf : leaves) {
      Terms found = DeviceTerms.of(leaf.reader(), name);
      hashed &= found == null || (found instanceof OffloadTerms ours && ours.isHashed());
      positioned |= found instanceof OffloadTerms ours && ours.isPositioned();
      otherNorms |= found instanceof OffloadTerms && !OwnNorms.areShownBy(leaf.reader());
      terms[leaf.ord] = found;
      Terms shown = shared ? null : leaf.reader().terms(name);
      unique |= areUnique(shown);
      shared |= shown != null && !areUnique(shown);
    }
    return new IndexedField(
        name,
        hashed ? terms : null,
        positioned,
        otherNorms,
        unique && !shared,
        stock.collectionStatistics() ? searcher.collectionStatistics(name) : null);
  }
}
