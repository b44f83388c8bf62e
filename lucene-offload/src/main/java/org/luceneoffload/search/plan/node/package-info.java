/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The nodes of a segment's plan: each numbers what it refers to, writes itself, tells a planner
 * what it costs, and explains itself.
 */
package org.luceneoffload.search.plan.node;
