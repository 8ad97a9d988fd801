/* hierarchical: scan each section, scan the sections' sums in the same way, add what comes before
   each section to its elements. The chapter's section 8.6, "scan-then-propagate" in the thesis;
   here to any depth, where the chapter stops at two levels, and the listing's third kernel takes
   S[block - 1] for block 0, too. An element is read and written twice: 4n less those of the first
   section. 4N - 3 operations at most with Brent-Kung sections. */
#ifndef SCAN_STRATEGIES_HIERARCHICAL_H
#define SCAN_STRATEGIES_HIERARCHICAL_H

#include "scan/strategies/family.h"

#ifdef SCAN_KERNELS_

#define SCAN_DEVICE_STRATEGY_hierarchical ~, 1
#define SCAN_STRATEGY_KERNELS_hierarchical(name, T, op) \
  SCAN_STRATEGY_TWO_KERNELS_(name, T, scan_hierarchical_scan, scan_hierarchical_propagate)

/* The first kernel, of each level: a block scans a section and leaves its sum. The seed comes
   before the first section of all, so the other kernels need not know of it. The section that is
   alone in its level has the total. */
SCAN_DEVICE void scan_hierarchical_scan(SCAN_STRATEGY_PARAMS) {
  const scan_ticket ticket = scan_strategy_enter(call, shared);
  const size_t first = (size_t)ticket.tile * scan_section_most(strategy);
  scan_items held = scan_section_load(call, shared, items, first, ticket.tag, strategy, SCAN_OP);
  const uint32_t slot = scan_items_up(&held, SCAN_BLOCK, SCAN_OP);
  if (scan_thread() == 0) {
    scan_element total;
    shared->any_prefix = false;
    if (ticket.tile == 0 && !call->upper) scan_section_seed(call, shared, SCAN_OP);
    scan_section_through(&total, shared, &held, slot, SCAN_OP);
    scan_sum_put(call, call->sums + ticket.tile, &total, ticket.tag, SCAN_OP);
    if (call->count <= scan_section_most(strategy) && call->scan.total != NULL)
      scan_call_total(&call->scan, &total, SCAN_OP);
  }
  scan_section_finish(call, shared, &held, identity, ticket, strategy, SCAN_BLOCK, SCAN_OP);
}

/* The second kernel, of each level from the second-highest down: a block puts what comes before its
   section in front of each element. The first element of an exclusive scan had nothing in its
   section before it. */
SCAN_DEVICE void scan_hierarchical_propagate(SCAN_STRATEGY_PARAMS) {
  const scan_ticket ticket = scan_strategy_enter(call, shared);
  const size_t first = (size_t)ticket.tile * scan_section_most(strategy);
  if (ticket.tile != 0) {
    scan_element before;
    scan_sum_get(&before, call, call->sums + ticket.tile - 1, ticket.tag, SCAN_OP);
    SCAN_UNROLL_
    for (uint32_t i = 0; i < strategy.items; i++) {
      const uint32_t index = i * strategy.threads + scan_thread();
      if (first + index < call->count) {
        scan_element x;
        if (index == 0 && call->scan.exclusive && !call->upper) {
          scan_element_copy(&x, &before, SCAN_OP);
        } else {
          scan_level_get(&x, call, first + index, ticket.tag, SCAN_OP);
          scan_prepend(&x, &before, SCAN_OP);
        }
        scan_level_put(call, first + index, &x, ticket.tag, SCAN_OP);
      }
    }
  }
  scan_strategy_leave(call, ticket);
}

/* Sums of all levels, one after the other. */
SCAN_HOST_ size_t scan_hierarchical_slots(size_t sections, size_t section) {
  size_t slots = sections;
  while (sections > 1) {
    sections = scan_strategy_sections(sections, section);
    slots += sections;
  }
  return slots;
}

SCAN_HOST_ cudaError_t scan_hierarchical_launch(const scan_strategy_family *family,
                                                scan_strategy_call *call, bool reverse,
                                                cudaStream_t stream) {
  /* Fewer than 2^31 sections, then a 32nd of these at most, rounded up, and so on to one. */
  enum { levels_most = 8 };
  scan_strategy_call level[levels_most];
  size_t sections = call->scan.short_tiles;
  cudaError_t error;
  int i = 0;
  /* Up: level i + 1 has the sums of level i; one section is the end. */
  level[0] = *call;
  for (;;) {
    level[i].last = sections == 1 && (i == 0 || call->scan.out == NULL);
    error = scan_strategy_launch(family, 0, reverse, &level[i], sections, stream);
    if (error != cudaSuccess || sections == 1) break;
    level[i + 1] = level[i];
    level[i + 1].upper = true;
    level[i + 1].source = level[i].sums;
    level[i + 1].count = sections;
    level[i + 1].sums = level[i].sums + sections;
    sections = scan_strategy_sections(sections, family->section);
    i++;
  }
  /* Down. */
  while (error == cudaSuccess && call->scan.out != NULL && --i >= 0) {
    level[i].scan.in = call->scan.out;
    level[i].last = i == 0;
    error = scan_strategy_launch(family, 1, reverse, &level[i],
                                 scan_strategy_sections(level[i].count, family->section), stream);
  }
  return error;
}

#endif /* SCAN_KERNELS_ */

#endif
