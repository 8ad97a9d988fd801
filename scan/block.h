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

/* The warp, as scan_warp gives it, but a lane brings a bit of its number: shuffles, of which a
   multiprocessor does one a cycle, are left to the elements. */
SCAN_DEVICE uint32_t scan_block_warp_(void) {
  return scan_ballot((scan_thread() / SCAN_WARP_THREADS >> scan_lane() & 1) != 0);
}

/* Where a warp leaves its total, and where the lane-th one is. Worked out ahead, from the thread's
 * number alone, so that a loop of the client's need do so once. */
typedef struct {
  uint32_t *own;
  const uint32_t *mine;
} scan_block_places;
SCAN_DEVICE scan_block_places scan_block_places_of(uint32_t *totals, SCAN_OP_PARAMS) {
  const uint32_t words = SCAN_TOTAL_WORDS_(op_size, op_segmented);
  scan_block_places places;
  places.own = scan_shared_early(totals + scan_thread() / SCAN_WARP_THREADS * words);
  places.mine = scan_shared_early(totals + scan_lane() * words);
  return places;
}

/* What scan_block_totals does, in fewer instructions, which the kernels have no registers for
   (bench/NOTES.md). */
SCAN_DEVICE void scan_block_fold_totals_(scan_element *x, const uint32_t *mine, uint32_t count,
                                         SCAN_OP_PARAMS) {
  const int32_t from_here = (int32_t)(count - scan_lane());
  bool starts = false;
  scan_element_clear(x, SCAN_OP);
  if (from_here > 0) starts = scan_total_get(x, mine, 0, SCAN_OP);
  if (op_segmented) {
    scan_warp_fold(x, scan_starts(starts, SCAN_OP), count, count, SCAN_OP);
    return;
  }
  /* Invariant: x holds the totals of the `reach` lanes that start here, or of all from here on. The
   * second step is sooner done than asked for. */
  SCAN_UNROLL_
  for (int32_t reach = 1; reach < SCAN_WARP_THREADS; reach *= 2) {
    scan_element after;
    if (reach != 2 && reach >= (int32_t)count) break;
    scan_element_copy(&after, x, SCAN_OP);
    scan_shuffle_down(after.word, scan_element_words(SCAN_OP), (uint32_t)reach);
    if (from_here > reach) {
      scan_append(x, &after, SCAN_OP);
      scan_element_settle(x, SCAN_OP);
    }
  }
  scan_shuffle_from(x->word, scan_element_words(SCAN_OP), 0);
}

/* Each thread brings x, and whether it starts a segment. Afterwards x holds its own and all earlier
   threads' elements, back to the last start. With before_wanted, in a plain scan alone, *before
   holds the earlier threads' elements if *any; without, it means nothing. totals: one total a warp,
   in shared memory, free again on return. */
SCAN_DEVICE void scan_block_scan(scan_element *x, bool starts_here, scan_element *before,
                                 bool before_wanted, bool *any, uint32_t *totals, SCAN_OP_PARAMS) {
  const uint32_t lane = scan_lane();
  const uint32_t warp = scan_block_warp_();
  const scan_block_places places = scan_block_places_of(totals, SCAN_OP);
  const uint32_t starts = scan_starts(starts_here, SCAN_OP);
  scan_element in_warp;
  /* Each warp scans its own, and its last lane leaves the total. */
  scan_warp_scan_whole(x, starts, SCAN_OP);
  if (lane == SCAN_WARP_THREADS - 1) scan_total_put(places.own, 0, x, starts != 0, SCAN_OP);
  if (before_wanted) {
    scan_element_copy(&in_warp, x, SCAN_OP);
    scan_warp_shift(&in_warp, SCAN_OP);
  }
  scan_block_barrier();
  /* The totals of the warps before come in front of both. */
  scan_block_fold_totals_(before, places.mine, warp, SCAN_OP);
  *any = warp != 0;
  if (*any && scan_starts_through(starts) == 0) {
    scan_prepend(x, before, SCAN_OP);
    scan_element_settle(x, SCAN_OP);
  }
  if (before_wanted) {
    if (*any && lane != 0) {
      scan_append(before, &in_warp, SCAN_OP);
      scan_element_settle(before, SCAN_OP);
    }
    if (!*any) scan_element_copy(before, &in_warp, SCAN_OP);
    *any = *any || lane != 0;
  }
  scan_block_barrier();
}

/* Each thread brings x; afterwards x is the element of all threads, in every thread. */
SCAN_DEVICE void scan_block_fold(scan_element *x, uint32_t *totals, SCAN_OP_PARAMS) {
  const scan_block_places places = scan_block_places_of(totals, SCAN_OP);
  scan_warp_fold_whole(x, SCAN_OP);
  if (scan_lane() == 0) scan_total_put(places.own, 0, x, false, SCAN_OP);
  scan_block_barrier();
  scan_block_fold_totals_(x, places.mine, scan_threads() / SCAN_WARP_THREADS, SCAN_OP);
  scan_block_barrier();
}

/* The client's items, which live in registers: no addresses are formed once the loops are unrolled.
 */
SCAN_DEVICE void scan_item_get(scan_element *x, const void *items, uint32_t i, SCAN_OP_PARAMS) {
  x->word[scan_element_words(SCAN_OP) - 1] = 0;
  memcpy(x, SCAN_AT_CONST_(items, (size_t)i * op_size), op_size);
}
SCAN_DEVICE void scan_item_put(void *items, uint32_t i, const scan_element *x, SCAN_OP_PARAMS) {
  memcpy(SCAN_AT_(items, (size_t)i * op_size), x, op_size);
}

/* Each thread brings `count` items of the client's type, of which thread t's are the t-th `count`;
   afterwards they are scanned, without segments. Of an exclusive scan the first is `identity`. */
SCAN_DEVICE void scan_block_items(void *items, uint32_t count, bool exclusive,
                                  const scan_element *identity, uint32_t *totals, SCAN_OP_PARAMS) {
  scan_element sum, running, given;
  bool any;
  scan_item_get(&sum, items, 0, SCAN_OP);
  SCAN_UNROLL_
  for (uint32_t i = 1; i < count; i++) {
    scan_element x;
    scan_item_get(&x, items, i, SCAN_OP);
    scan_append(&sum, &x, SCAN_OP);
  }
  scan_block_scan(&sum, false, &running, exclusive || count > 1, &any, totals, SCAN_OP);
  scan_element_copy(&given, any || !exclusive ? &running : identity, SCAN_OP);
  /* Invariant: running holds the items before i; given is what an exclusive scan gives at i. Of an
   * inclusive one the last is known. */
  SCAN_UNROLL_
  for (uint32_t i = 0; i < count; i++) {
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
