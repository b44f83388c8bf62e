/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * A connected socket: buffered reading, gathered writing, each with a limit of time. One thread at
 * a time; tgt_stream_interrupt() from any other.
 */
#ifndef TGT_STREAM_H
#define TGT_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

enum { TGT_STREAM_BUFFER = 32768, TGT_STREAM_MAX_PARTS = 8 };

enum tgt_stream_result {
  TGT_STREAM_OK = 0,
  TGT_STREAM_END,     /* the peer has closed */
  TGT_STREAM_TIMEOUT, /* no byte, or no room for one, for as long as the limit says */
  TGT_STREAM_FAILED,  /* errno of the failed call is in `error` */
};

struct tgt_tls;

struct tgt_stream {
  int file;
  int error;
  uint32_t spin_us;     /* see tgt_stream_spin() */
  uint32_t spared;      /* of the next waits, in which it does not spin */
  uint32_t spared_last; /* after it was in vain the last time */
  bool blocking;        /* the socket is; who must not sleep says so with each call */
  struct tgt_tls *tls;  /* NULL: bytes go as they are */
  uint32_t start, end;  /* of what is in the buffer, unread */
  uint8_t buffer[TGT_STREAM_BUFFER];
};

/** Takes over a connected socket and makes it non-blocking. */
void tgt_stream_open(struct tgt_stream *stream, int file);

/**
 * Sets for how many microseconds the stream's thread asks the socket again and again before it goes
 * to sleep; 0, as at first: not at all. Falling asleep and waking up takes as long as a short plan.
 * No more threads than half of the processors do that at a time, and seldom one for which it was in
 * vain.
 */
void tgt_stream_spin(struct tgt_stream *stream, uint32_t microseconds);

/** Takes over TLS for its bytes. Before the first of them. */
void tgt_stream_seal(struct tgt_stream *stream, struct tgt_tls *tls);

/** What TGT_STREAM_FAILED was about. @return `text`, or something that stays with the stream */
const char *tgt_stream_fault(const struct tgt_stream *stream, char *text, size_t bytes);

void tgt_stream_close(struct tgt_stream *stream);

/** Milliseconds of a clock that never goes back. */
int64_t tgt_now_ms(void);

/**
 * Waits for the first byte of something.
 *
 * @param timeout_ms  -1: for ever
 */
enum tgt_stream_result tgt_stream_wait(struct tgt_stream *stream, int64_t timeout_ms);

/** Reads so many bytes, all of them within `timeout_ms`: who drips is as slow as who stops. */
enum tgt_stream_result tgt_stream_read(struct tgt_stream *stream, void *to, size_t bytes,
                                       int64_t timeout_ms);

/** Writes all parts, which it changes, within `timeout_ms`. */
enum tgt_stream_result tgt_stream_write(struct tgt_stream *stream, struct iovec *parts, int count,
                                        int64_t timeout_ms);

/** Whether the peer has gone, for good or by halves. Does not wait. */
bool tgt_stream_gone(const struct tgt_stream *stream);

/** Ends what the stream's thread waits for; every later call finds the stream ended. */
void tgt_stream_interrupt(const struct tgt_stream *stream);

/** Says that no more is written, and lets the peer read what there is: at most `timeout_ms`. */
void tgt_stream_linger(struct tgt_stream *stream, int64_t timeout_ms);

#endif
