/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.score;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.document.FeatureField;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;

/**
 * What a query of {@link FeatureField} computes of the feature of a doc. The class of these queries
 * is hidden: a function is read from the query's text, and is the query's own only if a query made
 * with it equals that one.
 */
public abstract sealed class FeatureFunction {
  /** The class of queries that score by a feature. */
  public static final Class<?> QUERY = FeatureField.newLinearQuery("f", "x", 1f).getClass();

  private static final String FUNCTION = ", function=";
  private static final String LINEAR = "LinearFunction)";

  private static final Pattern OTHERS =
      Pattern.compile(
          "(Log|Saturation|Sigmoid)Function"
              + "\\((?:pivot|scalingFactor)=([-+.0-9E]+)(?:, a=([-+.0-9E]+))?\\)\\)");

  private final Term term;

  private FeatureFunction(Term term) {
    this.term = term;
  }

  /** Returns the function of a query that is rewritten; null if it is no query of a feature. */
  public static FeatureFunction of(Query query) {
    if (query.getClass() != QUERY) {
      return null;
    }
    String field = fieldOf(query);
    String text = query.toString();
    String start = "FeatureQuery(field=" + field + ", feature=";
    int end = text.lastIndexOf(FUNCTION);
    if (field == null || !text.startsWith(start) || end < start.length()) {
      return null;
    }
    Term term = new Term(field, text.substring(start.length(), end));
    try {
      FeatureFunction function = of(term, text.substring(end + FUNCTION.length()));
      return function != null && function.query().equals(query) ? function : null;
    } catch (IllegalArgumentException e) {
      return null; // a number that no query can be made with
    }
  }

  /** Returns the field of a query, which shows it to visitors. */
  private static String fieldOf(Query query) {
    String[] field = new String[1];
    query.visit(
        new QueryVisitor() {
          @Override
          public boolean acceptField(String name) {
            field[0] = name;
            return true;
          }
        });
    return field[0];
  }

  private static FeatureFunction of(Term term, String text) {
    if (text.equals(LINEAR)) {
      return new Linear(term);
    }
    Matcher parts = OTHERS.matcher(text);
    if (!parts.matches()) {
      return null;
    }
    return switch (parts.group(1)) {
      case "Log" -> new Log(term, number(parts.group(2)));
      case "Saturation" -> new Saturation(term, number(parts.group(2)));
      default -> new Sigmoid(term, number(parts.group(2)), number(parts.group(3)));
    };
  }

  private static float number(String text) {
    if (text == null) {
      throw new IllegalArgumentException("a number is missing");
    }
    return Float.parseFloat(text);
  }

  /** Returns the feature. */
  public final Term term() {
    return term;
  }

  /**
   * Returns the score of a value of the feature, computed as {@link FeatureField} does, to the bit.
   */
  abstract float score(float weight, float value);

  /** Returns whether no score exceeds the weight, however high the value. */
  abstract boolean isBounded();

  /** Returns whether the score is the weight times the value. */
  boolean isLinear() {
    return false;
  }

  /** Returns a query with this function and weight 1. */
  abstract Query query();

  private static final class Linear extends FeatureFunction {
    Linear(Term term) {
      super(term);
    }

    @Override
    float score(float weight, float value) {
      return weight * value;
    }

    @Override
    boolean isLinear() {
      return true;
    }

    @Override
    boolean isBounded() {
      return false;
    }

    @Override
    Query query() {
      return FeatureField.newLinearQuery(term().field(), term().text(), 1f);
    }
  }

  private static final class Log extends FeatureFunction {
    private final float scalingFactor;

    Log(Term term, float scalingFactor) {
      super(term);
      this.scalingFactor = scalingFactor;
    }

    @Override
    float score(float weight, float value) {
      return (float) (weight * Math.log(scalingFactor + value));
    }

    @Override
    boolean isBounded() {
      return false;
    }

    @Override
    Query query() {
      return FeatureField.newLogQuery(term().field(), term().text(), 1f, scalingFactor);
    }
  }

  private static final class Saturation extends FeatureFunction {
    private final float pivot;

    Saturation(Term term, float pivot) {
      super(term);
      this.pivot = pivot;
    }

    @Override
    float score(float weight, float value) {
      return weight * (1 - pivot / (value + pivot));
    }

    @Override
    boolean isBounded() {
      return true;
    }

    @Override
    Query query() {
      return FeatureField.newSaturationQuery(term().field(), term().text(), 1f, pivot);
    }
  }

  private static final class Sigmoid extends FeatureFunction {
    private final float pivot;
    private final float exponent;
    private final double pivotPower;

    Sigmoid(Term term, float pivot, float exponent) {
      super(term);
      this.pivot = pivot;
      this.exponent = exponent;
      this.pivotPower = Math.pow(pivot, exponent);
    }

    @Override
    float score(float weight, float value) {
      return (float) (weight * (1 - pivotPower / (Math.pow(value, exponent) + pivotPower)));
    }

    @Override
    boolean isBounded() {
      return true;
    }

    @Override
    Query query() {
      return FeatureField.newSigmoidQuery(term().field(), term().text(), 1f, pivot, exponent);
    }
  }
}
