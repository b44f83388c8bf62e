/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Search requests as clusters log them (JSON bodies), as queries, sorts and aggregations. */
package org.luceneoffload.workload.request;
