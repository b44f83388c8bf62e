/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * A controller: what a host's admin connection and I/O connections make up together. It lives as
 * long as its admin connection, and is freed when the last of its connections has gone. Sessions
 * and resources belong to the controller that made them.
 */
#ifndef TGT_CONTROLLER_H
#define TGT_CONTROLLER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "controller/id_set.h"
#include "io/lease.h"
#include "nvme.h"

struct csd_queue;
struct csd_submission;
struct tgt_connection;
struct tgt_programs;
struct tgt_server;

enum {
  TGT_MAX_QUEUES = 128,
  TGT_ERROR_ENTRIES = 64,
  TGT_DISCOVERY_MS = 120000, /* for a discovery controller to be idle without keep-alive */
  TGT_DISPLACED_MS = 1000,   /* for a controller to be idle before it may make room */
};

/** An entry of the error log. */
struct tgt_error {
  uint64_t number; /* 1 for the first; 0: none */
  uint64_t lba;
  uint32_t nsid;
  uint16_t queue_id, cid, status;
};

/** Values that Set Features changes. */
struct tgt_features {
  uint32_t arbitration, error_recovery, async_events, temperature_over, temperature_under;
  bool write_cache;
};

struct tgt_controller {
  struct tgt_server *server;
  struct tgt_controller *next, *previous;
  bool displaced; /* guarded by the server's lock */
  uint16_t id;
  bool discovery;
  char host[NVME_NQN_FIELD];
  uint8_t host_id[16];
  struct tgt_programs *programs; /* NULL: the NVM command set alone */
  pthread_mutex_t lock;          /* guards what follows */
  pthread_cond_t left;           /* a connection has gone */
  uint32_t references;           /* connections */
  uint32_t live;                 /* of these admitted: their host has authenticated, or need not */
  bool ended;
  bool authenticated;                                /* its host, or it need not */
  struct tgt_connection *queues[TGT_MAX_QUEUES + 1]; /* by queue ID; 0: admin */
  uint32_t configuration, state;                     /* CC, CSTS */
  uint32_t keep_alive_ms;                            /* 0: none */
  int64_t alive_ms;                                  /* when the host last gave a sign */
  uint32_t queue_limit;                              /* I/O queues that may be connected */
  struct tgt_features features;
  struct tgt_id_set sessions, resources;
  uint64_t memory_bytes; /* of the memory namespace that have been written */
  struct tgt_error errors[TGT_ERROR_ENTRIES];
  uint64_t error_count;
  struct tgt_held_leases leases; /* to write; guarded by those of the server */
  struct csd_queue *engine;      /* for what no I/O queue asked for; used under the lock */
};

/**
 * Makes a controller for an admin connection, which holds the first reference. If there are as many
 * as there may be, one that has neither keep-alive nor I/O queues and is idle makes room.
 *
 * @return NULL if there are too many, the server stops, or memory is short; *why says which
 */
struct tgt_controller *tgt_controller_make(struct tgt_server *server,
                                           struct tgt_connection *connection, bool discovery,
                                           const char *host, const uint8_t *host_id,
                                           const char **why);

/** Version of NVMe that it conforms to. */
uint32_t tgt_controller_version(const struct tgt_controller *controller);

/** Joins an I/O connection to a controller. @return NULL, or why not; *controller is set */
const char *tgt_controller_join(struct tgt_server *server, struct tgt_connection *connection,
                                uint16_t id, uint16_t queue_id, const char *host,
                                const uint8_t *host_id, struct tgt_controller **controller);

/**
 * Takes a connection out. With its admin connection the association ends: its I/O connections are
 * ended with `reason`, which is static. With the last one the controller is freed.
 */
void tgt_controller_leave(struct tgt_controller *controller, struct tgt_connection *connection,
                          const char *reason);

/** Ends the I/O connections, waits until they have gone, gives sessions and resources back. */
void tgt_controller_reset(struct tgt_controller *controller, const char *reason);

/** Makes all writes durable. @return 0, or a negated csd_status */
int tgt_controller_flush(struct tgt_controller *controller);

/** Milliseconds until the keep-alive timer expires; -1: it does not run. Admin thread. */
int64_t tgt_controller_patience(struct tgt_controller *controller);
/** Starts the keep-alive timer anew. */
void tgt_controller_alive(struct tgt_controller *controller);

/** Notes a failed command in the error log. */
void tgt_controller_note_error(struct tgt_controller *controller, uint16_t queue_id,
                               const struct nvme_command *command, uint16_t status);

/** Runs a command of the engine to its end. @return its status, positive; *dw0 is set */
int tgt_engine_run(struct csd_queue *queue, const struct csd_submission *command, uint32_t *dw0);

#endif
