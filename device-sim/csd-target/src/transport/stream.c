/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "transport/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "transport/tls.h"

enum { TLS_RECORD = 16384, MAX_SPARED = 63 };

void tgt_stream_open(struct tgt_stream *stream, int file) {
  stream->file = file;
  stream->error = 0;
  stream->spin_us = 0;
  stream->spared = stream->spared_last = 0;
  stream->blocking = false;
  stream->tls = NULL;
  stream->start = stream->end = 0;
  const int flags = fcntl(file, F_GETFL);
  if (flags >= 0) {
    fcntl(file, F_SETFL, flags | O_NONBLOCK);
  }
}

void tgt_stream_spin(struct tgt_stream *stream, uint32_t microseconds) {
  stream->spin_us = microseconds;
}

void tgt_stream_seal(struct tgt_stream *stream, struct tgt_tls *tls) { stream->tls = tls; }

const char *tgt_stream_fault(const struct tgt_stream *stream, char *text, size_t bytes) {
  return stream->error == EPROTO && stream->tls != NULL ? tgt_tls_fault(stream->tls)
                                                        : strerror_r(stream->error, text, bytes);
}

/* Sets errno as the call of a socket would, and what to wait for. @return -1; 0 at the end */
static ssize_t not_now(enum tgt_tls_result result, short *events) {
  if (result == TGT_TLS_END) {
    return 0;
  }
  *events = result == TGT_TLS_WANTS_WRITE ? POLLOUT : POLLIN;
  errno = result == TGT_TLS_FAILED ? EPROTO : EAGAIN;
  return -1;
}

/* recv() of what there is, through TLS if there is one. */
static ssize_t get(struct tgt_stream *stream, void *to, size_t room, short *events) {
  size_t bytes = 0;
  if (stream->tls == NULL) {
    return recv(stream->file, to, room, MSG_DONTWAIT);
  }
  const enum tgt_tls_result result = tgt_tls_read(stream->tls, to, room, &bytes);
  return result == TGT_TLS_OK ? (ssize_t)bytes : not_now(result, events);
}

