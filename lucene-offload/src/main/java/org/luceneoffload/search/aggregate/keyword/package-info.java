/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Keywords of segments under numbers that hold for all of them, and counts by these. */
package org.luceneoffload.search.aggregate.keyword;
