/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * A set of numbers other than 0, each with the time when it was last used and the memory that it
 * takes: the sessions or resources of a controller.
 */
#ifndef TGT_ID_SET_H
#define TGT_ID_SET_H

#include <stdbool.h>
#include <stdint.h>

struct tgt_id_slot {
  uint32_t id;     /* 0: free */
  uint32_t used_s; /* seconds of tgt_now_ms() */
  uint32_t bytes;
};

struct tgt_id_set {
  struct tgt_id_slot *slots; /* open addressing */
  uint32_t room;             /* a power of two, or 0 */
  uint32_t count;
  uint64_t bytes; /* of all */
};

/** Adds a number, or notes a use of it. @return false if memory is short */
bool tgt_id_set_add(struct tgt_id_set *set, uint32_t id, uint32_t bytes, uint32_t now_s);
/** Notes a use. @return whether the number is there */
bool tgt_id_set_use(struct tgt_id_set *set, uint32_t id, uint32_t now_s);
/** The number that has not been used for longest, of those unused since `before_s`; 0: none. */
uint32_t tgt_id_set_oldest(const struct tgt_id_set *set, uint32_t before_s);
/** Removes a number. @return its bytes; 0 if it is not there */
uint32_t tgt_id_set_remove(struct tgt_id_set *set, uint32_t id);
bool tgt_id_set_has(const struct tgt_id_set *set, uint32_t id);
/** Takes any number out. @return 0 if the set is empty */
uint32_t tgt_id_set_take(struct tgt_id_set *set);
void tgt_id_set_free(struct tgt_id_set *set);

#endif
