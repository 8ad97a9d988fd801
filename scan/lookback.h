/* How a tile learns its prefix: aggregates and carries in the workspace, and the fold of a group's
   aggregates onto its carry.

   Consecutive tiles form groups. Every tile publishes its aggregate; the last of a group, and the
   last of all, publish the carry that the next group starts from. The prefix of a tile is the carry
   of its group followed by the aggregates of the group's tiles before it, folded in one fixed
   order, whoever comes first: after the chained scan of Yan, Long, Zhang 2013 and the decoupled
   look-back of Merrill, Garland 2016, without their choice between aggregates and prefixes, which
   lets timing pick the order.

   A status word is 32 bits of value under a tag of 32 bits, the number of the call. So it is valid
   or not as a whole, no memory ordering is needed, and nothing is cleared between calls: tags stand
   in the same half of every word whatever the type, and a word that an earlier call left bears
   another tag. */
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

SCAN_DEVICE void scan_publish(uint64_t *slots, size_t slot, const scan_element *x, uint32_t tag,
                              scan_operator op) {
  const uint32_t words = SCAN_STATUS_WORDS_(op.size);
  uint64_t *to = slots + slot * words;
  if (words == 1) {
    scan_word_write(to, (uint64_t)tag << 32 | x->word[0]);
  } else {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < words; i += 2) {
      uint64_t pair[2];
      pair[0] = (uint64_t)tag << 32 | x->word[i];
      pair[1] = (uint64_t)tag << 32 | (i + 1 < scan_element_words(op) ? x->word[i + 1] : 0);
      scan_word_pair_write(to + i, pair);
    }
  }
}

/* Reads an element; false where not all of its words are of this call yet. */
SCAN_DEVICE bool scan_fetch(scan_element *x, const uint64_t *slots, size_t slot, uint32_t tag,
                            scan_operator op) {
  const uint32_t words = SCAN_STATUS_WORDS_(op.size);
  const uint64_t *from = slots + slot * words;
  bool valid = true;
  if (words == 1) {
    const uint64_t word = scan_word_read(from);
    valid = (uint32_t)(word >> 32) == tag;
    x->word[0] = (uint32_t)word;
  } else {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < words; i += 2) {
      uint64_t pair[2];
      scan_word_pair_read(pair, from + i);
      valid = valid && (uint32_t)(pair[0] >> 32) == tag && (uint32_t)(pair[1] >> 32) == tag;
      x->word[i] = (uint32_t)pair[0];
      if (i + 1 < scan_element_words(op)) x->word[i + 1] = (uint32_t)pair[1];
    }
  }
  return valid;
}

/* The prefix of a tile. Called by a whole warp; lane 0 ends with it in `prefix`, if *any: the first
   tile has one only if there is a seed. Waits for tiles that were taken before this one, so by
   blocks that run (promise 7). */
SCAN_DEVICE void scan_look_back(scan_element *prefix, bool *any, uint32_t tile,
                                const scan_element *seed, bool seeded, scan_status status,
                                scan_operator op) {
  const uint32_t batches = (uint32_t)SCAN_LOOKBACK_ITEMS_(op.size);
  const uint32_t lane = scan_lane();
  const uint32_t group = tile / status.group;
  const uint32_t before = tile % status.group; /* tiles of the group before this one */
  const size_t first = (size_t)group * status.group;
  scan_element aggregate[SCAN_LOOKBACK_ITEMS_MOST];
  bool valid[SCAN_LOOKBACK_ITEMS_MOST];
  bool waiting;
  bool carry_valid = group == 0;
  scan_element_copy(prefix, seed, op);
  SCAN_UNROLL_
  for (uint32_t i = 0; i < batches; i++) {
    scan_element_clear(&aggregate[i], op);
    valid[i] = i * SCAN_WARP_THREADS + lane >= before;
  }
  /* Neighbouring lanes wait for neighbouring aggregates, a warp's worth a batch. The carry, which
     every lane reads, is often there already, and else the last to come: it is waited for when the
     aggregates are folded. */
  do {
    waiting = false;
    SCAN_UNROLL_
    for (uint32_t i = 0; i < batches; i++)
      if (!valid[i]) {
        valid[i] = scan_fetch(&aggregate[i], status.aggregates,
                              first + i * SCAN_WARP_THREADS + lane, status.tag, op);
        waiting = waiting || !valid[i];
      }
    if (!carry_valid) carry_valid = scan_fetch(prefix, status.carries, group, status.tag, op);
    if (waiting) scan_spin();
  } while (scan_ballot(waiting) != 0);
  /* The warp folds each batch, and lane 0 the batches onto the carry. */
  scan_warp_fold_batches(aggregate, batches, before, op);
  if (lane != 0) return;
  while (!carry_valid) {
    carry_valid = scan_fetch(prefix, status.carries, group, status.tag, op);
    if (!carry_valid) scan_spin();
  }
  *any = group != 0 || seeded;
  SCAN_UNROLL_
  for (uint32_t i = 0; i < batches; i++)
    if (i * SCAN_WARP_THREADS < before) scan_append_first(prefix, any, &aggregate[i], op);
}

#endif /* SCAN_KERNELS_ */

#endif
