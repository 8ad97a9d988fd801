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

/* Totals of warps that make a part: a lane folds one by itself. */
#define SCAN_BLOCK_PART 4u
/* Elements of up to so many bytes are read a part at once, by vectors; wider ones would take too
   many registers. */
#define SCAN_BLOCK_AT_ONCE_MOST 16
/* A part has an odd number of vectors, so that lanes that read different ones meet in no bank. */
#define SCAN_BLOCK_PART_WORDS_(size, segmented) \
  (SCAN_BLOCK_PART * (SCAN_TOTAL_WORDS_(size, segmented) | 1))
/* Words of all totals of a block. They lie on 16 bytes. */
#define SCAN_BLOCK_TOTALS_WORDS_(size, segmented) \
  (SCAN_BLOCK_WARPS_MOST / SCAN_BLOCK_PART * SCAN_BLOCK_PART_WORDS_(size, segmented))

/* Where a warp leaves its total. */
SCAN_DEVICE uint32_t *scan_block_total(uint32_t *totals, uint32_t warp, SCAN_OP_PARAMS) {
  return scan_shared_early(totals +
                           warp / SCAN_BLOCK_PART * SCAN_BLOCK_PART_WORDS_(op_size, op_segmented) +
                           warp % SCAN_BLOCK_PART * SCAN_TOTAL_WORDS_(op_size, op_segmented));
}

/* What a lane does with the totals of the first `count` warps, worked out ahead, so that a loop of
 * the client's need do so once. */
typedef struct {
  uint32_t *own;  /* where its warp leaves one */
  uint32_t *mine; /* where its part begins; in segments, the total that it reads */
  uint32_t joins; /* bit i: the part has an i-th total; bit SCAN_BLOCK_PART * reach: of the totals
                     that meet where those of `reach` warps do, there are some that come later */
} scan_block_plan;
SCAN_DEVICE scan_block_plan scan_block_plan_of(uint32_t *totals, uint32_t count, SCAN_OP_PARAMS) {
  uint32_t parts = 0;
  uint32_t first;
  scan_block_plan plan;
  plan.own = scan_block_total(totals, scan_thread() / SCAN_WARP_THREADS, SCAN_OP);
  plan.joins = 0;
  /* The parts are handed out in turn, as many as a power of two, so the last ones may be empty. */
  SCAN_UNROLL_
  for (uint32_t reach = SCAN_BLOCK_PART; reach < SCAN_BLOCK_WARPS_MOST; reach *= 2)
    if (reach < count) parts |= reach;
  first = scan_lane() * SCAN_BLOCK_PART & parts;
  plan.mine = scan_block_total(totals, op_segmented ? scan_lane() : first, SCAN_OP);
  SCAN_UNROLL_
  for (uint32_t i = 0; i < SCAN_BLOCK_PART; i++)
    if (first + i < count) plan.joins |= 1u << i;
  SCAN_UNROLL_
  for (uint32_t reach = SCAN_BLOCK_PART; reach < SCAN_BLOCK_WARPS_MOST; reach *= 2)
    if ((first / reach | 1) * reach < count) plan.joins |= SCAN_BLOCK_PART * reach;
  scan_word_settle(&plan.joins); /* else nvcc asks again where it is used */
  return plan;
}

/* What scan_block_totals does, in fewer instructions but more registers, which the device-wide
   kernels lack (bench/NOTES.md); where count is 0 x means nothing. All threads of the block call,
   each warp with its own count; there is a barrier behind what they read, so on return the totals
   are free. */
