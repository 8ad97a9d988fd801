/* What a lane does with a chunk of elements, and with one of each row of its warp: load, fold, scan
 * and store, in registers. */
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

/* The four words from byte `offset` (0 to 15) on of the eight of low and high. offset is a multiple
   of `alignment`: what that rules out is not asked. products: words are chosen by products where
   that pays, since shifts and selections share a unit that has too much to do (bench/NOTES.md). */
SCAN_DEVICE void scan_vector_shift(uint32_t word[4], const uint32_t *low, const uint32_t *high,
                                   uint32_t offset, uint32_t alignment, bool products) {
  const uint32_t beyond = offset / 8 % 2; /* the first two words */
  uint32_t eight[8];
  SCAN_UNROLL_
  for (uint32_t i = 0; i < 4; i++) {
    eight[i] = low[i];
    eight[4 + i] = high[i];
  }
  SCAN_UNROLL_
  for (uint32_t i = 0; i < 6; i++)
    eight[i] = products      ? scan_multiply_add(eight[i + 2], beyond,
                                                 scan_multiply_add(eight[i], 1 - beyond, 0))
               : beyond != 0 ? eight[i + 2]
                             : eight[i];
  if (alignment % 8 != 0) {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < 5; i++) eight[i] = offset & 4 ? eight[i + 1] : eight[i];
  }
  SCAN_UNROLL_
  for (uint32_t i = 0; i < 4; i++)
    word[i] = alignment % 4 != 0 ? scan_funnel(eight[i], eight[i + 1], offset % 4 * 8) : eight[i];
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

/* Words of a chunk of `bytes` bytes. */
SCAN_DEVICE uint32_t scan_chunk_words(uint32_t bytes) { return (bytes + 3) / 4; }

/* Whether a chunk that does not lie on whole vectors is accessed by vectors nevertheless, its words
 * shifted into place. */
SCAN_DEVICE bool scan_chunk_shifts(uint32_t bytes) { return bytes % 16 == 0; }

/* Bytes that an address lies past 16-byte alignment. */
SCAN_DEVICE uint32_t scan_offset(const void *address) {
  return (uint32_t)((uintptr_t)address % 16);
}

/* The offset of a chunk among others of `bytes` bytes side by side, of which another has `offset`:
 * of whole 16-byte words, that of all. */
SCAN_DEVICE uint32_t scan_chunk_offset(const void *chunk, uint32_t offset, uint32_t bytes) {
  return bytes % 16 == 0 ? offset : scan_offset(chunk);
}

/* Reads a chunk of `bytes` bytes of shared memory, at an address with this offset. What surrounds
   it is shared memory too, up to 15 bytes before and 16 after; it is read, too, and not used, so
   others may write there. */
SCAN_DEVICE void scan_chunk_load(uint32_t *words, const void *shared, uint32_t offset,
                                 uint32_t bytes, SCAN_OP_PARAMS) {
  const uint32_t vectors = bytes / 16;
  if (bytes % 16 == 0 && offset == 0) {
    const uint32_t turns = scan_vector_turns(vectors);
    const uint32_t turn = scan_vector_turn(turns);
    SCAN_UNROLL_
    for (uint32_t i = 0; i < vectors; i++)
      scan_vector_load(&words[4 * i],
                       SCAN_AT_CONST_(shared, 16 * scan_vector_taken(i, turns, turn)));
    scan_vectors_turn(words, vectors, turns, turn, false);
  } else if (scan_chunk_shifts(bytes)) {
    /* Alignment 1, and products for three bytes forward alone: else nvcc has more on its way than
     * there are registers for. */
    uint32_t vector[2][4];
    scan_vector_load_around(vector[0], SCAN_AT_CONST_(shared, -(ptrdiff_t)offset));
    SCAN_UNROLL_
    for (uint32_t i = 0; i < vectors; i++) {
      const void *next = SCAN_AT_CONST_(shared, 16 * (ptrdiff_t)(i + 1) - (ptrdiff_t)offset);
      if (i + 1 < vectors)
        scan_vector_load(vector[(i + 1) % 2], next);
      else
        scan_vector_load_around(vector[(i + 1) % 2], next);
      scan_vector_shift(&words[4 * i], vector[i % 2], vector[(i + 1) % 2], offset, 1,
                        op_in_size == 3 && !op_reverse);
    }
  } else {
    const uint32_t *from = (const uint32_t *)SCAN_AT_CONST_(shared, -(ptrdiff_t)(offset % 4));
    uint32_t low = scan_word_load_around(from);
    SCAN_UNROLL_
    for (uint32_t i = 0; i < scan_chunk_words(bytes); i++) {
      const uint32_t high = i + 1 < bytes / 4 ? from[i + 1] : scan_word_load_around(&from[i + 1]);
      words[i] = scan_funnel(low, high, 8 * (offset % 4));
      low = high;
    }
  }
}

