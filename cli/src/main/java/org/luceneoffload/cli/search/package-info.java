/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** {@code offload search} and {@code offload explain}. */
package org.luceneoffload.cli.search;
