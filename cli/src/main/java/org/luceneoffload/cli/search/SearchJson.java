/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.search;

import java.io.PrintWriter;
import org.luceneoffload.cli.output.JsonStream;

/** A search as one JSON document that is printed while the queries run. */
final class SearchJson implements SearchOutput {
  private final PrintWriter out;
  private JsonStream json;

  SearchJson(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void begin(SearchReport report) {
    json = new JsonStream(out);
    json.fields(report);
    json.beginArray("queries");
  }

  @Override
  public void add(QueryResult result) {
    json.element(result);
  }

  @Override
  public void end(SearchSummary summary) {
    end((Object) summary);
  }

  /** Returns whether the document has begun and not ended. */
  boolean isOpen() {
    return json != null;
  }

  /** Ends the document with the fields of a record. */
  void end(Object last) {
    json.endArray();
    json.fields(last);
    json.close();
    json = null;
  }
}
