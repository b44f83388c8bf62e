/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.corpus;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * One document of the corpus: a type or a member with its description.
 *
 * @param id library and member, such as {@code lucene-core/org.apache.lucene.index.Term#text()};
 *     unique in the corpus
 * @param title what people call it, such as {@code Term.text()} or {@code Class Term}
 * @param artifact the library, such as {@code lucene-core}
 * @param kind class, interface, enum, record, annotation, exception, error, method, constructor or
 *     field
 * @param packageName the package, such as {@code org.apache.lucene.index}
 * @param length characters (code points) of the body
 * @param body the description, then the notes on parameters, result and exceptions
 */
public record CorpusDocument(
    String id,
    String title,
    String artifact,
    String kind,
    @JsonProperty("package") String packageName,
    int length,
    String body) {}
