/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Upkeep of device lists: for indexes that were written without them, that have lost them, or that
 * are to do without. No answer depends on any of it.
 *
 * @since 1.0.0
 */
package org.luceneoffload.maintain;
