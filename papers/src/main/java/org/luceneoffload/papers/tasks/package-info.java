/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Summarizer on the device model: pages that device and host work on at once. LineItem and
 * LineItemQuery are the queries over a table, TitleJoin the similarity join; both are run, and what
 * they do with each page is what the model plays (TaskLab). TaskFit fits what the paper leaves
 * open, TaskStudy runs its experiments.
 */
package org.luceneoffload.papers.tasks;
