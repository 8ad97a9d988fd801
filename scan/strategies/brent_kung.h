/* brent_kung: a tree of sums, then what is missing handed out along the same tree. After Brent and
   Kung 1979; the chapter's figures 8.4 to 8.6. 2N - 2 - log2 N operations for a power of two, in
   2 log2 N - 1 steps. Other N fit as they are: a slot i whose 1-based place i + 1 has the lowest
   set bit b holds b elements after the way up, and lacks those up to slot i - b, which is complete
   before it. */
#ifndef SCAN_STRATEGIES_BRENT_KUNG_H
#define SCAN_STRATEGIES_BRENT_KUNG_H

#include "scan/strategies/section.h"

#ifdef SCAN_KERNELS_

#define SCAN_BLOCK_STRATEGY_brent_kung ~, 1
#define SCAN_BLOCK_SLOTS_brent_kung(threads) (threads)

/* Slot `at` receives what lies `stride` before it. */
SCAN_DEVICE void scan_brent_kung_join(const scan_section *section, uint32_t at, uint32_t stride,
                                      SCAN_OP_PARAMS) {
  scan_element before, own;
  scan_shared_get(&before, section->xy, at - stride, SCAN_OP);
  scan_shared_get(&own, section->xy, at, SCAN_OP);
  scan_prepend(&own, &before, SCAN_OP);
  scan_shared_put(section->xy, at, &own, SCAN_OP);
}

SCAN_DEVICE uint32_t scan_brent_kung_up(scan_section *section, const scan_element *x,
                                        SCAN_OP_PARAMS) {
  const uint32_t active = section->active;
  uint32_t stride;
  scan_section_place(section, x, SCAN_OP);
  /* Neighbouring threads work in every step, so that whole warps are idle early. Invariant: each
   * slot that ends a multiple of `stride` elements has the last `stride` of them. */
  SCAN_ROLL_
  for (stride = 1; 2 * stride <= active; stride *= 2) {
    const uint32_t at = (scan_thread() + 1) * 2 * stride - 1;
    if (at < active) scan_brent_kung_join(section, at, stride, SCAN_OP);
    scan_section_step(section);
  }
  /* Invariant: the slots that end a multiple of 2 * stride elements are complete. */
  SCAN_ROLL_
  for (; stride >= 1; stride /= 2) {
    const uint32_t at = (scan_thread() + 1) * 2 * stride - 1 + stride;
    if (3 * stride > active) continue;
    if (at < active) scan_brent_kung_join(section, at, stride, SCAN_OP);
    scan_section_step(section);
  }
  return active - 1;
}
#define SCAN_BLOCK_BY_brent_kung scan_brent_kung_up, scan_section_up_is_all
#define SCAN_BLOCK_IS_brent_kung 0u

#endif /* SCAN_KERNELS_ */

#endif
