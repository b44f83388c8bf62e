/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The experiments of the first search-engine computational SSD, run again on the device model: what
 * they are (Matrix), what was published (Published), what the model says (Lab), how both compare
 * (Formulas, Trends), and the report in HTML, CSV and JSON. Every time and energy here is
 * simulated, so the same profile gives the same bytes.
 */
package org.luceneoffload.cli.reproduce;
