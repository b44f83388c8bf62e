/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Indexes on storage nodes. */
package org.luceneoffload.cli.node;
