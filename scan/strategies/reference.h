/* What the other block strategies are held against: one thread for all, and all threads each for
   itself. */
#ifndef SCAN_STRATEGIES_REFERENCE_H
#define SCAN_STRATEGIES_REFERENCE_H

#include "scan/strategies/section.h"

#ifdef SCAN_KERNELS_

/* sequential: thread 0 walks along the section. N - 1 operations in N - 1 steps. */
#define SCAN_BLOCK_STRATEGY_sequential ~, 1
#define SCAN_BLOCK_SLOTS_sequential(threads) (threads)

SCAN_DEVICE uint32_t scan_sequential_up(scan_section *section, const scan_element *x,
                                        SCAN_OP_PARAMS) {
  scan_section_place(section, x, SCAN_OP);
  if (scan_thread() == 0) {
    scan_element so_far;
    scan_shared_get(&so_far, section->xy, 0, SCAN_OP);
    /* Invariant: so_far is the elements before i, and each slot before i has all up to its own. */
    SCAN_ROLL_
    for (uint32_t i = 1; i < section->active; i++) {
      scan_element next;
      scan_shared_get(&next, section->xy, i, SCAN_OP);
      scan_append(&so_far, &next, SCAN_OP);
      scan_shared_put(section->xy, i, &so_far, SCAN_OP);
    }
    SCAN_COUNT_(steps, section->active - 1);
  }
  scan_section_barrier();
  return section->active - 1;
}
#define SCAN_BLOCK_BY_sequential scan_sequential_up, scan_section_up_is_all
#define SCAN_BLOCK_IS_sequential 0u

/* naive: each thread reduces all elements up to its own, as if the others did not do most of it,
   too. N (N - 1) / 2 operations in N - 1 steps. */
#define SCAN_BLOCK_STRATEGY_naive ~, 1
#define SCAN_BLOCK_SLOTS_naive(threads) (threads)

SCAN_DEVICE uint32_t scan_naive_up(scan_section *section, const scan_element *x, SCAN_OP_PARAMS) {
  const uint32_t t = scan_thread();
  scan_element so_far;
  scan_section_place(section, x, SCAN_OP);
  if (t < section->active) {
    scan_shared_get(&so_far, section->xy, 0, SCAN_OP);
    SCAN_ROLL_
    for (uint32_t i = 1; i <= t; i++) {
      scan_element next;
      scan_shared_get(&next, section->xy, i, SCAN_OP);
      scan_append(&so_far, &next, SCAN_OP);
    }
  }
  SCAN_COUNT_BLOCK_(steps, section->active - 1);
  scan_section_barrier(); /* all have read what is now written over */
  if (t < section->active) scan_shared_put(section->xy, t, &so_far, SCAN_OP);
  scan_section_barrier();
  return section->active - 1;
}
#define SCAN_BLOCK_BY_naive scan_naive_up, scan_section_up_is_all
#define SCAN_BLOCK_IS_naive 0u

#endif /* SCAN_KERNELS_ */

#endif