/* The reverse; the words are used up. Bytes around the chunk are not written. */
SCAN_DEVICE void scan_chunk_store(void *shared, uint32_t offset, uint32_t *words, uint32_t bytes) {
  if (bytes % 16 == 0 && offset == 0) {
    const uint32_t turns = scan_vector_turns(bytes / 16);
    const uint32_t turn = scan_vector_turn(turns);
    scan_vectors_turn(words, bytes / 16, turns, turn, true);
    SCAN_UNROLL_
    for (uint32_t i = 0; i < bytes / 16; i++)
      scan_vector_store(SCAN_AT_(shared, 16 * scan_vector_taken(i, turns, turn)), &words[4 * i]);
  } else if (bytes % 4 == 0 && offset % 4 == 0) {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < bytes / 4; i++) ((uint32_t *)shared)[i] = words[i];
  } else {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < bytes; i++)
      ((uint8_t *)shared)[i] = (uint8_t)(words[i / 4] >> (8 * (i % 4)));
  }
}

/* Stores bytes [first, end) of the 16 that lane `source` brings; all lanes bring the address. */
SCAN_DEVICE void scan_bytes_store(unsigned char *shared, const uint32_t *words, uint32_t source,
                                  uint32_t first, uint32_t end) {
  const uint32_t lane = scan_lane();
  uint32_t word[4];
  SCAN_UNROLL_
  for (uint32_t i = 0; i < 4; i++) word[i] = words[i];
  scan_shuffle_from(word, 4, source);
  if (lane >= first && lane < end)
    shared[lane] = (uint8_t)((lane < 4    ? word[0]
                              : lane < 8  ? word[1]
                              : lane < 12 ? word[2]
                                          : word[3]) >>
                             (8 * (lane % 4)));
}

/* The rows of a warp, which are full. In shared memory `lowest` is the address of the lowest of all
   chunks, which lie one after the other, in a reverse scan from the last row to the first and from
   the last lane to the first. */
typedef struct {
  unsigned char *lowest;
  size_t at; /* the index of the lowest element */
  uint32_t rows;
  uint32_t items; /* of a chunk */
  uint32_t bytes; /* of a chunk */
} scan_rows;

/* The chunk of a lane in a row: which from the lowest, where it lies, and the index of its lowest
 * element. */
SCAN_DEVICE uint32_t scan_rows_place(scan_rows rows, uint32_t row, uint32_t lane, SCAN_OP_PARAMS) {
  return scan_place(row * SCAN_WARP_THREADS + lane, rows.rows * SCAN_WARP_THREADS, SCAN_OP);
}
SCAN_DEVICE unsigned char *scan_rows_chunk(scan_rows rows, uint32_t row, uint32_t lane,
                                           SCAN_OP_PARAMS) {
  return rows.lowest + scan_rows_place(rows, row, lane, SCAN_OP) * rows.bytes;
}
SCAN_DEVICE size_t scan_rows_at(scan_rows rows, uint32_t row, SCAN_OP_PARAMS) {
  return rows.at + scan_rows_place(rows, row, scan_lane(), SCAN_OP) * rows.items;
}
/* The first word of row r in a span, where chunks of what comes in give way to those of what goes
 * out. */
SCAN_DEVICE uint32_t scan_span_row(scan_rows rows, uint32_t r, SCAN_OP_PARAMS) {
  return r * scan_chunk_words(rows.items * op_widest);
}

