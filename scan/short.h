/* A short tile: from device memory to registers and back, in one group of warps, by way of shared
   memory but where each thread has one chunk of whole words, or one element. Nothing is overlapped,
   so a tile has the least latency; while there are few, each looks back over all before it by
   itself.

   Each warp of a tile has a row: of chunks, of which all are whole, or, in a small input and at the
   end of any, of single elements, one a lane. */
#ifndef SCAN_SHORT_H
#define SCAN_SHORT_H

#include "scan/call.h"
#include "scan/thread.h"

/* Shared memory through which a warp moves its elements, in and out: its chunks, up to 15 bytes
   that they are off 16-byte alignment, and 16 around them that a lane may read. */
#define SCAN_SHORT_MOVED_BYTES_(size, chunks) \
  (SCAN_SHORT_ITEMS_(size) * (chunks)*SCAN_WARP_THREADS * (uint32_t)(size) + 48)
/* And, before both, what tells where its segments start, then where they do. */
#define SCAN_SHORT_EXTENT_BYTES ((sizeof(scan_extent) + 15) / 16 * 16)
#define SCAN_SHORT_BITS_BYTES_(size, chunks) \
  ((SCAN_HEADS_WORDS_(SCAN_SHORT_ITEMS_(size) * (chunks)*SCAN_WARP_THREADS) * 4 + 15) / 16 * 16)
#define SCAN_SHORT_HEADS_BYTES_(size, chunks, segmented) \
  ((segmented) ? SCAN_SHORT_EXTENT_BYTES + SCAN_SHORT_BITS_BYTES_(size, chunks) : 0)
#define SCAN_SHORT_WARP_BYTES_(size, chunks, segmented) \
  (SCAN_SHORT_HEADS_BYTES_(size, chunks, segmented) + 2 * SCAN_SHORT_MOVED_BYTES_(size, chunks))

/* Bytes of a chunk of elements of `size` bytes, cut by the widest. */
#define SCAN_SHORT_BYTES_(widest, size) (SCAN_SHORT_ITEMS_(widest) * (uint32_t)(size))
/* What chunks of so many that go straight between memory and registers must be aligned to, or 0
   where none do: those of whole vectors, or of up to three words. */
#define SCAN_SHORT_STRAIGHT_(bytes) \
  ((bytes) % 16 == 0 ? 16u : (bytes) % 4 == 0 && (bytes) < 16 ? 4u : 0u)
/* Bytes of an element whose chunks do so, at most, but in a tile that is alone: of many tiles each
 * thread would write a part of many lines. */
#define SCAN_SHORT_STRAIGHT_MOST 32
/* Whether the flags of 32 bits of a chunk would be many lines for a thread. */
#define SCAN_SHORT_FLAGS_MANY_(size) \
  (SCAN_SHORT_ITEMS_(size) > 8 && SCAN_SHORT_ITEMS_(size) % 4 == 0)
/* Segments of the widest elements leave no registers for what is known of a tile while it looks
   back, nor do the widest that four warps conduct: it is worked out anew. */
#define SCAN_SHORT_FORGETS_(size, segmented) \
  ((segmented) ? (size) > SCAN_SHORT_STRAIGHT_MOST : (size) >= 48 && (size) <= 52)

#ifdef SCAN_KERNELS_

/* What the warps of a group leave each other, in shared memory. */
typedef struct {
  scan_ticket ticket;
  scan_element seed;
  /* A warp each, and one; where there may be more warps, elements are narrow. */
  uint32_t totals[(SCAN_SPREAD_WARPS_MOST + 1) * SCAN_TOTAL_WORDS_MOST];
  uint32_t looked[SCAN_SPREAD_WARPS_MOST * SCAN_TOTAL_WORDS_MOST];
} scan_short_scratch;

/* `bytes` bytes on their way between device memory and shared memory, which are alike modulo 16.
 * What is brought is there after scan_vectors_brought and a barrier of the warp; up to 15 bytes
 * behind it are lost. */
SCAN_DEVICE void scan_short_bring(void *shared, const void *from, uint32_t bytes) {
  scan_edges edges = scan_edges_of(from, bytes);
  SCAN_ROLL_
  for (uint32_t at = edges.head + scan_lane() * 16; at < bytes; at += SCAN_WARP_THREADS * 16)
    scan_vector_bring(SCAN_AT_(shared, at), SCAN_AT_CONST_(from, at), scan_left(bytes, at, 16));
  edges.tail = 0;
  scan_edges_move(shared, from, edges);
}
SCAN_DEVICE void scan_short_put(void *to, const void *shared, uint32_t bytes) {
  const scan_edges edges = scan_edges_of(to, bytes);
  SCAN_ROLL_
  for (uint32_t at = edges.head + scan_lane() * 16; at < edges.head + edges.body;
       at += SCAN_WARP_THREADS * 16) {
    uint32_t vector[4];
    scan_vector_load(vector, SCAN_AT_CONST_(shared, at));
    scan_vector_store(SCAN_AT_(to, at), vector);
  }
  scan_edges_move(to, shared, edges);
}

/* Whether chunks of so many bytes are whole vectors and have a loop of their own where they lie on
 * such: not where a thread has one, which goes straight then, and more code would be slower. */
SCAN_DEVICE bool scan_short_vectors(uint32_t bytes, SCAN_OP_PARAMS) {
  return bytes % 16 == 0 &&
         (SCAN_SHORT_CHUNKS_(op_widest) > 1 || op_widest > SCAN_SHORT_STRAIGHT_MOST);
}

