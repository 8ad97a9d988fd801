/* A lane's chunks of a tile, one of each row of its warp: held in registers, folded and scanned.
 */
#ifndef SCAN_THREAD_H
#define SCAN_THREAD_H

#include "scan/element.h"
#include "scan/tuning.h"

#ifdef SCAN_KERNELS_

/* The chunks as they lie in memory, each from a word of its own on, and a word beyond them so that
 * an element at the end can be read as whole words. */
typedef struct {
  uint32_t word[SCAN_SPAN_BYTES_MOST / 4 + 1];
} scan_span;

/* The first word of row r. */
SCAN_DEVICE uint32_t scan_span_row(uint32_t r, uint32_t chunk_bytes) {
  return r * ((chunk_bytes + 3) / 4);
}

/* Where the element that comes `index`-th along the scan lies among `count`. */
SCAN_DEVICE uint32_t scan_place(uint32_t index, uint32_t count, scan_operator op) {
  return op.reverse ? count - 1 - index : index;
}

/* words[0 … count) from byte `bytes` (0 to 15) on of what count + 4 words hold. */
SCAN_DEVICE void scan_words_shift(uint32_t *words, uint32_t *of, uint32_t count, uint32_t bytes) {
  SCAN_UNROLL_
  for (uint32_t i = 0; i < count + 2; i++) of[i] = bytes & 8 ? of[i + 2] : of[i];
  SCAN_UNROLL_
  for (uint32_t i = 0; i < count + 1; i++) of[i] = bytes & 4 ? of[i + 1] : of[i];
  SCAN_UNROLL_
  for (uint32_t i = 0; i < count; i++) words[i] = scan_funnel(of[i], of[i + 1], bytes % 4 * 8);
}

/* Lanes whose chunks begin at the same bank take the vectors of a chunk in different orders:
   `turns` vectors, the largest power of two in their number up to 8, each lane from another on. */
SCAN_DEVICE uint32_t scan_vector_turns(uint32_t vectors) {
  return vectors % 8 == 0 ? 8 : vectors % 4 == 0 ? 4 : vectors % 2 == 0 ? 2 : 1;
}
SCAN_DEVICE uint32_t scan_vector_turn(uint32_t turns) { return scan_lane() / (8 / turns) % turns; }
/* Which vector a lane takes j-th. */
SCAN_DEVICE uint32_t scan_vector_taken(uint32_t j, uint32_t turns, uint32_t turn) {
  return j / turns * turns + (j + turn) % turns;
}
/* Vectors in the order in which they were taken into that in which they lie (forwards false), and
 * back: rotations by 1, 2 and 4, so that no register is indexed. */
SCAN_DEVICE void scan_vectors_turn(uint32_t *words, uint32_t vectors, uint32_t turns, uint32_t turn,
                                   bool forwards) {
  SCAN_UNROLL_
  for (uint32_t by = 1; by < turns; by *= 2) {
    uint32_t turned[SCAN_SPAN_BYTES_MOST / 4];
    SCAN_UNROLL_
    for (uint32_t i = 0; i < vectors * 4; i++) {
      const uint32_t from = scan_vector_taken(i / 4, turns, forwards ? by : turns - by) * 4 + i % 4;
      turned[i] = turn & by ? words[from] : words[i];
    }
    SCAN_UNROLL_
    for (uint32_t i = 0; i < vectors * 4; i++) words[i] = turned[i];
  }
}

/* Reads a chunk of `bytes` bytes of shared memory at any address. What surrounds it is shared
   memory too, up to 15 bytes before and 16 after. */
