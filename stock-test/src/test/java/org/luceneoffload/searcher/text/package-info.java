/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Queries of words: phrases, spans, unions, their scores and what is skipped. */
package org.luceneoffload.searcher.text;