/* Which chunk of its row a thread has first: chunks from the lowest. */
SCAN_DEVICE uint32_t scan_short_chunk(const scan_call *call, SCAN_OP_PARAMS) {
  return scan_place(scan_lane() * call->chunks, call->chunks * SCAN_WARP_THREADS, SCAN_OP);
}

/* sum = the `mine` elements of a thread that lie in shared memory, in chunks from the one on that
   comes first along the scan, back to their last start; returns whether there is one. That chunk
   begins at `place` of the row, whose first place is the at-th element's: bits from there on tell
   where segments start. Chunks that are whole vectors have all one offset: where it is a constant,
   the loop has no branch for it. */
SCAN_DEVICE bool scan_short_fold(scan_element *sum, uint32_t *words, const unsigned char *chunk,
                                 uint32_t offset, uint32_t mine, const uint32_t *bits,
                                 uint32_t place, size_t at, SCAN_OP_PARAMS) {
  const uint32_t items = SCAN_SHORT_ITEMS_(op_widest);
  const uint32_t bytes = items * op_in_size;
  const int32_t step = op_reverse ? -1 : 1;
  bool any = false;
  bool starts = false;
  /* Invariant: sum is the chunks so far, back to their last start. */
  SCAN_ROLL_
  for (uint32_t left = mine; left != 0; left -= items) {
    uint32_t heads;
    scan_element x;
    scan_chunk_load(words, chunk, scan_chunk_offset(chunk, offset, bytes), bytes, SCAN_OP);
    heads = (uint32_t)scan_heads_of(bits, place, items, SCAN_OP);
    scan_chunk_fold(&x, words, heads, items, at + place, SCAN_OP);
    scan_follow_first(sum, &any, &x, heads != 0, SCAN_OP);
    starts = starts || heads != 0;
    chunk += step * (ptrdiff_t)bytes;
    place += (uint32_t)step * items;
  }
  return starts;
}

/* Scans them onto what comes before, into chunks from `to` on: these, too, have one offset. */
SCAN_DEVICE void scan_short_scan(unsigned char *to, uint32_t to_offset, uint32_t *words,
                                 const unsigned char *chunk, uint32_t offset, uint32_t mine,
                                 const uint32_t *bits, uint32_t place, size_t at,
                                 scan_element *before, bool *any, scan_form form, SCAN_OP_PARAMS) {
  const uint32_t items = SCAN_SHORT_ITEMS_(op_widest);
  const uint32_t bytes = items * op_in_size;
  const uint32_t to_bytes = items * op_out_size;
  const int32_t step = op_reverse ? -1 : 1;
  /* Invariant: before is all that comes before the chunk, back to the last start, if there is any.
   */
  SCAN_ROLL_
  for (uint32_t left = mine; left != 0; left -= items) {
    uint32_t heads;
    scan_chunk_load(words, chunk, scan_chunk_offset(chunk, offset, bytes), bytes, SCAN_OP);
    heads = (uint32_t)scan_heads_of(bits, place, items, SCAN_OP);
    scan_chunk_scan(words, heads, before, any, items, at + place, NULL, form, SCAN_OP);
    scan_chunk_store(to, scan_chunk_offset(to, to_offset, to_bytes), words, to_bytes);
    chunk += step * (ptrdiff_t)bytes;
    to += step * (ptrdiff_t)to_bytes;
    place += (uint32_t)step * items;
  }
}

/* What short tiles ask of a call, and the answers in one word; above them stands how late a tile's
   first look is, in cycles. */
enum {
  scan_short_last_ = 1,       /* the tile is the last */
  scan_short_empty_ = 2,      /* the input is empty */
  scan_short_exclusive_ = 4,  /* the scan is exclusive */
  scan_short_seeded_ = 8,     /* it has a seed */
  scan_short_begins_ = 16,    /* and that comes before the short tiles */
  scan_short_reduces_ = 32,   /* it is a reduction */
  scan_short_gathers_ = 64,   /* or gives a value a segment */
  scan_short_flags_ = 128,    /* its segments are told by flags */
  scan_short_wide_ = 256,     /* of 32 bits */
  scan_short_offsets_ = 512,  /* or by offsets */
  scan_short_straight_ = 1024 /* chunks need not pass through shared memory */
};
#define SCAN_SHORT_LATE_SHIFT 16

/* Where many look, first looks would be in vain, and looks in vain keep back what all look for: so
   these are late. By offsets rows differ in when they come to look, and tiles of the most warps
   come late by themselves (bench/NOTES.md). */
SCAN_HOST_ uint32_t scan_short_late(const scan_call *call, bool offsets) {
  const uint32_t rows = call->short_tiles * call->warps;
  if (call->tiles != 0 || call->warps >= SCAN_SPREAD_WARPS_MOST ||
      rows <= (offsets ? SCAN_LATE_ABOVE_OFFSETS : SCAN_LATE_ABOVE))
    return 0;
  return call->short_tiles <= SCAN_SHORT_WAVE ? SCAN_LATE_CYCLES : SCAN_LATE_CYCLES_WAVES;
}

SCAN_HOST_ uint32_t scan_short_answer_(bool yes, uint32_t asked) { return yes ? asked : 0; }
/* All but the first, in which tiles differ: on the host, since a word of the call that is read
   where it is asked for takes a step there that everything waits for (bench/NOTES.md). */
