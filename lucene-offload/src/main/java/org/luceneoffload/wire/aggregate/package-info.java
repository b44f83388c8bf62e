/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Aggregates of column values: their part of a plan, and their result pages. */
package org.luceneoffload.wire.aggregate;
