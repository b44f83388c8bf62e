/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Sorting on the wire: the part of a plan that says by which keys its best hits are found, the
 * result page that comes back, and how keys and values become each other.
 */
package org.luceneoffload.wire.sort;
