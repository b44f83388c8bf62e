/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** {@code offload what-if}: an index and a query log of one's own on modelled devices. */
package org.luceneoffload.papers.whatif;
