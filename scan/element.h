/* Elements as the algorithms see them: a few 32-bit words, moved and combined without knowing their
 * type. */
#ifndef SCAN_ELEMENT_H
#define SCAN_ELEMENT_H

#include "scan/target/target.h"

/* An element has 1 to 64 bytes. */
#define SCAN_ELEMENT_BYTES_MOST 64
#define SCAN_ELEMENT_WORDS_MOST (SCAN_ELEMENT_BYTES_MOST / 4)

#ifdef SCAN_KERNELS_

/* A value of the client's type in the first words, low bytes first; the rest is never touched. */
typedef struct {
  SCAN_ALIGNED_(16) uint32_t word[SCAN_ELEMENT_WORDS_MOST];
} scan_element;

/* *out = op(*earlier, *later) in index order; out is neither of the others. */
typedef void (*scan_combine)(scan_element *out, const scan_element *earlier,
                             const scan_element *later);

/* What a fused scan makes of the index-th of the client's elements, x, and what it gives back there
 * for the scan of these: *x = load(*in, index), *out = store(*scanned, *in, index). */
typedef void (*scan_load)(scan_element *x, const scan_element *in, size_t index);
typedef void (*scan_store)(scan_element *out, const scan_element *scanned, const scan_element *in,
                           size_t index);

/* What a stamp binds, each a constant once inlined: the operator over elements, bytes and alignment
   of their type, whether the scan runs from the last index to the first, and whether elements may
   start segments; bytes and alignment of what comes in and goes out, and the bytes of the widest of
   the three, by which all is cut (tuning.h). In a fused scan these differ, and there are load and
   store; in any other all are of one type, and these are NULL. A function has them as its last
   parameters and hands them on as SCAN_OP. They are no struct: nvcc learns the fields of one only
   after it has inlined all that they rule out, and takes longer (bench/NOTES.md). */
#define SCAN_OP_PARAMS                                                          \
  SCAN_UNUSED_ scan_combine op_combine, SCAN_UNUSED_ uint32_t op_size,          \
      SCAN_UNUSED_ uint32_t op_alignment, SCAN_UNUSED_ bool op_reverse,         \
      SCAN_UNUSED_ bool op_segmented, SCAN_UNUSED_ uint32_t op_in_size,         \
      SCAN_UNUSED_ uint32_t op_in_alignment, SCAN_UNUSED_ uint32_t op_out_size, \
      SCAN_UNUSED_ uint32_t op_out_alignment, SCAN_UNUSED_ uint32_t op_widest,  \
      SCAN_UNUSED_ scan_load op_load, SCAN_UNUSED_ scan_store op_store
#define SCAN_OP_ROUTE_ \
  op_in_size, op_in_alignment, op_out_size, op_out_alignment, op_widest, op_load, op_store
#define SCAN_OP op_combine, op_size, op_alignment, op_reverse, op_segmented, SCAN_OP_ROUTE_
/* For what only moves elements: those that come in, and those that go out. */
#define SCAN_OP_IN op_combine, op_in_size, op_in_alignment, op_reverse, op_segmented, SCAN_OP_ROUTE_
#define SCAN_OP_OUT \
  op_combine, op_out_size, op_out_alignment, op_reverse, op_segmented, SCAN_OP_ROUTE_

/* A bound that every compiler sees, so that loops over words are unrolled where a function is
   compiled before its operator is known, too: else nvcc 13.0 keeps elements in memory there, and of
   lifted ones it loses some. */
SCAN_DEVICE uint32_t scan_element_words(SCAN_OP_PARAMS) {
  const uint32_t words = (op_size + 3) / 4;
  return words < SCAN_ELEMENT_WORDS_MOST ? words : SCAN_ELEMENT_WORDS_MOST;
}

SCAN_DEVICE void scan_element_copy(scan_element *to, const scan_element *from, SCAN_OP_PARAMS) {
  SCAN_UNROLL_
  for (uint32_t i = 0; i < scan_element_words(SCAN_OP); i++) to->word[i] = from->word[i];
}

/* to = condition ? a : b; values, so that all stay in registers. */
SCAN_DEVICE void scan_element_select(scan_element *to, bool condition, const scan_element *a,
                                     const scan_element *b, SCAN_OP_PARAMS) {
  SCAN_UNROLL_
  for (uint32_t i = 0; i < scan_element_words(SCAN_OP); i++)
    to->word[i] = condition ? a->word[i] : b->word[i];
}

/* Keeps a branch that ends with it a branch (target/cuda.h). */
SCAN_DEVICE void scan_element_settle(scan_element *x, SCAN_OP_PARAMS) {
  SCAN_UNROLL_
  for (uint32_t i = 0; i < scan_element_words(SCAN_OP); i++) scan_word_settle(&x->word[i]);
}
/* The same where it depends on starts alone; not of elements of bytes and halves, which selections
 * put together. */
