/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Search on the Smart SSD (Wang and Park, 2016): SearchStudy runs the experiments and brings them
 * into the common report.
 */
package org.luceneoffload.papers.search;
