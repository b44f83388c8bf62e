/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The fields of the wire's structs as a table, for tests that go over all of them by name. */
#ifndef CSD_WIRE_FIELDS_H
#define CSD_WIRE_FIELDS_H

#include <stddef.h>
#include <stdint.h>

struct wire_field {
  const char *structure, *name;
  uint32_t offset; /* bytes */
  const char *type;
  uint32_t count; /* elements of an array; 0: it is none */
};

extern const struct wire_field wire_fields[];
extern const size_t wire_field_count;

/** Bytes of one value of a type of the wire. */
uint32_t wire_type_bytes(const char *type);

#endif
