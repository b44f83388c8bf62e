/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload.request;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.index.Term;
import org.luceneoffload.workload.TypedField;
import org.luceneoffload.workload.TypedFields;

/** What a request's field names stand for: typed fields of an index, or text. */
final class RequestFields {
  private final TypedFields typed;
  private final Analyzer analyzer = new StandardAnalyzer();

  RequestFields(TypedFields typed) {
    this.typed = typed;
  }

  /** Returns all typed fields. */
  TypedFields typed() {
    return typed;
  }

  /** Returns a typed field; null: it is text. */
  TypedField get(String name) {
    return typed.get(name);
  }

  /** Returns a field that has to be a typed one, and not one of points. */
  TypedField need(String name) {
    return need(name, false);
  }

  /** Returns a field that has to be a typed one of points. */
  TypedField needPoints(String name) {
    return need(name, true);
  }

  private TypedField need(String name, boolean points) {
    TypedField field = typed.get(name);
    if (field == null || (field.type() == TypedField.Type.GEO) != points) {
      throw new UntranslatedException(
          "\"" + name + "\" is no typed field of the index" + (points ? " with points" : ""));
    }
    return field;
  }

  /** Returns the terms of a text as the index has them, in order. */
  List<Term> terms(String field, String text) {
    List<Term> terms = new ArrayList<>();
    try (TokenStream tokens = analyzer.tokenStream(field, text)) {
      CharTermAttribute term = tokens.addAttribute(CharTermAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) {
        terms.add(new Term(field, term.toString()));
      }
      tokens.end();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return terms;
  }
}
