/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Aggregations that an application asks for, and their results. */
package org.luceneoffload.aggregate;
