/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "tests/vectors/wire_fields.h"

#include <string.h>

const struct wire_field wire_fields[] = {
#define WIRE_FIELD(structure, name, offset, type, count) {#structure, #name, offset, #type, count},
#define WIRE_STATUS(name, value)
#include "tests/vectors/wire_fields.inc"
};

const size_t wire_field_count = sizeof wire_fields / sizeof wire_fields[0];

uint32_t wire_type_bytes(const char *type) {
  return strcmp(type, "u8") == 0    ? 1
         : strcmp(type, "u16") == 0 ? 2
         : strcmp(type, "u64") == 0 ? 8
         : strcmp(type, "i64") == 0 ? 8
                                    : 4;
}
