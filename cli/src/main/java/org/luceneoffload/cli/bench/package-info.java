/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** {@code offload bench}: times both sides query by query. */
package org.luceneoffload.cli.bench;
