/* A scan small enough for one block, a chunk a thread: from registers to registers, with no
   pipeline and no workspace. */
#ifndef SCAN_SMALL_H
#define SCAN_SMALL_H

#include "scan/block.h"
#include "scan/thread.h"

#ifdef SCAN_KERNELS_

/* The block's dynamic shared memory: what its warps leave each other. */
typedef struct {
  uint32_t totals[SCAN_SMALL_WARPS * SCAN_ELEMENT_WORDS_MOST];
} scan_small_scratch;

/* Whether a chunk of device memory can be moved as vectors. */
SCAN_DEVICE bool scan_small_vectors(const void *chunk, scan_rows rows) {
  return rows.bytes % 16 == 0 && scan_rows_mine(rows, 0) == rows.items &&
         (uintptr_t)chunk % 16 == 0;
}

/* Reads the elements of the calling thread's chunk, whose lowest would be at `chunk` if it were
 * full. */
SCAN_DEVICE void scan_small_load(scan_span *span, const void *chunk, scan_rows rows,
                                 scan_operator op) {
  const uint32_t mine = scan_rows_mine(rows, 0);
  SCAN_UNROLL_
  for (uint32_t i = 0; i < (rows.bytes + 3) / 4 + 1; i++) span->word[i] = 0;
  if (scan_small_vectors(chunk, rows)) {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < rows.bytes / 16; i++)
      scan_vector_load(&span->word[4 * i], SCAN_AT_CONST_(chunk, 16 * i));
  } else {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < rows.items; i++)
      if (i < mine) {
        const uint32_t place = scan_place(i, rows.items, op);
        scan_element x;
        scan_element_read(&x, SCAN_AT_CONST_(chunk, (ptrdiff_t)(place * op.size)), op);
        scan_chunk_put(span->word, place, &x, op);
      }
  }
}
SCAN_DEVICE void scan_small_store(void *chunk, const scan_span *span, scan_rows rows,
                                  scan_operator op) {
  const uint32_t mine = scan_rows_mine(rows, 0);
  if (scan_small_vectors(chunk, rows)) {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < rows.bytes / 16; i++)
      scan_vector_store(SCAN_AT_(chunk, 16 * i), &span->word[4 * i]);
  } else {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < rows.items; i++)
      if (i < mine) {
        const uint32_t place = scan_place(i, rows.items, op);
        scan_element x;
        scan_chunk_get(&x, span->word, place, op);
        scan_element_write(SCAN_AT_(chunk, (ptrdiff_t)(place * op.size)), &x, op);
      }
  }
}

/* Scans n elements of `in` into `out`, which may be NULL or `in`, after *seed if there is one, and
   writes *total if it is wanted; it may lie where the seed does. Called by all threads of the
   block, which have a chunk of SCAN_SMALL_ITEMS_ each. */
SCAN_DEVICE void scan_small(const void *in, void *out, const void *seed, void *total, uint32_t n,
                            bool exclusive, const scan_element *identity, scan_operator op) {
  SCAN_SHARED_DYNAMIC(scan_small_scratch, scratch);
  const uint32_t thread = scan_thread();
  const uint32_t warp = thread / SCAN_WARP_THREADS;
  const uint32_t items = SCAN_SMALL_ITEMS_(op.size);
  const uint32_t each = items * SCAN_WARP_THREADS; /* elements of a warp */
  const ptrdiff_t lowest =
      op.reverse ? (ptrdiff_t)n - (ptrdiff_t)((thread + 1) * items) : (ptrdiff_t)(thread * items);
  const ptrdiff_t offset = lowest * (ptrdiff_t)op.size;
  scan_rows rows;
  scan_span span;
  scan_element x, sum, before;
  bool any;
  rows.lowest = NULL;
  rows.rows = 1;
  rows.items = items;
  rows.bytes = items * op.size;
  rows.count = n <= warp * each ? 0 : n - warp * each < each ? n - warp * each : each;
  rows.whole = false;
  scan_element_clear(&sum, op);
  scan_element_copy(&before, identity, op);
  /* Each warp scans its chunks and leaves its total. The seed is read before any total is written.
   */
  scan_small_load(&span, SCAN_AT_CONST_(in, offset), rows, op);
  if (seed != NULL) scan_element_read(&before, seed, op);
  scan_rows_scan(&x, &sum, &span, rows, op);
  if (scan_lane() == 0) scan_packed_put(scratch->totals, warp, &sum, op);
  scan_block_barrier();
  /* The seed and the warps before come in front. */
  any = seed != NULL;
  if (rows.count != 0) {
    SCAN_ROLL_
    for (uint32_t i = 0; i < warp; i++) {
      scan_packed_get(&sum, scratch->totals, i, op);
      scan_append_first(&before, &any, &sum, op);
    }
    scan_rows_finish(&span, &sum, &x, &before, any, exclusive, identity, rows, op);
    if (out != NULL) scan_small_store(SCAN_AT_(out, offset), &span, rows, op);
  }
  /* The last thread with elements ends with all of them; without elements the total is the seed, or
   * the identity. */
  if (total != NULL && thread == (n == 0 ? 0 : (n - 1) / items)) {
    scan_element_select(&sum, n == 0, &before, &sum, op);
    scan_element_write(total, &sum, op);
  }
}

#endif /* SCAN_KERNELS_ */

#endif