/* sendmsg() likewise. TLS gets a record at once, the same one again if it could not be sent. */
static ssize_t put(struct tgt_stream *stream, const struct iovec *parts, int count, short *events) {
  uint8_t record[TLS_RECORD];
  size_t filled = 0, bytes = 0;
  if (stream->tls == NULL) {
    const struct msghdr message = {.msg_iov = (struct iovec *)(uintptr_t)parts,
                                   .msg_iovlen = (size_t)count};
    return sendmsg(stream->file, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  }
  for (int i = 0; i < count && filled < sizeof record; i++) {
    const size_t left = sizeof record - filled;
    const size_t part = parts[i].iov_len < left ? parts[i].iov_len : left;
    memcpy(record + filled, parts[i].iov_base, part);
    filled += part;
  }
  const enum tgt_tls_result result = tgt_tls_write(stream->tls, record, filled, &bytes);
  if (result == TGT_TLS_END) {
    errno = EPIPE;
    return -1;
  }
  return result == TGT_TLS_OK ? (ssize_t)bytes : not_now(result, events);
}

void tgt_stream_close(struct tgt_stream *stream) {
  tgt_tls_end(stream->tls);
  stream->tls = NULL;
  if (stream->file >= 0) {
    close(stream->file);
  }
  stream->file = -1;
}

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t tgt_now_ms(void) { return now_ns() / 1000000; }

/* A time limit as a time; -1: none. The clock is only read once there is something to wait for. */
static int64_t end_of(int64_t timeout_ms) {
  return timeout_ms < 0 ? -1 : tgt_now_ms() + timeout_ms;
}

/* Waits for an event, or an error, which the next call on the socket reports. */
static enum tgt_stream_result await(struct tgt_stream *stream, short events, int64_t end) {
  for (;;) {
    struct pollfd poll_one = {.fd = stream->file, .events = events};
    int64_t left = end < 0 ? -1 : end - tgt_now_ms();
    if (end >= 0 && left < 0) {
      return TGT_STREAM_TIMEOUT;
    }
    if (left > INT32_MAX) {
      left = INT32_MAX;
    }
    const int ready = poll(&poll_one, 1, (int)left);
    if (ready > 0) {
      return TGT_STREAM_OK;
    }
    if (ready < 0 && errno != EINTR) {
      stream->error = errno;
      return TGT_STREAM_FAILED;
    }
  }
}

static atomic_int spinning; /* threads of this process */

/* get() again and again for a little while, unless that was in vain of late: each time that it was,
   it is not tried for twice as many commands. @return as get(), EAGAIN if nothing came */
static ssize_t spin(struct tgt_stream *stream, void *to, size_t room, short *events) {
  ssize_t got = -1;
  errno = EAGAIN;
  if (stream->spared > 0) {
    stream->spared--;
    return got;
  }
  if (atomic_fetch_add(&spinning, 1) < sysconf(_SC_NPROCESSORS_ONLN) / 2) {
    const int64_t end = now_ns() + stream->spin_us * INT64_C(1000);
    do {
      sched_yield(); /* to those who work */
      got = get(stream, to, room, events);
    } while (got < 0 && errno == EAGAIN && now_ns() < end);
    if (got > 0) {
      stream->spared_last /= 2;
    } else if (stream->spared_last < MAX_SPARED) {
      stream->spared_last = 2 * stream->spared_last + 1;
    }
    stream->spared = got > 0 ? 0 : stream->spared_last;
  }
  const int cause = errno;
  atomic_fetch_sub(&spinning, 1);
  errno = cause;
  return got;
}

/* Falls asleep in recv() itself: one call for a command, where it would take three. */
static ssize_t get_sleeping(struct tgt_stream *stream, void *to, size_t room) {
  if (!stream->blocking) {
    const int flags = fcntl(stream->file, F_GETFL);
    if (flags >= 0) {
      fcntl(stream->file, F_SETFL, flags & ~O_NONBLOCK);
    }
    stream->blocking = true;
  }
  return recv(stream->file, to, room, 0);
}

/* Receives what there is, waiting for the first byte until *end, which is set if it is 0. */
static enum tgt_stream_result receive(struct tgt_stream *stream, void *to, size_t room,
                                      int64_t timeout_ms, int64_t *end, size_t *bytes) {
  const bool sleeps = timeout_ms < 0 && stream->tls == NULL;
  const bool spins = stream->spin_us > 0 && *end == 0;
  for (;;) {
    short events = POLLIN;
    ssize_t got = -1;
    errno = EAGAIN;
    if (spins || !sleeps) {
      got = get(stream, to, room, &events);
    }
    if (got < 0 && errno == EAGAIN && spins && *end == 0) {
      got = spin(stream, to, room, &events);
    }
    if (got < 0 && errno == EAGAIN && sleeps) {
      got = get_sleeping(stream, to, room);
    }
    if (got > 0) {
      *bytes = (size_t)got;
      return TGT_STREAM_OK;
    }
    if (got == 0) {
      return TGT_STREAM_END;
    }
    if (errno == EINTR) {
      continue;
    }
    if (errno != EAGAIN && errno != EWOULDBLOCK) {
      stream->error = errno;
      return TGT_STREAM_FAILED;
    }
    if (*end == 0) {
      *end = end_of(timeout_ms);
    }
    const enum tgt_stream_result result = await(stream, events, *end);
    if (result != TGT_STREAM_OK) {
      return result;
    }
  }
}

static enum tgt_stream_result fill(struct tgt_stream *stream, int64_t timeout_ms, int64_t *end) {
  size_t bytes;
  const enum tgt_stream_result result =
      receive(stream, stream->buffer, sizeof stream->buffer, timeout_ms, end, &bytes);
  if (result == TGT_STREAM_OK) {
    stream->start = 0;
    stream->end = (uint32_t)bytes;
  }
  return result;
}

enum tgt_stream_result tgt_stream_wait(struct tgt_stream *stream, int64_t timeout_ms) {
  int64_t end = 0;
  return stream->start < stream->end ? TGT_STREAM_OK : fill(stream, timeout_ms, &end);
}

enum tgt_stream_result tgt_stream_read(struct tgt_stream *stream, void *to, size_t bytes,
                                       int64_t timeout_ms) {
  uint8_t *at = to;
  int64_t end = 0;
  for (size_t left = bytes; left > 0;) {
    enum tgt_stream_result result = TGT_STREAM_OK;
    size_t got = stream->end - stream->start;
    if (got > 0) {
      if (got > left) {
        got = left;
      }
      memcpy(at, stream->buffer + stream->start, got);
      stream->start += (uint32_t)got;
    } else if (left >= sizeof stream->buffer) {
      result = receive(stream, at, left, timeout_ms, &end, &got);
    } else {
      result = fill(stream, timeout_ms, &end);
    }
    if (result != TGT_STREAM_OK) {
      return result;
    }
    at += got, left -= got;
  }
  return TGT_STREAM_OK;
}

/* Steps over what was sent. @return parts left, the first of them at *parts */
static int advance(struct iovec **parts, int count, size_t sent) {
  while (count > 0 && sent >= (*parts)->iov_len) {
    sent -= (*parts)->iov_len;
    (*parts)++, count--;
  }
  if (count > 0) {
    (*parts)->iov_base = (uint8_t *)(*parts)->iov_base + sent;
    (*parts)->iov_len -= sent;
  }
  return count;
}

enum tgt_stream_result tgt_stream_write(struct tgt_stream *stream, struct iovec *parts, int count,
                                        int64_t timeout_ms) {
  int64_t end = 0;
  count = advance(&parts, count, 0);
  while (count > 0) {
    short events = POLLOUT;
    const ssize_t sent = put(stream, parts, count, &events);
    if (sent >= 0) {
      count = advance(&parts, count, (size_t)sent);
      continue;
    }
    if (errno == EINTR) {
      continue;
    }
    if (errno != EAGAIN && errno != EWOULDBLOCK) {
      stream->error = errno;
      return TGT_STREAM_FAILED;
    }
    if (end == 0) {
      end = end_of(timeout_ms);
    }
    const enum tgt_stream_result result = await(stream, events, end);
    if (result != TGT_STREAM_OK) {
      return result;
    }
  }
  return TGT_STREAM_OK;
}

bool tgt_stream_gone(const struct tgt_stream *stream) {
  struct pollfd poll_one = {.fd = stream->file, .events = POLLRDHUP};
  return poll(&poll_one, 1, 0) > 0 &&
         (poll_one.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL)) != 0;
}

void tgt_stream_interrupt(const struct tgt_stream *stream) { shutdown(stream->file, SHUT_RDWR); }

void tgt_stream_linger(struct tgt_stream *stream, int64_t timeout_ms) {
  if (stream->tls != NULL) {
    tgt_tls_close(stream->tls);
  }
  if (shutdown(stream->file, SHUT_WR) != 0) {
    return;
  }
  int64_t end = end_of(timeout_ms);
  size_t bytes;
  while (tgt_now_ms() < end &&
         receive(stream, stream->buffer, sizeof stream->buffer, 0, &end, &bytes) == TGT_STREAM_OK) {
  }
}
