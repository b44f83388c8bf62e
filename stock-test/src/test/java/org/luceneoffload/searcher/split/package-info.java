/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Searches whose plans device and host share. */
package org.luceneoffload.searcher.split;
