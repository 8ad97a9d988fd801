/* reduce_then_scan: a kernel reduces each section, one block scans the sums, a kernel scans each
   section onto what comes before it. The thesis's figure 3. An element is read twice and written
   once: 3n. */
#ifndef SCAN_STRATEGIES_REDUCE_THEN_SCAN_H
#define SCAN_STRATEGIES_REDUCE_THEN_SCAN_H

#include "scan/strategies/family.h"
#include "scan/strategies/sections_reduce.h"

#ifdef SCAN_KERNELS_

#define SCAN_DEVICE_STRATEGY_reduce_then_scan ~, 1
#define SCAN_STRATEGY_KERNELS_reduce_then_scan(name, T, op)                               \
  SCAN_STRATEGY_THREE_KERNELS_(name, T, scan_sections_reduce, scan_reduce_then_scan_sums, \
                               scan_reduce_then_scan_scan)

/* The first kernel is scan_sections_reduce. */

/* The second, of one block: in slot `sums` + i what comes before section i, of the first the seed;
   of a reduction nothing. Takes a section of sums at a time, onto those before. */
SCAN_DEVICE void scan_reduce_then_scan_sums(SCAN_STRATEGY_PARAMS) {
  const scan_ticket ticket = scan_strategy_enter(call, shared);
  scan_strategy_call to = *call;
  if (scan_thread() == 0) {
    scan_section_seed(call, shared, SCAN_OP);
    if (shared->any_prefix) scan_sum_put(call, call->sums, &shared->prefix, ticket.tag, SCAN_OP);
  }
  to.source = call->sums + 1;
  /* Invariant: shared->prefix is the seed and all sums before `first`, where there are any. */
  SCAN_ROLL_
  for (size_t first = 0; first < call->count; first += scan_section_most(strategy)) {
    scan_items held = scan_section_load(call, shared, items, first, ticket.tag, strategy, SCAN_OP);
    const uint32_t slot = scan_items_up(&held, SCAN_BLOCK, SCAN_OP);
    scan_element total;
    scan_element_clear(&total, SCAN_OP);
    if (scan_thread() == 0) scan_section_through(&total, shared, &held, slot, SCAN_OP);
    scan_section_barrier(); /* the first thread is done with xy */
    if (call->scan.out != NULL) {
      scan_items_down(&held, shared->any_prefix, &shared->prefix, false, identity, SCAN_BLOCK,
                      SCAN_OP);
      scan_section_store(&to, &held, first, ticket.tag, strategy, SCAN_OP);
      scan_section_barrier(); /* all have seen the prefix, and are done with xy */
    }
    if (scan_thread() == 0) {
      shared->any_prefix = true;
      scan_element_copy(&shared->prefix, &total, SCAN_OP);
    }
  }
  if (scan_thread() == 0 && call->scan.total != NULL)
    scan_call_total(&call->scan, &shared->prefix, SCAN_OP);
  scan_strategy_leave(call, ticket);
}

/* The third. */
SCAN_DEVICE void scan_reduce_then_scan_scan(SCAN_STRATEGY_PARAMS) {
  const scan_ticket ticket = scan_strategy_enter(call, shared);
  const size_t first = (size_t)ticket.tile * scan_section_most(strategy);
  scan_items held = scan_section_load(call, shared, items, first, ticket.tag, strategy, SCAN_OP);
  (void)scan_items_up(&held, SCAN_BLOCK, SCAN_OP);
  if (scan_thread() == 0) {
    shared->any_prefix = ticket.tile != 0 || call->scan.seed != NULL;
    if (shared->any_prefix)
      scan_sum_get(&shared->prefix, call, call->sums + ticket.tile, ticket.tag, SCAN_OP);
  }
  scan_section_finish(call, shared, &held, identity, ticket, strategy, SCAN_BLOCK, SCAN_OP);
}

SCAN_HOST_ size_t scan_reduce_then_scan_slots(size_t sections, size_t section) {
  (void)section;
  return 2 * sections + 1;
}

SCAN_HOST_ cudaError_t scan_reduce_then_scan_launch(const scan_strategy_family *family,
                                                    scan_strategy_call *call, bool reverse,
                                                    cudaStream_t stream) {
  const size_t sections = call->scan.short_tiles;
  scan_strategy_call sums = *call;
  cudaError_t error = scan_strategy_launch(family, 0, reverse, call, sections, stream);
  sums.count = sections;
  sums.upper = true;
  call->sums = sums.sums = sections;
  sums.last = call->scan.out == NULL;
  if (error == cudaSuccess) error = scan_strategy_launch(family, 1, reverse, &sums, 1, stream);
  if (sums.last) return error;
  call->last = true;
  if (error == cudaSuccess)
    error = scan_strategy_launch(family, 2, reverse, call, sections, stream);
  return error;
}

#endif /* SCAN_KERNELS_ */

#endif
