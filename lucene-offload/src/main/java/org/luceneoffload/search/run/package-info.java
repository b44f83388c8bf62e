/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Searches by plans: the ways in which hits, docs, counts and aggregations come back. */
package org.luceneoffload.search.run;