SCAN_DEVICE void scan_rows_load(scan_span *span, scan_rows rows, SCAN_OP_PARAMS) {
  SCAN_UNROLL_
  for (uint32_t r = 0; r < rows.rows; r++) {
    const void *chunk = scan_rows_chunk(rows, r, scan_lane(), SCAN_OP);
    uint32_t *words = &span->word[scan_span_row(rows, r, SCAN_OP)];
    words[scan_chunk_words(rows.bytes)] = 0;
    scan_chunk_load(words, chunk, scan_chunk_offset(chunk, scan_offset(rows.lowest), rows.bytes),
                    rows.bytes, SCAN_OP);
  }
}

/* The reverse; the span is used up. Bytes around the rows, which are other warps', are not written.
   Chunks that are shifted are stored with the end of the neighbour below: as vectors, except at the
   ends of the warp's rows. */
SCAN_DEVICE void scan_rows_store(scan_rows rows, scan_span *span, SCAN_OP_PARAMS) {
  const uint32_t offset = scan_offset(rows.lowest);
  const uint32_t words = rows.bytes / 4;
  const uint32_t stride = scan_span_row(rows, 1, SCAN_OP);
  if (offset == 0 || !scan_chunk_shifts(rows.bytes)) {
    SCAN_UNROLL_
    for (uint32_t r = 0; r < rows.rows; r++) {
      void *chunk = scan_rows_chunk(rows, r, scan_lane(), SCAN_OP);
      scan_chunk_store(chunk, scan_chunk_offset(chunk, 0, rows.bytes),
                       &span->word[scan_span_row(rows, r, SCAN_OP)], rows.bytes);
    }
  } else {
    /* The neighbour below is the lane before, in a reverse scan the lane after; at the end of a row
     * it is the other end of the row below. */
    const uint32_t lane = scan_lane();
    const uint32_t sender = op_reverse ? 0 : SCAN_WARP_THREADS - 1; /* to the next row above */
    const uint32_t below = (op_reverse ? lane + 1 : lane - 1) % SCAN_WARP_THREADS;
    SCAN_UNROLL_
    for (uint32_t r = 0; r < rows.rows; r++) {
      const uint32_t lower = op_reverse ? (r + 1 < rows.rows ? r + 1 : r) : (r > 0 ? r - 1 : r);
      const bool has_lowest = lower == r; /* which lane `lowest` brings */
      const uint32_t lowest = SCAN_WARP_THREADS - 1 - sender;
      uint32_t end[4]; /* of the neighbour */
      unsigned char *chunk = scan_rows_chunk(rows, r, scan_lane(), SCAN_OP);
      SCAN_UNROLL_
      for (uint32_t i = 0; i < 4; i++)
        end[i] = lane == sender ? span->word[lower * stride + words - 4 + i]
                                : span->word[r * stride + words - 4 + i];
      scan_shuffle_from(end, 4, below);
      SCAN_UNROLL_
      for (uint32_t i = 0; i < words; i += 4) {
        uint32_t vector[4];
        scan_vector_shift(vector, i == 0 ? end : &span->word[r * stride + i - 4],
                          &span->word[r * stride + i], 16 - offset, op_alignment, false);
        if (i != 0 || !has_lowest || lane != lowest)
          scan_vector_store(chunk - offset + 4 * i, vector);
      }
      if (has_lowest)
        scan_bytes_store(scan_rows_chunk(rows, r, lowest, SCAN_OP), &span->word[r * stride], lowest,
                         0, 16 - offset);
      if (r == (op_reverse ? 0 : rows.rows - 1)) /* the highest */
        scan_bytes_store(scan_rows_chunk(rows, r, sender, SCAN_OP) + rows.bytes - 16,
                         &span->word[r * stride + words - 4], sender, 16 - offset, 16);
    }
  }
}

/* The element at a place of a chunk, which is a constant once the loop around is unrolled; and
   back. For a fold (`folds`) elements of one and two bytes come with their sign, so that a
   comparison takes one instruction; else with whatever lies above them, which an addition does not
   mind; a byte for a fold of segments with zeros above. Some bytes come by a product instead of a
   shift, since shifts and comparisons share a unit that has too much to do (bench/NOTES.md): those
   in the middle of a word, and all that a scan, not a fold, of segments takes. */
