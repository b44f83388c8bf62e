/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Log lines to standard error: time, level, text. Any thread.
 *
 * A line never waits for whoever reads the log: a thread of the log's own writes, from a queue of
 * bounded length. Lines for which the queue has no room are left out, and so are those beyond a few
 * hundred a second. The next line that is written says how many they were.
 */
#ifndef TGT_LOG_H
#define TGT_LOG_H

#include <stdbool.h>

enum tgt_level { TGT_ERROR, TGT_WARNING, TGT_INFO, TGT_DEBUG };

/** Leaves out lines of a higher level. Before the first thread starts. */
void tgt_log_set_level(enum tgt_level level);

/**
 * Starts the thread that writes. Before, and without it, each line is written by its caller, who
 * waits.
 *
 * @return false if there is no thread to be had
 */
bool tgt_log_start(void);

/** Writes what is queued and ends the thread. Gives up after a second if nobody reads. */
void tgt_log_stop(void);

/** Writes one line. Bytes that are no printable ASCII become '?', since names come from peers. */
void tgt_log(enum tgt_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
