/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Index formats: stock Lucene postings with a posting image for the device beside them. */
package org.luceneoffload.codec;
