/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "inside.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "csd/csd.h"
#include "log.h"
#include "queue/serve.h"
#include "tests/support/check.h"
#include "tests/support/scratch.h"
#include "transport/connection.h"

void inside_defaults(struct inside *inside, const char *name) {
  tgt_options_defaults(&inside->options);
  tgt_log_set_level(TGT_ERROR);
  char identity[100];
  snprintf(identity, sizeof identity, "%s.id", name);
  inside->options.store = scratch_path(name);
  (void)scratch_path(identity); /* to be removed in the end */
  inside->options.capacity_bytes = 64 * CSD_LBA_BYTES;
  inside->options.subsystem = INI_SUBSYSTEM;
  inside->configuration = 0x460001;
}

/* A thread of the target for one end of a socket pair; the initiator has the other. */
static void *serve(void *argument) {
  struct tgt_connection *c = argument;
  struct tgt_server *server = c->server;
  tgt_serve(c);
  tgt_directory_leave(server, c);
  return NULL;
}

static void dial(struct tgt_server *server, struct ini_connection *c) {
  int pair[2];
  pthread_t thread;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) {
    abort();
  }
  struct tgt_connection *mine = tgt_connection_make(server, server->options, pair[0], "pair");
  if (mine == NULL || tgt_directory_enter(server, mine) != NULL) {
    abort();
  }
  if (pthread_create(&thread, NULL, serve, mine) != 0) {
    abort();
  }
  pthread_detach(thread);
  *c = (struct ini_connection){.file = pair[1], .alignment = 4, .next_cid = 1};
  CHECK(ini_parameters(c, 0, 0));
}

void inside_open(struct inside *inside) {
  if (tgt_server_open(&inside->server, &inside->options) != 0) {
    abort();
  }
  CHECK(inside_connect(inside, INI_HOST));
}

bool inside_connect(struct inside *inside, const char *host) {
  dial(&inside->server, &inside->admin);
  const struct ini_answer answer =
      ini_connect_on(&inside->admin, host, INI_SUBSYSTEM, 0, 0xFFFF, 0);
  const uint16_t id = (uint16_t)answer.result;
  if (answer.status != 0 || ini_set_cc(&inside->admin, inside->configuration).status != 0) {
    return false;
  }
  dial(&inside->server, &inside->io);
  return ini_connect_on(&inside->io, host, INI_SUBSYSTEM, 1, id, 0).status == 0;
}

void inside_write(struct inside *inside, uint64_t lba, const uint8_t *pages, uint32_t count) {
  for (uint32_t page = 0; page < count; page++) {
    const struct ini_command write = {.opcode = 1,
                                      .nsid = 1,
                                      .cdw10 = (uint32_t)lba + page,
                                      .out = pages + page * CSD_PAGE_BYTES,
                                      .out_bytes = CSD_PAGE_BYTES};
    REQUIRE(ini_run(&inside->io, &write).status == 0);
  }
}

int inside_close(struct inside *inside) {
  const int status = tgt_server_close(&inside->server);
  ini_close(&inside->admin);
  ini_close(&inside->io);
  return status;
}
