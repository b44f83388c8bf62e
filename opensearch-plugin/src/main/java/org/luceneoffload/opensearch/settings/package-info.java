/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** What is set for nodes and indexes, and what is wrong with it. */
package org.luceneoffload.opensearch.settings;
