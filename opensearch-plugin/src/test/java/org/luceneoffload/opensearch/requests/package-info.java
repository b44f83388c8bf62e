/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Random documents and requests, and responses that have to be equal. */
package org.luceneoffload.opensearch.requests;
