/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** What similarities and features give: the tables that plans carry, to the bit. */
package org.luceneoffload.search.score;
