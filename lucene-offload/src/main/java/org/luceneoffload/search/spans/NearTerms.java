/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.spans;

import java.util.List;
import org.apache.lucene.index.Term;

/**
 * Terms of one field near each other: spans or intervals.
 *
 * @param terms different ones, at least two
 * @param op how they are near each other, a value of {@link org.luceneoffload.wire.OffloadWire.Op}
 * @param limit of the gaps between them
 */
public record NearTerms(List<Term> terms, int op, int limit) {}
