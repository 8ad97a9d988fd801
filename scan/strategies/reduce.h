/* Reductions: a block's tree for each section, and three ways to finish the sections' sums (a
   fourth: reduce_atomic.h). */
#ifndef SCAN_STRATEGIES_REDUCE_H
#define SCAN_STRATEGIES_REDUCE_H

#include "scan/strategies/host_partials.h"
#include "scan/strategies/sections_reduce.h"

#ifdef SCAN_KERNELS_

/* total = all sections' sums. Each thread folds neighbouring ones, a tree joins the threads. Waits
   for sums that blocks have yet to leave. Called by all threads of one block. */
SCAN_DEVICE void scan_sums_reduce(const scan_strategy_call *call, scan_strategy_shared *shared,
                                  uint32_t tag, scan_strategy strategy, SCAN_OP_PARAMS) {
  const uint32_t sums = call->scan.short_tiles;
  const uint32_t each = (sums + strategy.threads - 1) / strategy.threads;
  const uint32_t first = scan_thread() * each;
  const scan_section section =
      scan_section_of((uint32_t *)SCAN_AT_(shared, SCAN_STRATEGY_HEAD_BYTES), strategy.threads,
                      (sums + each - 1) / each, true);
  scan_element so_far;
  bool any = false;
  scan_element_clear(&so_far, SCAN_OP);
  /* Invariant: so_far is the sums from `first` to before i. */
  SCAN_ROLL_
  for (uint32_t i = first; i < first + scan_left(sums, first, each); i++) {
    scan_element x;
    scan_sum_get(&x, call, i, tag, SCAN_OP);
    scan_append_first(&so_far, &any, &x, SCAN_OP);
  }
  scan_tree(&section, &so_far, SCAN_OP);
  if (scan_thread() == 0) {
    scan_shared_get(&so_far, section.xy, 0, SCAN_OP);
    scan_call_total(&call->scan, &so_far, SCAN_OP);
  }
}

#define scan_reduce_slots scan_strategy_slot_each

/* host_partials: the lecture's global reduction, version 1. Waits for the stream: no capture. */
#define SCAN_REDUCE_STRATEGY_host_partials ~, 1
#define SCAN_STRATEGY_KERNELS_reduce_host_partials(name, T, op) \
  SCAN_STRATEGY_KERNELS_AND_HOST_(name, T, scan_sections_reduce, scan_reduce_end)

/* Only ends the call. */
SCAN_DEVICE void scan_reduce_end(SCAN_STRATEGY_PARAMS) {
  scan_strategy_leave(call, scan_strategy_enter(call, shared));
}

#define scan_reduce_host_partials_launch scan_host_partials_launch

/* second_kernel: one block reduces the sums in a kernel of its own, where the lecture runs the
 * first one again. */
#define SCAN_REDUCE_STRATEGY_second_kernel ~, 1
#define SCAN_STRATEGY_KERNELS_reduce_second_kernel(name, T, op) \
  SCAN_STRATEGY_TWO_KERNELS_(name, T, scan_sections_reduce, scan_reduce_second)

SCAN_DEVICE void scan_reduce_second(SCAN_STRATEGY_PARAMS) {
  const scan_ticket ticket = scan_strategy_enter(call, shared);
  scan_sums_reduce(call, shared, ticket.tag, strategy, SCAN_OP);
  scan_strategy_leave(call, ticket);
}

SCAN_HOST_ cudaError_t scan_reduce_second_kernel_launch(const scan_strategy_family *family,
                                                        scan_strategy_call *call, bool reverse,
                                                        cudaStream_t stream) {
  const cudaError_t error =
      scan_strategy_launch(family, 0, reverse, call, call->scan.short_tiles, stream);
  if (error != cudaSuccess) return error;
  call->last = true;
  return scan_strategy_launch(family, 1, reverse, call, 1, stream);
}

/* last_block: one kernel; the block with the last ticket waits for the others' sums and joins them.
   For any operator, in order. */
#define SCAN_REDUCE_STRATEGY_last_block ~, 1
#define SCAN_STRATEGY_KERNELS_reduce_last_block(name, T, op) \
  SCAN_STRATEGY_ONE_KERNEL_(name, T, scan_reduce_last_block)

SCAN_DEVICE void scan_reduce_last_block(SCAN_STRATEGY_PARAMS) {
  const scan_ticket ticket = scan_strategy_enter(call, shared);
  scan_element sum;
  scan_section_reduce(&sum, call, shared, items, ticket.tile, strategy, SCAN_OP);
  if (scan_thread() == 0) scan_sum_put(call, ticket.tile, &sum, ticket.tag, SCAN_OP);
  if (ticket.tile + 1 == call->scan.short_tiles) {
    scan_section_barrier(); /* the first thread is done with xy */
    scan_sums_reduce(call, shared, ticket.tag, strategy, SCAN_OP);
  }
  scan_strategy_leave(call, ticket);
}
#define scan_reduce_last_block_launch scan_strategy_launch_sections

#endif /* SCAN_KERNELS_ */

#endif
