/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Listeners of JUnit's launcher, for modules that name them in service files: seeds, reasons. */
package org.luceneoffload.junit;
