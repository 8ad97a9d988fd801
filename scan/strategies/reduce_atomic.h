/* atomic: every block adds its sum to the result by an atomic operation of the machine, where the
   operator is one. The lecture's global reduction, version 2. The order is that of arrival, so the
   operator must commute, and floats are not bitwise repeatable. The first section is written by a
   kernel of its own, so that the result starts from an element and not from an identity. */
#ifndef SCAN_STRATEGIES_REDUCE_ATOMIC_H
#define SCAN_STRATEGIES_REDUCE_ATOMIC_H

#include "scan/strategies/sections_reduce.h"

#ifdef SCAN_KERNELS_

/* SCAN_OPERATOR_ATOMIC_ADD(T, op) and its kin say that the machine's atomic operation does on a T
   what T op(T, T) does, so that `atomic` may be had for op. Nothing checks that. T is what CUDA's
   atomicAdd and its kin take: int, unsigned, unsigned long long; for add float and double, too. */
#define SCAN_OPERATOR_ATOMIC_ADD(T, op) SCAN_OPERATOR_ATOMIC_(T, op, atomicAdd)
#define SCAN_OPERATOR_ATOMIC_MINIMUM(T, op) SCAN_OPERATOR_ATOMIC_(T, op, atomicMin)
#define SCAN_OPERATOR_ATOMIC_MAXIMUM(T, op) SCAN_OPERATOR_ATOMIC_(T, op, atomicMax)
#define SCAN_OPERATOR_ATOMIC_AND(T, op) SCAN_OPERATOR_ATOMIC_(T, op, atomicAnd)
#define SCAN_OPERATOR_ATOMIC_OR(T, op) SCAN_OPERATOR_ATOMIC_(T, op, atomicOr)
#define SCAN_OPERATOR_ATOMIC_XOR(T, op) SCAN_OPERATOR_ATOMIC_(T, op, atomicXor)

/* *to = op(*to, x), as one. */
#ifdef SCAN_TARGET_HOST
#define SCAN_ATOMICALLY_(T, op, atomic)      \
  T now;                                     \
  T was;                                     \
  __atomic_load(to, &was, __ATOMIC_RELAXED); \
  do {                                       \
    now = op(was, x);                        \
  } while (!__atomic_compare_exchange(to, &was, &now, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
#else
#define SCAN_ATOMICALLY_(T, op, atomic) (void)atomic(to, x);
#endif
#define SCAN_OPERATOR_ATOMIC_(T, op, atomic)     \
  enum { op##_has_no_SCAN_OPERATOR_ATOMIC = 1 }; \
  SCAN_DEVICE void op##_atomically_(T *to, T x) { SCAN_ATOMICALLY_(T, op, atomic) }

#define SCAN_REDUCE_STRATEGY_atomic ~, 1
#define SCAN_STRATEGY_KERNELS_reduce_atomic(name, T, op)                            \
  SCAN_STATIC_ASSERT_(op##_has_no_SCAN_OPERATOR_ATOMIC, "declared");                \
  SCAN_DEVICE void name##_atomically_(void *total, const scan_element *x) {         \
    op##_atomically_((T *)total, name##_value_(x));                                 \
  }                                                                                 \
  SCAN_DEVICE void name##_others_(SCAN_STRATEGY_PARAMS) {                           \
    scan_reduce_atomic(call, shared, items, name##_atomically_, strategy, SCAN_OP); \
  }                                                                                 \
  SCAN_STRATEGY_TWO_KERNELS_(name, T, scan_reduce_atomic_first, name##_others_)

/* The first section, of one block. No words, so no ticket is needed. */
SCAN_DEVICE void scan_reduce_atomic_first(SCAN_STRATEGY_PARAMS) {
  scan_element sum;
  scan_section_reduce(&sum, call, shared, items, 0, strategy, SCAN_OP);
  if (scan_thread() == 0) scan_call_total(&call->scan, &sum, SCAN_OP);
}

/* The others. */
SCAN_DEVICE void scan_reduce_atomic(const scan_strategy_call *call, scan_strategy_shared *shared,
                                    void *items,
                                    void (*atomically)(void *total, const scan_element *x),
                                    scan_strategy strategy, SCAN_OP_PARAMS) {
  scan_element sum;
  scan_section_reduce(&sum, call, shared, items, blockIdx.x + 1, strategy, SCAN_OP);
  if (scan_thread() == 0) {
    SCAN_COUNT_(operators, 1);
    atomically(call->scan.total, &sum);
  }
}

SCAN_HOST_ cudaError_t scan_reduce_atomic_launch(const scan_strategy_family *family,
                                                 scan_strategy_call *call, bool reverse,
                                                 cudaStream_t stream) {
  const size_t sections = call->scan.short_tiles;
  const cudaError_t error = scan_strategy_launch(family, 0, reverse, call, 1, stream);
  if (error != cudaSuccess || sections == 1) return error;
  return scan_strategy_launch(family, 1, reverse, call, sections - 1, stream);
}

#endif /* SCAN_KERNELS_ */

#endif
