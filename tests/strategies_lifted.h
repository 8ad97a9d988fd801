// strategies_lifted.h: what tests lift, and the lifted operator once more.
#ifndef SCAN_TESTS_STRATEGIES_LIFTED_H
#define SCAN_TESTS_STRATEGIES_LIFTED_H

#include "tests/operators.h"

typedef struct pair {
  interval_8 value;
  uint32_t head;
} pair;

static inline void pair_combine(void *out, const void *earlier, const void *later) {
  const pair *a = (const pair *)earlier, *b = (const pair *)later;
  pair both = *b;
  if (b->head == 0) {
    both.value = merge_8(a->value, b->value);
    both.head = a->head;
  }
  *(pair *)out = both;
}
static inline void pair_identity(void *out) {
  const interval_8 value = INTERVAL_POISON_8;
  pair identity;
  identity.value = value;
  identity.head = 0;
  memcpy(out, &identity, sizeof identity);
}

// Runs of adjacent intervals, each from anywhere at its head.
static inline void pair_generate(void *elements, size_t count) {
  const size_t mean = 1 + test_below(300);
  uint64_t at = test_below(interval_8_limit);
  size_t i;
  for (i = 0; i < count; i++) {
    const uint64_t next = test_below(interval_8_limit);
    pair x;
    x.head = test_below(mean) == 0 ? 1 + (uint32_t)test_below(255) : 0;
    x.value = interval_8_make(x.head ? test_below(interval_8_limit) : at, next);
    memcpy((pair *)elements + i, &x, sizeof x);
    at = next;
  }
}

// PAIR_TYPE(T, prefix): what a face needs of a lifted type T, one for each stamp, all of the layout
// of a pair.
#define PAIR_TYPE(T, prefix)                                                                 \
  SCAN_STATIC_ASSERT_(sizeof(T) == sizeof(pair), "of another layout");                       \
  static void T##_generate(void *elements, size_t count) { pair_generate(elements, count); } \
  static void prefix##combine(void *out, const void *a, const void *b) {                     \
    pair_combine(out, a, b);                                                                 \
  }                                                                                          \
  static void prefix##identity(void *out) { pair_identity(out); }

#endif
