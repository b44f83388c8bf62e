/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** {@code offload coverage}: what share of a query log the device takes, and why not the rest. */
package org.luceneoffload.cli.coverage;
