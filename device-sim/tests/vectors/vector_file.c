/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "tests/vectors/vector_file.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csd/csd.h"

enum { MAX_SECTIONS = 64, MAX_FILES = 1024 };

static void fail(const char *path, const char *what) {
  fprintf(stderr, "%s: %s\n", path, what);
  abort();
}

static char *read_text(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    fail(path, "cannot be read");
  }
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  rewind(file);
  char *text = malloc((size_t)size + 1);
  if (text == NULL || fread(text, 1, (size_t)size, file) != (size_t)size) {
    fail(path, "unreadable");
  }
  text[size] = 0;
  fclose(file);
  return text;
}

static int status_of(const char *name) {
  for (int status = 0; status < 1000; status++) {
    if (strcmp(csd_status_name(status), name) == 0) {
      return status;
    }
  }
  return -1;
}

static int hex_digit(int c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decodes hex, into `size` bytes or, if that is 0, as many as there are. */
static void decode(const char *path, struct vector_section *section, size_t size) {
  const size_t most = strlen(section->text) / 2 + 1;
  section->bytes = calloc(1, (size > most ? size : most) + 64);
  if (section->bytes == NULL) {
    fail(path, "out of memory");
  }
  size_t count = 0;
  for (const char *c = section->text; *c != 0; c++) {
    if (isspace((unsigned char)*c)) {
      continue;
    }
    const int high = hex_digit(c[0]), low = high < 0 ? -1 : hex_digit(c[1]);
    if (low < 0) {
      fail(path, "no hex");
    }
    section->bytes[count++] = (uint8_t)(high << 4 | low);
    c++;
  }
  if (size != 0 && count > size) {
    fail(path, "more bytes than its size says");
  }
  section->size = size != 0 ? size : count;
}

bool vector_next_row(const char **rows, char *name, size_t name_size, char *value,
                     size_t value_size) {
  const char *end = strchr(*rows, '\n'), *sign = strstr(*rows, " = ");
  if (end == NULL || sign == NULL || sign > end) {
    return false;
  }
  const size_t name_bytes = (size_t)(sign - *rows), value_bytes = (size_t)(end - sign - 3);
  if (name_bytes >= name_size || value_bytes >= value_size) {
    fail(*rows, "too long a row");
  }
  memcpy(name, *rows, name_bytes);
  name[name_bytes] = 0;
  memcpy(value, sign + 3, value_bytes);
  value[value_bytes] = 0;
  *rows = end + 1;
  return true;
}

/* Sizes that the head gives for hex sections; SIZE_MAX where it gives none. */
struct sizes {
  size_t bytes, plan, live_docs;
};

static void read_head(struct vector_file *vector, const char *path, const char *head,
                      struct sizes *sizes) {
  char name[64], value[64];
  while (vector_next_row(&head, name, sizeof name, value, sizeof value)) {
    const size_t number = strtoul(value, NULL, 0);
    if (strcmp(name, "struct") == 0) {
      snprintf(vector->kind, sizeof vector->kind, "%.31s", value);
    } else if (strcmp(name, "status") == 0) {
      snprintf(vector->status_name, sizeof vector->status_name, "%.31s", value);
    } else if (strcmp(name, "size") == 0) {
      sizes->bytes = number;
    } else if (strcmp(name, "plan_bytes") == 0) {
      sizes->plan = number;
    } else if (strcmp(name, "live_docs_bytes") == 0) {
      sizes->live_docs = number;
    } else if (strcmp(name, "writer") != 0) { /* is for encoders */
      fail(path, "unknown key in its head");
    }
  }
  vector->status = status_of(vector->status_name);
  if (vector->status < 0 || vector->kind[0] == 0) {
    fail(path, "lacks struct or status");
  }
}

static void decode_section(const char *path, struct vector_section *section,
                           const struct sizes *sizes) {
  const char *title = section->title;
  if (strcmp(title, "fields") == 0 || strcmp(title, "postings") == 0 ||
      strcmp(title, "values") == 0 || strcmp(title, "blocks") == 0) {
    return;
  }
  decode(path, section,
         strcmp(title, "bytes") == 0       ? sizes->bytes
         : strncmp(title, "page ", 5) == 0 ? CSD_PAGE_BYTES
         : strcmp(title, "plan") == 0      ? sizes->plan
         : strcmp(title, "live_docs") == 0 ? sizes->live_docs
         : strcmp(title, "result") == 0    ? 0
                                           : (fail(path, title), 0));
  if (strcmp(title, "result") == 0) {
    /* Its zeros at the end are left out, too; its own header says how long it is. */
    uint32_t total;
    memcpy(&total, section->bytes + offsetof(struct csd_result_header, total_bytes), sizeof total);
    uint8_t *decoded = section->bytes;
    const size_t count = section->size;
    section->bytes = calloc(1, total + 64);
    if (section->bytes == NULL || count > total) {
      fail(path, "bad result size");
    }
    memcpy(section->bytes, decoded, count);
    section->size = total;
    free(decoded);
  }
}

struct vector_file vector_file_read(const char *path) {
  struct vector_file vector = {.status = -1};
  const char *base = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
  snprintf(vector.name, sizeof vector.name, "%.*s", (int)strcspn(base, "."), base);
  vector.sections = calloc(MAX_SECTIONS, sizeof *vector.sections);
  char *text = read_text(path), *head = calloc(1, strlen(text) + 1);
  if (vector.sections == NULL || head == NULL) {
    fail(path, "out of memory");
  }
  struct vector_section *section = NULL;
  for (char *line = text; *line != 0;) {
    const size_t length = strcspn(line, "\n") + 1;
    if (line[0] == '[') {
      if (vector.section_count == MAX_SECTIONS) {
        fail(path, "too many sections");
      }
      section = &vector.sections[vector.section_count++];
      snprintf(section->title, sizeof section->title, "%.*s",
               (int)(strcspn(line, "]\n") - 1 < 31 ? strcspn(line, "]\n") - 1 : 31), line + 1);
      section->text = calloc(1, strlen(line) + 1);
      if (section->text == NULL) {
        fail(path, "out of memory");
      }
    } else if (line[0] != '#') {
      strncat(section != NULL ? section->text : head, line, length);
    }
    line += length - (line[length - 1] == 0);
  }
  struct sizes sizes = {0};
  read_head(&vector, path, head, &sizes);
  for (int i = 0; i < vector.section_count; i++) {
    decode_section(path, &vector.sections[i], &sizes);
  }
  free(head);
  free(text);
  return vector;
}

void vector_file_free(struct vector_file *vector) {
  for (int i = 0; i < vector->section_count; i++) {
    free(vector->sections[i].text);
    free(vector->sections[i].bytes);
  }
  free(vector->sections);
}

const struct vector_section *vector_section_of(const struct vector_file *vector, const char *title,
                                               int i) {
  const size_t length = strlen(title);
  for (int s = 0; s < vector->section_count; s++) {
    const struct vector_section *section = &vector->sections[s];
    if (strncmp(section->title, title, length) == 0 &&
        (section->title[length] == 0 || section->title[length] == ' ') && i-- == 0) {
      return section;
    }
  }
  return NULL;
}

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

int vector_files_each(const char *folder, void (*use)(const struct vector_file *vector)) {
  static char names[MAX_FILES][160];
  DIR *listing = opendir(folder);
  if (listing == NULL) {
    fail(folder, "no such folder");
  }
  int count = 0;
  for (struct dirent *entry; (entry = readdir(listing)) != NULL;) {
    const size_t length = strlen(entry->d_name);
    if (length < 5 || strcmp(entry->d_name + length - 4, ".vec") != 0) {
      continue;
    }
    if (count == MAX_FILES || length >= sizeof names[0]) {
      fail(folder, "too many files");
    }
    memcpy(names[count++], entry->d_name, length + 1);
  }
  closedir(listing);
  qsort(names, (size_t)count, sizeof names[0], by_name);
  for (int i = 0; i < count; i++) {
    char path[1024];
    snprintf(path, sizeof path, "%.800s/%.159s", folder, names[i]);
    struct vector_file vector = vector_file_read(path);
    use(&vector);
    vector_file_free(&vector);
  }
  return count;
}
