/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Random schemas, documents, queries, and the recipe of a round. */
package org.luceneoffload.fuzz.generate;
