/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The counters of all nodes. */
package org.luceneoffload.opensearch.action;
