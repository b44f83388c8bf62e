/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * One TCP connection: what it holds, and how it ends. After Connect it is a queue of a controller.
 *
 * Its memory is bounded: a ring of commands as long as the queue, the data of these commands, one
 * buffer for data to the host.
 */
#ifndef TGT_CONNECTION_H
#define TGT_CONNECTION_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "auth/chap.h"
#include "nvme.h"
#include "transport/pdu.h"
#include "transport/stream.h"

struct csd_queue;
struct tgt_controller;
struct tgt_options;
struct tgt_server;

enum {
  TGT_IN_CAPSULE_BYTES = 16384,   /* data in a command capsule of an I/O queue */
  TGT_ADMIN_CAPSULE_BYTES = 8192, /* of an admin queue; NVMe/TCP says so */
  TGT_MAX_H2C_DATA = 131072,      /* MAXH2CDATA */
  TGT_MAX_C2H_DATA = 131072,      /* data of one C2HData PDU */
  TGT_MAX_TRANSFER = 1 << 20,     /* of one command; MDTS says so too */
  TGT_MAX_BUFFERED = 4 << 20,     /* data from the host, of all commands of a connection */
  TGT_MIN_QUEUE = 2,              /* entries of a queue */
  TGT_ADMIN_QUEUE = 128,          /* most entries of an admin queue */
  TGT_FIRST_DEPTH = 8,            /* commands under way before Connect */
  TGT_MAX_EVENTS = 4,             /* asynchronous event requests that are held; AERL + 1 */
  TGT_HELD_BYTES = 16384,         /* answers that wait for those of the next commands */
  TGT_QUEUE_BYTES = 16384,        /* more than the engine's queue of an I/O queue takes */
  TGT_HANDSHAKE_MS = 10000,       /* until a connection has become a queue */
  TGT_REASON_BYTES = 192,
};

/** A command from its capsule to its answer. */
struct tgt_pending {
  atomic_bool aborted; /* set by another thread: apart from the flags that this thread writes */
  struct nvme_command sqe;
  uint8_t *data;       /* from the host; NULL: none, or not asked for yet */
  uint32_t data_bytes; /* that it has, or will have */
  uint32_t received;
  uint16_t refusal; /* answered with this status, without being run; 0: none */
  bool admitted;    /* checked by tgt_commands_run() */
  bool asked;       /* the R2T is out */
};

/** How a command ended. */
struct tgt_reply {
  uint16_t status;     /* see nvme_status */
  uint64_t result;     /* dwords 0 and 1 of the completion */
  uint32_t data_bytes; /* to the host, from the connection's `out` */
  bool held;           /* no answer now */
  bool last;           /* the connection ends after the answer */
};

enum tgt_connection_state { TGT_WAIT_IC, TGT_WAIT_CONNECT, TGT_WAIT_AUTHENTICATION, TGT_LIVE };

struct tgt_connection {
  struct tgt_server *server;
  const struct tgt_options *options;      /* the server's */
  struct tgt_connection *next, *previous; /* the server's list */
  bool associated, displaced;             /* guarded by the server's lock */
  struct tgt_stream stream;
  char peer[64];
  enum tgt_connection_state state;
  bool admitted; /* to its controller */
  uint32_t
      handshake_ms; /* until it is LIVE: TGT_HANDSHAKE_MS, or the I/O timeout if that is less */
  int64_t handshake_end; /* tgt_now_ms() */
  struct tgt_chap chap;  /* of authentication, from Connect on */
  bool header_digest, data_digest;
  uint32_t alignment;                /* of data in C2HData, bytes */
  struct tgt_controller *controller; /* NULL before Connect */
  uint16_t queue_id;
  uint32_t depth; /* commands under way at most */
  uint16_t sq_head;
  bool no_flow_control;      /* the host does without sq_head */
  struct csd_queue *engine;  /* of an I/O queue */
  pthread_mutex_t ring_lock; /* for aborts, which come from another connection's thread */
  struct tgt_pending *ring;  /* the tag of an R2T is a place in it */
  uint32_t ring_room;        /* at least depth */
  uint32_t head, count;
  int64_t progress_ms;             /* when data that are awaited last came, or were asked for */
  uint32_t buffered;               /* bytes of data of the ring */
  int64_t read_ms;                 /* when the latest PDU was read that had to be waited for */
  uint32_t held_bytes;             /* see tgt_write_flush() */
  uint8_t held[TGT_HELD_BYTES];    /* PDUs to the host */
  uint8_t *out;                    /* data to the host, TGT_MAX_TRANSFER; made when first needed */
  uint16_t events[TGT_MAX_EVENTS]; /* command IDs of held asynchronous event requests */
  uint32_t event_count;
  char reason[TGT_REASON_BYTES];    /* why it ends; "" as long as it goes on */
  uint16_t fatal;                   /* pdu_fatal to tell the host; 0: nothing to tell */
  uint8_t offender[PDU_MAX_HEADER]; /* header of the PDU that broke a rule */
  uint32_t offender_bytes;
  _Atomic(const char *) killed; /* reason from another thread */
};

/** Makes a connection over a socket, which it takes over. @return NULL if memory is short */
struct tgt_connection *tgt_connection_make(struct tgt_server *server,
                                           const struct tgt_options *options, int file,
                                           const char *peer);
void tgt_connection_free(struct tgt_connection *connection);

/** The most memory that a connection comes to take, in bytes, without its thread's stack. */
uint64_t tgt_connection_bytes(const struct tgt_options *options);

/** Command number `place` of the ring; the oldest is 0. */
static inline struct tgt_pending *tgt_connection_at(const struct tgt_connection *c,
                                                    uint32_t place) {
  return &c->ring[(c->head + place) % c->ring_room];
}

/** What a connection needs next to become a queue, for messages. */
static inline const char *tgt_connection_awaits(const struct tgt_connection *c) {
  return c->state == TGT_WAIT_AUTHENTICATION ? "authentication" : "Connect";
}

/** Frees the oldest command of the ring. */
void tgt_connection_pop(struct tgt_connection *connection);

/** Ends a connection from any thread, as long as it is not being freed. `reason` is static. */
void tgt_connection_kill(struct tgt_connection *connection, const char *reason);

/** Marks a command as aborted, from any thread. @return whether it is there, unanswered */
bool tgt_connection_abort(struct tgt_connection *connection, uint16_t cid);

/** Notes why a connection ends. The first reason stays. @return false, for its caller to return */
bool tgt_connection_end(struct tgt_connection *connection, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** The same for a peer that broke a rule: it is told, with the header of the PDU. */
bool tgt_connection_fatal(struct tgt_connection *connection, enum pdu_fatal fatal,
                          const uint8_t *header, uint32_t header_bytes, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/** Whether there is any sense in going on: neither killed nor left by the peer. */
bool tgt_connection_wanted(const struct tgt_connection *connection);

/** The buffer for data to the host. @return NULL if memory is short */
uint8_t *tgt_connection_out(struct tgt_connection *connection);

#endif
