/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * An NVMe/TCP host for tests, over plain sockets. It shares nothing with the target but the wire's
 * header: what it expects is written down here once more. One thread at a time uses a connection.
 */
#ifndef INITIATOR_H
#define INITIATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INI_SUBSYSTEM "nqn.2026-11.org.luceneoffload:csd"
#define INI_DISCOVERY "nqn.2014-08.org.nvmexpress.discovery"
#define INI_HOST "nqn.2014-08.org.nvmexpress:uuid:00000000-0000-0000-0000-000000000001"
#define INI_OTHER_HOST "nqn.2014-08.org.nvmexpress:uuid:00000000-0000-0000-0000-000000000002"

enum { INI_HEADER_DIGEST = 1, INI_DATA_DIGEST = 2 };

/** A command and its data; fields that are not set are zero. */
struct ini_command {
  uint8_t opcode;
  uint32_t nsid; /* of a Fabrics command: its type */
  uint32_t cdw2, cdw3, cdw4, cdw10, cdw11, cdw12, cdw13, cdw14, cdw15;
  const void *out; /* to the device */
  uint32_t out_bytes;
  bool apart; /* data not in the capsule, but when the device asks for them */
  void *in;   /* from the device */
  uint32_t in_bytes;
};

/** Statuses that are none of NVMe's: what became of the connection. */
enum { INI_CLOSED = -1, INI_TERMINATED = -2, INI_BROKEN = -3, INI_TIMEOUT = -4 };

struct ini_answer {
  int status; /* SCT << 8 | SC | 0x4000 for DNR; 0: success; or one of the above */
  uint64_t result;
  uint32_t in_bytes; /* that came */
};

struct ini_connection {
  int file;
  bool header_digest, data_digest;
  uint32_t alignment; /* of C2HData, bytes */
  uint32_t max_data;  /* MAXH2CDATA */
  uint16_t next_cid;
  uint16_t fatal;     /* FES of a C2HTermReq */
  const char *broken; /* what the device did wrong */
};

/** A received PDU, data and all. */
struct ini_pdu {
  uint8_t header[128];
  uint8_t *data; /* of the connection's, until the next one */
  uint32_t data_bytes;
};

/** Connects a socket to a port of the loopback. @return false if it is refused */
bool ini_dial(struct ini_connection *c, uint16_t port);
void ini_close(struct ini_connection *c);

/** ICReq and ICResp. `alignment` is HPDA, in dwords - 1. */
bool ini_parameters(struct ini_connection *c, uint8_t digests, uint8_t alignment);

/** Sends bytes as they are. @return false if the device has closed */
bool ini_send(struct ini_connection *c, const void *bytes, size_t count);

/** Receives whatever comes next. @return 0, or one of the above that are negative */
int ini_receive(struct ini_connection *c, struct ini_pdu *pdu);

/** Sends a command. @return its command ID */
uint16_t ini_start(struct ini_connection *c, const struct ini_command *command);

/**
 * Receives until the answer to a command that was started, serving R2T and data of it. Answers to
 * others are an error.
 */
struct ini_answer ini_finish(struct ini_connection *c, const struct ini_command *command,
                             uint16_t cid);

/** Both. */
struct ini_answer ini_run(struct ini_connection *c, const struct ini_command *command);

/** H2CData for all that an R2T asks for, in pieces of the connection's limit. */
bool ini_answer_r2t(struct ini_connection *c, const struct ini_pdu *r2t, const void *data,
                    uint32_t bytes);

/** Connect, on a connection whose parameters are agreed. @return its answer */
struct ini_answer ini_connect_on(struct ini_connection *c, const char *host, const char *subsystem,
                                 uint16_t queue_id, uint16_t controller_id, uint32_t keep_alive_ms);

/** Dials, agrees on digests and connects as a queue. @return the answer to Connect */
struct ini_answer ini_connect(struct ini_connection *c, uint16_t port, uint8_t digests,
                              const char *host, const char *subsystem, uint16_t queue_id,
                              uint16_t controller_id, uint32_t keep_alive_ms);

/** The controller's configuration: 0x460001 enables it. */
struct ini_answer ini_set_cc(struct ini_connection *c, uint32_t value);

/** A host with an enabled controller and one I/O queue, as tests mostly want it. */
struct ini_host {
  struct ini_connection admin, io;
  uint16_t controller_id;
};

/** @return whether all went well */
bool ini_host_open(struct ini_host *host, uint16_t port, uint8_t digests, const char *name);
void ini_host_close(struct ini_host *host);

/** Whether both connections still answer: a read of LBA 0, and Keep Alive. */
bool ini_host_is_well(struct ini_host *host);

/**
 * The same for a target that may still hold what hosts before this one have left: tries again for a
 * minute.
 */
bool ini_host_open_soon(struct ini_host *host, uint16_t port, uint8_t digests, const char *name);

/** A clock that only goes forward, ms. */
int64_t ini_now_ms(void);

uint16_t ini_get16(const uint8_t *from);
uint32_t ini_get32(const uint8_t *from);
uint64_t ini_get64(const uint8_t *from);

#endif