SCAN_DEVICE void scan_chunk_load(uint32_t *words, const void *shared, uint32_t bytes) {
  const uint32_t vectors = bytes / 16;
  if (bytes % 16 == 0) {
    const uint32_t offset = (uint32_t)((uintptr_t)shared % 16);
    const void *lowest = SCAN_AT_CONST_(shared, -(ptrdiff_t)offset);
    if (offset == 0) {
      const uint32_t turns = scan_vector_turns(vectors);
      const uint32_t turn = scan_vector_turn(turns);
      SCAN_UNROLL_
      for (uint32_t i = 0; i < vectors; i++)
        scan_vector_load(&words[4 * i],
                         SCAN_AT_CONST_(lowest, 16 * scan_vector_taken(i, turns, turn)));
      scan_vectors_turn(words, vectors, turns, turn, false);
    } else {
      uint32_t around[SCAN_SPAN_BYTES_MOST / 4 + 4];
      SCAN_UNROLL_
      for (uint32_t i = 0; i < vectors + 1; i++)
        scan_vector_load(&around[4 * i], SCAN_AT_CONST_(lowest, 16 * i));
      scan_words_shift(words, around, bytes / 4, offset);
    }
  } else {
    const uint32_t offset = (uint32_t)((uintptr_t)shared % 4);
    const uint32_t *from = (const uint32_t *)SCAN_AT_CONST_(shared, -(ptrdiff_t)offset);
    uint32_t low = from[0];
    SCAN_UNROLL_
    for (uint32_t i = 0; i < (bytes + 3) / 4; i++) {
      const uint32_t high = from[i + 1];
      words[i] = scan_funnel(low, high, 8 * offset);
      low = high;
    }
  }
}

/* Stores bytes [first, end) of a chunk. */
SCAN_DEVICE void scan_bytes_store(void *shared, const uint32_t *words, uint32_t bytes,
                                  uint32_t first, uint32_t end) {
  SCAN_UNROLL_
  for (uint32_t i = 0; i < bytes; i++)
    if (i >= first && i < end) ((uint8_t *)shared)[i] = (uint8_t)(words[i / 4] >> (8 * (i % 4)));
}

/* The rows of a warp as they lie in shared memory: `lowest` is the address of the lowest chunk of
   its `rows` rows, which lie one after the other, in a reverse scan from the last row to the first
   and from the last lane to the first. */
typedef struct {
  unsigned char *lowest;
  uint32_t rows;
  uint32_t bytes; /* of a chunk */
} scan_rows;

SCAN_DEVICE void *scan_rows_chunk(scan_rows rows, uint32_t row, scan_operator op) {
  return rows.lowest +
         scan_place(row * SCAN_WARP_THREADS + scan_lane(), rows.rows * SCAN_WARP_THREADS, op) *
             rows.bytes;
}

SCAN_DEVICE void scan_rows_load(scan_span *span, scan_rows rows, scan_operator op) {
  span->word[scan_span_row(rows.rows, rows.bytes)] = 0;
  SCAN_UNROLL_
  for (uint32_t r = 0; r < rows.rows; r++)
    scan_chunk_load(&span->word[scan_span_row(r, rows.bytes)], scan_rows_chunk(rows, r, op),
                    rows.bytes);
}

/* The reverse; the span is used up. Bytes around the rows, which are other warps', are not written.
   A chunk that does not lie on whole vectors is stored with the end of its neighbour below: as
   vectors, except at the ends of the warp's rows. */
