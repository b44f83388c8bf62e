/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Ways to ask a searcher, and answers as lines that can be compared. */
package org.luceneoffload.fuzz.probe;
