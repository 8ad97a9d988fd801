/* hillis_steele: each step reaches twice as far back, from one buffer into another. After Hillis
   and Steele 1986; the lecture's local scan, version 1, with a second buffer in place of the second
   barrier. N log2 N - (N - 1) operations for a power of two, in log2 N steps of one barrier. */
#ifndef SCAN_STRATEGIES_HILLIS_STEELE_H
#define SCAN_STRATEGIES_HILLIS_STEELE_H

#include "scan/strategies/section.h"

#ifdef SCAN_KERNELS_

#define SCAN_BLOCK_STRATEGY_hillis_steele ~, 1
#define SCAN_BLOCK_SLOTS_hillis_steele(threads) (2 * (threads))

SCAN_DEVICE uint32_t scan_hillis_steele_up(scan_section *section, const scan_element *x,
                                           SCAN_OP_PARAMS) {
  const uint32_t t = scan_thread();
  uint32_t *from = section->xy;
  uint32_t *to = from + scan_threads() * scan_element_words(SCAN_OP);
  scan_element own;
  scan_element_clear(&own, SCAN_OP);
  if (t < section->active) scan_element_copy(&own, x, SCAN_OP);
  scan_section_place(section, x, SCAN_OP);
  /* Invariant: own, which is in `from` too, is the `reach` elements that end here, or all from the
   * first on. */
  SCAN_ROLL_
  for (uint32_t reach = 1; reach < section->active; reach *= 2) {
    uint32_t *other = from;
    if (t < section->active) {
      scan_element before;
      if (t >= reach) {
        scan_shared_get(&before, from, t - reach, SCAN_OP);
        scan_prepend(&own, &before, SCAN_OP);
      }
      scan_shared_put(to, t, &own, SCAN_OP);
    }
    from = to;
    to = other;
    section->xy = from;
    scan_section_step(section);
  }
  return section->active - 1;
}
#define SCAN_BLOCK_BY_hillis_steele scan_hillis_steele_up, scan_section_up_is_all
#define SCAN_BLOCK_IS_hillis_steele 0u

#endif /* SCAN_KERNELS_ */

#endif
