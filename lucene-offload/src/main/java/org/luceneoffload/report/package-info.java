/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Reports that an application may ask for afterwards: counters, refusals and the plan of a query.
 */
package org.luceneoffload.report;
