/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.search;

import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.workload.TypedField;
import org.luceneoffload.workload.TypedFields;

/**
 * An order of hits as the command line says it: {@code created:desc,cat}; {@code score} and {@code
 * doc} are keys, too.
 */
public final class SortOrder {
  private static final String SCORE = "score";
  private static final String DOC = "doc";

  /**
   * A key.
   *
   * @param field null: score or doc ID
   */
  private record Key(String name, TypedField field, boolean reverse) {}

  private final List<Key> keys;
  private final Sort sort;

  private SortOrder(List<Key> keys) {
    this.keys = List.copyOf(keys);
    sort = new Sort(keys.stream().map(SortOrder::sortField).toArray(SortField[]::new));
  }

  /**
   * Parses an order.
   *
   * @throws Failure of usage if it names no field of the index, or an unknown direction
   */
  static SortOrder parse(String text, TypedFields fields) {
    List<Key> keys = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      String name = part;
      String direction = null;
      int colon = part.lastIndexOf(':');
      if (colon > 0 && fields.get(part) == null) {
        name = part.substring(0, colon);
        direction = part.substring(colon + 1);
      }
      TypedField field = fields.get(name);
      boolean score = field == null && name.equals(SCORE);
      if (field == null && !score && !name.equals(DOC)) {
        throw Failure.usage("--sort: " + unknown(name, fields) + "; score and doc are keys, too");
      }
      if (direction != null && !direction.equals("asc") && !direction.equals("desc")) {
        throw Failure.usage("--sort " + part + ": the direction is asc or desc");
      }
      // The best score comes first unless said otherwise; of all else the least.
      boolean descending = direction == null ? score : direction.equals("desc");
      keys.add(new Key(name, field, score != descending));
    }
    return new SortOrder(keys);
  }

  /** Returns a text such as {@code no field "x"; there are a:long, b:date}. */
  static String unknown(String name, TypedFields fields) {
    return "no typed field \""
        + name
        + "\"; "
        + (fields.isEmpty() ? "the index has none" : "there are " + fields);
  }

  private static SortField sortField(Key key) {
    if (key.field != null) {
      return key.field.sortField(key.reverse);
    }
    SortField.Type type = key.name.equals(SCORE) ? SortField.Type.SCORE : SortField.Type.DOC;
    return new SortField(null, type, key.reverse);
  }

  /** Returns the order as Lucene's. */
  Sort sort() {
    return sort;
  }

  /** Returns the keys of a hit as a corpus has them; null where the document has no value. */
  List<String> keys(FieldDoc hit) {
    List<String> shown = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      Key key = keys.get(i);
      shown.add(
          key.field == null
              ? String.valueOf(hit.fields[i])
              : key.field.sortKey(hit.fields[i], key.reverse));
    }
    return shown;
  }
}
