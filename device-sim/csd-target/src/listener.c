/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "listener.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "log.h"
#include "server.h"

enum { BACKLOG = 128, PAUSE_MS = 100 };

union address {
  struct sockaddr any;
  struct sockaddr_in v4;
  struct sockaddr_in6 v6;
};

static int fail(const char *address, uint16_t port, const char *call, int file) {
  fprintf(stderr, "csd-target: %s port %u: %s: %s\n", address, port, call, strerror(errno));
  if (file >= 0) {
    close(file);
  }
  return -1;
}

static bool is_loopback(const union address *address) {
  if (address->any.sa_family == AF_INET6) {
    return IN6_IS_ADDR_LOOPBACK(&address->v6.sin6_addr);
  }
  return ntohl(address->v4.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
}

int tgt_listen(const char *text, bool trust_network, uint16_t *port) {
  union address address = {.v4 = {.sin_family = AF_INET, .sin_port = htons(*port)}};
  socklen_t length = sizeof address.v4;
  const int yes = 1;
  if (inet_pton(AF_INET, text, &address.v4.sin_addr) != 1) {
    address.v6 = (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_port = htons(*port)};
    length = sizeof address.v6;
    if (inet_pton(AF_INET6, text, &address.v6.sin6_addr) != 1) {
      fprintf(stderr, "csd-target: --listen: \"%s\" is no numeric IPv4 or IPv6 address\n", text);
      return -1;
    }
  }
  if (!is_loopback(&address) && !trust_network) {
    fprintf(stderr,
            "csd-target: --listen: %s is no loopback address, and hosts need not authenticate: "
            "whoever reaches it reads and writes the store; --tls-key-file and --auth-key-file "
            "give them keys, "
            "--trust-network says that this is meant\n",
            text);
    return -1;
  }
  const int file = socket(address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (file < 0) {
    return fail(text, *port, "socket", file);
  }
  setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(file, &address.any, length) != 0) {
    return fail(text, *port, "bind", file);
  }
  if (listen(file, BACKLOG) != 0) {
    return fail(text, *port, "listen", file);
  }
  if (getsockname(file, &address.any, &length) != 0) {
    return fail(text, *port, "getsockname", file);
  }
  *port = ntohs(address.any.sa_family == AF_INET6 ? address.v6.sin6_port : address.v4.sin_port);
  return file;
}

static void name_of(const union address *address, char *text, size_t bytes) {
  char host[INET6_ADDRSTRLEN] = "?";
  if (address->any.sa_family == AF_INET6) {
    inet_ntop(AF_INET6, &address->v6.sin6_addr, host, sizeof host);
    snprintf(text, bytes, "[%s]:%u", host, ntohs(address->v6.sin6_port));
  } else {
    inet_ntop(AF_INET, &address->v4.sin_addr, host, sizeof host);
    snprintf(text, bytes, "%s:%u", host, ntohs(address->v4.sin_port));
  }
}

static void accept_one(struct tgt_server *server, int listener) {
  union address address;
  socklen_t length = sizeof address;
  char peer[64];
  memset(&address, 0, sizeof address);
  const int file = accept4(listener, &address.any, &length, SOCK_CLOEXEC);
  if (file >= 0) {
    name_of(&address, peer, sizeof peer);
    tgt_server_take(server, file, peer);
  } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
    tgt_log(TGT_WARNING, "accept: %s", strerror(errno));
    poll(NULL, 0, PAUSE_MS); /* until some have gone */
  }
}

void tgt_accept(struct tgt_server *server, int listener, int stop) {
  for (;;) {
    struct pollfd both[2] = {{.fd = stop, .events = POLLIN}, {.fd = listener, .events = POLLIN}};
    if (poll(both, 2, -1) < 0) {
      continue;
    }
    if (both[0].revents != 0) {
      return;
    }
    if (both[1].revents != 0) {
      accept_one(server, listener);
    }
  }
}
