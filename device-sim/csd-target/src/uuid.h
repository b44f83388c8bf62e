/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#ifndef TGT_UUID_H
#define TGT_UUID_H

#include <stdbool.h>
#include <stdint.h>

enum { UUID_TEXT = 36 };

/** Reads a UUID of the form 8-4-4-4-12. @return false if it is none, or all zeros */
bool tgt_uuid_parse(const char *text, uint8_t *uuid);

#endif
