/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "uuid.h"

#include <stdio.h>
#include <string.h>

bool tgt_uuid_parse(const char *text, uint8_t *uuid) {
  uint8_t any = 0;
  int at = 0;
  if (strlen(text) != UUID_TEXT) {
    return false;
  }
  for (int i = 0; i < 16; i++) {
    unsigned value;
    if ((i == 4 || i == 6 || i == 8 || i == 10) && text[at++] != '-') {
      return false;
    }
    if (strspn(text + at, "0123456789abcdefABCDEF") < 2) {
      return false;
    }
    if (sscanf(text + at, "%2x", &value) != 1) {
      return false;
    }
    uuid[i] = (uint8_t)value;
    any |= uuid[i];
    at += 2;
  }
  return any != 0;
}
