/* kogge_stone, kogge_stone_exclusive: each step reaches twice as far back, in place. After Kogge
   and Stone 1973; the chapter's figures 8.1 to 8.3. In place a step needs two barriers: one after
   all have read, which the chapter's listing leaves out, and one after all have written. */
#ifndef SCAN_STRATEGIES_KOGGE_STONE_H
#define SCAN_STRATEGIES_KOGGE_STONE_H

#include "scan/strategies/section.h"

#ifdef SCAN_KERNELS_

/* The steps, over the slots from `first` to the last active thread's; `own` is what lies in the
 * thread's slot. */
SCAN_DEVICE void scan_kogge_stone_steps(const scan_section *section, uint32_t first,
                                        scan_element *own, SCAN_OP_PARAMS) {
  const uint32_t t = scan_thread();
  /* Invariant: slot t holds the `reach` elements that end there, or all from the first on. */
  SCAN_ROLL_
  for (uint32_t reach = 1; reach + first < section->active; reach *= 2) {
    const bool reaches = t < section->active && t >= first + reach;
    scan_element before;
    if (reaches) scan_shared_get(&before, section->xy, t - reach, SCAN_OP);
    scan_section_barrier();
    if (reaches) {
      scan_prepend(own, &before, SCAN_OP);
      scan_shared_put(section->xy, t, own, SCAN_OP);
    }
    scan_section_step(section);
  }
}

/* N log2 N - (N - 1) operations for a power of two, in log2 N steps. */
#define SCAN_BLOCK_STRATEGY_kogge_stone ~, 1
#define SCAN_BLOCK_SLOTS_kogge_stone(threads) (threads)

SCAN_DEVICE uint32_t scan_kogge_stone_up(scan_section *section, const scan_element *x,
                                         SCAN_OP_PARAMS) {
  scan_element own;
  scan_element_clear(&own, SCAN_OP);
  if (scan_thread() < section->active) scan_element_copy(&own, x, SCAN_OP);
  scan_section_place(section, x, SCAN_OP);
  scan_kogge_stone_steps(section, 0, &own, SCAN_OP);
  return section->active - 1;
}
#define SCAN_BLOCK_BY_kogge_stone scan_kogge_stone_up, scan_section_up_is_all
#define SCAN_BLOCK_IS_kogge_stone 0u

/* The same one slot further on, so that what comes before a thread arrives at it. Slot 0, where the
   chapter has the operator's zero, has no element; in the end the last thread leaves the total
   there. (N - 1) (log2 N - 1) + 1 operations for a power of two from 4 on. */
#define SCAN_BLOCK_STRATEGY_kogge_stone_exclusive ~, 1
#define SCAN_BLOCK_SLOTS_kogge_stone_exclusive(threads) (threads)

SCAN_DEVICE uint32_t scan_kogge_stone_exclusive_up(scan_section *section, const scan_element *x,
                                                   SCAN_OP_PARAMS) {
  const uint32_t t = scan_thread();
  scan_element own;
  scan_element_clear(&own, SCAN_OP);
  if (t + 1 < section->active) scan_shared_put(section->xy, t + 1, x, SCAN_OP);
  scan_section_settle(section);
  if (t != 0 && t < section->active) scan_shared_get(&own, section->xy, t, SCAN_OP);
  scan_kogge_stone_steps(section, 1, &own, SCAN_OP);
  if (t + 1 == section->active) {
    bool any = t != 0;
    scan_append_first(&own, &any, x, SCAN_OP);
    scan_shared_put(section->xy, 0, &own, SCAN_OP);
  }
  scan_section_barrier();
  return 0;
}
#define SCAN_BLOCK_BY_kogge_stone_exclusive scan_kogge_stone_exclusive_up, scan_section_up_is_all
#define SCAN_BLOCK_IS_kogge_stone_exclusive scan_block_exclusive_

#endif /* SCAN_KERNELS_ */

#endif
