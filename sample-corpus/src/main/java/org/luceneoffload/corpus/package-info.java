/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */

/** Turns the javadoc of well-known libraries into a corpus of real English text, with queries. */
package org.luceneoffload.corpus;
