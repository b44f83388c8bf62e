/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Posting pages, pages of columns and of positions: written and read. */
package org.luceneoffload.wire.page;