SCAN_DEVICE void scan_rows_store(scan_rows rows, scan_span *span, scan_operator op) {
  const uint32_t offset = (uint32_t)((uintptr_t)rows.lowest % 16);
  const uint32_t words = rows.bytes / 4;
  if (rows.bytes % 16 != 0) {
    SCAN_UNROLL_
    for (uint32_t r = 0; r < rows.rows; r++)
      scan_bytes_store(scan_rows_chunk(rows, r, op), &span->word[scan_span_row(r, rows.bytes)],
                       rows.bytes, 0, rows.bytes);
  } else if (offset == 0) {
    SCAN_UNROLL_
    for (uint32_t r = 0; r < rows.rows; r++) {
      const uint32_t turns = scan_vector_turns(words / 4);
      const uint32_t turn = scan_vector_turn(turns);
      void *chunk = scan_rows_chunk(rows, r, op);
      uint32_t *from = &span->word[r * words];
      scan_vectors_turn(from, words / 4, turns, turn, true);
      SCAN_UNROLL_
      for (uint32_t i = 0; i < words / 4; i++)
        scan_vector_store(SCAN_AT_(chunk, 16 * scan_vector_taken(i, turns, turn)), &from[4 * i]);
    }
  } else {
    /* The neighbour below is the lane before, in a reverse scan the lane after; at the end of a row
     * it is the other end of the row below. */
    const uint32_t lane = scan_lane();
    const uint32_t sender = op.reverse ? 0 : SCAN_WARP_THREADS - 1; /* to the next row above */
    const uint32_t below = (op.reverse ? lane + 1 : lane - 1) % SCAN_WARP_THREADS;
    SCAN_UNROLL_
    for (uint32_t r = 0; r < rows.rows; r++) {
      const uint32_t lower = op.reverse ? (r + 1 < rows.rows ? r + 1 : r) : (r > 0 ? r - 1 : r);
      const bool is_lowest = lane == SCAN_WARP_THREADS - 1 - sender && lower == r;
      uint32_t around[SCAN_SPAN_BYTES_MOST / 4 + 4];
      uint32_t shifted[SCAN_SPAN_BYTES_MOST / 4];
      unsigned char *chunk = (unsigned char *)scan_rows_chunk(rows, r, op);
      SCAN_UNROLL_
      for (uint32_t i = 0; i < 4; i++)
        around[i] = lane == sender ? span->word[lower * words + words - 4 + i]
                                   : span->word[r * words + words - 4 + i];
      scan_shuffle_from(around, 4, below);
      SCAN_UNROLL_
      for (uint32_t i = 0; i < words; i++) around[4 + i] = span->word[r * words + i];
      scan_words_shift(shifted, around, words, 16 - offset);
      SCAN_UNROLL_
      for (uint32_t i = 0; i < words; i += 4)
        if (i != 0 || !is_lowest) scan_vector_store(chunk - offset + 4 * i, &shifted[i]);
      if (is_lowest) scan_bytes_store(chunk, &span->word[r * words], 16, 0, 16 - offset);
    }
    {
      const uint32_t highest = op.reverse ? 0 : rows.rows - 1;
      unsigned char *end = (unsigned char *)scan_rows_chunk(rows, highest, op) + rows.bytes - 16;
      if (lane == sender)
        scan_bytes_store(end, &span->word[highest * words + words - 4], 16, 16 - offset, 16);
    }
  }
}

/* The element at a place of a chunk, and back. The place is a constant once the loop around is
 * unrolled. */
SCAN_DEVICE void scan_chunk_get(scan_element *x, const uint32_t *chunk, uint32_t place,
                                scan_operator op) {
  const uint32_t first = place * op.size / 4;
  const uint32_t bits = place * op.size % 4 * 8;
  SCAN_UNROLL_
  for (uint32_t i = 0; i < scan_element_words(op); i++)
    x->word[i] =
        bits == 0 ? chunk[first + i] : scan_funnel(chunk[first + i], chunk[first + i + 1], bits);
}
SCAN_DEVICE void scan_chunk_put(uint32_t *chunk, uint32_t place, const scan_element *x,
                                scan_operator op) {
  const uint32_t first = place * op.size;
  if (op.size % 4 == 0) {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < op.size / 4; i++) chunk[first / 4 + i] = x->word[i];
  } else {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < op.size; i++) {
      const uint32_t shift = (first + i) % 4 * 8;
      uint32_t *word = &chunk[(first + i) / 4];
      *word = (*word & ~(0xffu << shift)) | (x->word[i / 4] >> (i % 4 * 8) & 0xffu) << shift;
    }
  }
}

/* x[r] = all elements of chunk r of the span. */
SCAN_DEVICE void scan_span_fold(scan_element *x, const scan_span *span, uint32_t rows,
                                uint32_t items, scan_operator op) {
  SCAN_UNROLL_
  for (uint32_t r = 0; r < rows; r++) {
    const uint32_t *chunk = &span->word[scan_span_row(r, items * op.size)];
    scan_chunk_get(&x[r], chunk, scan_place(0, items, op), op);
    SCAN_UNROLL_
    for (uint32_t i = 1; i < items; i++) {
      scan_element next;
      scan_chunk_get(&next, chunk, scan_place(i, items, op), op);
      scan_append(&x[r], &next, op);
    }
  }
}

