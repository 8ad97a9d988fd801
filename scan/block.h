/* Scans and folds across the threads of a block: scan within the warps, then prefix each warp with
   what precedes it. All threads of a one-dimensional block of whole warps call; each holds an
   element. After Sengupta, Harris, Garland 2008. */
#ifndef SCAN_BLOCK_H
#define SCAN_BLOCK_H

#include "scan/warp.h"

#ifdef SCAN_KERNELS_

#define SCAN_BLOCK_WARPS_MOST 32

/* x = what the first `count` warps, `most` at most, left in `totals`, from the last start on, in
   every lane; nothing if count is 0. Returns whether a segment starts in it. Called by whole warps.
 */
SCAN_DEVICE bool scan_block_totals(scan_element *x, const uint32_t *totals, uint32_t count,
                                   uint32_t most, SCAN_OP_PARAMS) {
  uint32_t starts;
  bool starts_here = false;
  scan_element_clear(x, SCAN_OP);
  if (scan_lane() < count) starts_here = scan_total_get(x, totals, scan_lane(), SCAN_OP);
  starts = scan_starts(starts_here, SCAN_OP);
  scan_warp_fold(x, starts, count, most, SCAN_OP);
  return starts != 0;
}

/* Each thread brings x, and whether it starts a segment. Afterwards x is the element of its own and
   all earlier threads, back to the last start, and, if it is wanted (in a plain scan), before that
   of the earlier threads alone, where *any. totals: one total a warp, in shared memory, free again
   at once. */
SCAN_DEVICE void scan_block_scan(scan_element *x, bool starts_here, scan_element *before,
                                 bool before_wanted, bool *any, uint32_t *totals, SCAN_OP_PARAMS) {
  const uint32_t lane = scan_lane();
  const uint32_t warp = scan_warp();
  const uint32_t starts = scan_starts(starts_here, SCAN_OP);
  scan_element in_warp;
  /* Each warp scans its own, and its last lane leaves the total. */
  scan_warp_scan(x, starts, true, SCAN_OP);
  if (lane == SCAN_WARP_THREADS - 1) scan_total_put(totals, warp, x, starts != 0, SCAN_OP);
  if (before_wanted) {
    scan_element_copy(&in_warp, x, SCAN_OP);
    scan_warp_shift(&in_warp, SCAN_OP);
  }
  scan_block_barrier();
  /* The totals of the warps before come in front of both. */
  (void)scan_block_totals(before, totals, warp, warp, SCAN_OP);
  *any = warp != 0;
  if (*any && scan_starts_through(starts) == 0) scan_prepend(x, before, SCAN_OP);
  if (before_wanted && lane != 0) scan_append_first(before, any, &in_warp, SCAN_OP);
  scan_block_barrier();
}

/* Each thread brings x; afterwards x is the element of all threads, in every thread. */
SCAN_DEVICE void scan_block_fold(scan_element *x, uint32_t *totals, SCAN_OP_PARAMS) {
  const uint32_t warp = scan_warp();
  const uint32_t warps = scan_threads() / SCAN_WARP_THREADS;
  scan_warp_fold_parts(x, SCAN_WARP_THREADS, 0, SCAN_WARP_THREADS, SCAN_WARP_THREADS, SCAN_OP);
  if (scan_lane() == 0) scan_total_put(totals, warp, x, false, SCAN_OP);
  scan_block_barrier();
  (void)scan_block_totals(x, totals, warps, warps, SCAN_OP);
  scan_block_barrier();
}

/* The client's items, which live in registers: no addresses are formed once the loops are unrolled.
 */
SCAN_DEVICE void scan_item_get(scan_element *x, const void *items, int i, SCAN_OP_PARAMS) {
  x->word[scan_element_words(SCAN_OP) - 1] = 0;
  memcpy(x, SCAN_AT_CONST_(items, (size_t)i * op_size), op_size);
}
SCAN_DEVICE void scan_item_put(void *items, int i, const scan_element *x, SCAN_OP_PARAMS) {
  memcpy(SCAN_AT_(items, (size_t)i * op_size), x, op_size);
}

/* Each thread brings `count` items of the client's type, of which thread t's are the t-th `count`;
   afterwards they are scanned, without segments. Of an exclusive scan the first is `identity`. */
SCAN_DEVICE void scan_block_items(void *items, int count, bool exclusive,
                                  const scan_element *identity, uint32_t *totals, SCAN_OP_PARAMS) {
  scan_element sum, running, given;
  bool any;
  scan_item_get(&sum, items, 0, SCAN_OP);
  SCAN_UNROLL_
  for (int i = 1; i < count; i++) {
    scan_element x;
    scan_item_get(&x, items, i, SCAN_OP);
    scan_append(&sum, &x, SCAN_OP);
  }
  scan_block_scan(&sum, false, &running, exclusive || count > 1, &any, totals, SCAN_OP);
  scan_element_copy(&given, any || !exclusive ? &running : identity, SCAN_OP);
  /* Invariant: running holds the items before i; given is what an exclusive scan gives at i. Of an
   * inclusive one the last is known. */
  SCAN_UNROLL_
  for (int i = 0; i < count; i++) {
    scan_element x;
    if (!exclusive && i == count - 1) {
      scan_item_put(items, i, &sum, SCAN_OP);
    } else {
      scan_item_get(&x, items, i, SCAN_OP);
      scan_append_first(&running, &any, &x, SCAN_OP);
      scan_item_put(items, i, exclusive ? &given : &running, SCAN_OP);
      scan_element_copy(&given, &running, SCAN_OP);
    }
  }
}

#endif /* SCAN_KERNELS_ */

#endif
