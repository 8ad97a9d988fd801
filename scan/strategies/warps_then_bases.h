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

/* In shared memory, whose `slots` are the warp's own: the notes' scan_warp. Theirs trusts a warp to
   be in step; here the lanes meet after they have read and after they have written. */
SCAN_DEVICE void scan_warp_in_shared(scan_element *x, uint32_t *slots, uint32_t active,
                                     SCAN_OP_PARAMS) {
  const uint32_t lane = scan_lane();
  if (lane < active) scan_shared_put(slots, lane, x, SCAN_OP);
  /* Invariant: x, and the lane's slot, is its element and up to reach - 1 before it. */
  SCAN_ROLL_
  for (uint32_t reach = 1; reach < SCAN_WARP_THREADS; reach *= 2) {
    const bool reaches = lane < active && lane >= reach;
    scan_element before;
    scan_warp_barrier();
    if (reaches) scan_shared_get(&before, slots, lane - reach, SCAN_OP);
    scan_warp_barrier();
    if (reaches) {
      scan_prepend(x, &before, SCAN_OP);
      scan_shared_put(slots, lane, x, SCAN_OP);
    }
  }
  scan_warp_barrier();
}

/* The warp's part: lane i of `active` ends with the elements of lanes 0 to i. */
SCAN_DEVICE void scan_warp_part(scan_element *x, bool in_shared, uint32_t *slots, uint32_t active,
                                SCAN_OP_PARAMS) {
  if (in_shared)
    scan_warp_in_shared(x, slots, active, SCAN_OP);
  else
    scan_warp_scan(x, 0, scan_lane() < active, SCAN_OP);
}

SCAN_DEVICE uint32_t scan_warps_then_bases(scan_section *section, const scan_element *x,
                                           bool in_shared, SCAN_OP_PARAMS) {
  const uint32_t t = scan_thread();
  const uint32_t warp = scan_warp();
  const uint32_t words = scan_element_words(SCAN_OP);
  const uint32_t warps = (section->active + SCAN_WARP_THREADS - 1) / SCAN_WARP_THREADS;
  uint32_t *bases = section->xy + scan_threads() * words;
  scan_element own, base;
  scan_element_clear(&own, SCAN_OP);
  if (t < section->active) scan_element_copy(&own, x, SCAN_OP);
  scan_warp_part(&own, in_shared, section->xy + warp * SCAN_WARP_THREADS * words,
                 scan_left(section->active, warp * SCAN_WARP_THREADS, SCAN_WARP_THREADS), SCAN_OP);
  /* The last active lane of each warp leaves the base. */
  if (t < section->active) {
    scan_shared_put(section->xy, t, &own, SCAN_OP);
    if (scan_lane() == SCAN_WARP_THREADS - 1 || t + 1 == section->active)
      scan_shared_put(bases, warp, &own, SCAN_OP);
  }
  SCAN_COUNT_BLOCK_(steps, 4); /* and one that ends here */
  scan_section_step(section);
  if (warp == 0) {
    scan_element_clear(&base, SCAN_OP);
    if (t < warps) scan_shared_get(&base, bases, t, SCAN_OP);
    scan_warp_barrier();
    scan_warp_part(&base, in_shared, bases, warps, SCAN_OP);
    if (t < warps) scan_shared_put(bases, t, &base, SCAN_OP);
  }
  SCAN_COUNT_BLOCK_(steps, 4);
  scan_section_step(section);
  if (warp != 0 && t < section->active) {
    scan_shared_get(&base, bases, warp - 1, SCAN_OP);
    scan_prepend(&own, &base, SCAN_OP);
    scan_shared_put(section->xy, t, &own, SCAN_OP);
  }
  scan_section_step(section);
  return section->active - 1;
}

#define SCAN_BLOCK_STRATEGY_warps_then_bases ~, 1
#define SCAN_BLOCK_SLOTS_warps_then_bases(threads) ((threads) + SCAN_WARP_THREADS)
#define SCAN_BLOCK_STRATEGY_warps_then_bases_shared ~, 1
#define SCAN_BLOCK_SLOTS_warps_then_bases_shared(threads) ((threads) + SCAN_WARP_THREADS)

SCAN_DEVICE uint32_t scan_warps_then_bases_up(scan_section *section, const scan_element *x,
                                              SCAN_OP_PARAMS) {
  return scan_warps_then_bases(section, x, false, SCAN_OP);
}
SCAN_DEVICE uint32_t scan_warps_then_bases_shared_up(scan_section *section, const scan_element *x,
                                                     SCAN_OP_PARAMS) {
  return scan_warps_then_bases(section, x, true, SCAN_OP);
}
#define SCAN_BLOCK_BY_warps_then_bases scan_warps_then_bases_up, scan_section_up_is_all
#define SCAN_BLOCK_IS_warps_then_bases 0u
#define SCAN_BLOCK_BY_warps_then_bases_shared \
  scan_warps_then_bases_shared_up, scan_section_up_is_all
#define SCAN_BLOCK_IS_warps_then_bases_shared 0u

#endif /* SCAN_KERNELS_ */

#endif
