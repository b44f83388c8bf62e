/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Counters of the daemon over HTTP, on a port of 127.0.0.1 alone: GET /metrics in the text format
 * of Prometheus. A thread of its own answers each request as soon as it is there, whoever else is
 * slow with his; what it reads is atomic, or is read under the server's lock for as long as a list
 * is walked.
 */
#ifndef TGT_METRICS_H
#define TGT_METRICS_H

#include <stdbool.h>
#include <stdint.h>

struct tgt_server;
struct tgt_metrics;

/**
 * Listens on a port of the loopback.
 *
 * @param port  0: any free one; set to the one it is
 * @return NULL if that fails, which has been said on standard error
 */
struct tgt_metrics *tgt_metrics_listen(uint16_t *port);

/** Begins to answer. @return false if there is no thread to be had */
bool tgt_metrics_start(struct tgt_metrics *metrics, struct tgt_server *server);

/** Ends it, within the time of one request. */
void tgt_metrics_stop(struct tgt_metrics *metrics);

/** Asks a daemon of this machine for its metrics and prints them. @return the exit status */
int tgt_metrics_print(uint16_t port);

#endif