SCAN_DEVICE void scan_block_fold_totals_(scan_element *x, const scan_block_plan *plan,
                                         uint32_t count, SCAN_OP_PARAMS) {
  const uint32_t words = scan_element_words(SCAN_OP);
  const bool at_once = op_size <= SCAN_BLOCK_AT_ONCE_MOST;
  uint32_t word[SCAN_BLOCK_PART * SCAN_BLOCK_AT_ONCE_MOST / 4];
  const uint32_t *part = at_once ? word : plan->mine;
  if (op_segmented) {
    bool starts = false;
    scan_element_clear(x, SCAN_OP);
    if (scan_lane() < count) starts = scan_total_get(x, plan->mine, 0, SCAN_OP);
    scan_block_barrier();
    scan_warp_fold(x, scan_starts(starts, SCAN_OP), count, count, SCAN_OP);
    return;
  }
  if (at_once) {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < SCAN_BLOCK_PART * words; i += 4)
      scan_vector_load(&word[i], &plan->mine[i]);
    scan_block_barrier();
  }
  scan_packed_get(x, part, 0, SCAN_OP);
  /* Invariant: x is the part's totals before the i-th. */
  SCAN_UNROLL_
  for (uint32_t i = 1; i < SCAN_BLOCK_PART; i++) {
    if ((plan->joins & 1u << i) != 0) {
      scan_element next;
      scan_packed_get(&next, part, i, SCAN_OP);
      scan_append(x, &next, SCAN_OP);
      scan_element_settle(x, SCAN_OP);
    }
  }
  if (!at_once) scan_block_barrier();
  /* Invariant: x is the totals that the lane's part has met, those of `reach` warps. All lanes take
   * what the first of them and the first of those that come next hold: so no lane asks in which it
   * is. */
  SCAN_UNROLL_
  for (uint32_t reach = SCAN_BLOCK_PART; reach < SCAN_BLOCK_WARPS_MOST; reach *= 2) {
    const uint32_t lanes = reach / SCAN_BLOCK_PART;
    scan_element later;
    if (reach >= count) break;
    scan_element_copy(&later, x, SCAN_OP);
    scan_shuffle_within(x->word, words, 0, 2 * lanes);
    scan_shuffle_within(later.word, words, lanes, 2 * lanes);
    if ((plan->joins & SCAN_BLOCK_PART * reach) != 0) {
      scan_append(x, &later, SCAN_OP);
      scan_element_settle(x, SCAN_OP);
    }
  }
}

/* Each thread brings x, and whether it starts a segment. Afterwards x holds its own and all earlier
   threads' elements, back to the last start. With before_wanted, in a plain scan alone, *before
   holds the earlier threads' elements if *any; without, it means nothing. totals:
   SCAN_BLOCK_TOTALS_WORDS_ of shared memory, free again on return. */
SCAN_DEVICE void scan_block_scan(scan_element *x, bool starts_here, scan_element *before,
                                 bool before_wanted, bool *any, uint32_t *totals, SCAN_OP_PARAMS) {
  const uint32_t lane = scan_lane();
  const uint32_t warp = scan_block_warp_();
  const scan_block_plan plan =
      scan_block_plan_of(totals, scan_thread() / SCAN_WARP_THREADS, SCAN_OP);
  const uint32_t starts = scan_starts(starts_here, SCAN_OP);
  scan_element in_warp;
  /* Each warp scans its own, and its last lane leaves the total. */
  scan_warp_scan_whole(x, starts, SCAN_OP);
  if (lane == SCAN_WARP_THREADS - 1) scan_total_put(plan.own, 0, x, starts != 0, SCAN_OP);
  if (before_wanted) {
    scan_element_copy(&in_warp, x, SCAN_OP);
    scan_warp_shift(&in_warp, SCAN_OP);
  }
  scan_block_barrier();
  /* The totals of the warps before come in front of both. */
  scan_block_fold_totals_(before, &plan, warp, SCAN_OP);
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
}

/* Each thread brings x; afterwards x is the element of all threads, in every thread. */
SCAN_DEVICE void scan_block_fold(scan_element *x, uint32_t *totals, SCAN_OP_PARAMS) {
  const uint32_t warps = scan_threads_early() / SCAN_WARP_THREADS;
  const scan_block_plan plan = scan_block_plan_of(totals, warps, SCAN_OP);
  scan_warp_fold_whole(x, SCAN_OP);
  if (scan_lane() == 0) scan_total_put(plan.own, 0, x, false, SCAN_OP);
  scan_block_barrier();
  scan_block_fold_totals_(x, &plan, warps, SCAN_OP);
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
  scan_element_copy(&given, &running, SCAN_OP);
  if (exclusive) scan_element_select(&given, any, &running, identity, SCAN_OP);
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
      /* Else nvcc keeps the rest both with what comes before it and without. */
      if (i == 0) scan_element_settle(&running, SCAN_OP);
      scan_item_put(items, i, exclusive ? &given : &running, SCAN_OP);
      scan_element_copy(&given, &running, SCAN_OP);
    }
  }
}

#endif /* SCAN_KERNELS_ */

#endif
