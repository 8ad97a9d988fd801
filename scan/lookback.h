/* How a tile learns its prefix: aggregates and carries in the workspace, and the fold of a group's aggregates onto its carry.

   Consecutive tiles form groups. Every tile publishes its aggregate; the last of a group, and the last of all, publish the carry
   that the next group starts from. The prefix of a tile is the carry of its group followed by the aggregates of the group's tiles
   before it, folded in one fixed order, whoever comes first: after the chained scan of Yan, Long, Zhang 2013 and the decoupled
   look-back of Merrill, Garland 2016, without their choice between aggregates and prefixes, which lets timing pick the order.

   A status word is 32 bits of value under a tag of 32 bits, the number of the call. So it is valid or not as a whole, no
   memory ordering is needed, and nothing is cleared between calls: tags stand in the same half of every word whatever the type,
   and a word that an earlier call left bears another tag. */
#ifndef SCAN_LOOKBACK_H
#define SCAN_LOOKBACK_H

#include "scan/tuning.h"
#include "scan/warp.h"

#ifdef SCAN_KERNELS_

/* The words of a call: an element a tile, then an element a carry. */
typedef struct {
  uint64_t *aggregates;
  uint64_t *carries; /* carries[g]: everything before group g, and the seed; from 1 on */
  uint32_t tag;
  uint32_t group; /* tiles of a group */
} scan_status;

SCAN_DEVICE void scan_publish(uint64_t *slots, size_t slot, const scan_element *x, uint32_t tag, scan_operator op) {
  SCAN_UNROLL_
  for (uint32_t i = 0; i < scan_element_words(op); i++)
    scan_word_write(slots + slot * scan_element_words(op) + i, (uint64_t)tag << 32 | x->word[i]);
}

/* Reads an element; false where not all of its words are of this call yet. */
SCAN_DEVICE bool scan_fetch(scan_element *x, const uint64_t *slots, size_t slot, uint32_t tag, scan_operator op) {
  bool valid = true;
  SCAN_UNROLL_
  for (uint32_t i = 0; i < scan_element_words(op); i++) {
    const uint64_t word = scan_word_read(slots + slot * scan_element_words(op) + i);
    valid = valid && (uint32_t)(word >> 32) == tag;
    x->word[i] = (uint32_t)word;
  }
  return valid;
}

/* The prefix of a tile. Called by a whole warp; lane 0 ends with it in `prefix`, if *any: the first tile has one only if there
   is a seed. Waits for tiles that were taken before this one, so by blocks that run (promise 7). */
SCAN_DEVICE void scan_look_back(scan_element *prefix, bool *any, uint32_t tile, const scan_element *seed, bool seeded,
                                scan_status status, scan_operator op) {
  enum { items_most = 4 };
  const uint32_t items = (uint32_t)SCAN_LOOKBACK_ITEMS_(op.size);
  const uint32_t lane = scan_lane();
  const uint32_t group = tile / status.group;
  const uint32_t before = tile % status.group; /* tiles of the group before this one */
  const size_t first = (size_t)group * status.group;
  scan_element aggregate[items_most];
  bool valid[items_most];
  bool waiting;
  bool carry_valid = group == 0;
  scan_element_copy(prefix, seed, op);
  scan_element_clear(&aggregate[0], op);
  SCAN_UNROLL_
  for (uint32_t i = 0; i < items; i++) valid[i] = lane * items + i >= before;
  /* Each lane waits for `items` consecutive aggregates, and every lane for the carry. */
  do {
    waiting = false;
    SCAN_UNROLL_
    for (uint32_t i = 0; i < items; i++)
      if (!valid[i]) {
        valid[i] = scan_fetch(&aggregate[i], status.aggregates, first + lane * items + i, status.tag, op);
        waiting = waiting || !valid[i];
      }
    if (!carry_valid) {
      carry_valid = scan_fetch(prefix, status.carries, group, status.tag, op);
      waiting = waiting || !carry_valid;
    }
    if (waiting) scan_spin();
  } while (scan_ballot(waiting) != 0);
  *any = group != 0 || seeded;
  /* The lanes fold their own, the warp folds the lanes. */
  SCAN_UNROLL_
  for (uint32_t i = 1; i < items; i++)
    if (lane * items + i < before) scan_append(&aggregate[0], &aggregate[i], op);
  scan_warp_fold(&aggregate[0], (before + items - 1) / items, op);
  if (before != 0) scan_append_first(prefix, any, &aggregate[0], op);
}

#endif /* SCAN_KERNELS_ */

#endif
