/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Reads golden vectors; the format is in wire/vectors/README.md. */
#ifndef CSD_VECTOR_FILE_H
#define CSD_VECTOR_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A section: hex sections have bytes, all have text. */
struct vector_section {
  char title[32];
  char *text;     /**< its lines, zero-terminated */
  uint8_t *bytes; /**< decoded hex, padded with zeros; NULL if the section holds rows */
  size_t size;
};

struct vector_file {
  char name[160]; /**< without folder and .vec */
  char kind[32];
  char status_name[32];
  int status; /**< of the wire, not negated */
  struct vector_section *sections;
  int section_count;
};

/** Calls `use` for every .vec file of a folder, in the order of their names; returns how many. */
int vector_files_each(const char *folder, void (*use)(const struct vector_file *vector));

/** Reads one file. The program ends with a message if it is malformed. */
struct vector_file vector_file_read(const char *path);
void vector_file_free(struct vector_file *vector);

/** The i-th section of a title ("page" matches "page 40"), or NULL. */
const struct vector_section *vector_section_of(const struct vector_file *vector, const char *title,
                                               int i);

/** A row `name = value`; false at the end. `*rows` moves on. */
bool vector_next_row(const char **rows, char *name, size_t name_size, char *value,
                     size_t value_size);

#endif
