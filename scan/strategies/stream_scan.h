/* stream_scan: one kernel, in which the sum of all before passes from section to section. After
   Yan, Long, Zhang 2013; the chapter's section 8.7, with its adjacent synchronisation and its
   dynamic block index: sections are taken by ticket, so that the one before is with a block that
   runs. In place of flag, fence and value there is a status word, which is valid or not as a whole.
   2n. */
#ifndef SCAN_STRATEGIES_STREAM_SCAN_H
#define SCAN_STRATEGIES_STREAM_SCAN_H

#include "scan/strategies/family.h"

#ifdef SCAN_KERNELS_

#define SCAN_DEVICE_STRATEGY_stream_scan ~, 1
#define SCAN_STRATEGY_KERNELS_stream_scan(name, T, op) \
  SCAN_STRATEGY_ONE_KERNEL_(name, T, scan_stream_scan)

SCAN_DEVICE void scan_stream_scan(SCAN_STRATEGY_PARAMS) {
  const scan_ticket ticket = scan_strategy_enter(call, shared);
  const size_t first = (size_t)ticket.tile * scan_section_most(strategy);
  scan_items held = scan_section_load(call, shared, items, first, ticket.tag, strategy, SCAN_OP);
  const uint32_t slot = scan_items_up(&held, SCAN_BLOCK, SCAN_OP);
  /* Slot i has all up to section i. The seed is read before anything is passed on: who writes the
   * total, which may lie at the same place, comes after. */
  if (scan_thread() == 0) {
    scan_element total;
    if (ticket.tile == 0) {
      scan_section_seed(call, shared, SCAN_OP);
    } else {
      scan_sum_get(&shared->prefix, call, ticket.tile - 1, ticket.tag, SCAN_OP);
      shared->any_prefix = true;
    }
    scan_section_through(&total, shared, &held, slot, SCAN_OP);
    if (ticket.tile + 1 < call->scan.short_tiles)
      scan_sum_put(call, ticket.tile, &total, ticket.tag, SCAN_OP);
    else if (call->scan.total != NULL)
      scan_call_total(&call->scan, &total, SCAN_OP);
  }
  scan_section_finish(call, shared, &held, identity, ticket, strategy, SCAN_BLOCK, SCAN_OP);
}

#define scan_stream_scan_slots scan_strategy_slot_each
#define scan_stream_scan_launch scan_strategy_launch_sections

#endif /* SCAN_KERNELS_ */

#endif
