/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Pages of a column that will be read soon are asked for ahead, where the page source is cold: then
 * they come together, and not one after the other. Which pages will be read, the docs tell that are
 * looked up, and the page index. Where the source is not cold, nothing is done.
 */
#ifndef CSD_COLUMN_AHEAD_H
#define CSD_COLUMN_AHEAD_H

#include "core/columns/column_index.h"

/** Pages that are asked for at most behind the one that is read. */
#define CSD_COLUMN_MAX_AHEAD 32u

/** Pages that are asked for at most for docs that will be looked up. */
#define CSD_COLUMN_MAX_FOR_DOCS 128u

/**
 * Whether a page will be read that has some of the docs; NULL in its place: if the cursor's values
 * take it.
 */
typedef bool csd_column_reads(const void *context, const struct csd_column_entry *entry);

/** Asks, once, for what the page index on the store knows of the column's pages. */
void csd_column_ask_for_index(struct csd_column_cursor *cursor);

/**
 * Asks for the pages of docs that will be looked up, from where the cursor is on. If these lie
 * close together, pages behind them are asked for, too: the longer that goes on, the more.
 *
 * @param docs  `n` of them, ascending
 */
void csd_column_ask_for_docs(struct csd_column_cursor *cursor, const uint32_t *docs, uint32_t n,
                             csd_column_reads *reads, const void *context);

/**
 * Called before the cursor reads page `at`: if it reads one page after the other of those that its
 * values take, asks for the next ones, the more, the longer that goes on.
 */
void csd_column_ask_on(struct csd_column_cursor *cursor, uint32_t at);

#endif
