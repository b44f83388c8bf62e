/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Load over HTTP: two indexes of one node, with the plugin and without, in turns. */
package org.luceneoffload.opensearch.load;
