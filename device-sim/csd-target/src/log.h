/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Log lines to standard error: time, level, text. Floods are thinned out. Any thread. */
#ifndef TGT_LOG_H
#define TGT_LOG_H

enum tgt_level { TGT_ERROR, TGT_WARNING, TGT_INFO, TGT_DEBUG };

/** Lines of a higher level are left out. Before the first thread starts. */
void tgt_log_set_level(enum tgt_level level);

/**
 * Writes one line. Bytes that are no printable ASCII come out as '?': names come from peers. Beyond
 * a few hundred lines a second the rest are counted only, and a line says how many.
 */
void tgt_log(enum tgt_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
