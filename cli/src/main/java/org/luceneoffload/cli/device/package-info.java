/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** {@code offload device} and {@code offload profile}: what there is. */
package org.luceneoffload.cli.device;
