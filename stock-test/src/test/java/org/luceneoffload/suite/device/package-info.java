/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Lucene's own suites of formats, over our codec with its lists on a device. */
package org.luceneoffload.suite.device;
