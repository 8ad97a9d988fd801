/* A kernel that reduces each section to its sum: the first of reduce_then_scan and of reductions.
 */
#ifndef SCAN_STRATEGIES_SECTIONS_REDUCE_H
#define SCAN_STRATEGIES_SECTIONS_REDUCE_H

#include "scan/strategies/family.h"
#include "scan/strategies/tree.h"

#ifdef SCAN_KERNELS_

/* sum = section `section`, in thread 0. Called by all threads. */
SCAN_DEVICE void scan_section_reduce(scan_element *sum, const scan_strategy_call *call,
                                     scan_strategy_shared *shared, void *items, uint32_t section,
                                     scan_strategy strategy, SCAN_OP_PARAMS) {
  scan_items held = scan_section_load(
      call, shared, items, section * (size_t)scan_section_most(strategy), 0, strategy, SCAN_OP);
  scan_items_fold(&held, SCAN_OP);
  scan_element_copy(sum, &held.sum, SCAN_OP);
}

/* Leaves each section's sum in the section's slot. */
SCAN_DEVICE void scan_sections_reduce(SCAN_STRATEGY_PARAMS) {
  const scan_ticket ticket = scan_strategy_enter(call, shared);
  scan_element sum;
  scan_section_reduce(&sum, call, shared, items, ticket.tile, strategy, SCAN_OP);
  if (scan_thread() == 0) scan_sum_put(call, ticket.tile, &sum, ticket.tag, SCAN_OP);
  scan_strategy_leave(call, ticket);
}

#endif /* SCAN_KERNELS_ */

#endif
