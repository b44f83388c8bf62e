/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The metrics as text. */
#ifndef TGT_METRICS_TEXT_H
#define TGT_METRICS_TEXT_H

#include <stddef.h>

struct tgt_server;

/** Writes them in the text format of Prometheus; whole lines, a zero at the end, at most `room`. */
void tgt_metrics_write(struct tgt_server *server, char *text, size_t room);

#endif