/* Turns x[r], all elements of the lane's chunk of row r, into all elements of the warp's rows up to
   the end of that chunk, and sum into all of the warp's. */
SCAN_DEVICE void scan_rows_scan(scan_element *x, scan_element *sum, uint32_t rows,
                                scan_operator op) {
  scan_warp_scan_batches(x, rows, rows * SCAN_WARP_THREADS, op);
  /* Invariant: sum holds the rows before r. */
  SCAN_UNROLL_
  for (uint32_t r = 0; r < rows; r++) {
    if (r > 0) scan_prepend(&x[r], sum, op);
    scan_element_copy(sum, &x[r], op);
    scan_shuffle_from(sum->word, scan_element_words(op), SCAN_WARP_THREADS - 1);
  }
}

/* Moves every element of a chunk of `bytes` to the next place along the scan; the last is lost, the
 * first is nothing yet. */
SCAN_DEVICE void scan_chunk_shift(uint32_t *chunk, uint32_t bytes, scan_operator op) {
  const uint32_t words = (bytes + 3) / 4;
  if (op.reverse) {
    SCAN_UNROLL_
    for (uint32_t i = 0; i + op.size / 4 < words; i++)
      chunk[i] = scan_funnel(chunk[i + op.size / 4],
                             op.size % 4 != 0 ? chunk[i + op.size / 4 + 1] : 0, op.size % 4 * 8);
  } else {
    const uint32_t far = (op.size + 3) / 4; /* words to where a word's lowest byte comes from */
    SCAN_UNROLL_
    for (uint32_t i = words - 1; i >= far; i--)
      chunk[i] = scan_funnel(chunk[i - far], chunk[i - far + 1], (far * 4 - op.size) * 8);
    chunk[far - 1] = chunk[0] << (op.size % 4 * 8);
  }
}

/* Turns the span into its scan, inclusive or exclusive, after `prefix`, if `any`. x[r] is what
   scan_rows_scan made it; start is what an exclusive scan without prefix begins with. */
SCAN_DEVICE void scan_rows_finish(scan_span *span, const scan_element *x,
                                  const scan_element *prefix, bool any, bool exclusive,
                                  const scan_element *start, uint32_t rows, uint32_t items,
                                  scan_operator op) {
  const uint32_t lane = scan_lane();
  SCAN_UNROLL_
  for (uint32_t r = 0; r < rows; r++) {
    uint32_t *chunk = &span->word[scan_span_row(r, items * op.size)];
    scan_element first, running, next;
    bool any_running = any || r > 0 || lane > 0;
    /* What comes before the chunk: the prefix and what the chunk before holds, which for lane 0 is
     * the last lane's of the row before. */
    scan_element_select(&running, lane == SCAN_WARP_THREADS - 1, &x[r > 0 ? r - 1 : 0], &x[r], op);
    scan_shuffle_from(running.word, scan_element_words(op),
                      (lane + SCAN_WARP_THREADS - 1) % SCAN_WARP_THREADS);
    if (r == 0 && lane == 0)
      scan_element_select(&running, any, prefix, start, op);
    else if (any)
      scan_prepend(&running, prefix, op);
    scan_element_copy(&first, &running, op);
    /* Invariant: running holds all before place i. The last place of the chunk is known already. */
    SCAN_UNROLL_
    for (uint32_t i = 0; i < items; i++) {
      const uint32_t place = scan_place(i, items, op);
      if (i < items - 1) {
        scan_chunk_get(&next, chunk, place, op);
        if (any_running) scan_prepend(&next, &running, op);
        any_running = true;
      } else {
        scan_element_copy(&next, &x[r], op);
        if (any) scan_prepend(&next, prefix, op);
      }
      scan_chunk_put(chunk, place, &next, op);
      scan_element_copy(&running, &next, op);
    }
    if (exclusive) {
      scan_chunk_shift(chunk, items * op.size, op);
      scan_chunk_put(chunk, scan_place(0, items, op), &first, op);
    }
  }
}

/* The same for `count` elements one after the other, in place in shared memory: the end of the
   input. `first` is the address of the element that comes first along the scan. */
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
