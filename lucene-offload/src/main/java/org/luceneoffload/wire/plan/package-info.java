/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Plans as bytes, and the result pages of hits and docs. */
package org.luceneoffload.wire.plan;