SCAN_DEVICE void scan_chunk_get(scan_element *x, const uint32_t *chunk, uint32_t place, bool folds,
                                SCAN_OP_PARAMS) {
  const uint32_t first = place * op_size / 4;
  const uint32_t bits = place * op_size % 4 * 8;
  const uint32_t above = 32 - op_size * 8; /* of an element of one or two bytes */
  const bool product = op_size == 1 && (op_segmented ? !folds : bits == 8 || bits == 16);
  SCAN_UNROLL_
  for (uint32_t i = 0; i < scan_element_words(SCAN_OP); i++)
    x->word[i] = product ? scan_dot(chunk[first], 1u << bits, 0)
                 : op_size <= 2 && folds && !op_segmented
                     ? (uint32_t)((int32_t)(chunk[first] << (above - bits)) >> above)
                 : op_size == 1 && op_segmented ? chunk[first] >> bits & 0xff
                 : bits + op_size * 8 <= 32     ? chunk[first + i] >> bits
                 : bits == 0                    ? chunk[first + i]
                             : scan_funnel(chunk[first + i], chunk[first + i + 1], bits);
}

/* The same of a chunk as it came in, whose lowest element is the at-th: what load makes of it. */
SCAN_DEVICE void scan_chunk_take(scan_element *x, const uint32_t *chunk, uint32_t place, bool folds,
                                 size_t at, SCAN_OP_PARAMS) {
  if (op_load != NULL) {
    scan_element came;
    scan_chunk_get(&came, chunk, place, false, SCAN_OP_IN);
    op_load(x, &came, at + place);
  } else {
    scan_chunk_get(x, chunk, place, folds, SCAN_OP);
  }
}

/* Bytes [to, to + count) of *word = those of x from `from` on. */
SCAN_DEVICE void scan_bytes_insert(uint32_t *word, uint32_t to, uint32_t x, uint32_t from,
                                   uint32_t count) {
  const uint32_t mask = ~0u >> (32 - 8 * count) << 8 * to;
  const uint32_t moved = to > from ? x << 8 * (to - from) : x >> 8 * (from - to);
  *word = (*word & ~mask) | (moved & mask);
}
SCAN_DEVICE void scan_chunk_put(uint32_t *chunk, uint32_t place, const scan_element *x,
                                SCAN_OP_PARAMS) {
  const uint32_t first = place * op_size;
  if (op_size % 4 == 0) {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < op_size / 4; i++) chunk[first / 4 + i] = x->word[i];
  } else {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < op_size; i++) {
      /* From here on as many bytes as lie in one word of both. Of three bytes one by one: nvcc
       * would mask each byte of a pair. */
      const uint32_t from = i % 4;
      const uint32_t to = (first + i) % 4;
      if (op_size == 3 || i == 0 || from == 0 || to == 0)
        scan_bytes_insert(&chunk[(first + i) / 4], to, x->word[i / 4], from,
                          op_size == 3 ? 1 : scan_left(op_size, i, from > to ? 4 - from : 4 - to));
    }
  }
}

/* Puts the element that comes i-th along the scan of a chunk, after all before it: so a byte that a
 * segment or a fused scan gives joins those of its word by a product. */
SCAN_DEVICE void scan_chunk_put_next(uint32_t *chunk, uint32_t i, uint32_t items,
                                     const scan_element *x, SCAN_OP_PARAMS) {
  const uint32_t place = scan_place(i, items, SCAN_OP);
  const bool first = i == 0 || place % 4 == (op_reverse ? 3 : 0); /* of its word */
  const bool product = op_size == 1 && (op_segmented || op_store != NULL);
  if (product && !first)
    chunk[place / 4] = scan_multiply_add(x->word[0], 1u << 8 * (place % 4), chunk[place / 4]);
  else if (product)
    chunk[place / 4] = x->word[0] << 8 * (place % 4);
  else
    scan_chunk_put(chunk, place, x, SCAN_OP);
}

/* Which elements of a chunk start a segment: bit i of the element that comes i-th along the scan; 0
 * in a plain scan. */
typedef uint64_t scan_heads;
SCAN_DEVICE bool scan_head(scan_heads heads, uint32_t i) {
  /* Of half of it: nvcc asks of all 64 bits otherwise. */
  const uint32_t half = (uint32_t)(i < 32 ? heads : heads >> 32);
  return (half >> i % 32 & 1) != 0;
}

/* Parts of a chunk that are folded beside each other: long chains of operations wait for each one's
 * result. Of segments that would be much code. */