SCAN_DEVICE void scan_element_settle_segmented(scan_element *x, SCAN_OP_PARAMS) {
  if (op_segmented && op_size % 4 == 0) scan_element_settle(x, SCAN_OP);
}

/* Something definite for a lane without an element to hand around; the operator never sees it. */
SCAN_DEVICE void scan_element_clear(scan_element *x, SCAN_OP_PARAMS) {
  SCAN_UNROLL_
  for (uint32_t i = 0; i < scan_element_words(SCAN_OP); i++) x->word[i] = 0;
}

/* Where the element that comes `index`-th along the scan lies among `count`. */
SCAN_DEVICE uint32_t scan_place(uint32_t index, uint32_t count, SCAN_OP_PARAMS) {
  return op_reverse ? count - 1 - index : index;
}

/* Where the lowest of `items` elements lies that come first-th along the scan of `count`; below the
 * first of all in a reverse scan that has not as many left. */
SCAN_DEVICE ptrdiff_t scan_lowest(uint32_t first, uint32_t items, uint32_t count, SCAN_OP_PARAMS) {
  return op_reverse ? (ptrdiff_t)count - (ptrdiff_t)(first + items) : (ptrdiff_t)first;
}

/* How many of `count` there are from the first-th on, `most` at most. */
SCAN_DEVICE uint32_t scan_left(uint32_t count, uint32_t first, uint32_t most) {
  const uint32_t left = count > first ? count - first : 0;
  return left < most ? left : most;
}

/* Before and after are meant along the scan: in a reverse scan what comes before has the higher
 * indices. */

/* accumulated = accumulated followed by next. */
SCAN_DEVICE void scan_append(scan_element *accumulated, const scan_element *next, SCAN_OP_PARAMS) {
  scan_element both;
  if (op_reverse)
    op_combine(&both, next, accumulated);
  else
    op_combine(&both, accumulated, next);
  scan_element_copy(accumulated, &both, SCAN_OP);
}

/* accumulated = previous followed by accumulated. */
SCAN_DEVICE void scan_prepend(scan_element *accumulated, const scan_element *previous,
                              SCAN_OP_PARAMS) {
  scan_element both;
  if (op_reverse)
    op_combine(&both, accumulated, previous);
  else
    op_combine(&both, previous, accumulated);
  scan_element_copy(accumulated, &both, SCAN_OP);
}

/* accumulated, then next; or next alone where a segment starts in it: the operator never sees both
 * sides of a start. */
SCAN_DEVICE void scan_follow(scan_element *accumulated, const scan_element *next, bool starts,
                             SCAN_OP_PARAMS) {
  if (starts)
    scan_element_copy(accumulated, next, SCAN_OP);
  else
    scan_append(accumulated, next, SCAN_OP);
}

/* The same, and the branch stays one (scan_element_settle). */
SCAN_DEVICE void scan_follow_settled(scan_element *accumulated, const scan_element *next,
                                     bool starts, SCAN_OP_PARAMS) {
  if (starts) {
    scan_element_copy(accumulated, next, SCAN_OP);
  } else {
    scan_append(accumulated, next, SCAN_OP);
    scan_element_settle_segmented(accumulated, SCAN_OP);
  }
}

/* The same where there may be nothing yet: *any says whether there is, and does from now on. */
SCAN_DEVICE void scan_follow_first(scan_element *accumulated, bool *any, const scan_element *next,
                                   bool starts, SCAN_OP_PARAMS) {
  scan_follow_settled(accumulated, next, starts || !*any, SCAN_OP);
  *any = true;
}
SCAN_DEVICE void scan_append_first(scan_element *accumulated, bool *any, const scan_element *next,
                                   SCAN_OP_PARAMS) {
  scan_follow_first(accumulated, any, next, false, SCAN_OP);
}

/* x, then what there is; or x alone where there is nothing yet. */
SCAN_DEVICE void scan_prepend_first(scan_element *accumulated, bool *any, const scan_element *x,
                                    SCAN_OP_PARAMS) {
  if (*any) {
    scan_prepend(accumulated, x, SCAN_OP);
    scan_element_settle_segmented(accumulated, SCAN_OP);
  } else {
    scan_element_copy(accumulated, x, SCAN_OP);
  }
  *any = true;
}

