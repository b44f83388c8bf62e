/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Secrets in interchange format, and golden values of what is derived from them: auth/. */
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "auth/crypto.h"
#include "auth/keys.h"
#include "auth/psk.h"
#include "auth/response.h"
#include "auth/secret.h"
#include "tests/support/check.h"
#include "tests/support/scratch.h"

enum { LINE_BYTES = 16384, MAX_FIELDS = 14 };

static struct tgt_secret parse(const char *text, const char *kind) {
  struct tgt_secret secret = {0};
  CHECK_MSG(tgt_secret_parse(text, strlen(text), kind, &secret) == NULL, "%s", text);
  return secret;
}

static bool faulty(const char *text) {
  struct tgt_secret secret;
  return tgt_secret_parse(text, strlen(text), TGT_CHAP_SECRET, &secret) != NULL;
}

#define GOOD "DHHC-1:01:G55n6bhjgMLfRILNme5aONB+GcEl/ZHwk9tqnFRoDhvSaqvc:"

static void interchange_format(void) {
  char text[200];
  const size_t length = strlen(GOOD);
  CHECK_EQ(32, parse(GOOD, TGT_CHAP_SECRET).bytes);
  CHECK_EQ(1, parse(GOOD, TGT_CHAP_SECRET).hash);
  struct tgt_secret other;
  CHECK(tgt_secret_parse(GOOD, length, TGT_TLS_SECRET, &other) != NULL);
  for (size_t cut = 0; cut < length; cut++) { /* any beginning of it is none */
    memcpy(text, GOOD, cut);
    text[cut] = 0;
    CHECK_MSG(faulty(text), "%s", text);
  }
  for (size_t at = 0; at < length; at++) { /* any other letter but in NN is noticed */
    memcpy(text, GOOD, length + 1);
    text[at] = text[at] == 'A' ? 'B' : 'A';
    CHECK_MSG(faulty(text), "%s", text);
  }
  CHECK(faulty("DHHC-1:04:G55n6bhjgMLfRILNme5aONB+GcEl/ZHwk9tqnFRoDhvSaqvc:"));
  CHECK(faulty("DHHC-1:1:G55n6bhjgMLfRILNme5aONB+GcEl/ZHwk9tqnFRoDhvSaqvc:"));
  CHECK(faulty("DHHC-1:01::"));
  CHECK(faulty("DHHC-1:01:====:"));
  CHECK(faulty("DHHC-1:01:AAAAAA==:"));
}

/* Who owns a key file, who may read it, and where it lies. */
static bool is_open(uid_t owner, mode_t mode, bool secrets) {
  const struct stat about = {.st_uid = owner, .st_mode = S_IFREG | mode};
  return tgt_keys_are_open(&about, secrets);
}

static void permissions_of_key_files(void) {
  CHECK(!is_open(1000, 0600, false) && !is_open(1000, 0400, false) && !is_open(0, 0600, false));
  CHECK(is_open(1000, 0640, false) && is_open(1000, 0440, false) && is_open(0, 0444, false));
  CHECK(!is_open(0, 0440, false)); /* systemd 254 and later, whose mask it is; Kubernetes */
  CHECK(!is_open(0, 0444, true) && !is_open(10001, 0444, true)); /* podman */
  CHECK(is_open(0, 0460, true) && is_open(0, 0446, true) && is_open(0, 0450, false));
}

static void secrets_that_are_mounted(void) {
  const char *path = scratch_path("credentials.keys");
  char folder[256];
  struct tgt_keys keys;
  FILE *file = fopen(path, "w");
  REQUIRE(file != NULL);
  fprintf(file, "nqn.a %s\n", GOOD);
  fclose(file);
  snprintf(folder, sizeof folder, "%s", path);
  *strrchr(folder, '/') = 0;
  CHECK(chmod(path, 0444) == 0);
  unsetenv("CREDENTIALS_DIRECTORY");
  CHECK(!tgt_keys_read(path, TGT_CHAP_SECRET, &keys));
  setenv("CREDENTIALS_DIRECTORY", folder, 1);
  CHECK(tgt_keys_read(path, TGT_CHAP_SECRET, &keys));
  CHECK_EQ(1, keys.count);
#ifndef __SANITIZE_ADDRESS__
  CHECK_EQ(0, prctl(PR_GET_DUMPABLE)); /* who has keys leaves no core dump */
#endif
  tgt_keys_free(&keys);
  setenv("CREDENTIALS_DIRECTORY", "/usr", 1);
  CHECK(!tgt_keys_read(path, TGT_CHAP_SECRET, &keys));
  unsetenv("CREDENTIALS_DIRECTORY");
}

