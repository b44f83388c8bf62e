/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload.shape;

import java.util.List;
import org.luceneoffload.workload.BenchWork;

/**
 * One shape of queries.
 *
 * @param group what it has in common with others
 * @param name what it looks like; no other shape has the same name
 * @param works some queries of it, with different words
 */
public record Shape(String group, String name, List<BenchWork> works) {}
