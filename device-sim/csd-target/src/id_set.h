/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** A set of numbers other than 0, of bounded size: the sessions or resources of a controller. */
#ifndef TGT_ID_SET_H
#define TGT_ID_SET_H

#include <stdbool.h>
#include <stdint.h>

struct tgt_id_set {
  uint32_t *slots; /* open addressing; 0: free */
  uint32_t room;   /* a power of two, or 0 */
  uint32_t count;
};

/** @return false if memory is short */
bool tgt_id_set_add(struct tgt_id_set *set, uint32_t id);
void tgt_id_set_remove(struct tgt_id_set *set, uint32_t id);
bool tgt_id_set_has(const struct tgt_id_set *set, uint32_t id);
/** Takes any number out. @return 0 if the set is empty */
uint32_t tgt_id_set_take(struct tgt_id_set *set);
void tgt_id_set_free(struct tgt_id_set *set);

#endif
