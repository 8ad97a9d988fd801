/* What the other device-wide strategies are held against: sequential, one thread for all, and
   naive, a reduction for each element of the output. */
#ifndef SCAN_STRATEGIES_DEVICE_REFERENCE_H
#define SCAN_STRATEGIES_DEVICE_REFERENCE_H

#include "scan/strategies/family.h"

#ifdef SCAN_KERNELS_

/* There are no threads to scan together. */
#define SCAN_BLOCK_STRATEGY_none ~, 2
#define SCAN_BLOCK_SLOTS_none(threads) (0 * (threads))
#define SCAN_BLOCK_BY_none scan_section_no_up, scan_section_up_is_all
#define SCAN_BLOCK_IS_none 0u

/* sequential: the chapter's sequential_scan, on one thread of the device. n - 1 operations, 2n. */
#define SCAN_DEVICE_STRATEGY_sequential ~, 2
#define SCAN_STRATEGY_KERNELS_sequential(name, T, op) \
  SCAN_STRATEGY_ONE_KERNEL_(name, T, scan_device_sequential)

SCAN_DEVICE void scan_device_sequential(SCAN_STRATEGY_PARAMS) {
  scan_element so_far, given;
  bool any = call->scan.seed != NULL;
  if (scan_thread() != 0) return;
  scan_element_copy(&so_far, identity, SCAN_OP);
  if (any) scan_call_seed(&so_far, &call->scan, SCAN_OP);
  /* Invariant: so_far is the seed and the elements before i. */
  SCAN_ROLL_
  for (size_t i = 0; i < call->count; i++) {
    scan_element x;
    scan_global_get(&x, call, i, SCAN_OP);
    scan_element_copy(&given, &so_far, SCAN_OP);
    scan_append_first(&so_far, &any, &x, SCAN_OP);
    if (call->scan.out != NULL)
      scan_global_put(call, i, call->scan.exclusive ? &given : &so_far, SCAN_OP);
  }
  if (call->scan.total != NULL) scan_call_total(&call->scan, &so_far, SCAN_OP);
}

SCAN_HOST_ size_t scan_sequential_slots(size_t sections, size_t section) {
  (void)sections;
  (void)section;
  return 0;
}
SCAN_HOST_ cudaError_t scan_sequential_launch(const scan_strategy_family *family,
                                              scan_strategy_call *call, bool reverse,
                                              cudaStream_t stream) {
  return scan_strategy_launch(family, 0, reverse, call, 1, stream);
}

/* naive: each thread reduces all up to its own element. n (n - 1) / 2 operations. The results wait
   in the workspace, one slot each, until all threads have read what they need: in may be out. */
#define SCAN_DEVICE_STRATEGY_naive ~, 2
#define SCAN_STRATEGY_KERNELS_naive(name, T, op) \
  SCAN_STRATEGY_TWO_KERNELS_(name, T, scan_device_naive, scan_device_naive_store)

/* Of a reduction only the last thread has something to do. */
SCAN_DEVICE void scan_device_naive(SCAN_STRATEGY_PARAMS) {
  const scan_ticket ticket = scan_strategy_enter(call, shared);
  const size_t own = (size_t)ticket.tile * strategy.threads + scan_thread();
  const size_t end = call->scan.exclusive ? own : own + 1;
  scan_element so_far;
  bool any = call->scan.seed != NULL;
  if (own < call->count && (call->scan.out != NULL || own == call->count - 1)) {
    scan_element_copy(&so_far, identity, SCAN_OP);
    if (any) scan_call_seed(&so_far, &call->scan, SCAN_OP);
    SCAN_ROLL_
    for (size_t i = 0; i < end; i++) {
      scan_element x;
      scan_global_get(&x, call, i, SCAN_OP);
      scan_append_first(&so_far, &any, &x, SCAN_OP);
    }
    scan_sum_put(call, own, &so_far, ticket.tag, SCAN_OP);
  }
  scan_strategy_leave(call, ticket);
}

SCAN_DEVICE void scan_device_naive_store(SCAN_STRATEGY_PARAMS) {
  const scan_ticket ticket = scan_strategy_enter(call, shared);
  const size_t own = (size_t)ticket.tile * strategy.threads + scan_thread();
  const bool ends = own == call->count - 1;
  if (own < call->count && (call->scan.out != NULL || ends)) {
    scan_element so_far, x;
    scan_sum_get(&so_far, call, own, ticket.tag, SCAN_OP);
    if (ends && call->scan.total != NULL) {
      /* Where nothing comes before the last element of an exclusive scan, its slot has none. */
      bool any = !call->scan.exclusive || own != 0 || call->scan.seed != NULL;
      scan_element_copy(&x, &so_far, SCAN_OP);
      if (call->scan.exclusive) {
        scan_element last;
        scan_global_get(&last, call, own, SCAN_OP);
        scan_append_first(&x, &any, &last, SCAN_OP);
      }
      scan_call_total(&call->scan, &x, SCAN_OP);
    }
    if (call->scan.out != NULL) scan_global_put(call, own, &so_far, SCAN_OP);
  }
  scan_strategy_leave(call, ticket);
}

SCAN_HOST_ size_t scan_naive_slots(size_t sections, size_t section) {
  return sections > SIZE_MAX / section ? SIZE_MAX : sections * section;
}
SCAN_HOST_ cudaError_t scan_naive_launch(const scan_strategy_family *family,
                                         scan_strategy_call *call, bool reverse,
                                         cudaStream_t stream) {
  const cudaError_t error =
      scan_strategy_launch(family, 0, reverse, call, call->scan.short_tiles, stream);
  if (error != cudaSuccess) return error;
  call->last = true;
  return scan_strategy_launch(family, 1, reverse, call, call->scan.short_tiles, stream);
}

#endif /* SCAN_KERNELS_ */

#endif
