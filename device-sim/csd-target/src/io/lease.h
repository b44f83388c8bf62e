/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Leases of the namespace, which hosts that share it hold so that they do not harm each other: the
 * one of who writes, and those of who reads, each with the number of the oldest file table that it
 * still reads from. They end when their time is over; that of the writer soon after its connection
 * has gone. They are in memory only: a host learns from `boot` that they began anew.
 */
#ifndef TGT_LEASE_H
#define TGT_LEASE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "nvme.h"

struct csd_lease_state;
struct tgt_controller;
struct tgt_reply;

enum {
  TGT_MAX_READERS = 256,
  TGT_ORPHAN_MS = 3000, /* what is left of a writer's lease once its controller has ended */
};

struct tgt_reader_lease {
  uint64_t key, sequence; /* key 0: free */
  int64_t until_ms;
};

struct tgt_leases {
  pthread_mutex_t lock; /* guards what follows; taken last */
  uint64_t boot;
  uint64_t generation; /* of the latest writer; the first is 1 */
  uint64_t writer, last_writer;
  uint16_t controller; /* that the writer last took or renewed its lease with */
  int64_t writer_until_ms, started_ms;
  struct tgt_reader_lease readers[TGT_MAX_READERS];
};

/** Begins without any lease. */
void tgt_leases_open(struct tgt_leases *leases);
/** Frees what opening made. */
void tgt_leases_close(struct tgt_leases *leases);

/**
 * Runs a LEASE command.
 *
 * @param out    takes the lease_state
 * @param reply  told how many bytes that are
 * @return a csd_status
 */
int tgt_lease_run(struct tgt_leases *leases, struct tgt_controller *controller,
                  const struct nvme_command *sqe, uint8_t *out, struct tgt_reply *reply);

/** Says who holds leases now, as the command REPORT does. */
void tgt_lease_look(struct tgt_leases *leases, struct csd_lease_state *state);

/**
 * Returns whether a controller may write: nobody else holds the writer's lease, and nobody has held
 * it since this controller did.
 */
bool tgt_lease_lets_write(struct tgt_leases *leases, const struct tgt_controller *controller);

/** A controller has ended: what is left of its lease is short. */
void tgt_lease_left(struct tgt_leases *leases, const struct tgt_controller *controller);

#endif