SCAN_HOST_ uint32_t scan_short_answers(const scan_call *call, bool straight) {
  const bool told = call->segments.memory != NULL;
  const bool flags = told && SCAN_SEGMENTS_FLAGS_(call->segments.kind);
  const bool wide = flags && call->segments.kind == scan_segments_flags32_;
  const bool offsets = told && SCAN_SEGMENTS_OFFSETS_(call->segments.kind);
  const bool seeded = call->seed != NULL;
  return scan_short_answer_(call->n == 0, scan_short_empty_) |
         scan_short_answer_(call->exclusive, scan_short_exclusive_) |
         scan_short_answer_(seeded, scan_short_seeded_) |
         scan_short_answer_(seeded && call->tiles == 0, scan_short_begins_) |
         scan_short_answer_(call->out == NULL, scan_short_reduces_) |
         scan_short_answer_(call->gathers, scan_short_gathers_) |
         scan_short_answer_(flags, scan_short_flags_) | scan_short_answer_(wide, scan_short_wide_) |
         scan_short_answer_(offsets, scan_short_offsets_) |
         scan_short_answer_(straight, scan_short_straight_) |
         scan_short_late(call, offsets) << SCAN_SHORT_LATE_SHIFT;
}

/* The row of a warp, and what a thread has of it: a chunk or single element, or several chunks. */
typedef struct {
  bool single;           /* its chunks are single elements */
  bool straight;         /* its chunks go straight between device memory and registers */
  bool gathers;          /* its results stay here: of each segment one goes to device memory */
  uint32_t warp;         /* whose it is */
  uint32_t own;          /* elements of a thread that has all of its own */
  uint32_t first;        /* where its elements begin in the rest, along the scan */
  uint32_t here;         /* elements that it has */
  uint32_t mine;         /* elements that the thread has */
  uint32_t unused;       /* places before them: in a reverse scan they lie at the end of the row */
  uint32_t from;         /* the lowest of them, from the lowest of the rest on */
  size_t lowest;         /* and in the array */
  uint32_t own_first;    /* the lowest place in the row of the thread's only chunk or element */
  const void *own_in;    /* where it lies */
  void *own_out;         /* and goes, if it goes straight */
  uint32_t asked;        /* the answers, those of the tile among them */
  uint32_t releases;     /* not 0: the thread releases what follows the grid */
  uint32_t threads;      /* of the tile */
  uint32_t index;        /* of the tile among the short ones */
  scan_slots copy;       /* of the status words, the lane's */
  unsigned char *memory; /* the warp's shared memory */
} scan_short_row;

/* Bytes from an array of elements of `size` bytes to the row's first place there, which may lie
 * before it; and from the rest's first to the thread's only chunk or element. */
SCAN_DEVICE ptrdiff_t scan_short_offset(const scan_short_row *row, uint32_t size) {
  return (ptrdiff_t)(row->lowest * size) - (ptrdiff_t)(row->unused * size);
}
SCAN_DEVICE ptrdiff_t scan_short_own_offset(const scan_short_row *row, uint32_t size) {
  return (ptrdiff_t)(int32_t)(row->from - row->unused + row->own_first) * (int32_t)size;
}
/* The indices of both; the first may wrap. */
SCAN_DEVICE size_t scan_short_at(const scan_short_row *row) { return row->lowest - row->unused; }
SCAN_DEVICE size_t scan_short_own_at(const scan_short_row *row) {
  return scan_short_at(row) + row->own_first;
}

/* The row of warp `warp` in short tile `tile`; memory: of all warps of the tile. What the code
   behind the wait would have to work out is worked out here, and what is the same in all tiles came
   from the host: small inputs take longer by both (bench/NOTES.md). */
