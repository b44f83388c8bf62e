/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "metrics.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "metrics_text.h"
#include "transport/stream.h"

enum {
  REQUEST_BYTES = 2048,
  ANSWER_BYTES = 128 << 10,
  REQUEST_MS = 1000,
  MAX_CLIENTS = 32,
  STACK_BYTES = 1 << 18
};

/* Who has not asked yet. */
struct client {
  int file;
  uint32_t bytes;
  int64_t end_ms;
  char head[REQUEST_BYTES];
};

struct tgt_metrics {
  struct tgt_server *server;
  int listener, stop;
  pthread_t thread;
  char *text; /* ANSWER_BYTES */
  uint32_t count;
  struct client clients[MAX_CLIENTS]; /* the oldest first */
};

static struct sockaddr_in loopback(uint16_t port) {
  return (struct sockaddr_in){.sin_family = AF_INET,
                              .sin_port = htons(port),
                              .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
}

struct tgt_metrics *tgt_metrics_listen(uint16_t *port) {
  struct sockaddr_in address = loopback(*port);
  socklen_t length = sizeof address;
  const int yes = 1;
  struct tgt_metrics *m = calloc(1, sizeof *m);
  const int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (m == NULL || file < 0 || setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
      bind(file, (struct sockaddr *)&address, length) != 0 || listen(file, 128) != 0 ||
      getsockname(file, (struct sockaddr *)&address, &length) != 0) {
    fprintf(stderr, "csd-target: metrics on 127.0.0.1 port %u: %s\n", *port, strerror(errno));
    if (file >= 0) {
      close(file);
    }
    free(m);
    return NULL;
  }
  m->listener = file;
  m->stop = -1;
  *port = ntohs(address.sin_port);
  return m;
}

/* All of it at once: the socket has room for the largest answer, whether the client reads or not.
 */
static void answer(int file, const char *status, const char *body) {
  char head[200], rest[REQUEST_BYTES];
  const int room = 2 * ANSWER_BYTES;
  const int bytes = snprintf(head, sizeof head,
                             "HTTP/1.1 %s\r\nContent-Type: text/plain; version=0.0.4\r\n"
                             "Content-Length: %zu\r\nConnection: close\r\n\r\n",
                             status, strlen(body));
  struct iovec parts[2] = {{head, (size_t)bytes}, {(char *)(uintptr_t)body, strlen(body)}};
  const struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
  setsockopt(file, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
  (void)sendmsg(file, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  shutdown(file, SHUT_WR);
  (void)recv(file, rest, sizeof rest, MSG_DONTWAIT); /* what is left unread takes the answer back */
}

static bool asks_for(const char *head, const char *path) {
  const size_t length = strlen(path);
  return strncmp(head + 4, path, length) == 0 &&
         (head[4 + length] == ' ' || head[4 + length] == '?');
}

/* Answers a client whose request is there, or which has had its time. */
static void serve(struct tgt_metrics *m, const struct client *client, bool whole) {
  if (!whole) {
    answer(client->file, "400 Bad Request", "no request within a second\n");
  } else if (strncmp(client->head, "GET ", 4) != 0) {
    answer(client->file, "405 Method Not Allowed", "GET alone\n");
  } else if (!asks_for(client->head, "/metrics")) {
    answer(client->file, "404 Not Found", "/metrics is what there is\n");
  } else {
    tgt_metrics_write(m->server, m->text, ANSWER_BYTES);
    answer(client->file, "200 OK", m->text);
  }
}

static void drop(struct tgt_metrics *m, uint32_t which) {
  close(m->clients[which].file);
  m->count--;
  memmove(&m->clients[which], &m->clients[which + 1], (m->count - which) * sizeof *m->clients);
}

/* Takes one more client; if there are too many, the oldest makes room. */
static void take(struct tgt_metrics *m) {
  const int file = accept4(m->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (file < 0) {
    return;
  }
  if (m->count == MAX_CLIENTS) {
    drop(m, 0);
  }
  struct client *client = &m->clients[m->count++];
  *client = (struct client){.file = file, .end_ms = tgt_now_ms() + REQUEST_MS};
}

/* Reads on up to the empty line that ends the head of a request; there is no body to a GET.
   @return whether that is there; *over: nothing more is to be expected */
static bool read_head(struct client *client, bool *over) {
  char *to = client->head + client->bytes;
  const ssize_t got = recv(client->file, to, REQUEST_BYTES - 1 - client->bytes, MSG_DONTWAIT);
  *over = got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
  if (got > 0) {
    client->bytes += (uint32_t)got;
    client->head[client->bytes] = 0;
    *over = client->bytes == REQUEST_BYTES - 1;
  }
  return memmem(client->head, client->bytes, "\r\n\r\n", 4) != NULL;
}

/* Looks at every client, the newest first. */
static void serve_all(struct tgt_metrics *m) {
  for (uint32_t i = m->count; i-- > 0;) {
    struct client *client = &m->clients[i];
    bool over;
    const bool whole = read_head(client, &over);
    if (whole || over || tgt_now_ms() >= client->end_ms) {
      serve(m, client, whole);
      drop(m, i);
    }
  }
}

static int wait_ms(const struct tgt_metrics *m) {
  if (m->count == 0) {
    return -1;
  }
  const int64_t left = m->clients[0].end_ms - tgt_now_ms(); /* the oldest is the first to go */
  return left > 0 ? (int)left : 0;
}

static void *run(void *argument) {
  struct tgt_metrics *m = argument;
  for (;;) {
    struct pollfd all[2 + MAX_CLIENTS] = {{.fd = m->stop, .events = POLLIN},
                                          {.fd = m->listener, .events = POLLIN}};
    for (uint32_t i = 0; i < m->count; i++) {
      all[2 + i] = (struct pollfd){.fd = m->clients[i].file, .events = POLLIN};
    }
    if (poll(all, 2 + m->count, wait_ms(m)) < 0) {
      continue;
    }
    if (all[0].revents != 0) {
      while (m->count > 0) {
        drop(m, 0);
      }
      return NULL;
    }
    serve_all(m);
    if (all[1].revents != 0) {
      take(m);
    }
  }
}

bool tgt_metrics_start(struct tgt_metrics *m, struct tgt_server *server) {
  pthread_attr_t attributes;
  m->server = server;
  m->text = malloc(ANSWER_BYTES);
  m->stop = eventfd(0, EFD_CLOEXEC);
  if (m->text == NULL || m->stop < 0 || pthread_attr_init(&attributes) != 0) {
    return false;
  }
  pthread_attr_setstacksize(&attributes, STACK_BYTES);
  const int status = pthread_create(&m->thread, &attributes, run, m);
  pthread_attr_destroy(&attributes);
  if (status != 0) {
    m->server = NULL; /* there is nothing to join */
  }
  return status == 0;
}

void tgt_metrics_stop(struct tgt_metrics *m) {
  const uint64_t one = 1;
  if (m == NULL) {
    return;
  }
  if (m->server != NULL && write(m->stop, &one, sizeof one) == sizeof one) {
    pthread_join(m->thread, NULL);
  }
  close(m->listener);
  if (m->stop >= 0) {
    close(m->stop);
  }
  free(m->text);
  free(m);
}

int tgt_metrics_print(uint16_t port) {
  static const char request[] = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";
  static char text[ANSWER_BYTES + 256];
  const struct sockaddr_in address = loopback(port);
  const struct timeval limit = {.tv_sec = 5};
  size_t bytes = 0;
  const int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  if (file < 0 || connect(file, (const struct sockaddr *)&address, sizeof address) != 0 ||
      send(file, request, sizeof request - 1, MSG_NOSIGNAL) != sizeof request - 1) {
    fprintf(stderr, "csd-target: no daemon has its metrics on 127.0.0.1 port %u: %s\n", port,
            strerror(errno));
    if (file >= 0) {
      close(file);
    }
    return 1;
  }
  ssize_t got;
  while (bytes < sizeof text - 1 &&
         (got = recv(file, text + bytes, sizeof text - 1 - bytes, 0)) > 0) {
    bytes += (size_t)got;
  }
  close(file);
  const char *body = strstr(text, "\r\n\r\n");
  if (strncmp(text, "HTTP/1.1 200", 12) != 0 || body == NULL) {
    fprintf(stderr, "csd-target: what answers on 127.0.0.1 port %u is no csd-target\n", port);
    return 1;
  }
  fputs(body + 4, stdout);
  return 0;
}
