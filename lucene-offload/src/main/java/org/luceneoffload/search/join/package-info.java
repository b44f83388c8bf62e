/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** What queries of JoinUtil look for. */
package org.luceneoffload.search.join;
