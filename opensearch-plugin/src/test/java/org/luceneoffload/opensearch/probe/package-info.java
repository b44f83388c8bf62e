/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** A plugin for nodes that are measured: CPU time of the phases of a search. */
package org.luceneoffload.opensearch.probe;
