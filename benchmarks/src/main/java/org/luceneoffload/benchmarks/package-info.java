/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * JMH benchmarks, one class for each question; every number is measured, and every one stands
 * beside stock Lucene's in the same run.
 */
package org.luceneoffload.benchmarks;
