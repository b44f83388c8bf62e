/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Leases of the namespace, which hosts that share it hold so that they do not harm each other:
 * those of who writes, each for a scope, and those of who reads, each with the number of the oldest
 * file table that it still reads from. Scope 0 is the whole namespace, and excludes every other;
 * what the others stand for is the hosts' matter. A lease belongs to the host that took it: the key
 * says which of its processes did, and is nothing in the hands of another host. Leases end when
 * their time is over; those of a writer soon after its connection has gone. They are in memory
 * only: a host learns from `boot` that they began anew.
 */
#ifndef TGT_LEASE_H
#define TGT_LEASE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "nvme.h"

struct csd_lease_state;
struct tgt_options;
struct tgt_reply;

enum {
  TGT_MAX_READERS = 256,
  TGT_OWN_PLACES = 16,   /* scopes below have a place each, whatever others are held */
  TGT_MAX_SCOPES = 1024, /* beside these */
  TGT_MAX_HELD = 256,    /* scopes of a controller, beside these */
  TGT_ORPHAN_MS = 3000,  /* what is left of a writer's lease once its controller has ended */
};

struct tgt_reader_lease {
  char host[NVME_NQN_BYTES];
  uint64_t key, sequence; /* key 0: free */
  int64_t until_ms;
};

/** The lease to write in a scope. */
struct tgt_writer_lease {
  char host[NVME_NQN_BYTES]; /* of the writer, or of the last one */
  uint64_t scope;
  uint64_t generation; /* grows with each other key that takes it; 0: nobody has yet */
  uint64_t whole;      /* generation of scope 0 when it was last taken */
  uint64_t writer, last_writer;
  int64_t until_ms;
  uint16_t controller; /* that the writer last took or renewed it with */
};

/** A lease to write that a controller has had, and not given up unless it is that of scope 0. */
struct tgt_held_lease {
  uint64_t scope, generation; /* as it was told */
  uint64_t key;               /* who took it; 0: given up */
  uint32_t at;                /* in the leases of all writers */
};

/** What a controller has of leases; guarded by the leases' lock. */
struct tgt_held_leases {
  const char *host; /* of the controller; set before any lease is taken, as is its ID */
  uint16_t controller;
  struct tgt_held_lease held[TGT_OWN_PLACES + TGT_MAX_HELD];
  uint32_t count;
  bool scoped; /* it has taken another than that of scope 0: without any it may not write */
};

struct tgt_leases {
  const struct tgt_options *options;
  pthread_mutex_t lock; /* guards what follows; taken last */
  uint64_t boot;
  uint64_t changes;     /* how often another key than the one before took a writer's lease */
  uint64_t forgotten;   /* greatest generation of a scope that made room for another */
  uint64_t whole_since; /* changes when scope 0 was last taken */
  int64_t started_ms;
  struct tgt_writer_lease writers[TGT_OWN_PLACES + TGT_MAX_SCOPES];
  uint32_t writer_count;
  struct tgt_reader_lease readers[TGT_MAX_READERS];
};

/** Begins without any lease. @param options  must stay */
void tgt_leases_open(struct tgt_leases *leases, const struct tgt_options *options);
/** Frees what opening made. */
void tgt_leases_close(struct tgt_leases *leases);

/**
 * Runs a LEASE command.
 *
 * @param held   what the controller has that it came to
 * @param out    takes the lease_state
 * @param reply  told how many bytes that are
 * @return a csd_status
 */
int tgt_lease_run(struct tgt_leases *leases, struct tgt_held_leases *held,
                  const struct nvme_command *sqe, uint8_t *out, struct tgt_reply *reply);

/** Says who holds leases now, as the command REPORT does. */
void tgt_lease_look(struct tgt_leases *leases, struct csd_lease_state *state);

/**
 * Returns whether a controller may write: of the writers' leases that it has had and not given up,
 * nobody else holds one, and nobody has held one since this controller did; and either it has one,
 * or nobody has.
 */
bool tgt_lease_lets_write(struct tgt_leases *leases, const struct tgt_held_leases *held);

/** A controller has ended: what is left of its leases to write is short. */
void tgt_lease_left(struct tgt_leases *leases, const struct tgt_held_leases *held);

#endif
