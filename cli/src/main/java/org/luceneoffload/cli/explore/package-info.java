/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** {@code offload explore}: a page that shows an index, for a browser on this machine. */
package org.luceneoffload.cli.explore;
