/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.output;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;

/** One JSON object that is printed piece by piece, in the same form as {@link Json} prints one. */
public final class JsonStream {
  private final JsonGenerator json;
  private final PrintWriter out;

  /** Begins the object. */
  public JsonStream(PrintWriter out) {
    this.out = out;
    try {
      json = Json.MAPPER.createGenerator(out);
      json.writeStartObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds each component of a record as a field; those that are null are left out. */
  public void fields(Object record) {
    Json.MAPPER
        .valueToTree(record)
        .properties()
        .forEach(
            field -> {
              try {
                json.writeFieldName(field.getKey());
                json.writeTree(field.getValue());
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
  }

  /** Begins a field whose value is an array. */
  public void beginArray(String name) {
    try {
      json.writeArrayFieldStart(name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds an element to the array. */
  public void element(Object record) {
    try {
      Json.MAPPER.writeValue(json, record);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends the array. */
  public void endArray() {
    try {
      json.writeEndArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends the object; the writer stays open. */
  public void close() {
    try {
      json.writeEndObject();
      json.close();
      out.println();
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
