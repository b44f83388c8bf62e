/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The plugin: what it gives to a node. */
package org.luceneoffload.opensearch;
