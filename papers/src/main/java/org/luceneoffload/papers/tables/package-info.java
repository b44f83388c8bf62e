/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The paper of 2013 on the device model: scans of tables in row and column pages (TableLab,
 * TableStudy), the fit of what it leaves open (TableFit), and its runtime with several sessions
 * (SessionStudy).
 */
package org.luceneoffload.papers.tables;
