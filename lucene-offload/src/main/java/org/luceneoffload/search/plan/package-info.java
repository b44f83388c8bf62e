/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The plan of one segment: its tree of lists, and the encoding of that tree. */
package org.luceneoffload.search.plan;
