/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** {@code offload index}: makes or extends an index from corpus files. */
package org.luceneoffload.cli.index;
