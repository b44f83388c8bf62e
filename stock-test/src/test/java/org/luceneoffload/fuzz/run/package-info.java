/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Runs a round: makes the index that a recipe says, asks, and compares. */
package org.luceneoffload.fuzz.run;
