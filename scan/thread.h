/* A lane's chunks of a tile, one of each row of its warp: held in registers, folded and scanned.
 */
#ifndef SCAN_THREAD_H
#define SCAN_THREAD_H

#include "scan/tuning.h"
#include "scan/warp.h"

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

/* The four words from byte `bytes` (0 to 15) on of the eight of low and high. */
SCAN_DEVICE void scan_vector_shift(uint32_t word[4], const uint32_t *low, const uint32_t *high,
                                   uint32_t bytes) {
  uint32_t eight[8];
  SCAN_UNROLL_
  for (uint32_t i = 0; i < 4; i++) {
    eight[i] = low[i];
    eight[4 + i] = high[i];
  }
  SCAN_UNROLL_
  for (uint32_t i = 0; i < 6; i++) eight[i] = bytes & 8 ? eight[i + 2] : eight[i];
  SCAN_UNROLL_
  for (uint32_t i = 0; i < 5; i++) eight[i] = bytes & 4 ? eight[i + 1] : eight[i];
  SCAN_UNROLL_
  for (uint32_t i = 0; i < 4; i++) word[i] = scan_funnel(eight[i], eight[i + 1], bytes % 4 * 8);
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

/* Whether a chunk that does not lie on whole vectors is accessed by vectors nevertheless, its words
 * shifted into place: while registers suffice. */
#define SCAN_SHIFTED_BYTES_MOST_ 48
SCAN_DEVICE bool scan_chunk_shifts(uint32_t bytes) {
  return bytes % 16 == 0 && bytes <= SCAN_SHIFTED_BYTES_MOST_;
}

/* Reads a chunk of `bytes` bytes of shared memory at any address. What surrounds it is shared
   memory too, up to 15 bytes before and 16 after. */
SCAN_DEVICE void scan_chunk_load(uint32_t *words, const void *shared, uint32_t bytes) {
  const uint32_t vectors = bytes / 16;
  const uint32_t offset = (uint32_t)((uintptr_t)shared % 16);
  if (bytes % 16 == 0 && offset == 0) {
    const uint32_t turns = scan_vector_turns(vectors);
    const uint32_t turn = scan_vector_turn(turns);
    SCAN_UNROLL_
    for (uint32_t i = 0; i < vectors; i++)
      scan_vector_load(&words[4 * i],
                       SCAN_AT_CONST_(shared, 16 * scan_vector_taken(i, turns, turn)));
    scan_vectors_turn(words, vectors, turns, turn, false);
  } else if (scan_chunk_shifts(bytes)) {
    uint32_t vector[2][4];
    scan_vector_load(vector[0], SCAN_AT_CONST_(shared, -(ptrdiff_t)offset));
    SCAN_UNROLL_
    for (uint32_t i = 0; i < vectors; i++) {
      scan_vector_load(vector[(i + 1) % 2],
                       SCAN_AT_CONST_(shared, 16 * (ptrdiff_t)(i + 1) - (ptrdiff_t)offset));
      scan_vector_shift(&words[4 * i], vector[i % 2], vector[(i + 1) % 2], offset);
    }
  } else {
    const uint32_t *from = (const uint32_t *)SCAN_AT_CONST_(shared, -(ptrdiff_t)(offset % 4));
    uint32_t low = from[0];
    SCAN_UNROLL_
    for (uint32_t i = 0; i < (bytes + 3) / 4; i++) {
      const uint32_t high = from[i + 1];
      words[i] = scan_funnel(low, high, 8 * (offset % 4));
      low = high;
    }
  }
}

/* Stores bytes [first, end) of the 16 that lane `source` brings. */
SCAN_DEVICE void scan_bytes_store(void *shared, const uint32_t *words, uint32_t source,
                                  uint32_t first, uint32_t end) {
  const uint32_t lane = scan_lane();
  uint32_t word[4];
  uintptr_t address = (uintptr_t)shared;
  SCAN_UNROLL_
  for (uint32_t i = 0; i < 4; i++) word[i] = words[i];
  scan_shuffle_from(word, 4, source);
  {
    uint32_t half[2] = {(uint32_t)address, (uint32_t)((uint64_t)address >> 32)};
    scan_shuffle_from(half, 2, source);
    address = (uintptr_t)((uint64_t)half[1] << 32 | half[0]);
  }
  if (lane >= first && lane < end)
    ((uint8_t *)address)[lane] = (uint8_t)((lane < 4    ? word[0]
                                            : lane < 8  ? word[1]
                                            : lane < 12 ? word[2]
                                                        : word[3]) >>
                                           (8 * (lane % 4)));
}

/* The rows of a warp. In shared memory `lowest` is the address of the lowest of all chunks, which
   lie one after the other, in a reverse scan from the last row to the first and from the last lane
   to the first; there is memory for all of them, whether they have elements or not. */
typedef struct {
  unsigned char *lowest;
  uint32_t rows;
  uint32_t items; /* of a chunk */
  uint32_t bytes; /* of a chunk */
  uint32_t count; /* elements */
  bool whole;     /* all chunks are full: a constant, so that nothing is asked then */
} scan_rows;

/* Row r alone. */
SCAN_DEVICE scan_rows scan_rows_one(scan_rows rows, uint32_t r, scan_operator op) {
  const uint32_t each = SCAN_WARP_THREADS * rows.items;
  rows.lowest += scan_place(r, rows.rows, op) * (SCAN_WARP_THREADS * rows.bytes);
  rows.count = rows.count <= r * each         ? 0
               : rows.count - r * each < each ? rows.count - r * each
                                              : each;
  rows.rows = 1;
  return rows;
}

/* Elements of the lane's chunk of row r. */
SCAN_DEVICE uint32_t scan_rows_mine(scan_rows rows, uint32_t r) {
  const uint32_t first = (r * SCAN_WARP_THREADS + scan_lane()) * rows.items;
  if (rows.whole) return rows.items;
  if (rows.count <= first) return 0;
  return rows.count - first < rows.items ? rows.count - first : rows.items;
}

/* Chunks that have elements. */
SCAN_DEVICE uint32_t scan_rows_active(scan_rows rows) {
  return rows.whole ? rows.rows * SCAN_WARP_THREADS : (rows.count + rows.items - 1) / rows.items;
}

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
   Chunks that are shifted are stored with the end of the neighbour below: as vectors, except at the
   ends of the warp's rows. */
SCAN_DEVICE void scan_rows_store(scan_rows rows, scan_span *span, scan_operator op) {
  const uint32_t offset = (uint32_t)((uintptr_t)rows.lowest % 16);
  const uint32_t words = rows.bytes / 4;
  if (rows.bytes % 16 == 0 && offset == 0) {
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
  } else if (!scan_chunk_shifts(rows.bytes)) {
    SCAN_UNROLL_
    for (uint32_t r = 0; r < rows.rows; r++) {
      const uint32_t *from = &span->word[scan_span_row(r, rows.bytes)];
      void *chunk = scan_rows_chunk(rows, r, op);
      if (rows.bytes % 4 == 0 && offset % 4 == 0) {
        SCAN_UNROLL_
        for (uint32_t i = 0; i < words; i++) ((uint32_t *)chunk)[i] = from[i];
      } else {
        SCAN_UNROLL_
        for (uint32_t i = 0; i < rows.bytes; i++)
          ((uint8_t *)chunk)[i] = (uint8_t)(from[i / 4] >> (8 * (i % 4)));
      }
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
      const bool has_lowest = lower == r; /* which lane `lowest` brings */
      const uint32_t lowest = SCAN_WARP_THREADS - 1 - sender;
      uint32_t end[4]; /* of the neighbour */
      unsigned char *chunk = (unsigned char *)scan_rows_chunk(rows, r, op);
      SCAN_UNROLL_
      for (uint32_t i = 0; i < 4; i++)
        end[i] = lane == sender ? span->word[lower * words + words - 4 + i]
                                : span->word[r * words + words - 4 + i];
      scan_shuffle_from(end, 4, below);
      SCAN_UNROLL_
      for (uint32_t i = 0; i < words; i += 4) {
        uint32_t vector[4];
        scan_vector_shift(vector, i == 0 ? end : &span->word[r * words + i - 4],
                          &span->word[r * words + i], 16 - offset);
        if (i != 0 || !has_lowest || lane != lowest)
          scan_vector_store(chunk - offset + 4 * i, vector);
      }
      if (has_lowest) scan_bytes_store(chunk, &span->word[r * words], lowest, 0, 16 - offset);
    }
    {
      const uint32_t highest = op.reverse ? 0 : rows.rows - 1;
      scan_bytes_store((unsigned char *)scan_rows_chunk(rows, highest, op) + rows.bytes - 16,
                       &span->word[highest * words + words - 4], sender, 16 - offset, 16);
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

/* x = the first `mine` elements of a chunk, if there are any. */
SCAN_DEVICE void scan_chunk_fold(scan_element *x, const uint32_t *chunk, uint32_t items,
                                 uint32_t mine, scan_operator op) {
  scan_chunk_get(x, chunk, scan_place(0, items, op), op);
  SCAN_UNROLL_
  for (uint32_t i = 1; i < items; i++)
    if (i < mine) {
      scan_element next;
      scan_chunk_get(&next, chunk, scan_place(i, items, op), op);
      scan_append(x, &next, op);
    }
}

/* x[r] = all elements of the warp's rows up to the end of the lane's chunk of row r, if that has
   any; sum = all of the warp's, if there are any. */
SCAN_DEVICE void scan_rows_scan(scan_element *x, scan_element *sum, const scan_span *span,
                                scan_rows rows, scan_operator op) {
  const uint32_t active = scan_rows_active(rows);
  SCAN_UNROLL_
  for (uint32_t r = 0; r < rows.rows; r++)
    scan_chunk_fold(&x[r], &span->word[scan_span_row(r, rows.bytes)], rows.items,
                    scan_rows_mine(rows, r), op);
  scan_warp_scan_batches(x, rows.rows, active, op);
  /* Invariant: sum holds the rows before r. */
  SCAN_UNROLL_
  for (uint32_t r = 0; r < rows.rows; r++) {
    const uint32_t here = active - r * SCAN_WARP_THREADS; /* chunks from this row on */
    if (r * SCAN_WARP_THREADS < active) {
      if (r > 0 && scan_lane() < here) scan_prepend(&x[r], sum, op);
      scan_element_copy(sum, &x[r], op);
      scan_shuffle_from(sum->word, scan_element_words(op),
                        here < SCAN_WARP_THREADS ? here - 1 : SCAN_WARP_THREADS - 1);
    }
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
   scan_rows_scan made it; start is what an exclusive scan without prefix begins with. Ends with the
   prefix and all up to the end of the lane's last chunk in `through`, if that has elements. */
SCAN_DEVICE void scan_rows_finish(scan_span *span, scan_element *through, const scan_element *x,
                                  const scan_element *prefix, bool any, bool exclusive,
                                  const scan_element *start, scan_rows rows, scan_operator op) {
  const uint32_t lane = scan_lane();
  SCAN_UNROLL_
  for (uint32_t r = 0; r < rows.rows; r++) {
    const uint32_t mine = scan_rows_mine(rows, r);
    uint32_t *chunk = &span->word[scan_span_row(r, rows.bytes)];
    scan_element first, running, next;
    bool any_running = any || r > 0 || lane > 0;
    /* What comes before the chunk: the prefix and what the chunk before holds, which for lane 0 is
     * the last lane's of the row before. */
    scan_element_select(&running, lane == SCAN_WARP_THREADS - 1, &x[r > 0 ? r - 1 : 0], &x[r], op);
    scan_shuffle_from(running.word, scan_element_words(op),
                      (lane + SCAN_WARP_THREADS - 1) % SCAN_WARP_THREADS);
    if (r == 0 && lane == 0)
      scan_element_select(&running, any, prefix, start, op);
    else if (any && mine != 0)
      scan_prepend(&running, prefix, op);
    scan_element_copy(&first, &running, op);
    /* Invariant: running holds all before place i. Of a full chunk the last place is known. */
    SCAN_UNROLL_
    for (uint32_t i = 0; i < rows.items; i++)
      if (i < mine) {
        const uint32_t place = scan_place(i, rows.items, op);
        if (rows.whole && i == rows.items - 1) {
          scan_element_copy(&next, &x[r], op);
          if (any) scan_prepend(&next, prefix, op);
        } else {
          scan_chunk_get(&next, chunk, place, op);
          if (any_running) scan_prepend(&next, &running, op);
          any_running = true;
        }
        if (op.size > 8) {
          scan_element_select(&running, exclusive, &running, &next, op);
          scan_chunk_put(chunk, place, &running, op);
        } else {
          scan_chunk_put(chunk, place, &next, op);
        }
        scan_element_copy(&running, &next, op);
      }
    if (op.size <= 8 && exclusive) {
      scan_chunk_shift(chunk, rows.bytes, op);
      scan_chunk_put(chunk, scan_place(0, rows.items, op), &first, op);
    }
    scan_element_copy(through, &running, op);
  }
}

#endif /* SCAN_KERNELS_ */

#endif