SCAN_DEVICE scan_short_row scan_short_row_of(const scan_call *call, void *memory, uint32_t tile,
                                             uint32_t warp, scan_status status, SCAN_OP_PARAMS) {
  const uint32_t items = SCAN_SHORT_ITEMS_(op_widest);
  const uint32_t number = (tile - call->tiles) * call->warps + warp;
  const uint32_t chunked = SCAN_SINGLES_(op_widest) ? call->rest - call->singles : call->rest;
  scan_short_row row;
  uint32_t each;
  row.single = SCAN_SINGLES_(op_widest) && number >= call->rows;
  row.own = row.single ? 1 : items * call->chunks;
  each = row.own * SCAN_WARP_THREADS;
  row.warp = warp;
  row.first = row.single ? chunked + (number - call->rows) * each : number * each;
  row.here = scan_left(row.single ? call->rest : chunked, row.first, each);
  row.mine = scan_left(row.here, scan_lane() * row.own, row.own);
  row.from = op_reverse ? call->rest - row.first - row.here : row.first;
  row.lowest = call->rest_lowest + row.from;
  row.unused = op_reverse ? each - row.here : 0;
  row.gathers = op_segmented && !op_reverse && (call->answers & scan_short_gathers_) != 0 &&
                (row.here != 0 || (call->answers & scan_short_empty_) != 0);
  /* The answer implies the first two, which are constants: by them nvcc leaves the code out. */
  row.straight = SCAN_SHORT_STRAIGHT_(SCAN_SHORT_BYTES_(op_widest, op_in_size)) != 0 &&
                 SCAN_SHORT_STRAIGHT_(SCAN_SHORT_BYTES_(op_widest, op_out_size)) != 0 &&
                 (call->answers & scan_short_straight_) != 0 && !row.single;
  /* Of a lane without elements what the last one has: it reads that, so that no branch parts them;
     what it makes of it goes nowhere. */
  row.own_first =
      scan_lane() * row.own < row.here - row.own ? scan_lane() * row.own : row.here - row.own;
  if (op_reverse) row.own_first = each - row.own - row.own_first;
  row.own_in = SCAN_AT_CONST_(call->rest_in, scan_short_own_offset(&row, op_in_size));
  row.own_out = scan_memory_early(call->rest_out, scan_short_own_offset(&row, op_out_size));
  row.releases = call->tiles == 0 && warp == 0 && scan_lane() == 0;
  row.threads = call->warps * SCAN_WARP_THREADS;
  row.index = tile - call->tiles;
  row.asked = call->answers | (row.index + 1 == call->short_tiles ? (uint32_t)scan_short_last_ : 0);
  row.copy = scan_shorts_copy(status, scan_lane() % SCAN_SHORT_COPIES, SCAN_OP);
  if (!SCAN_SHORT_FORGETS_(op_widest, op_segmented)) {
    row.releases = scan_word_early(row.releases);
    row.threads = scan_word_early(row.threads);
    row.asked = scan_word_early(row.asked);
    row.index = scan_word_early(row.index);
    row.copy.words = (uint64_t *)scan_memory_early(row.copy.words, 0);
  }
  row.memory = (unsigned char *)memory + warp * call->warp_bytes;
  return row;
}

/* Whether what is asked of the call is so. */
SCAN_DEVICE bool scan_short_is(const scan_short_row *row, uint32_t what) {
  return (row->asked & what) != 0;
}

/* Whether it reduces: in reverse nothing does, nor do segments. The widest elements leave no
 * register in which that would be kept, before sm_90. */
SCAN_DEVICE bool scan_short_reduces(const scan_call *call, const scan_short_row *row,
                                    SCAN_OP_PARAMS) {
  if (op_widest > SCAN_SHORT_STRAIGHT_MOST) return scan_call_reduces(call, SCAN_OP);
  return !op_reverse && !op_segmented && scan_short_is(row, scan_short_reduces_);
}

/* Its shared memory: what tells where segments start, and bits of where they do; or, where no
   elements pass, marks, bytes that tell it. */
SCAN_DEVICE scan_extent *scan_short_extent(const scan_short_row *row) {
  return (scan_extent *)(void *)row->memory;
}
SCAN_DEVICE uint8_t *scan_short_marks(const scan_short_row *row) {
  return row->memory + SCAN_SHORT_EXTENT_BYTES;
}
SCAN_DEVICE uint32_t *scan_short_bits(const scan_short_row *row) {
  return (uint32_t *)(void *)scan_short_marks(row);
}

/* Then what elements pass through, in, the first, and out, the second; and where the row's first
   place lies there. */
SCAN_DEVICE unsigned char *scan_short_moved(const scan_call *call, const scan_short_row *row,
                                            uint32_t which, SCAN_OP_PARAMS) {
  return row->memory + SCAN_SHORT_HEADS_BYTES_(op_widest, call->chunks, op_segmented) +
         which * SCAN_SHORT_MOVED_BYTES_(op_widest, call->chunks);
}
SCAN_DEVICE unsigned char *scan_short_in(const scan_call *call, const scan_short_row *row,
                                         SCAN_OP_PARAMS) {
  return scan_short_moved(call, row, 0, SCAN_OP) + 16 +
         ((uint32_t)(uintptr_t)call->rest_in + (row->from - row->unused) * op_in_size) % 16;
}
SCAN_DEVICE unsigned char *scan_short_results(const scan_call *call, const scan_short_row *row,
                                              SCAN_OP_PARAMS) {
  return scan_short_moved(call, row, 1, SCAN_OP) + 16 +
         ((uintptr_t)call->like + (uintptr_t)scan_short_offset(row, op_out_size)) % 16;
}

/* Before a warp reads anything: waits for the grid before, with what is to be read worked out, and
   where there is no pipeline releases what follows. */
SCAN_DEVICE void scan_short_begin(const scan_short_row *row, uint32_t settled, uint32_t count,
                                  const void *other) {
  scan_grid_wait(count, row->own_in, other);
  if (row->releases) scan_grid_release(settled);
}

/* Asks for the thread's only element, into *x, or chunk, into words. */
SCAN_DEVICE void scan_short_ask(scan_element *x, uint32_t *words, const scan_short_row *row,
                                SCAN_OP_PARAMS) {
  if (row->here == 0) return;
  if (row->single)
    scan_element_read(x, row->own_in, SCAN_OP_IN);
  else
    scan_words_take(words, row->own_in, SCAN_SHORT_BYTES_(op_widest, op_in_size));
}

/* ---- how a thread learns of its elements, of their sum, back to the last start, and of the starts
   in its only chunk or element, *heads. The way of each kind stands in one piece, from the wait on:
   code that lies far off is fetched late (bench/NOTES.md). */

/* In its one chunk or element a thread finds by itself where segments start; not by offsets, nor by
   many flags of 32 bits: there the warp does, as in more chunks. Offsets are asked of the call:
   nvcc puts this way last where it finds them among the answers, and it would be slower by up to a
   twentieth (bench/NOTES.md). */