#define SCAN_CHAINS_MOST 4
SCAN_DEVICE uint32_t scan_chunk_chains(uint32_t items, SCAN_OP_PARAMS) {
  return op_widest <= 2 && !op_segmented && items % SCAN_CHAINS_MOST == 0 ? SCAN_CHAINS_MOST : 1;
}

/* x = the elements of a chunk as it came in, whose lowest is the at-th, from the last start on. */
SCAN_DEVICE void scan_chunk_fold(scan_element *x, const uint32_t *chunk, scan_heads heads,
                                 uint32_t items, size_t at, SCAN_OP_PARAMS) {
  const uint32_t chains = scan_chunk_chains(items, SCAN_OP);
  const uint32_t length = items / chains;
  scan_element sum[SCAN_CHAINS_MOST];
  SCAN_UNROLL_
  for (uint32_t k = 0; k < chains; k++)
    scan_chunk_take(&sum[k], chunk, scan_place(k * length, items, SCAN_OP), true, at, SCAN_OP);
  /* Invariant: sum[k] holds i elements of part k, from the last start on. */
  SCAN_UNROLL_
  for (uint32_t i = 1; i < length; i++) {
    SCAN_UNROLL_
    for (uint32_t k = 0; k < chains; k++) {
      const uint32_t index = k * length + i;
      scan_element next;
      scan_chunk_take(&next, chunk, scan_place(index, items, SCAN_OP), true, at, SCAN_OP);
      scan_follow_settled(&sum[k], &next, scan_head(heads, index), SCAN_OP);
    }
  }
  scan_element_copy(x, &sum[0], SCAN_OP);
  SCAN_UNROLL_
  for (uint32_t k = 1; k < chains; k++) scan_append(x, &sum[k], SCAN_OP);
}

/* Whether the fold group leaves what a chunk folds to. It does so in place of the chunk's last
 * element, of which a scan needs nothing else; but a fused one stores what it makes of it. */
SCAN_DEVICE bool scan_chunks_left(SCAN_OP_PARAMS) { return SCAN_CHUNKS_LEFT_(op_widest); }

/* x[r] = the elements of the lane's chunk of row r, from the last start on. */
SCAN_DEVICE void scan_rows_fold(scan_element *x, const scan_span *span, const scan_heads *heads,
                                scan_rows rows, SCAN_OP_PARAMS) {
  SCAN_UNROLL_
  for (uint32_t r = 0; r < rows.rows; r++) {
    const uint32_t *chunk = &span->word[scan_span_row(rows, r, SCAN_OP)];
    if (scan_chunks_left(SCAN_OP))
      scan_chunk_get(&x[r], chunk, scan_place(rows.items - 1, rows.items, SCAN_OP), true, SCAN_OP);
    else
      scan_chunk_fold(&x[r], chunk, heads[r], rows.items, scan_rows_at(rows, r, SCAN_OP), SCAN_OP);
  }
}

/* The same, where the fold group left it. */
SCAN_DEVICE void scan_rows_folded(scan_element *x, scan_rows rows, SCAN_OP_PARAMS) {
  SCAN_UNROLL_
  for (uint32_t r = 0; r < rows.rows; r++)
    scan_element_read(&x[r],
                      scan_rows_chunk(rows, r, scan_lane(), SCAN_OP) +
                          scan_place(rows.items - 1, rows.items, SCAN_OP) * op_size,
                      SCAN_OP);
}

/* Then x[r] = all elements of the warp's rows up to the end of the lane's chunk of row r, back to
 * the last start. Returns in which rows there is one, bits. */
SCAN_DEVICE uint32_t scan_rows_scan(scan_element *x, const scan_heads *heads, scan_rows rows,
                                    SCAN_OP_PARAMS) {
  uint32_t starts[SCAN_BATCHES_MOST]; /* the lanes with a start in their chunk of the row */
  uint32_t started = 0;
  SCAN_UNROLL_
  for (uint32_t r = 0; r < rows.rows; r++) {
    starts[r] = scan_starts(heads[r] != 0, SCAN_OP);
    started |= starts[r] != 0 ? 1u << r : 0;
  }
  scan_warp_scan_batches(x, rows.rows, starts, SCAN_WARP_THREADS, true, SCAN_OP);
  /* Invariant: row r - 1 holds what comes before row r, too. */
  SCAN_UNROLL_
  for (uint32_t r = 1; r < rows.rows; r++) {
    scan_element before;
    scan_element_copy(&before, &x[r - 1], SCAN_OP);
    scan_shuffle_from(before.word, scan_element_words(SCAN_OP), SCAN_WARP_THREADS - 1);
    if (scan_starts_through(starts[r]) == 0) scan_prepend(&x[r], &before, SCAN_OP);
  }
  return started;
}

