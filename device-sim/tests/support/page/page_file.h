/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** A file of pages that can be told apart, for tests of reads. */
#ifndef CSD_PAGE_FILE_H
#define CSD_PAGE_FILE_H

#include <stdbool.h>
#include <stdint.h>

/** Makes the file. @return its number, open for reading and writing; to be closed */
int page_file_make(const char *name, uint32_t pages);

/** Writes page `number` of a version; page_file_make writes version 0. */
void page_file_write(int file, uint32_t number, uint32_t version);

/** The version of a page that is whole and is page `number`; UINT32_MAX if it is neither. */
uint32_t page_file_version(const uint8_t *page, uint32_t number);

#endif