SCAN_DEVICE bool scan_short_tells(const scan_call *call, const scan_short_row *row,
                                  SCAN_OP_PARAMS) {
  return op_segmented && (row->single || row->straight) &&
         !SCAN_SEGMENTS_OFFSETS_(call->segments.kind) &&
         (row->single || !SCAN_SHORT_FLAGS_MANY_(op_widest) ||
          !scan_short_is(row, scan_short_wide_));
}
SCAN_DEVICE void scan_short_tell(scan_element *sum, uint32_t *words, uint32_t *heads,
                                 const scan_call *call, const scan_short_row *row, uint32_t settled,
                                 SCAN_OP_PARAMS) {
  const uint32_t items = SCAN_SHORT_ITEMS_(op_widest);
  uint32_t told[32];
  scan_teller teller = scan_segments_teller(&call->segments, scan_short_own_at(row),
                                            row->single ? 1 : items, call->n, SCAN_OP);
  /* By what is at hand: nvcc would ask the call again behind the wait. */
  teller.flags = scan_short_is(row, scan_short_flags_);
  teller.wide = scan_short_is(row, scan_short_wide_);
  told[0] = 0; /* it is set where it is used, but gcc does not see that */
  scan_short_begin(row, settled, row->mine, teller.from);
  if (row->single) {
    if (row->mine != 0) {
      scan_element_read(sum, row->own_in, SCAN_OP);
      scan_segments_tell(told, teller, 1, SCAN_OP);
      *heads = (uint32_t)scan_segments_heads(told, teller, 1, SCAN_OP);
    }
    scan_packed_put(words, 0, sum, SCAN_OP);
  } else if (row->mine != 0) {
    scan_words_take(words, row->own_in, items * op_size);
    scan_segments_tell(told, teller, items, SCAN_OP);
    *heads = (uint32_t)scan_segments_heads(told, teller, items, SCAN_OP);
    scan_chunk_fold(sum, words, *heads, items, scan_short_own_at(row), SCAN_OP);
  }
}

/* Where segments start in the `count` elements that a warp has, after `unused` places: a bit of
   each place, of offsets by way of `marks`, a byte of each. The first lane leaves in *extent which
   segments end there, but regular ones. */
SCAN_DEVICE void scan_short_heads(const scan_call *call, uint32_t *bits, uint8_t *marks,
                                  scan_extent *extent, size_t lowest, uint32_t count,
                                  uint32_t unused, SCAN_OP_PARAMS) {
  if (call->segments.kind < scan_segments_offsets_) {
    if (count != 0)
      scan_mark_told(bits, &call->segments, lowest - unused, unused, unused + count, call->n,
                     SCAN_OP);
  } else if (call->segments.kind != scan_segments_regular_) {
    const scan_look look =
        scan_look_around(&call->segments, &call->view, lowest, count, unused, SCAN_OP);
    scan_extent found;
    scan_marks_clear(marks, look.places);
    found = scan_look_all(marks, &look, &call->segments, &call->view);
    if (scan_lane() == 0) *extent = found;
    scan_warp_barrier();
    scan_marks_bits(bits, marks, look.places);
  } else {
    scan_segments regular = call->segments; /* a constant kind: all others' code goes */
    scan_extent found;
    regular.kind = scan_segments_regular_;
    found = scan_segments_extent(&regular, scan_found_nothing(&regular), 0, lowest, count, unused,
                                 false, call->n, SCAN_OP);
    scan_mark_regular(bits, &regular, found, SCAN_OP);
    scan_segments_finish(bits, found, call->n, SCAN_OP);
  }
  scan_warp_barrier();
}

/* Of a chunk or element whose starts the warp has marked. */
SCAN_DEVICE void scan_short_marked(scan_element *sum, uint32_t *words, uint32_t *heads,
                                   const scan_short_row *row, SCAN_OP_PARAMS) {
  const uint32_t items = SCAN_SHORT_ITEMS_(op_widest);
  if (row->single) {
    if (row->mine != 0)
      *heads = scan_heads_of_marks(scan_short_marks(row) + row->own_first, 1, SCAN_OP);
    scan_packed_put(words, 0, sum, SCAN_OP);
  } else if (row->mine != 0) {
    *heads = scan_heads_of_marks(scan_short_marks(row) + row->own_first, items, SCAN_OP);
    scan_chunk_fold(sum, words, *heads, items, scan_short_own_at(row), SCAN_OP);
  }
}

/* By those the warp marks. */
SCAN_DEVICE bool scan_short_flagged(const scan_short_row *row, SCAN_OP_PARAMS) {
  return op_segmented && SCAN_SHORT_FLAGS_MANY_(op_widest) && row->straight && row->here != 0 &&
         scan_short_is(row, scan_short_wide_);
}
SCAN_DEVICE void scan_short_flag(scan_element *sum, uint32_t *words, uint32_t *heads,
                                 const scan_call *call, const scan_short_row *row, uint32_t settled,
                                 SCAN_OP_PARAMS) {
  const size_t place = scan_short_at(row);
  scan_told told = scan_told_of(place, row->unused, row->unused + row->here, call->n, SCAN_OP);
  told.from = SCAN_AT_CONST_(call->segments.memory, (int64_t)(place + op_reverse) * 4);
  scan_short_begin(row, settled, row->mine, told.from);
  scan_short_ask(sum, words, row, SCAN_OP);
  scan_mark_flags32((uint32_t *)(void *)scan_short_marks(row), told, SCAN_SHORT_ITEMS_(op_widest));
  scan_warp_barrier();
  scan_short_marked(sum, words, heads, row, SCAN_OP);
}

