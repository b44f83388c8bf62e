/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The fields of a golden vector against its bytes. */
#ifndef CSD_VECTOR_FIELDS_H
#define CSD_VECTOR_FIELDS_H

#include <stdbool.h>

#include "tests/vectors/vector_file.h"

/** Every row's value is at its place; if the vector is one struct, the rows make up the bytes. */
void vector_check_fields(const struct vector_file *vector, bool whole);

#endif
