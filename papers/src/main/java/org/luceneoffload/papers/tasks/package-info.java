/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Summarizer on the device model: pages that device and host work on at once. TpchTables and
 * JoinRecords are the data, in pages of rows (RowPages) on a simulated device (RowStore); the
 * engine's programs run over each page (RowRun, TaskWorkloads), and what they do is what the model
 * plays (TaskLab). ColumnTable has the same table as columns of an index, for plans of the product.
 * TaskFit fits what the paper leaves open, TaskStudy runs its experiments: TaskBars figure 5,
 * TaskSweeps figures 6 and 7, TaskCosts figure 8.
 */
package org.luceneoffload.papers.tasks;