/* By offsets, too. */
SCAN_DEVICE bool scan_short_near(const scan_short_row *row, SCAN_OP_PARAMS) {
  return op_segmented && (row->single || row->straight) && row->here != 0 &&
         scan_short_is(row, scan_short_offsets_);
}
/* With what was marked, and which segments may end there. */
SCAN_DEVICE void scan_short_looked(scan_element *sum, uint32_t *words, uint32_t *heads,
                                   const scan_short_row *row, scan_extent extent, SCAN_OP_PARAMS) {
  if (row->gathers && scan_lane() == 0) *scan_short_extent(row) = extent;
  scan_warp_barrier();
  scan_short_marked(sum, words, heads, row, SCAN_OP);
}
SCAN_DEVICE void scan_short_look(scan_element *sum, uint32_t *words, uint32_t *heads,
                                 const scan_call *call, const scan_short_row *row, uint32_t settled,
                                 SCAN_OP_PARAMS) {
  const scan_look look =
      scan_look_around(&call->segments, &call->view, row->lowest, row->here, row->unused, SCAN_OP);
  scan_looked looked;
  bool far;
  scan_marks_clear(scan_short_marks(row), SCAN_SHORT_ITEMS_(op_widest) * SCAN_WARP_THREADS);
  scan_short_begin(row, settled, row->mine, look.near[0]);
  scan_short_ask(sum, words, row, SCAN_OP);
  looked = scan_look_ask(&look);
  far = scan_look_mark(scan_short_marks(row), looked, &look);
  /* Twice, so that what most rows do lies in one piece; nvcc goes straight on with the latter. */
  if (!look.few || far)
    scan_short_looked(
        sum, words, heads, row,
        scan_look_rest(scan_short_marks(row), looked, far, &look, &call->segments, &call->view),
        SCAN_OP);
  else
    scan_short_looked(sum, words, heads, row, scan_look_extent(&look), SCAN_OP);
}

/* In all other cases, a plain scan's, too: elements that do not go straight come to shared memory.
   There may be several chunks: *heads is not 0 if a segment starts in them. */
SCAN_DEVICE void scan_short_fetch(scan_element *sum, uint32_t *words, uint32_t *heads,
                                  const scan_call *call, const scan_short_row *row,
                                  scan_element *seed, uint32_t tile, uint32_t settled,
                                  SCAN_OP_PARAMS) {
  const uint32_t items = SCAN_SHORT_ITEMS_(op_widest);
  const bool own = !op_segmented && (row->straight || row->single);
  unsigned char *in = scan_short_in(call, row, SCAN_OP);
  scan_short_begin(row, settled, own ? row->mine : row->here, NULL);
  /* The elements are on their way while it is found where segments start. */
  if (own) {
    scan_short_ask(sum, words, row, SCAN_OP);
  } else if (row->here != 0) {
    /* A later wave lets the one before it ask first. */
    if (tile - call->tiles >= SCAN_SHORT_WAVE)
      scan_delay((tile - call->tiles) / SCAN_SHORT_WAVE * row->own * op_in_size *
                 SCAN_SHORT_WAVE_CYCLES);
    scan_short_bring(in + row->unused * op_in_size,
                     SCAN_AT_CONST_(call->rest_in, row->from * op_in_size), row->here * op_in_size);
  }
  if (row->warp == 0 && scan_lane() == 0 && scan_short_is(row, scan_short_begins_) && !op_segmented)
    scan_call_seed(seed, call, SCAN_OP);
  /* An empty input has results of its own, here and below. */
  if (op_segmented && (row->here != 0 || scan_short_is(row, scan_short_empty_))) {
    /* Marks lie where results will. */
    scan_short_heads(call, scan_short_bits(row), scan_short_moved(call, row, 1, SCAN_OP),
                     scan_short_extent(row), row->lowest, row->here, row->unused, SCAN_OP);
  }
  /* What stands first is faster, the others slower, by up to a tenth (bench/NOTES.md). */
  if (row->here == 0) return;
  if (own && row->straight && row->mine != 0)
    scan_chunk_fold(sum, words, 0, items, scan_short_own_at(row), SCAN_OP);
  if (own && row->single) scan_packed_put(words, 0, sum, SCAN_OP_IN);
  if (own && row->single && op_load != NULL && row->mine != 0)
    scan_chunk_fold(sum, words, 0, 1, scan_short_own_at(row), SCAN_OP);
  if (!own) {
    const uint32_t bytes = items * op_in_size;
    const unsigned char *chunk = in + scan_short_chunk(call, SCAN_OP) * bytes;
    const uint32_t place = scan_short_chunk(call, SCAN_OP) * items;
    scan_vectors_brought();
    scan_warp_barrier();
    if (scan_short_vectors(bytes, SCAN_OP) && scan_offset(in) == 0)
      *heads = scan_short_fold(sum, words, chunk, 0, row->mine, scan_short_bits(row), place,
                               scan_short_at(row), SCAN_OP);
    else
      *heads = scan_short_fold(sum, words, chunk, scan_offset(in), row->mine, scan_short_bits(row),
                               place, scan_short_at(row), SCAN_OP);
  }
}

