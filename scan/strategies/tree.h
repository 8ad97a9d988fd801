/* The reduction of a block, of any size and in order. The lecture's halving tree puts what lies far
   apart together, which asks for an operator that commutes, and for a power of two; here neighbours
   join, as in the chapter's reduction phase. N - 1 operations in log2 N steps, rounded up. */
#ifndef SCAN_STRATEGIES_TREE_H
#define SCAN_STRATEGIES_TREE_H

#include "scan/strategies/items.h"

#ifdef SCAN_KERNELS_

/* No scan: only reductions are stamped with it. */
#define SCAN_BLOCK_STRATEGY_tree_ ~, 2
#define SCAN_BLOCK_SLOTS_tree_(threads) (threads)
#define SCAN_BLOCK_BY_tree_ scan_section_no_up, scan_section_up_is_all
#define SCAN_BLOCK_IS_tree_ 0u

/* Slot 0 ends with the elements of all active threads. Every thread may read it: ends with a
 * barrier. */
SCAN_DEVICE void scan_tree(const scan_section *section, const scan_element *x, SCAN_OP_PARAMS) {
  scan_section_place(section, x, SCAN_OP);
  /* Invariant: each slot that is a multiple of `stride` holds that many elements from there on. */
  SCAN_ROLL_
  for (uint32_t stride = 1; stride < section->active; stride *= 2) {
    const uint32_t at = scan_thread() * 2 * stride;
    if (at + stride < section->active) {
      scan_element own, after;
      scan_shared_get(&own, section->xy, at, SCAN_OP);
      scan_shared_get(&after, section->xy, at + stride, SCAN_OP);
      scan_append(&own, &after, SCAN_OP);
      scan_shared_put(section->xy, at, &own, SCAN_OP);
    }
    scan_section_step(section);
  }
}

/* held->sum = all of the block's elements, in thread 0. */
SCAN_DEVICE void scan_items_fold(scan_items *held, SCAN_OP_PARAMS) {
  const scan_section section = scan_section_of(held->xy, scan_threads(), held->active, true);
  bool any = false;
  SCAN_UNROLL_
  for (uint32_t i = 0; i < held->items; i++)
    if (i < held->own) {
      scan_element x;
      scan_items_get(&x, held, i, SCAN_OP);
      scan_append_first(&held->sum, &any, &x, SCAN_OP);
    }
  scan_tree(&section, &held->sum, SCAN_OP);
  if (scan_thread() == 0) scan_shared_get(&held->sum, held->xy, 0, SCAN_OP);
}

/* x = all threads' x, in every thread, at block level. */
SCAN_DEVICE void scan_tree_reduce(scan_element *x, uint32_t *xy, SCAN_OP_PARAMS) {
  const scan_section section = scan_section_of(xy, scan_threads(), scan_threads(), true);
  scan_tree(&section, x, SCAN_OP);
  scan_shared_get(x, xy, 0, SCAN_OP);
  scan_section_barrier();
}

#endif /* SCAN_KERNELS_ */

#endif
