/* decoupled_look_back: one kernel, in which a section looks back over the sums of those before, as
   far as one that knows all before it. After Merrill and Garland 2016. A section has two slots: its
   own sum (their state A) and all up to its end (P); which of them is valid is the state, so that
   no flag is needed (X: neither). A warp looks at 32 sections at a time. 2n. How the sums are
   associated depends on who comes first: floats are not bitwise repeatable. */
#ifndef SCAN_STRATEGIES_DECOUPLED_LOOK_BACK_H
#define SCAN_STRATEGIES_DECOUPLED_LOOK_BACK_H

#include "scan/strategies/family.h"

#ifdef SCAN_KERNELS_

#define SCAN_DEVICE_STRATEGY_decoupled_look_back ~, 1
#define SCAN_STRATEGY_KERNELS_decoupled_look_back(name, T, op) \
  SCAN_STRATEGY_ONE_KERNEL_(name, T, scan_decoupled_look_back)

/* x = what the 32 sections before section `end` hold, or, where one of them knows all before it,
   what they hold from the last such one on. Returns whether one does; the first of all always will.
   Called by a warp; end is not 0. */
SCAN_DEVICE bool scan_look_back_window(scan_element *x, uint32_t end, scan_status status,
                                       SCAN_OP_PARAMS) {
  /* Lane 31 has the section just before `end`. */
  const uint32_t back = SCAN_WARP_THREADS - scan_lane();
  const bool exists = back <= end;
  const uint32_t section = exists ? end - back : 0;
  bool own = false, all = false, starts;
  uint32_t missing, knows, from;
  scan_element_clear(x, SCAN_OP);
  /* Until, from the last section that knows all before it, none is missing. */
  for (;;) {
    if (exists && !all) {
      all = scan_fetch(x, &starts, status.prefixes, section, false, status.tag, SCAN_OP);
      if (!all)
        own = scan_fetch(x, &starts, status.aggregates, section, false, status.tag, SCAN_OP);
    }
    knows = scan_ballot(all);
    missing = scan_ballot(exists && !all && !own);
    from = 0;
    while (knows >> from > 1) from++;
    if (missing >> from == 0) break;
    scan_spin();
  }
  SCAN_COUNT_(status_reads, exists && scan_lane() >= from);
  scan_shuffle_down(x->word, scan_element_words(SCAN_OP), from);
  scan_warp_fold(x, 0, SCAN_WARP_THREADS - from, SCAN_WARP_THREADS - from, SCAN_OP);
  return knows != 0;
}

/* before = all that comes before section `section`, which is not the first. Called by a warp. */
SCAN_DEVICE void scan_look_back_sections(scan_element *before, uint32_t section, scan_status status,
                                         SCAN_OP_PARAMS) {
  bool any = false;
  bool known = false; /* all before */
  scan_element_clear(before, SCAN_OP);
  /* Invariant: before is what lies between section `end` and this one. The first section knows
   * all before it, so the search ends there. */
  SCAN_ROLL_
  for (uint32_t end = section; !known; end -= SCAN_WARP_THREADS) {
    scan_element window;
    known = scan_look_back_window(&window, end, status, SCAN_OP);
    scan_prepend_first(before, &any, &window, SCAN_OP);
  }
}

SCAN_DEVICE void scan_decoupled_look_back(SCAN_STRATEGY_PARAMS) {
  const scan_ticket ticket = scan_strategy_enter(call, shared);
  const scan_status status = scan_strategy_status(call, ticket.tag, SCAN_OP);
  const size_t first = (size_t)ticket.tile * scan_section_most(strategy);
  const bool ends = ticket.tile + 1 == call->scan.short_tiles;
  scan_items held = scan_section_load(call, shared, items, first, ticket.tag, strategy, SCAN_OP);
  const uint32_t slot = scan_items_up(&held, SCAN_BLOCK, SCAN_OP);
  /* Its own sum is there before it waits for others'. */
  if (scan_thread() == 0) {
    shared->any_prefix = false;
    if (ticket.tile == 0) {
      scan_section_seed(call, shared, SCAN_OP);
    } else if (!ends) {
      scan_element sum;
      scan_shared_get(&sum, held.xy, slot, SCAN_OP);
      SCAN_COUNT_(status_writes, 1);
      scan_publish(status.aggregates, ticket.tile, &sum, false, ticket.tag, SCAN_OP);
    }
  }
  if (scan_warp() == 0) {
    scan_element before;
    if (ticket.tile != 0) scan_look_back_sections(&before, ticket.tile, status, SCAN_OP);
    if (scan_thread() == 0) {
      scan_element total;
      if (ticket.tile != 0) {
        scan_element_copy(&shared->prefix, &before, SCAN_OP);
        shared->any_prefix = true;
      }
      scan_section_through(&total, shared, &held, slot, SCAN_OP);
      if (!ends) {
        SCAN_COUNT_(status_writes, 1);
        scan_publish(status.prefixes, ticket.tile, &total, false, ticket.tag, SCAN_OP);
      } else if (call->scan.total != NULL) {
        scan_call_total(&call->scan, &total, SCAN_OP);
      }
    }
  }
  scan_section_finish(call, shared, &held, identity, ticket, strategy, SCAN_BLOCK, SCAN_OP);
}

#define scan_decoupled_look_back_slots scan_strategy_slots_each_two
#define scan_decoupled_look_back_launch scan_strategy_launch_sections

#endif /* SCAN_KERNELS_ */

#endif
