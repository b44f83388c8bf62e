/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The paper on page indexes in the SSD, on the device model: a table with an index entry a page
 * (PageTable, RedoIndex), what scans, deletes and inserts take with each kind of index (IndexLab),
 * the fit of what the paper leaves open (IndexFit), and the comparison (IndexStudy).
 */
package org.luceneoffload.papers.pageindex;
