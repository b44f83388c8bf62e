/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Aggregations of applications: as parts of plans, over doc values, and over segments. */
package org.luceneoffload.search.aggregate;