/* Moves every element of a chunk of `bytes` to the next place along the scan; the last is lost, the
 * first is nothing yet. */
SCAN_DEVICE void scan_chunk_shift(uint32_t *chunk, uint32_t bytes, SCAN_OP_PARAMS) {
  const uint32_t words = scan_chunk_words(bytes);
  if (op_reverse) {
    SCAN_UNROLL_
    for (uint32_t i = 0; i + op_size / 4 < words; i++)
      chunk[i] = scan_funnel(chunk[i + op_size / 4],
                             op_size % 4 != 0 ? chunk[i + op_size / 4 + 1] : 0, op_size % 4 * 8);
  } else {
    const uint32_t far = (op_size + 3) / 4; /* words to where a word's lowest byte comes from */
    SCAN_UNROLL_
    for (uint32_t i = words - 1; i >= far; i--)
      chunk[i] = scan_funnel(chunk[i - far], chunk[i - far + 1], (far * 4 - op_size) * 8);
    chunk[far - 1] = chunk[0] << (op_size % 4 * 8);
  }
}

/* What a scan gives at each element. */
typedef struct {
  bool exclusive;
  bool reduces;                 /* nothing: no results are wanted */
  bool seeded;                  /* every segment is, a segmented scan's */
  const void *seed;             /* of those, the client's */
  const scan_element *identity; /* what an exclusive scan begins with otherwise */
  uint32_t zero; /* the call's: a word xor this is new to nvcc, and to the assembler, which sees
                    through scan_word_settle */
} scan_form;

/* Puts the identity where segments start in a chunk of 1- or 2-byte elements, a word at a time. */
SCAN_DEVICE void scan_chunk_identities(uint32_t *chunk, scan_heads heads, uint32_t items,
                                       const scan_element *identity, SCAN_OP_PARAMS) {
  const uint32_t of_word = 4 / op_size;
  const uint32_t each = op_size == 1 ? 0x01010101 : 0x00010001;   /* the lowest bit of each */
  const uint32_t spread = op_size == 1 ? 0x00204081 : 0x00008001; /* bit i to the i-th's */
  const uint32_t ones = (1u << op_size * 8) - 1;
  const uint32_t full = (identity->word[0] & ones) * each;
  SCAN_UNROLL_
  for (uint32_t i = 0; i < items; i += of_word) {
    const uint32_t word = scan_place(i, items, SCAN_OP) / of_word;
    uint32_t starts = (uint32_t)(heads >> i) & ((1u << of_word) - 1);
    uint32_t mask;
    if (op_reverse) starts = scan_reverse_bits(starts) >> (32 - of_word);
    mask = (starts * spread & each) * ones;
    chunk[word] = (chunk[word] & ~mask) | (full & mask);
  }
}

/* What else there is in a chunk of scanned segments: their seed, and what an exclusive scan gives
 * where they start. */
SCAN_DEVICE void scan_chunk_begin(uint32_t *chunk, scan_heads heads, uint32_t items, scan_form form,
                                  SCAN_OP_PARAMS) {
  if (op_size <= 2 && items % (4 / op_size) == 0 && !form.seeded) {
    scan_chunk_identities(chunk, heads, items, form.identity, SCAN_OP);
    return;
  }
  SCAN_UNROLL_
  for (uint32_t i = 0; i < items; i++) {
    const uint32_t place = scan_place(i, items, SCAN_OP);
    const bool begins = form.exclusive && scan_head(heads, i);
    scan_element x;
    scan_chunk_get(&x, chunk, place, false, SCAN_OP);
    if (form.seeded && begins) {
      scan_element_read(&x, form.seed, SCAN_OP);
    } else if (form.seeded) {
      /* Read anew: what is kept for this would be moved about in every scan. */
      scan_element seed;
      scan_element_read(&seed, form.seed, SCAN_OP);
      scan_prepend(&x, &seed, SCAN_OP);
    } else if (begins) {
      scan_element_copy(&x, form.identity, SCAN_OP);
    }
    scan_chunk_put(chunk, place, &x, SCAN_OP);
  }
}

