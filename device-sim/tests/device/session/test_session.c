/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "csd/csd.h"
#include "device/session/session.h"
#include "tests/support/check.h"

static void a_session_has_its_life(void) {
  struct csd_sessions sessions;
  struct csd_session *session, *again;
  uint32_t number;
  REQUIRE_OK(csd_sessions_open(&sessions, 2, UINT64_MAX, 0));
  REQUIRE_OK(csd_session_open(&sessions, 0, &number));
  CHECK(number != 0);
  REQUIRE_OK(csd_session_acquire(&sessions, number, &session));
  CHECK_EQ(CSD_DEFAULT_GRANT_BYTES,
           session->work_bytes + session->result_limit + session->memo_bytes);
  CHECK_EQ(0, (uintptr_t)session->grant % 64);
  CHECK_EQ(0, (uintptr_t)csd_session_result(session) % 64);
  CHECK_STATUS(CSD_STATUS_BUSY, csd_session_acquire(&sessions, number, &again));
  CHECK_STATUS(CSD_STATUS_BUSY, csd_session_close(&sessions, number));
  csd_session_release(session);
  CHECK_EQ(1, csd_sessions_open_count(&sessions));
  CHECK_OK(csd_session_close(&sessions, number));
  CHECK_STATUS(CSD_STATUS_NO_SESSION, csd_session_close(&sessions, number));
  CHECK_STATUS(CSD_STATUS_NO_SESSION, csd_session_acquire(&sessions, number, &session));
  CHECK_EQ(0, csd_sessions_open_count(&sessions));
  csd_sessions_close(&sessions);
}

/* A part of a grant that is not small keeps facts of column pages. */
static void grants_are_cut(void) {
  struct csd_sessions sessions;
  REQUIRE_OK(csd_sessions_open(&sessions, 1, UINT64_MAX, 0));
  for (uint32_t bytes = CSD_MIN_GRANT_BYTES; bytes <= CSD_MAX_GRANT_BYTES; bytes += bytes / 3) {
    struct csd_session *session;
    uint32_t number;
    REQUIRE_OK(csd_session_open(&sessions, bytes, &number));
    REQUIRE_OK(csd_session_acquire(&sessions, number, &session));
    const uint8_t *memo = csd_session_result(session) + session->result_limit;
    CHECK_EQ(0, (uintptr_t)memo % 64);
    CHECK(session->work_bytes + session->result_limit + session->memo_bytes <= bytes);
    CHECK_EQ(bytes >= CSD_DEFAULT_GRANT_BYTES, session->memo_bytes > 0);
    if (session->memo_bytes > 0) {
      CHECK(memo == (const uint8_t *)session->memo.facts);
      CHECK(session->memo.count * sizeof *session->memo.facts <= session->memo_bytes);
      CHECK(session->memo.count * sizeof *session->memo.facts >
            (session->memo_bytes - CSD_SERIES_BYTES) / 2);
      CHECK(session->memo.count * sizeof *session->memo.facts + CSD_SERIES_BYTES <=
            session->memo_bytes);
    } else {
      CHECK(session->memo.facts == NULL);
    }
    csd_session_release(session);
    CHECK_OK(csd_session_close(&sessions, number));
  }
  CHECK_EQ(0, sessions.bytes);
  csd_sessions_close(&sessions);
}

static void numbers_are_not_reused_soon(void) {
  struct csd_sessions sessions;
  REQUIRE_OK(csd_sessions_open(&sessions, 1, UINT64_MAX, 0));
  uint32_t before = 0;
  for (int i = 0; i < 1000; i++) {
    uint32_t number;
    REQUIRE_OK(csd_session_open(&sessions, CSD_MIN_GRANT_BYTES, &number));
    CHECK(number != before);
    if (before != 0) {
      CHECK_STATUS(CSD_STATUS_NO_SESSION, csd_session_close(&sessions, before));
    }
    CHECK_OK(csd_session_close(&sessions, number));
    before = number;
  }
  csd_sessions_close(&sessions);
}

