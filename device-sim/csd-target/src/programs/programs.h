/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The compute namespace as a controller has it: the engine's commands as programs of the device,
 * and memory range sets, each a session of the engine. Its commands are the second dialect beside
 * io/vendor.h, over the same io/owned.h.
 */
#ifndef TGT_PROGRAMS_H
#define TGT_PROGRAMS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "nvme.h"
#include "programs/local_memory.h"

struct tgt_connection;
struct tgt_controller;
struct tgt_pending;
struct tgt_reply;

/** Programs of the device, by their index. */
enum tgt_program { TGT_PLAN_PROGRAM, TGT_LIVE_DOCS_PROGRAM, TGT_PROGRAMS };

/** Their unique IDs: "ODPPLAN1" and "ODPLIVE1". */
#define TGT_PLAN_PROGRAM_ID UINT64_C(0x314E414C5050444F)
#define TGT_LIVE_DOCS_PROGRAM_ID UINT64_C(0x314556494C50444F)

enum { TGT_MAX_RANGE_SETS = 512 };

struct tgt_range_set {
  uint16_t id; /* 0: free */
  uint32_t session, bytes;
  uint64_t start; /* in the memory namespace */
};

struct tgt_programs {
  atomic_bool enabled; /* the host has asked for all command sets */
  struct tgt_local_memory memory;
  pthread_mutex_t lock; /* guards what follows; no other is taken under it */
  bool active[TGT_PROGRAMS];
  uint32_t running[TGT_PROGRAMS]; /* commands under way */
  uint16_t last_set;
  struct tgt_range_set sets[TGT_MAX_RANGE_SETS];
};

/** Makes what a controller has beside its NVM namespace. @return NULL if memory is short */
struct tgt_programs *tgt_programs_make(uint64_t memory_bytes);
/** @param programs  may be NULL */
void tgt_programs_free(struct tgt_programs *programs);

/**
 * As at the start, after a reset of the controller: no I/O queue is there, its sessions are closed.
 *
 * @param programs  may be NULL
 */
void tgt_programs_reset(struct tgt_programs *programs);

/** Whether the controller shows its host more command sets than NVM. */
bool tgt_programs_are_on(const struct tgt_controller *controller);

/** Execute Program, checked for its namespace and opcode. */
void tgt_programs_execute(struct tgt_connection *connection, struct tgt_pending *command,
                          struct tgt_reply *reply);

/** Program Activation Management, and Memory Range Set Management; on the admin queue. */
void tgt_programs_activate(struct tgt_connection *connection, struct tgt_pending *command,
                           struct tgt_reply *reply);
void tgt_programs_manage_sets(struct tgt_connection *connection, struct tgt_pending *command,
                              struct tgt_reply *reply);

/** A command of the memory namespace, checked for its namespace and opcode. */
void tgt_memory_run(struct tgt_connection *connection, struct tgt_pending *command,
                    struct tgt_reply *reply);

/** What a status of the wire is on the compute namespace; see tgt_status_of(). */
uint16_t tgt_programs_status_of(int wire);

#endif