/* Where elements are halves of words, or a few of them: what follows running, the i-th as just
 * given, waits until words are whole. Else nvcc leaves all results in registers of their own, to be
 * put together in the end, which a long chunk has too many of. */
SCAN_DEVICE void scan_halves_join(scan_element *running, uint32_t *chunk, uint32_t i,
                                  uint32_t items, uint32_t zero, SCAN_OP_PARAMS) {
  if (op_size == 2) {
    const uint32_t place = scan_place(i, items, SCAN_OP);
    uint32_t *word = &chunk[place / 2];
    if (op_segmented || items <= 16 || place % 2 == (op_reverse ? 1 : 0)) return;
    *word ^= zero;
    running->word[0] = op_reverse ? *word & 0xffff : *word >> 16;
  } else if (op_size <= 8 && op_alignment == 2) {
    SCAN_UNROLL_
    for (uint32_t w = 0; w < scan_element_words(SCAN_OP); w++) running->word[w] ^= zero;
  }
}

/* Puts what a scan gives at the element that comes i-th along it: of a fused one what store makes
 * of that and of the chunk as it came in, whose lowest element is the at-th. */
SCAN_DEVICE void scan_chunk_give(uint32_t *chunk, uint32_t i, uint32_t items,
                                 const scan_element *given, const uint32_t *came, size_t at,
                                 bool reduces, SCAN_OP_PARAMS) {
  if (op_store != NULL) {
    const uint32_t place = scan_place(i, items, SCAN_OP);
    scan_element in, out;
    if (reduces) return;
    scan_chunk_get(&in, came, place, false, SCAN_OP_IN);
    op_store(&out, given, &in, at + place);
    scan_chunk_put_next(chunk, i, items, &out, SCAN_OP_OUT);
  } else {
    scan_chunk_put_next(chunk, i, items, given, SCAN_OP);
  }
}

/* Turns a chunk as it came in, whose lowest element is the at-th, into what its scan gives, after
   what `running` holds: all before it if *any, else the identity. Ends with all up to its last
   element, back to the last start, in running. `last` is what that will be, or NULL where it is not
   known yet. */
SCAN_DEVICE void scan_chunk_scan(uint32_t *chunk, scan_heads heads, scan_element *running,
                                 bool *any, uint32_t items, size_t at, const scan_element *last,
                                 scan_form form, SCAN_OP_PARAMS) {
  const bool fused = op_load != NULL;
  /* An exclusive scan of up to 8 bytes is the inclusive one, moved by a place; what begins a
   * segment is put right below. */
  const bool moves = op_size <= 8 && !fused;
  /* Elements of no whole words are taken from the words as they came: else nvcc takes them from
   * what others have been put into. So are those that come in for others than go out. */
  const bool apart = op_size % 4 != 0 || fused;
  uint32_t came[SCAN_SPAN_BYTES_MOST / 4 + 1];
  scan_element before, next, given;
  SCAN_UNROLL_
  for (uint32_t i = 0; i < scan_chunk_words(items * op_in_size) + 1; i++)
    came[i] = apart ? chunk[i] : 0;
  if (fused) {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < scan_chunk_words(items * op_out_size); i++) chunk[i] = 0;
  }
  scan_element_copy(&before, running, SCAN_OP);
  /* Invariant: running holds all before place i. */
  SCAN_UNROLL_
  for (uint32_t i = 0; i < items; i++) {
    const uint32_t place = scan_place(i, items, SCAN_OP);
    if (last != NULL && i == items - 1) {
      scan_element_copy(&next, last, SCAN_OP);
    } else {
      scan_chunk_take(&next, apart ? came : chunk, place, false, at, SCAN_OP);
      if ((i > 0 || *any) && !scan_head(heads, i)) {
        scan_prepend(&next, running, SCAN_OP);
        scan_element_settle_segmented(&next, SCAN_OP);
      }
    }
    scan_element_select(&given, form.exclusive && !moves, running, &next, SCAN_OP);
    scan_chunk_give(chunk, i, items, &given, came, at, form.reduces, SCAN_OP);
    scan_element_copy(running, &next, SCAN_OP);
    if (!fused) scan_halves_join(running, chunk, i, items, form.zero, SCAN_OP);
  }
  *any = true;
  if (moves && form.exclusive) {
    scan_chunk_shift(chunk, items * op_size, SCAN_OP);
    scan_chunk_put(chunk, scan_place(0, items, SCAN_OP), &before, SCAN_OP);
  }
  if (op_segmented && (form.exclusive || form.seeded))
    scan_chunk_begin(chunk, heads, items, form, SCAN_OP);
}

