/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The planner against the timing model and stock Lucene, on the simulator. */
package org.luceneoffload.planner;
