/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.study;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;

/**
 * A figure as it was published.
 *
 * @param paper the paper's short name, see {@link Papers}
 * @param id short name; for the first paper {@code Formulas} gives the modelled value for it
 * @param group table of the report that it stands in
 * @param text what it is
 * @param value the figure
 * @param unit its unit
 * @param source section, figure or table of the paper, or of its draft
 * @param kind what the modelled value is; decides how far it may be off
 * @param most whether it is an upper bound, which a lower value meets too
 */
public record Published(
    String paper,
    String id,
    String group,
    String text,
    double value,
    String unit,
    String source,
    Kind kind,
    Boolean most) {
  /** What a modelled value is, and how far it may be off. */
  public enum Kind {
    /** Counted: no time of the model is in it. */
    COUNT(5),
    /** A fit has seen it. */
    FITTED(10),
    /** Follows with nothing changed. */
    PREDICTED(20),
    /** An input, a quotient of inputs, an identity or circular: no prediction. */
    DERIVED(10);

    private final double tolerancePct;

    Kind(double tolerancePct) {
      this.tolerancePct = tolerancePct;
    }

    /** Returns the name in reports and in JSON. */
    @JsonValue
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final String FILE = "published.json";

  /** Returns the figures of a paper, in the order of the report. */
  public static List<Published> of(String paper) throws IOException {
    return all().stream().filter(figure -> figure.paper().equals(paper)).toList();
  }

  /** Returns by how many percent the model may be off. */
  public double tolerancePct() {
    return kind.tolerancePct;
  }

  /** Returns {@code pass} or {@code MISS}. */
  public String verdict(double modelled) {
    double deviation = 100 * (modelled / value - 1);
    boolean met = Boolean.TRUE.equals(most) && deviation <= 0;
    return met || Math.abs(deviation) <= tolerancePct() ? "pass" : "MISS";
  }

  /** Returns all published figures of all papers. */
  public static List<Published> all() throws IOException {
    JsonMapper mapper =
        JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    try (InputStream in = Published.class.getResourceAsStream(FILE)) {
      return mapper.readValue(in, new TypeReference<List<Published>>() {});
    }
  }
}
