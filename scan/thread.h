/* One thread's span of a tile: consecutive elements, held in registers, folded and scanned one
 * after the other. */
#ifndef SCAN_THREAD_H
#define SCAN_THREAD_H

#include "scan/element.h"
#include "scan/tuning.h"

#ifdef SCAN_KERNELS_

/* A span as it lies in memory, and a word beyond it so that an element at its end can be read as
 * whole words. */
typedef struct {
  uint32_t word[SCAN_SPAN_BYTES_MOST / 4 + 1];
} scan_span;

/* Where the element that comes `index`-th along the scan lies among `count`. */
SCAN_DEVICE uint32_t scan_place(uint32_t index, uint32_t count, scan_operator op) {
  return op.reverse ? count - 1 - index : index;
}

/* The words of `bytes` bytes of shared memory at any address. What surrounds them is shared memory
   too, up to 3 bytes before and after. */
SCAN_DEVICE void scan_span_load(scan_span *span, const void *shared, uint32_t bytes) {
  span->word[(bytes + 3) / 4] = 0;
  if (bytes % 16 == 0 && (uintptr_t)shared % 16 == 0) {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < bytes / 16; i++)
      scan_vector_load(&span->word[4 * i], SCAN_AT_CONST_(shared, 16 * i));
  } else {
    const uint32_t offset = (uint32_t)((uintptr_t)shared % 4);
    const uint32_t *words = (const uint32_t *)SCAN_AT_CONST_(shared, -(ptrdiff_t)offset);
    uint32_t low = words[0];
    SCAN_UNROLL_
    for (uint32_t i = 0; i < (bytes + 3) / 4; i++) {
      const uint32_t high = words[i + 1];
      span->word[i] = scan_funnel(low, high, 8 * offset);
      low = high;
    }
  }
}

/* The reverse. Bytes around the span, which are other threads', are not written. */
SCAN_DEVICE void scan_span_store(void *shared, const scan_span *span, uint32_t bytes) {
  if (bytes % 16 == 0 && (uintptr_t)shared % 16 == 0) {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < bytes / 16; i++)
      scan_vector_store(SCAN_AT_(shared, 16 * i), &span->word[4 * i]);
  } else if (bytes % 4 == 0 && (uintptr_t)shared % 4 == 0) {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < bytes / 4; i++) ((uint32_t *)shared)[i] = span->word[i];
  } else {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < bytes; i++)
      ((uint8_t *)shared)[i] = (uint8_t)(span->word[i / 4] >> (8 * (i % 4)));
  }
}

/* The element at a place of the span, and back. The place is a constant once the loop around is
 * unrolled. */
SCAN_DEVICE void scan_span_get(scan_element *x, const scan_span *span, uint32_t place,
                               scan_operator op) {
  const uint32_t first = place * op.size / 4;
  const uint32_t bits = place * op.size % 4 * 8;
  SCAN_UNROLL_
  for (uint32_t i = 0; i < scan_element_words(op); i++)
    x->word[i] = bits == 0 ? span->word[first + i]
                           : scan_funnel(span->word[first + i], span->word[first + i + 1], bits);
}
SCAN_DEVICE void scan_span_put(scan_span *span, uint32_t place, const scan_element *x,
                               scan_operator op) {
  const uint32_t first = place * op.size;
  if (op.size % 4 == 0) {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < op.size / 4; i++) span->word[first / 4 + i] = x->word[i];
  } else {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < op.size; i++) {
      const uint32_t shift = (first + i) % 4 * 8;
      uint32_t *word = &span->word[(first + i) / 4];
      *word = (*word & ~(0xffu << shift)) | (x->word[i / 4] >> (i % 4 * 8) & 0xffu) << shift;
    }
  }
}

/* sum = all elements of the span, after what is in it already if *any. */
SCAN_DEVICE void scan_span_fold(scan_element *sum, bool *any, const scan_span *span, uint32_t items,
                                scan_operator op) {
  SCAN_UNROLL_
  for (uint32_t i = 0; i < items; i++) {
    scan_element x;
    scan_span_get(&x, span, scan_place(i, items, op), op);
    scan_append_first(sum, any, &x, op);
  }
}

/* Moves every element of a span of `bytes` to the next place along the scan; the last is lost, the
 * first is nothing yet. */
SCAN_DEVICE void scan_span_shift(scan_span *span, uint32_t bytes, scan_operator op) {
  const uint32_t words = (bytes + 3) / 4;
  if (op.reverse) {
    SCAN_UNROLL_
    for (uint32_t i = 0; i + op.size / 4 < words; i++)
      span->word[i] = scan_funnel(span->word[i + op.size / 4], span->word[i + op.size / 4 + 1],
                                  op.size % 4 * 8);
  } else {
    const uint32_t far = (op.size + 3) / 4; /* words to where a word's lowest byte comes from */
    SCAN_UNROLL_
    for (uint32_t i = words - 1; i >= far; i--)
      span->word[i] =
          scan_funnel(span->word[i - far], span->word[i - far + 1], (far * 4 - op.size) * 8);
    span->word[far - 1] = span->word[0] << (op.size % 4 * 8);
  }
}

/* Turns the span into its inclusive scan after `prefix`, if `any`; for an exclusive one each place
   then takes its predecessor's value and the first takes `start`. */
SCAN_DEVICE void scan_span_scan(scan_span *span, const scan_element *prefix, bool any,
                                bool exclusive, const scan_element *start, uint32_t items,
                                scan_operator op) {
  scan_element running;
  scan_element_copy(&running, prefix, op);
  /* Invariant: running holds the prefix and the elements before place i. */
  SCAN_UNROLL_
  for (uint32_t i = 0; i < items; i++) {
    scan_element x;
    scan_span_get(&x, span, scan_place(i, items, op), op);
    scan_append_first(&running, &any, &x, op);
    scan_span_put(span, scan_place(i, items, op), &running, op);
  }
  if (!exclusive) return;
  scan_span_shift(span, items * op.size, op);
  scan_span_put(span, scan_place(0, items, op), start, op);
}

/* The same for `count` elements that may be fewer than a span's, in place in shared memory: the end
   of the input. `first` is the address of the element that comes first along the scan. */
SCAN_DEVICE void *scan_neighbour_(void *place, scan_operator op) {
  return SCAN_AT_(place, op.reverse ? -(ptrdiff_t)op.size : (ptrdiff_t)op.size);
}
SCAN_DEVICE void scan_few_fold(scan_element *sum, bool *any, void *first, uint32_t count,
                               scan_operator op) {
  SCAN_ROLL_
  for (uint32_t i = 0; i < count; i++) {
    scan_element x;
    scan_element_read(&x, first, op);
    scan_append_first(sum, any, &x, op);
    first = scan_neighbour_(first, op);
  }
}
SCAN_DEVICE void scan_few_scan(void *first, const scan_element *prefix, bool any, bool exclusive,
                               const scan_element *start, uint32_t count, scan_operator op) {
  scan_element running, earlier;
  scan_element_copy(&running, prefix, op);
  scan_element_copy(&earlier, start, op);
  /* Invariant: running holds the prefix and the elements before place i; earlier is what an
   * exclusive scan gives at i. */
  SCAN_ROLL_
  for (uint32_t i = 0; i < count; i++) {
    scan_element x;
    scan_element_read(&x, first, op);
    scan_append_first(&running, &any, &x, op);
    if (!exclusive) scan_element_copy(&earlier, &running, op);
    scan_element_write(first, &earlier, op);
    scan_element_copy(&earlier, &running, op);
    first = scan_neighbour_(first, op);
  }
}

#endif /* SCAN_KERNELS_ */

#endif