/* In the one of these ways that serves. */
SCAN_DEVICE void scan_short_sum(scan_element *sum, uint32_t *words, uint32_t *heads,
                                const scan_call *call, const scan_short_row *row,
                                scan_element *seed, uint32_t tile, uint32_t settled,
                                SCAN_OP_PARAMS) {
  if (scan_short_tells(call, row, SCAN_OP))
    SCAN_LATE_(scan_short_tell, sum, words, heads, call, row, settled, SCAN_OP);
  else if (scan_short_flagged(row, SCAN_OP))
    SCAN_LATE_(scan_short_flag, sum, words, heads, call, row, settled, SCAN_OP);
  else if (scan_short_near(row, SCAN_OP))
    SCAN_LATE_(scan_short_look, sum, words, heads, call, row, settled, SCAN_OP);
  else
    SCAN_LATE_(scan_short_fetch, sum, words, heads, call, row, seed, tile, settled, SCAN_OP);
}

/* ---- what comes out */

/* Scans what the thread has onto what comes before it, and brings it to device memory. */
SCAN_DEVICE void scan_short_finish(scan_element *before, bool *any, uint32_t *words, uint32_t heads,
                                   const scan_call *call, const scan_short_row *row,
                                   const scan_element *identity, SCAN_OP_PARAMS) {
  const uint32_t items = SCAN_SHORT_ITEMS_(op_widest);
  const uint32_t bytes = items * op_in_size;
  const uint32_t to_bytes = items * op_out_size;
  const scan_form form = scan_call_form(call, scan_short_is(row, scan_short_exclusive_),
                                        scan_short_is(row, scan_short_seeded_), identity, SCAN_OP);
  /* Which stands first decides how soon its code comes. A straight row is never single; that it is
   * asked nevertheless makes kernels shorter (bench/NOTES.md). */
  if (!row->single && row->straight) {
    if (row->mine != 0) {
      if (op_widest > SCAN_SHORT_STRAIGHT_MOST)
        scan_words_take(words, row->own_in, bytes); /* too many to keep */
      scan_chunk_scan(words, heads, before, any, items, scan_short_own_at(row), NULL, form,
                      SCAN_OP);
      if (row->gathers)
        scan_words_leave(scan_short_results(call, row, SCAN_OP) + row->own_first * op_out_size,
                         words, to_bytes);
      else if (!scan_short_reduces(call, row, SCAN_OP))
        scan_words_leave(row->own_out, words, to_bytes);
    }
  } else if (!row->single) {
    const unsigned char *in = scan_short_in(call, row, SCAN_OP);
    const unsigned char *chunk = in + scan_short_chunk(call, SCAN_OP) * bytes;
    unsigned char *out = scan_short_results(call, row, SCAN_OP);
    unsigned char *to = out + scan_short_chunk(call, SCAN_OP) * to_bytes;
    const uint32_t place = scan_short_chunk(call, SCAN_OP) * items;
    /* Both at once: nvcc spills where they are asked one after the other. */
    if (scan_short_vectors(bytes, SCAN_OP) && scan_short_vectors(to_bytes, SCAN_OP) &&
        ((uintptr_t)chunk | (uintptr_t)to) % 16 == 0)
      scan_short_scan(to, 0, words, chunk, 0, row->mine, scan_short_bits(row), place,
                      scan_short_at(row), before, any, form, SCAN_OP);
    else
      scan_short_scan(to, scan_offset(out), words, chunk, scan_offset(in), row->mine,
                      scan_short_bits(row), place, scan_short_at(row), before, any, form, SCAN_OP);
    if (!row->gathers && !scan_short_reduces(call, row, SCAN_OP) && row->here != 0) {
      scan_warp_barrier();
      scan_short_put(SCAN_AT_(call->rest_out, row->from * op_out_size),
                     out + row->unused * op_out_size, row->here * op_out_size);
    }
  } else if ((op_segmented || op_load != NULL ? row->mine : row->here) != 0) {
    /* A lane without an element goes with the others, so that no branch parts them, with the one
     * that it read and nothing before. But a fused scan stores each once, and what begins a segment
     * may not stand alone. */
    bool any_before = *any && row->mine != 0;
    scan_element x;
    scan_chunk_scan(words, heads, before, &any_before, 1, scan_short_own_at(row), NULL, form,
                    SCAN_OP);
    scan_chunk_get(&x, words, 0, false, SCAN_OP_OUT);
    if (row->gathers)
      scan_element_write(scan_short_results(call, row, SCAN_OP) + row->own_first * op_out_size, &x,
                         SCAN_OP_OUT);
    else if (row->mine != 0 && !scan_short_reduces(call, row, SCAN_OP))
      scan_element_write(row->own_out, &x, SCAN_OP_OUT);
  }
  if (row->gathers) {
    const unsigned char *out = scan_short_results(call, row, SCAN_OP);
    scan_segments regular = call->segments; /* a constant kind, as in scan_short_heads */
    scan_extent extent;
    regular.kind = scan_segments_regular_;
    scan_warp_barrier();
    extent = call->segments.kind == scan_segments_regular_
                 ? scan_segments_extent(&regular, scan_found_nothing(&regular), 0, row->lowest,
                                        row->here, 0, true, call->n, SCAN_OP)
                 : *scan_short_extent(row);
    scan_segments_gather(call->out, out, &call->segments, extent, identity, SCAN_GATHER_FEW_,
                         scan_lane(), SCAN_WARP_THREADS, call->n, SCAN_OP);
  }
}