static uint32_t from_hex(const char *text, uint8_t *to) {
  uint32_t bytes = 0;
  for (; text[0] != 0 && text[0] != '-'; text += 2) {
    const char pair[3] = {text[0], text[1], 0};
    to[bytes++] = (uint8_t)strtoul(pair, NULL, 16);
  }
  return bytes;
}

static uint32_t number(const char *text) { return (uint32_t)strtoul(text, NULL, 10); }

static void check_chap(char **field) {
  uint8_t value[TGT_MAX_HASH], session[TGT_MAX_GROUP], expected[TGT_MAX_HASH];
  uint8_t response[TGT_MAX_HASH];
  for (int side = 0; side < 2; side++) { /* host, controller */
    const struct tgt_secret secret = parse(field[2 + side], TGT_CHAP_SECRET);
    const uint32_t session_bytes = from_hex(field[11], session);
    struct tgt_challenge challenge = {.hash = number(field[1]),
                                      .value = value,
                                      .session = session_bytes > 0 ? session : NULL,
                                      .session_bytes = session_bytes,
                                      .sequence = number(field[7 + 2 * side]),
                                      .transaction = (uint16_t)number(field[6])};
    const uint32_t bytes = from_hex(field[8 + 2 * side], value);
    CHECK_EQ(tgt_hash_bytes(challenge.hash), bytes);
    CHECK_EQ(bytes, from_hex(field[12 + side], expected));
    CHECK(tgt_respond(&challenge, &secret, side == 0, field[4], field[5], response));
    CHECK_MSG(memcmp(expected, response, bytes) == 0, "%s, side %d", field[2], side);
  }
}

static void check_tls(char **field) {
  const struct tgt_secret secret = parse(field[1], TGT_TLS_SECRET);
  uint8_t expected[TGT_MAX_HASH];
  struct tgt_psk psk;
  CHECK(tgt_psk_derive(&secret, field[2], field[3], (int)number(field[4]), &psk));
  CHECK_MSG(strcmp(field[5], psk.identity) == 0, "%s, not %s", psk.identity, field[5]);
  CHECK_EQ(psk.bytes, from_hex(field[6], expected));
  CHECK_MSG(memcmp(expected, psk.key, psk.bytes) == 0, "%s", field[5]);
}

static void golden_values(void) {
  static char line[LINE_BYTES];
  int checked = 0, keys = 0;
  FILE *file = fopen(CSD_AUTH_VECTORS, "r");
  REQUIRE(file != NULL);
  while (fgets(line, sizeof line, file) != NULL) {
    char *field[MAX_FIELDS] = {NULL}, *rest = NULL;
    int count = 0;
    line[strcspn(line, "\n")] = 0;
    for (char *at = strtok_r(line, "\t", &rest); at != NULL && count < MAX_FIELDS;
         at = strtok_r(NULL, "\t", &rest)) {
      field[count++] = at;
    }
    if (strcmp(field[0], "tls") == 0 && CHECK_EQ(7, count)) {
      check_tls(field);
      keys++;
    }
    if (strcmp(field[0], "chap") == 0 && CHECK_EQ(14, count)) {
      check_chap(field);
      checked++;
    }
  }
  fclose(file);
  CHECK_EQ(36, checked);
  CHECK_EQ(8, keys);
}

int main(void) {
  RUN(interchange_format);
  RUN(permissions_of_key_files);
  RUN(secrets_that_are_mounted);
  if (tgt_crypto_available()) {
    RUN(golden_values);
  } else {
    printf("skipped: golden values of authentication: the build has no OpenSSL 3\n");
  }
  return check_result();
}