static void numbers_begin_where_they_are_told(void) {
  static const uint32_t boots[] = {0, 1, 77, 0xFFFF, UINT32_MAX - 1};
  uint32_t before = 0;
  for (uint32_t i = 0; i < sizeof boots / sizeof boots[0]; i++) {
    struct csd_sessions sessions;
    REQUIRE_OK(csd_sessions_open(&sessions, 2, UINT64_MAX, boots[i]));
    uint32_t number;
    REQUIRE_OK(csd_session_open(&sessions, 0, &number));
    CHECK(number != 0);
    CHECK(number != before);
    if (before != 0) {
      CHECK_STATUS(CSD_STATUS_NO_SESSION, csd_session_close(&sessions, before));
    }
    before = number;
    CHECK_OK(csd_session_close(&sessions, number));
    csd_sessions_close(&sessions);
  }
}

static void limits_hold(void) {
  struct csd_sessions sessions;
  struct csd_session *session;
  uint32_t number[4];
  REQUIRE_OK(csd_sessions_open(&sessions, 3, UINT64_MAX, 0));
  CHECK_STATUS(CSD_STATUS_INVALID_FIELD,
               csd_session_open(&sessions, CSD_MIN_GRANT_BYTES - 1, &number[0]));
  CHECK_STATUS(CSD_STATUS_INVALID_FIELD,
               csd_session_open(&sessions, CSD_MAX_GRANT_BYTES + 1, &number[0]));
  CHECK_STATUS(CSD_STATUS_INVALID_FIELD, csd_session_open(&sessions, UINT32_MAX, &number[0]));
  CHECK_OK(csd_session_open(&sessions, CSD_MIN_GRANT_BYTES + 1, &number[0]));
  CHECK_OK(csd_session_open(&sessions, CSD_MAX_GRANT_BYTES, &number[1]));
  CHECK_OK(csd_session_open(&sessions, 0, &number[2]));
  CHECK_STATUS(CSD_STATUS_TOO_MANY_SESSIONS, csd_session_open(&sessions, 0, &number[3]));
  CHECK_OK(csd_session_acquire(&sessions, number[0], &session));
  CHECK_EQ(CSD_MIN_RESULT_BYTES, session->result_limit);
  csd_session_release(session);
  CHECK_OK(csd_session_acquire(&sessions, number[1], &session));
  CHECK_EQ(CSD_MAX_RESULT_BYTES, session->result_limit);
  csd_session_release(session);
  CHECK_OK(csd_session_close(&sessions, number[1]));
  CHECK_OK(csd_session_open(&sessions, 0, &number[3]));
  CHECK_STATUS(CSD_STATUS_NO_SESSION, csd_session_acquire(&sessions, 0, &session));
  CHECK_STATUS(CSD_STATUS_NO_SESSION, csd_session_acquire(&sessions, UINT32_MAX, &session));
  csd_sessions_close(&sessions);
}

static void grants_share_their_memory(void) {
  struct csd_sessions sessions;
  uint32_t numbers[4], number;
  REQUIRE_OK(csd_sessions_open(&sessions, 4, 4 << 20, 0));
  for (int i = 0; i < 3; i++) {
    REQUIRE_OK(csd_session_open(&sessions, 0, &numbers[i]));
  }
  CHECK_STATUS(CSD_STATUS_NO_MEMORY, csd_session_open(&sessions, 2 << 20, &number));
  CHECK_EQ(3, csd_sessions_open_count(&sessions));
  REQUIRE_OK(csd_session_open(&sessions, 0, &numbers[3]));
  CHECK_STATUS(CSD_STATUS_TOO_MANY_SESSIONS, csd_session_open(&sessions, 0, &number));
  /* What is closed is there again. */
  CHECK_OK(csd_session_close(&sessions, numbers[0]));
  CHECK_OK(csd_session_close(&sessions, numbers[1]));
  REQUIRE_OK(csd_session_open(&sessions, 2 << 20, &number));
  CHECK_STATUS(CSD_STATUS_NO_MEMORY, csd_session_open(&sessions, CSD_MIN_GRANT_BYTES, &numbers[0]));
  csd_sessions_close(&sessions);
}

int main(void) {
  RUN(a_session_has_its_life);
  RUN(grants_are_cut);
  RUN(numbers_are_not_reused_soon);
  RUN(numbers_begin_where_they_are_told);
  RUN(limits_hold);
  RUN(grants_share_their_memory);
  return check_result();
}
