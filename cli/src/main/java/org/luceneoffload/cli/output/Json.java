/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.output;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** Reports as JSON: record components in snake_case, absent ones (null) left out. */
public final class Json {
  static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
          .enable(SerializationFeature.INDENT_OUTPUT)
          .addModule(new SimpleModule().addSerializer(Path.class, new ToStringSerializer()))
          .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
          .build();

  private Json() {}

  /** Returns a document in UTF-8, without spaces. */
  public static byte[] bytes(Object report) {
    try {
      return MAPPER.writer().without(SerializationFeature.INDENT_OUTPUT).writeValueAsBytes(report);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("report cannot be shown as JSON", e);
    }
  }

  /** Prints one document. */
  public static void print(Object report, PrintWriter out) {
    try {
      MAPPER.writeValue(out, report);
      out.println();
      out.flush();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("report cannot be shown as JSON", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