/* Scans short tile `tile`, or folds it in a reduction; the last one writes the total. Called by the
   first warps of the block, which meet at `barrier` and share scratch and, a warp
   SCAN_SHORT_WARP_BYTES_, memory. Where there is no pipeline, releases what follows with `settled`
   of thread 0. */
SCAN_DEVICE void scan_short(const scan_call *call, scan_short_scratch *scratch, void *memory,
                            uint32_t tile, uint32_t settled, uint32_t warp, uint32_t barrier,
                            const scan_element *identity, scan_status status, SCAN_OP_PARAMS) {
  const uint32_t lane = scan_lane();
  const uint32_t warps = call->warps;
  scan_short_row row = scan_short_row_of(call, memory, tile, warp, status, SCAN_OP);
  const bool last = scan_short_is(&row, scan_short_last_);
  const bool follows = row.mine != 0 && (warp != 0 || lane != 0); /* others inside the tile */
  uint32_t words[SCAN_SPAN_BYTES_MOST / 4 + 1];
  scan_element sum, inside, before;
  bool starts_inside = false;
  bool any = tile != 0;
  uint32_t begins;     /* not 0: a seed comes before all */
  uint32_t starts = 0; /* a bit for each lane */
  uint32_t heads = 0;  /* short chunks have no more than 32 elements */
  words[0] = 0;        /* it is set where it is used, but gcc does not see that */
  words[(SCAN_SHORT_BYTES_(op_widest, op_in_size) - 1) / 4 + 1] = 0;
  scan_element_clear(&sum, SCAN_OP);
  scan_element_clear(&sum, SCAN_OP_IN); /* a single element is read into it */
  scan_element_clear(&inside, SCAN_OP);
  scan_element_clear(&before, SCAN_OP);
  SCAN_LATE_(scan_short_sum, &sum, words, &heads, call, &row, &scratch->seed, tile, settled,
             SCAN_OP);
  /* Each warp scans its threads' and leaves the total. */
  if (row.here != 0) {
    starts = scan_starts(heads != 0, SCAN_OP);
    scan_warp_scan(&sum, starts, row.mine != 0, SCAN_OP);
    if (row.mine != 0 && (lane + 1) * row.own >= row.here)
      scan_total_put(scratch->totals, warp, &sum, starts != 0, SCAN_OP);
  }
  scan_group_barrier(barrier, row.threads);
  /* The tile's aggregate is published before anything is waited for. */
  if (!last) {
    if (warp == 0) {
      scan_element aggregate;
      const bool starts_tile =
          scan_block_totals(&aggregate, scratch->totals, warps, warps, SCAN_OP);
      scan_publish_short(&aggregate, starts_tile, row.copy, row.index, status.tag, SCAN_OP);
    }
    /* Of a reduction the last tile does the rest. */
    if (scan_short_reduces(call, &row, SCAN_OP)) return;
  }
  /* What comes before the thread's elements inside the tile, warps and lanes; then before the tile,
   * for which it waits. */
  if (row.here != 0 && warp != 0)
    starts_inside = scan_block_totals(&inside, scratch->totals, warp, warp, SCAN_OP);
  if (row.here != 0) scan_warp_shift(&sum, SCAN_OP);
  if (lane != 0 && row.mine != 0) {
    const bool starts_before = scan_starts_before(starts) != 0;
    scan_follow(&inside, &sum, starts_before || warp == 0, SCAN_OP);
    starts_inside = starts_inside || starts_before;
  }
  if (any) {
    scan_look_back(&before, call->tiles, row.index, warps, warp, barrier, scratch->looked, status,
                   row.asked >> SCAN_SHORT_LATE_SHIFT, SCAN_OP);
    if (SCAN_SHORT_FORGETS_(op_widest, op_segmented))
      row = scan_short_row_of(call, memory, scan_word_early(tile), scan_word_early(warp), status,
                              SCAN_OP);
  }
  begins = !op_segmented && scan_short_is(&row, scan_short_begins_);
  if (begins) scan_prepend_first(&before, &any, &scratch->seed, SCAN_OP);
  /* What is inside follows that: by selections, since a branch would part the first warp. */
  if (follows && any && !starts_inside) scan_prepend(&inside, &before, SCAN_OP);
  scan_element_select(&before, follows, &inside, &before, SCAN_OP);
  /* By integers: of any || follows, beside follows && any above, ptxas 13.0 makes one instruction
   * with two results, and takes the wrong one where the operator leaves no use for the other
   * (bench/NOTES.md). */
  any = (tile | begins | warp | lane) != 0;
  if (!any) scan_element_copy(&before, identity, SCAN_OP);
  SCAN_LATE_(scan_short_finish, &before, &any, words, heads, call, &row, identity, SCAN_OP);
  /* Of the last tile the last thread with elements ends with all of them; of an empty input thread
   * 0 does, with the seed or the identity. Of segments there is no total. */
  if (!op_segmented && last && call->total != NULL &&
      (row.mine != 0 ? row.first + lane * row.own + row.mine == call->rest
                     : call->rest == 0 && warp == 0 && lane == 0))
    scan_call_total(call, &before, SCAN_OP);
}

#endif /* SCAN_KERNELS_ */

#endif
