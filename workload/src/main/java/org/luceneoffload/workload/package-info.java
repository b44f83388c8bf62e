/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Corpora and queries: how they are read, told apart, and run on either side. */
package org.luceneoffload.workload;
