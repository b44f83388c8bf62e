/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/core/phrase/test_phrase_match.c, test_multi_phrase.c. */
#include "core/phrase/position_stream.h"

int csd_position_stream_advance(struct csd_position_stream *stream,
                                const struct csd_phrase_term *term) {
  const struct csd_position_posting *posting = &stream->posting;
  if (++stream->at < stream->count) {
    return 1;
  }
  if (stream->taken == posting->freq) {
    return 0;
  }
  const uint32_t base = stream->taken == 0 ? 0u - term->place : stream->positions[stream->at - 1u];
  const int n = csd_position_cursor_read(term->positions, posting, stream->taken, base,
                                         stream->positions, CSD_STREAM_POSITIONS);
  if (n < 0) {
    return n;
  }
  stream->taken += (uint32_t)n;
  stream->count = (uint32_t)n;
  stream->at = 0;
  return 1;
}

int csd_position_stream_advance_to(struct csd_position_stream *stream,
                                   const struct csd_phrase_term *term, int32_t target) {
  int status = 1;
  while (status > 0 && (stream->taken == 0 || csd_position_stream_current(stream) < target)) {
    status = csd_position_stream_advance(stream, term);
  }
  return status;
}
