/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The command line. */
#ifndef TGT_OPTIONS_H
#define TGT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "auth/chap.h"
#include "auth/keys.h"
#include "log.h"
#include "nvme.h"

enum { TGT_MAX_HOSTS = 64, TGT_OPCODES = 14, TGT_MAX_STORES = 16 };

/** A store beside the first one, of which the options themselves say the same. */
struct tgt_store_options {
  const char *path;
  uint64_t capacity_bytes;
  bool read_only;
  const char *uuid, *subsystem, *serial; /* NULL: as tgt_options has it */
};

struct tgt_options {
  const char *store;       /* backing file */
  uint64_t capacity_bytes; /* of the namespace */
  uint64_t dram_bytes;     /* device memory for pages; 0: the engine's default */
  uint64_t index_bytes;    /* cache of the page index; 0: likewise */
  uint32_t sessions;       /* of all controllers together */
  uint64_t session_bytes;  /* of their grants together */
  uint64_t resource_bytes; /* of all live docs together */
  uint64_t program_bytes;  /* of all memory namespaces together; 0: neither these nor programs */
  uint32_t idle_session_s; /* unused for so long, a session makes room for another; 0: never */
  const char *kernels;     /* NULL: the best */
  bool read_only;
  const char *address;   /* to listen on */
  bool trust_network;    /* it may be another than loopback */
  uint16_t port;         /* 0: any free one */
  const char *advertise; /* address in the discovery log; NULL: the one a host came to */
  const char *uuid;      /* of the namespace; NULL: kept beside the store, see identity.h */
  const char *subsystem; /* NQN; NULL: made from the UUID */
  const char *serial;    /* NULL: made from the UUID */
  bool shared;           /* announce several controllers a host, for multipath */
  bool timing_model;     /* take MODEL and MODEL_FETCH */
  uint32_t io_queues;    /* of a controller */
  uint32_t raw_percent;  /* of the windows that tasks offer, refused at random: for tests */
  uint32_t task_threads; /* that run windows of tasks; 0: the engine's default */
  uint32_t task_windows; /* of all tasks that may wait; 0: the engine's default */
  uint32_t queue_depth;  /* entries of an I/O queue */
  uint32_t spin_us;      /* that a connection's thread asks for a command before it sleeps */
  uint32_t max_connections, max_controllers;
  uint32_t host_share; /* percent of what there is that one host gets; 0: seven eighths */
  bool metrics;        /* answer on metrics_port */
  uint16_t metrics_port;
  uint32_t io_timeout_ms; /* for a peer to go on with what it has begun */
  struct tgt_store_options others[TGT_MAX_STORES - 1]; /* further stores, each for itself */
  uint32_t other_count;
  const char *hosts[TGT_MAX_HOSTS]; /* NQNs that may connect; none: all may */
  uint32_t host_count;
  const char *chap_key_file; /* NULL: no host authenticates */
  struct tgt_keys chap_keys; /* what is in it */
  struct tgt_chap_policy chap_policy;
  const char *tls_key_file; /* NULL: no TLS */
  struct tgt_keys tls_keys;
  uint32_t boot;             /* see csd_device_options; 0: a random one. No option: for tests */
  uint16_t first_controller; /* ID; 0: a random one. No option: for tests */
  uint64_t budget; /* of postings between two looks at whether to go on. For tests as well */
  enum tgt_level log_level;
  uint8_t wire_opcode[256]; /* of an opcode on the fabric: the wire's; 0: none of the vendor's */
  uint8_t opcodes[TGT_OPCODES]; /* on the fabric, in the order of tgt_opcode_names; 0: none */
};

/** Names of the vendor commands on the command line, and the wire's opcodes. */
extern const char *const tgt_opcode_names[TGT_OPCODES];
extern const uint8_t tgt_wire_opcodes[TGT_OPCODES];

/** Sets what holds without any option. */
void tgt_options_defaults(struct tgt_options *options);

/**
 * Reads the command line; texts stay the caller's. Prints to standard output or standard error what
 * is to be said.
 *
 * @return 0 to go on, 1 if all is done (--help, --version), 2 on a mistake
 */
int tgt_options_parse(struct tgt_options *options, int count, char **arguments);

/** What one host gets at most of something, of which there is so much in all; at least 1. */
uint64_t tgt_options_share(const struct tgt_options *options, uint64_t all);

/** Options with another store in place of the first one. */
struct tgt_options tgt_options_of(const struct tgt_options *options,
                                  const struct tgt_store_options *store);

/** Fills wire_opcode from opcodes. @return false if two clash or a direction is wrong */
bool tgt_options_map(struct tgt_options *options, char *fault, uint32_t fault_bytes);

#endif
