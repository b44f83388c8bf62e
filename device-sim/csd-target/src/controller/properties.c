/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "controller/properties.h"

#include "controller/controller.h"
#include "csd/csd.h"
#include "directory.h"
#include "log.h"
#include "options.h"
#include "programs/programs.h"

enum { CAP = 0x00, VS = 0x08, CC = 0x14, CSTS = 0x1C };

/* CAP: contiguous queues; half-seconds until ready; the NVM command set, or that and others. */
#define CAP_CONTIGUOUS (UINT64_C(1) << 16)
#define CAP_TIMEOUT (UINT64_C(40) << 24)
#define CAP_NVM_COMMAND_SET (UINT64_C(1) << 37)
#define CAP_SEVERAL_COMMAND_SETS (UINT64_C(1) << 43)

enum {
  CC_ENABLE = 1,
  CC_COMMAND_SET = 7 << 4,
  CC_ALL_COMMAND_SETS = 6 << 4,
  CC_PAGE_SIZE = 15 << 7,
  CC_ARBITRATION = 7 << 11,
  CC_SHUTDOWN = 3 << 14,
};
enum { CSTS_READY = 1, CSTS_FATAL = 2, CSTS_SHUTDOWN_MASK = 12, CSTS_SHUTDOWN_DONE = 8 };

bool tgt_property_get(struct tgt_controller *c, uint32_t offset, bool wide, uint64_t *value) {
  const uint32_t depth = c->server->options->queue_depth;
  bool known = true;
  if (wide) {
    *value = (uint64_t)(depth - 1) | CAP_CONTIGUOUS | CAP_TIMEOUT | CAP_NVM_COMMAND_SET;
    if (c->programs != NULL) {
      *value |= CAP_SEVERAL_COMMAND_SETS;
    }
    return offset == CAP;
  }
  pthread_mutex_lock(&c->lock);
  switch (offset) {
    case VS: *value = tgt_controller_version(c); break;
    case CC: *value = c->configuration; break;
    case CSTS: *value = c->state; break;
    default: known = false; break;
  }
  pthread_mutex_unlock(&c->lock);
  return known;
}

static void set_state(struct tgt_controller *c, uint32_t clear, uint32_t set) {
  pthread_mutex_lock(&c->lock);
  c->state = (c->state & ~clear) | set;
  pthread_mutex_unlock(&c->lock);
}

bool tgt_property_set(struct tgt_controller *c, uint32_t offset, bool wide, uint64_t value) {
  if (wide || offset != CC) {
    return false;
  }
  const uint32_t now = (uint32_t)value;
  pthread_mutex_lock(&c->lock);
  const uint32_t before = c->configuration;
  c->configuration = now;
  pthread_mutex_unlock(&c->lock);
  if ((now & CC_ENABLE) != 0 && (before & CC_ENABLE) == 0) {
    const bool all = (now & CC_COMMAND_SET) == CC_ALL_COMMAND_SETS && c->programs != NULL;
    const uint32_t others = all ? 0 : CC_COMMAND_SET;
    const bool good = (now & (others | CC_PAGE_SIZE | CC_ARBITRATION)) == 0;
    if (c->programs != NULL) {
      atomic_store(&c->programs->enabled, all);
    }
    set_state(c, ~0u, good ? CSTS_READY : CSTS_FATAL);
  } else if ((now & CC_ENABLE) == 0 && (before & CC_ENABLE) != 0) {
    tgt_controller_reset(c, "the host reset the controller");
  }
  if ((now & CC_SHUTDOWN) != 0 && (before & CC_SHUTDOWN) == 0) {
    const int status = tgt_controller_flush(c);
    if (status < 0) {
      tgt_log(TGT_ERROR, "flush at shutdown: %s: %s", csd_status_name(status), csd_last_error());
    }
    set_state(c, CSTS_SHUTDOWN_MASK, CSTS_SHUTDOWN_DONE);
  }
  return true;
}
