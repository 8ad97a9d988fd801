/* warps_then_bases, warps_then_bases_shared: each warp scans its own by Kogge and Stone, one warp
   scans the warps' last ones, the bases, and each element receives its warp's. The notes'
   scan_block; after Sengupta, Harris, Garland 2008. The bases have slots of their own: in the
   notes' listing they are written where another warp may still read. For w warps of 32: 129 w
   operations, those of a Kogge-Stone scan of w, and 32 (w - 1). */
#ifndef SCAN_STRATEGIES_WARPS_THEN_BASES_H
#define SCAN_STRATEGIES_WARPS_THEN_BASES_H

#include "scan/strategies/section.h"
#include "scan/warp.h"

#ifdef SCAN_KERNELS_

/* The warp's part: lane i of `active` ends with the elements of lanes 0 to i. By shuffles: warp.h.
 */
SCAN_DEVICE void scan_warp_by_shuffles(scan_element *x, uint32_t *slots, uint32_t active,
                                       scan_operator op) {
  (void)slots;
  scan_warp_scan(x, 0, scan_lane() < active, op);
}

/* In shared memory, whose `slots` are the warp's own: the notes' scan_warp. Theirs trusts a warp to
   be in step; here the lanes meet after they have read and after they have written. */
SCAN_DEVICE void scan_warp_in_shared(scan_element *x, uint32_t *slots, uint32_t active,
                                     scan_operator op) {
  const uint32_t lane = scan_lane();
  if (lane < active) scan_shared_put(slots, lane, x, op);
  SCAN_ROLL_
  for (uint32_t reach = 1; reach < SCAN_WARP_THREADS; reach *= 2) {
    const bool reaches = lane < active && lane >= reach;
    scan_element before;
    scan_warp_barrier();
    if (reaches) scan_shared_get(&before, slots, lane - reach, op);
    scan_warp_barrier();
    if (reaches) {
      scan_prepend(x, &before, op);
      scan_shared_put(slots, lane, x, op);
    }
  }
  scan_warp_barrier();
}

typedef void (*scan_warp_part)(scan_element *x, uint32_t *slots, uint32_t active, scan_operator op);

SCAN_DEVICE uint32_t scan_warps_then_bases(scan_section *section, const scan_element *x,
                                           scan_warp_part warp_scan, scan_operator op) {
  const uint32_t t = scan_thread();
  const uint32_t warp = scan_warp();
  const uint32_t words = scan_element_words(op);
  const uint32_t warps = (section->active + SCAN_WARP_THREADS - 1) / SCAN_WARP_THREADS;
  uint32_t *bases = section->xy + scan_threads() * words;
  scan_element own, base;
  scan_element_clear(&own, op);
  if (t < section->active) scan_element_copy(&own, x, op);
  warp_scan(&own, section->xy + warp * SCAN_WARP_THREADS * words,
            scan_left(section->active, warp * SCAN_WARP_THREADS, SCAN_WARP_THREADS), op);
  /* The last active lane of each warp leaves the base. */
  if (t < section->active) {
    scan_shared_put(section->xy, t, &own, op);
    if (scan_lane() == SCAN_WARP_THREADS - 1 || t + 1 == section->active)
      scan_shared_put(bases, warp, &own, op);
  }
  SCAN_COUNT_BLOCK_(steps, 4); /* and one that ends here */
  scan_section_step(section, op);
  if (warp == 0) {
    scan_element_clear(&base, op);
    if (t < warps) scan_shared_get(&base, bases, t, op);
    scan_warp_barrier();
    warp_scan(&base, bases, warps, op);
    if (t < warps) scan_shared_put(bases, t, &base, op);
  }
  SCAN_COUNT_BLOCK_(steps, 4);
  scan_section_step(section, op);
  if (warp != 0 && t < section->active) {
    scan_shared_get(&base, bases, warp - 1, op);
    scan_prepend(&own, &base, op);
    scan_shared_put(section->xy, t, &own, op);
  }
  scan_section_step(section, op);
  return section->active - 1;
}

#define SCAN_BLOCK_STRATEGY_warps_then_bases ~, 1
#define SCAN_BLOCK_SLOTS_warps_then_bases(threads) ((threads) + SCAN_WARP_THREADS)
#define SCAN_BLOCK_STRATEGY_warps_then_bases_shared ~, 1
#define SCAN_BLOCK_SLOTS_warps_then_bases_shared(threads) ((threads) + SCAN_WARP_THREADS)

SCAN_DEVICE uint32_t scan_warps_then_bases_up(scan_section *section, const scan_element *x,
                                              scan_operator op) {
  return scan_warps_then_bases(section, x, scan_warp_by_shuffles, op);
}
SCAN_DEVICE uint32_t scan_warps_then_bases_shared_up(scan_section *section, const scan_element *x,
                                                     scan_operator op) {
  return scan_warps_then_bases(section, x, scan_warp_in_shared, op);
}
SCAN_DEVICE scan_block_strategy scan_block_warps_then_bases(void) {
  const scan_block_strategy strategy = {scan_warps_then_bases_up, NULL, false, false, false};
  return strategy;
}
SCAN_DEVICE scan_block_strategy scan_block_warps_then_bases_shared(void) {
  const scan_block_strategy strategy = {scan_warps_then_bases_shared_up, NULL, false, false, false};
  return strategy;
}

#endif /* SCAN_KERNELS_ */

#endif
