/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TestQueryShape {
  @ParameterizedTest
  @CsvSource({
    "+a +b, AND",
    "a AND b, AND",
    "+(+a +b) +c, AND",
    "a b, OR",
    "a, OR",
    "a^2, OR",
    "(a b)^2 c, OR",
    "+a -b, NOT",
    "+a +b -c -d, NOT",
    "+a b, MIXED",
    "a -b, MIXED",
    "+a +(b c), MIXED",
    "+a b -c, MIXED"
  })
  void signsDecide(String query, QueryShape shape) {
    assertEquals(
        shape, QueryShape.of(new Queries(TypedFields.NONE).parse(new QueryLine(query, null))));
  }
}
