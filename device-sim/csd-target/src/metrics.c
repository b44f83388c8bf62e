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

enum { REQUEST_BYTES = 2048, ANSWER_BYTES = 128 << 10, REQUEST_MS = 1000, STACK_BYTES = 1 << 18 };

struct tgt_metrics {
  struct tgt_server *server;
  int listener, stop;
  pthread_t thread;
  char *text; /* ANSWER_BYTES */
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
      bind(file, (struct sockaddr *)&address, length) != 0 || listen(file, 4) != 0 ||
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

static void answer(struct tgt_stream *stream, const char *status, const char *body) {
  char head[200];
  const int bytes = snprintf(head, sizeof head,
                             "HTTP/1.1 %s\r\nContent-Type: text/plain; version=0.0.4\r\n"
                             "Content-Length: %zu\r\nConnection: close\r\n\r\n",
                             status, strlen(body));
  struct iovec parts[2] = {{head, (size_t)bytes}, {(char *)(uintptr_t)body, strlen(body)}};
  (void)tgt_stream_write(stream, parts, 2, REQUEST_MS);
}

/* Reads up to the empty line that ends the head of a request; there is no body to a GET. */
static bool read_head(struct tgt_stream *stream, char *head) {
  const int64_t end = tgt_now_ms() + REQUEST_MS;
  for (size_t bytes = 0; bytes < REQUEST_BYTES - 1; bytes++) {
    const int64_t left = end - tgt_now_ms();
    if (left <= 0 || tgt_stream_read(stream, head + bytes, 1, left) != TGT_STREAM_OK) {
      return false;
    }
    head[bytes + 1] = 0;
    if (bytes >= 3 && memcmp(head + bytes - 3, "\r\n\r\n", 4) == 0) {
      return true;
    }
  }
  return false;
}

static bool asks_for(const char *head, const char *path) {
  const size_t length = strlen(path);
  return strncmp(head + 4, path, length) == 0 &&
         (head[4 + length] == ' ' || head[4 + length] == '?');
}

static void serve_one(struct tgt_metrics *m, int file) {
  static struct tgt_stream stream; /* of the only thread */
  char head[REQUEST_BYTES];
  tgt_stream_open(&stream, file);
  if (!read_head(&stream, head)) {
    answer(&stream, "400 Bad Request", "no request within a second\n");
  } else if (strncmp(head, "GET ", 4) != 0) {
    answer(&stream, "405 Method Not Allowed", "GET alone\n");
  } else if (!asks_for(head, "/metrics")) {
    answer(&stream, "404 Not Found", "/metrics is what there is\n");
  } else {
    tgt_metrics_write(m->server, m->text, ANSWER_BYTES);
    answer(&stream, "200 OK", m->text);
  }
  tgt_stream_linger(&stream, 100);
  tgt_stream_close(&stream);
}

static void *run(void *argument) {
  struct tgt_metrics *m = argument;
  for (;;) {
    struct pollfd both[2] = {{.fd = m->stop, .events = POLLIN},
                             {.fd = m->listener, .events = POLLIN}};
    if (poll(both, 2, -1) < 0) {
      continue;
    }
    if (both[0].revents != 0) {
      return NULL;
    }
    const int file = accept4(m->listener, NULL, NULL, SOCK_CLOEXEC);
    if (file >= 0) {
      serve_one(m, file);
    } else if (errno == EMFILE || errno == ENFILE) {
      poll(both, 1, 100); /* until some have gone */
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
