/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Running plans: sessions, live docs, and the ways in which hits, docs and counts come back. */
package org.luceneoffload.search.run;