/* last = what the lane's chunk ends with: `through`, after the prefix if that joins the row and no
 * start cuts it off. */
SCAN_DEVICE void scan_row_last(scan_element *last, const scan_element *through,
                               const scan_element *prefix, bool joins, uint32_t starts,
                               SCAN_OP_PARAMS) {
  scan_element_copy(last, through, SCAN_OP);
  if (joins && scan_starts_through(starts) == 0) scan_prepend(last, prefix, SCAN_OP);
}

/* Turns the lane's chunk of row r into its scan after `prefix`, if `any`; it joins the row if
   `joins`, which ends as whether it joins the next. through: what scan_rows_scan made of row r, and
   before: of the row before it, if there is one. */
SCAN_DEVICE void scan_row_finish(uint32_t *chunk, uint32_t r, const scan_element *before,
                                 const scan_element *through, scan_heads heads,
                                 const scan_element *prefix, bool any, bool *joins, scan_form form,
                                 scan_rows rows, SCAN_OP_PARAMS) {
  const uint32_t lane = scan_lane();
  const uint32_t starts = scan_starts(heads != 0, SCAN_OP);
  scan_element running, last;
  bool any_running = any || r > 0 || lane > 0;
  /* What comes before the chunk: the prefix and what the chunk before holds, which for lane 0 is
   * the last lane's of the row before. The prefix joins that and what the chunk ends with beside
   * each other; wide elements have no registers for both, and are handed on joined. */
  const bool joined = !scan_chunks_left(SCAN_OP);
  if (joined) scan_row_last(&last, through, prefix, *joins, starts, SCAN_OP);
  scan_element_select(&running, lane == SCAN_WARP_THREADS - 1, before, joined ? &last : through,
                      SCAN_OP);
  scan_shuffle_from(running.word, scan_element_words(SCAN_OP),
                    (lane + SCAN_WARP_THREADS - 1) % SCAN_WARP_THREADS);
  if (r == 0 && lane == 0)
    scan_element_select(&running, any, prefix, form.identity, SCAN_OP);
  else if (*joins && (joined ? lane == 0 : scan_starts_before(starts) == 0))
    scan_prepend(&running, prefix, SCAN_OP);
  if (!joined) scan_row_last(&last, through, prefix, *joins, starts, SCAN_OP);
  scan_chunk_scan(chunk, heads, &running, &any_running, rows.items, scan_rows_at(rows, r, SCAN_OP),
                  &last, form, SCAN_OP);
  *joins = *joins && starts == 0;
}

/* Turns the span into its scan after `prefix`, if `any`. x is what scan_rows_scan made it. */
SCAN_DEVICE void scan_rows_finish(scan_span *span, const scan_element *x, const scan_heads *heads,
                                  const scan_element *prefix, bool any, scan_form form,
                                  scan_rows rows, SCAN_OP_PARAMS) {
  bool joins = any;
  SCAN_UNROLL_
  for (uint32_t r = 0; r < rows.rows; r++) {
    uint32_t *chunk = &span->word[scan_span_row(rows, r, SCAN_OP)];
    /* Where the group itself folded the chunk nvcc would keep the sums, which are the scan's where
     * nothing comes before it, or the bytes and halves of its words, and spill. */
    const uint32_t kept = scan_chunks_left(SCAN_OP) ? 0 : scan_chunk_words(rows.bytes);
    SCAN_UNROLL_
    for (uint32_t i = 0; i < kept; i++) {
      if (op_alignment % 4 == 0)
        scan_word_settle(&chunk[i]);
      else
        chunk[i] ^= form.zero;
    }
    scan_row_finish(chunk, r, &x[r > 0 ? r - 1 : 0], &x[r], heads[r], prefix, any, &joins, form,
                    rows, SCAN_OP);
  }
}

#endif /* SCAN_KERNELS_ */

#endif
