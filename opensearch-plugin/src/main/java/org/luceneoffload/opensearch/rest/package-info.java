/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The REST interface of the plugin. */
package org.luceneoffload.opensearch.rest;