/* An element among others of its kind, packed in words: what a scratch of the library holds. */
SCAN_DEVICE void scan_packed_put(uint32_t *packed, uint32_t index, const scan_element *x,
                                 SCAN_OP_PARAMS) {
  SCAN_UNROLL_
  for (uint32_t i = 0; i < scan_element_words(SCAN_OP); i++)
    packed[index * scan_element_words(SCAN_OP) + i] = x->word[i];
}
SCAN_DEVICE void scan_packed_get(scan_element *x, const uint32_t *packed, uint32_t index,
                                 SCAN_OP_PARAMS) {
  SCAN_UNROLL_
  for (uint32_t i = 0; i < scan_element_words(SCAN_OP); i++)
    x->word[i] = packed[index * scan_element_words(SCAN_OP) + i];
}

/* An element and whether a segment starts in it, which only a segmented scan has room for. */
#define SCAN_TOTAL_WORDS_(size, segmented) (((size) + 3) / 4 + ((segmented) ? 1 : 0))
#define SCAN_TOTAL_WORDS_MOST SCAN_TOTAL_WORDS_(SCAN_ELEMENT_BYTES_MOST, true)
SCAN_DEVICE void scan_total_put(uint32_t *totals, uint32_t index, const scan_element *x,
                                bool starts, SCAN_OP_PARAMS) {
  uint32_t *total = totals + index * SCAN_TOTAL_WORDS_(op_size, op_segmented);
  scan_packed_put(total, 0, x, SCAN_OP);
  if (op_segmented) total[scan_element_words(SCAN_OP)] = starts;
}
SCAN_DEVICE bool scan_total_get(scan_element *x, const uint32_t *totals, uint32_t index,
                                SCAN_OP_PARAMS) {
  const uint32_t *total = totals + index * SCAN_TOTAL_WORDS_(op_size, op_segmented);
  scan_packed_get(x, total, 0, SCAN_OP);
  return op_segmented && total[scan_element_words(SCAN_OP)] != 0;
}

/* Words of memory whose declared type is the client's. */
typedef uint32_t __attribute__((may_alias)) scan_memory_word32_;
typedef uint16_t __attribute__((may_alias)) scan_memory_word16_;

/* One element from and to memory that is aligned as the client's type is, and no more. */
SCAN_DEVICE void scan_element_read(scan_element *to, const void *from, SCAN_OP_PARAMS) {
  if (op_alignment % 4 == 0) {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < op_size / 4; i++) to->word[i] = ((const scan_memory_word32_ *)from)[i];
  } else {
    scan_element_clear(to, SCAN_OP);
    if (op_alignment % 2 == 0) {
      SCAN_UNROLL_
      for (uint32_t i = 0; i < op_size / 2; i++)
        to->word[i / 2] |= (uint32_t)((const scan_memory_word16_ *)from)[i] << (16 * (i % 2));
    } else {
      SCAN_UNROLL_
      for (uint32_t i = 0; i < op_size; i++)
        to->word[i / 4] |= (uint32_t)((const uint8_t *)from)[i] << (8 * (i % 4));
    }
  }
}
SCAN_DEVICE void scan_element_write(void *to, const scan_element *from, SCAN_OP_PARAMS) {
  if (op_alignment % 4 == 0) {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < op_size / 4; i++) ((scan_memory_word32_ *)to)[i] = from->word[i];
  } else if (op_alignment % 2 == 0) {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < op_size / 2; i++)
      ((scan_memory_word16_ *)to)[i] = (uint16_t)(from->word[i / 2] >> (16 * (i % 2)));
  } else {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < op_size; i++)
      ((uint8_t *)to)[i] = (uint8_t)(from->word[i / 4] >> (8 * (i % 4)));
  }
}

/* Whole words on their way between memory and registers: 16 bytes or more by vectors, on which they
   lie then, fewer by words. */
SCAN_DEVICE void scan_words_take(uint32_t *words, const void *from, uint32_t bytes) {
  SCAN_UNROLL_
  for (uint32_t i = 0; i < bytes / 16; i++)
    scan_vector_load(&words[i * 4], SCAN_AT_CONST_(from, i * 16));
  SCAN_UNROLL_
  for (uint32_t i = bytes / 16 * 4; i < bytes / 4; i++)
    words[i] = ((const scan_memory_word32_ *)from)[i];
}
SCAN_DEVICE void scan_words_leave(void *to, const uint32_t *words, uint32_t bytes) {
  SCAN_UNROLL_
  for (uint32_t i = 0; i < bytes / 16; i++) scan_vector_store(SCAN_AT_(to, i * 16), &words[i * 4]);
  SCAN_UNROLL_
  for (uint32_t i = bytes / 16 * 4; i < bytes / 4; i++) ((scan_memory_word32_ *)to)[i] = words[i];
}

#endif /* SCAN_KERNELS_ */

#endif
