/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Aggregations that an application asks for, and their results.
 *
 * @since 1.0.0
 */
package org.luceneoffload.aggregate;
