/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** {@code offload check}, {@code import}, {@code repair} and {@code detach}. */
package org.luceneoffload.cli.upkeep;
