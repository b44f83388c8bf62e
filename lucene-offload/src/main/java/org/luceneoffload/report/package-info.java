/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Reports that an application may ask for afterwards: counters, refusals and the plan of a query.
 *
 * @since 1.0.0
 */
package org.luceneoffload.report;
