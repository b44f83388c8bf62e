/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "tests/vectors/vector_fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/vectors/wire_fields.h"

static const struct wire_field *find_field(const char *structure, const char *name) {
  for (size_t i = 0; i < wire_field_count; i++) {
    if (strcmp(wire_fields[i].structure, structure) == 0 &&
        strcmp(wire_fields[i].name, name) == 0) {
      return &wire_fields[i];
    }
  }
  return NULL;
}

/* Resolves "field", "struct@offset.field" or "type@offset"; false if there is no such thing. */
static bool resolve(const char *kind, char *row, struct wire_field *field, uint32_t *at) {
  char *sign = strchr(row, '@');
  const struct wire_field *found;
  if (sign == NULL) {
    found = find_field(kind, row);
    *at = found != NULL ? found->offset : 0;
  } else {
    *sign = 0;
    char *dot = strchr(sign + 1, '.');
    *at = (uint32_t)strtoul(sign + 1, NULL, 10);
    if (dot == NULL) {
      *field = (struct wire_field){.type = row};
      return true;
    }
    found = find_field(row, dot + 1);
    if (found != NULL) {
      *at += found->offset;
    }
  }
  if (found == NULL) {
    return false;
  }
  *field = *found;
  return true;
}

static bool put_value(const struct wire_field *field, const char *text, uint8_t *to) {
  if (field->count > 0) {
    if (strncmp(text, "hex:", 4) != 0 || strlen(text) != 4 + 2 * field->count) {
      return false;
    }
    for (uint32_t i = 0; i < field->count; i++) {
      unsigned byte;
      if (sscanf(text + 4 + 2 * i, "%2x", &byte) != 1) {
        return false;
      }
      to[i] = (uint8_t)byte;
    }
    return true;
  }
  const uint64_t value = strtoull(text, NULL, 0); /* takes a minus sign, modulo 2^64 */
  memcpy(to, &value, wire_type_bytes(field->type));
  return true;
}

void vector_check_fields(const struct vector_file *vector, bool whole) {
  const struct vector_section *rows = vector_section_of(vector, "fields", 0);
  const struct vector_section *bytes = vector_section_of(vector, "bytes", 0);
  CHECK_MSG(rows != NULL && bytes != NULL, "%s: fields or bytes are missing", vector->name);
  if (rows == NULL || bytes == NULL) {
    return;
  }
  uint8_t *encoded = calloc(1, bytes->size + 8);
  const char *text = rows->text;
  char name[96], value[256];
  int count = 0;
  while (vector_next_row(&text, name, sizeof name, value, sizeof value)) {
    struct wire_field field = {.type = "u8"};
    uint32_t at = 0;
    char row[96];
    memcpy(row, name, sizeof row);
    const bool found = resolve(vector->kind, row, &field, &at);
    if (!CHECK_MSG(found, "%s: no field %s", vector->name, name)) {
      continue;
    }
    const uint32_t size = wire_type_bytes(field.type) * (field.count > 0 ? field.count : 1);
    if (!CHECK_MSG(at + size <= bytes->size, "%s: %s lies outside", vector->name, name)) {
      continue;
    }
    CHECK_MSG(put_value(&field, value, encoded + at), "%s: %s", vector->name, value);
    CHECK_MSG(memcmp(encoded + at, bytes->bytes + at, size) == 0, "%s: %s is not %s", vector->name,
              name, value);
    count++;
  }
  CHECK_MSG(count > 0, "%s: no fields", vector->name);
  if (whole) {
    CHECK_MSG(memcmp(encoded, bytes->bytes, bytes->size) == 0, "%s: fields do not make the bytes",
              vector->name);
  }
  free(encoded);
}
