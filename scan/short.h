/* A short tile: from device memory to registers and back, in one group of warps, by way of shared
   memory but where each thread has one chunk of whole words. Nothing is overlapped, so a tile has
   the least latency; while there are few, each looks back over all before it by itself.

   Each warp of a tile has a row: of chunks, of which all are whole, or, in a small input and at the
   end of any, of single elements, one a lane. */
#ifndef SCAN_SHORT_H
#define SCAN_SHORT_H

#include "scan/call.h"
#include "scan/thread.h"

/* Shared memory through which a warp moves its elements, in and out: its chunks, up to 15 bytes
   that they are off 16-byte alignment, and 16 around them that a lane may read. */
#define SCAN_SHORT_MOVED_BYTES_(size, chunks) \
  (SCAN_SHORT_ITEMS_(size) * (chunks)*SCAN_WARP_THREADS * (uint32_t)(size) / 16 * 16 + 64)
/* And, behind both, where its segments start, and what tells of it. */
#define SCAN_SHORT_HEADS_BYTES_(size, chunks) \
  (sizeof(scan_extent) +                      \
   SCAN_HEADS_WORDS_(SCAN_SHORT_ITEMS_(size) * (chunks)*SCAN_WARP_THREADS) * 4)
#define SCAN_SHORT_WARP_BYTES_(size, chunks, segmented) \
  (2 * SCAN_SHORT_MOVED_BYTES_(size, chunks) +          \
   ((segmented) ? (SCAN_SHORT_HEADS_BYTES_(size, chunks) + 15) / 16 * 16 : 0))

/* What chunks that go straight between memory and registers must be aligned to, or 0 where none do:
   those of whole vectors, or of up to three words. */
#define SCAN_SHORT_BYTES_(size) (SCAN_SHORT_ITEMS_(size) * (uint32_t)(size))
#define SCAN_SHORT_STRAIGHT_(size)                                          \
  (SCAN_SHORT_BYTES_(size) % 16 == 0                                  ? 16u \
   : SCAN_SHORT_BYTES_(size) % 4 == 0 && SCAN_SHORT_BYTES_(size) < 16 ? 4u  \
                                                                      : 0u)
/* Bytes of an element whose chunks do so, at most, but in a tile that is alone: of many tiles each
 * thread would write a part of many lines. */
#define SCAN_SHORT_STRAIGHT_MOST 32

#ifdef SCAN_KERNELS_

/* What the warps of a group leave each other, in shared memory. */
typedef struct {
  scan_ticket ticket;
  scan_element seed;
  uint32_t totals[(SCAN_SHORT_WARPS_MOST + 1) * SCAN_TOTAL_WORDS_MOST];
  uint32_t looked[SCAN_SHORT_WARPS_MOST * SCAN_TOTAL_WORDS_MOST];
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

/* A chunk on its way between device memory and a thread's registers: by vectors of 16 bytes, or a
   short one by words. */
SCAN_DEVICE void scan_short_take(uint32_t *words, const void *from, uint32_t bytes) {
  SCAN_UNROLL_
  for (uint32_t i = 0; i < bytes / 16; i++)
    scan_vector_load(&words[i * 4], SCAN_AT_CONST_(from, i * 16));
  SCAN_UNROLL_
  for (uint32_t i = bytes / 16 * 4; i < bytes / 4; i++) words[i] = ((const uint32_t *)from)[i];
}
SCAN_DEVICE void scan_short_leave(void *to, const uint32_t *words, uint32_t bytes) {
  SCAN_UNROLL_
  for (uint32_t i = 0; i < bytes / 16; i++) scan_vector_store(SCAN_AT_(to, i * 16), &words[i * 4]);
  SCAN_UNROLL_
  for (uint32_t i = bytes / 16 * 4; i < bytes / 4; i++) ((uint32_t *)to)[i] = words[i];
}

/* Where segments start in the `count` elements that a warp has, after `unused` places: a bit of
   each place. Where they are told by where they end, the first lane leaves in *extent what tells of
   the elements. known: what is known of their entries; if nothing is, the warp looks at them. */
SCAN_DEVICE void scan_short_heads(const scan_call *call, uint32_t *bits, scan_extent *extent,
                                  scan_found known, size_t lowest, uint32_t count, uint32_t unused,
                                  SCAN_OP_PARAMS) {
  if (call->segments.kind < scan_segments_offsets_) {
    if (count != 0)
      scan_mark_told(bits, &call->segments, lowest - unused, unused, unused + count, call->n,
                     SCAN_OP);
  } else {
    const uint32_t places = unused + count;
    bool marked = false;
    scan_extent found;
    if (SCAN_SEGMENTS_OFFSETS_(call->segments.kind) && count != 0 &&
        known.entry[1] - known.entry[0] > call->segments.count &&
        scan_look_reaches(&call->segments, call->entries_an_element, count)) {
      const scan_look look =
          scan_look_around(&call->segments, call->entries_an_element, lowest, count);
      scan_seen seen;
      scan_bits_clear(bits, places);
      marked = scan_look_mark(bits, false, &seen, &look, &call->segments,
                              lowest - unused + op_reverse, places);
      if (marked && !call->gathers) return;
      known = marked ? scan_look_near(&call->segments, &look, &seen, places)
                     : scan_look_far(&call->segments, &seen, places);
    }
    found = scan_segments_extent(&call->segments, known, call->entries_an_element, lowest, count,
                                 unused, call->gathers, call->n, SCAN_OP);
    if (scan_lane() == 0) *extent = found;
    if (marked) {
      scan_warp_barrier();
      return;
    }
    scan_segments_clear(bits, found);
    if (call->segments.kind == scan_segments_regular_)
      scan_mark_regular(bits, call->segments.length, found, SCAN_OP);
    else
      for (uint64_t unit = found.told; unit < found.end; unit += SCAN_MARK_MOST_) {
        const uint64_t left = found.end - unit;
        scan_segments_mark(bits, &call->segments, unit,
                           left < SCAN_MARK_MOST_ ? (uint32_t)left : SCAN_MARK_MOST_, found,
                           SCAN_OP);
      }
    scan_segments_finish(bits, found, call->n, SCAN_OP);
  }
  scan_warp_barrier();
}

/* Whether chunks are whole vectors and have a loop of their own where they lie on such: not where a
 * thread has one, which goes straight then, and more code would be slower. */
SCAN_DEVICE bool scan_short_vectors(SCAN_OP_PARAMS) {
  return SCAN_SHORT_BYTES_(op_size) % 16 == 0 &&
         (SCAN_SHORT_CHUNKS_(op_size) > 1 || op_size > SCAN_SHORT_STRAIGHT_MOST);
}

/* Which chunk of its row a thread has first: chunks from the lowest. */
SCAN_DEVICE uint32_t scan_short_chunk(const scan_call *call, SCAN_OP_PARAMS) {
  return scan_place(scan_lane() * call->chunks, call->chunks * SCAN_WARP_THREADS, SCAN_OP);
}

/* sum = the `mine` elements of a thread that lie in shared memory, in chunks from the one on that
   comes first along the scan, back to their last start; returns whether there is one. Bits from
   `place` on tell where segments start. Chunks that are whole vectors have all one offset: where it
   is a constant, the loop has no branch for it. */
SCAN_DEVICE bool scan_short_fold(scan_element *sum, uint32_t *words, const unsigned char *chunk,
                                 uint32_t offset, uint32_t mine, const uint32_t *bits,
                                 uint32_t place, SCAN_OP_PARAMS) {
  const uint32_t items = SCAN_SHORT_ITEMS_(op_size);
  const uint32_t bytes = items * op_size;
  const int32_t step = op_reverse ? -1 : 1;
  bool any = false;
  bool starts = false;
  SCAN_ROLL_
  for (uint32_t left = mine; left != 0; left -= items) {
    uint32_t heads;
    scan_element x;
    scan_chunk_load(words, chunk, scan_chunk_offset(chunk, offset, bytes), bytes);
    heads = (uint32_t)scan_heads_of(bits, place, items, SCAN_OP);
    scan_chunk_fold(&x, words, heads, items, SCAN_OP);
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
                                 const uint32_t *bits, uint32_t place, scan_element *before,
                                 bool *any, scan_form form, SCAN_OP_PARAMS) {
  const uint32_t items = SCAN_SHORT_ITEMS_(op_size);
  const uint32_t bytes = items * op_size;
  const int32_t step = op_reverse ? -1 : 1;
  SCAN_ROLL_
  for (uint32_t left = mine; left != 0; left -= items) {
    uint32_t heads;
    scan_chunk_load(words, chunk, scan_chunk_offset(chunk, offset, bytes), bytes);
    heads = (uint32_t)scan_heads_of(bits, place, items, SCAN_OP);
    scan_chunk_scan(words, heads, before, any, items, NULL, form, SCAN_OP);
    scan_chunk_store(to, scan_chunk_offset(to, to_offset, bytes), words, bytes);
    chunk += step * (ptrdiff_t)bytes;
    to += step * (ptrdiff_t)bytes;
    place += (uint32_t)step * items;
  }
}

/* Where a warp's results lie in its memory; those of its elements lie `at` bytes from the start of
 * the array. */
SCAN_DEVICE unsigned char *scan_short_results(const scan_call *call, unsigned char *own_memory,
                                              size_t at, SCAN_OP_PARAMS) {
  return own_memory + SCAN_SHORT_MOVED_BYTES_(op_size, call->chunks) + 16 +
         ((uintptr_t)call->like + at) % 16;
}

/* Before a warp reads anything: waits for the grid before, with what is to be read worked out, and
   where there is no pipeline releases what follows. */
SCAN_DEVICE void scan_short_begin(const scan_call *call, uint32_t settled, uint32_t warp,
                                  uint32_t count, const void *address, const void *other) {
  scan_grid_wait(count, address, other);
  if (call->tiles == 0 && warp == 0 && scan_lane() == 0) scan_grid_release(settled);
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
  const uint32_t items = SCAN_SHORT_ITEMS_(op_size);
  const uint32_t bytes = items * op_size;
  const uint32_t row = (tile - call->tiles) * warps + warp;
  const bool single = SCAN_SINGLES_(op_size) && row >= call->rows;
  const uint32_t chunked = SCAN_SINGLES_(op_size) ? call->rest - call->singles : call->rest;
  const uint32_t own = single ? 1 : items * call->chunks; /* elements of a thread */
  const uint32_t each = own * SCAN_WARP_THREADS;          /* of a warp */
  const uint32_t first =
      single ? chunked + (row - call->rows) * each : row * each; /* of the rest */
  const uint32_t here = scan_left(single ? call->rest : chunked, first, each);
  const uint32_t mine = scan_left(here, lane * own, own);
  const size_t lowest = call->rest_lowest + (op_reverse ? call->rest - first - here : first);
  const size_t offset = lowest * op_size;
  /* In a reverse scan the elements lie at the end of the row. */
  const uint32_t unused = op_reverse ? (each - here) * op_size : 0;
  const bool gathers = op_segmented && call->gathers;
  const bool last = tile + 1 == call->tiles + call->short_tiles;
  /* What the first says the second knows, but nvcc does not. */
  const bool straight = SCAN_SHORT_STRAIGHT_(op_size) != 0 && call->straight && !single && !gathers;
  /* In its one chunk or element a thread finds by itself where segments start; not by offsets, nor
   * by many flags of 32 bits: there the warp does, as in more chunks. */
  const bool direct = op_segmented && !gathers && (single || straight) &&
                      !SCAN_SEGMENTS_OFFSETS_(call->segments.kind) &&
                      (single || items <= 8 || call->segments.kind != scan_segments_flags32_);
  /* Where the thread's only chunk, or element, lies in the row, and in device memory. */
  const uint32_t own_place = scan_place(lane, SCAN_WARP_THREADS, SCAN_OP);
  const ptrdiff_t own_offset =
      (ptrdiff_t)offset + (ptrdiff_t)(own_place * (single ? op_size : bytes)) - (ptrdiff_t)unused;
  const void *own_in = SCAN_AT_CONST_(call->in, own_offset);
  unsigned char *own_memory =
      (unsigned char *)memory + warp * SCAN_SHORT_WARP_BYTES_(op_size, call->chunks, op_segmented);
  unsigned char *in = own_memory + 16 + ((uintptr_t)call->in + offset - unused) % 16;
  scan_extent *extent =
      (scan_extent *)(void *)(own_memory + 2 * SCAN_SHORT_MOVED_BYTES_(op_size, call->chunks));
  uint32_t *bits = (uint32_t *)(void *)(extent + 1);
  uint32_t words[SCAN_SPAN_BYTES_MOST / 4 + 1];
  scan_element sum, inside, before, x;
  bool starts_inside = false;
  bool any = false;
  uint32_t starts_here = 0; /* bits, of which any is a start */
  uint32_t starts = 0;
  uint32_t own_heads = 0; /* short chunks have no more than 32 elements */
  words[0] = 0;           /* it is set where it is used, but gcc does not see that */
  words[(bytes - 1) / 4 + 1] = 0;
  scan_element_clear(&sum, SCAN_OP);
  scan_element_clear(&inside, SCAN_OP);
  scan_element_clear(&before, SCAN_OP);
  /* Each thread takes its own and folds it. What that needs where it finds the starts by itself
     stands together: code that lies far off is fetched late (bench/NOTES.md). */
  if (direct) {
    uint32_t told[32];
    const scan_teller teller =
        scan_segments_teller(&call->segments, lowest + own_place * own - unused / op_size,
                             single ? 1 : items, call->n, SCAN_OP);
    scan_short_begin(call, settled, warp, mine, own_in, teller.from);
    if (single) {
      if (mine != 0) {
        scan_element_read(&sum, own_in, SCAN_OP);
        scan_segments_tell(told, teller, 1, SCAN_OP);
        own_heads = (uint32_t)scan_segments_heads(told, teller, 1, SCAN_OP);
      }
      scan_packed_put(words, 0, &sum, SCAN_OP);
    } else if (mine != 0) {
      scan_short_take(words, own_in, bytes);
      scan_segments_tell(told, teller, items, SCAN_OP);
      own_heads = (uint32_t)scan_segments_heads(told, teller, items, SCAN_OP);
      scan_chunk_fold(&sum, words, own_heads, items, SCAN_OP);
    }
    starts_here = own_heads;
  } else {
    const uint32_t unused_places = unused / op_size;
    const uint32_t places = unused_places + here;
    /* By offsets the warp does, by one look, if that may do. The way of such a thread, too, is in
     * one piece, up to where it saw too little. */
    const bool looks = op_segmented && !gathers && (single || straight) && here != 0 &&
                       SCAN_SEGMENTS_OFFSETS_(call->segments.kind) &&
                       scan_look_reaches(&call->segments, call->entries_an_element, here);
    /* By many flags of 32 bits, which would be many lines for a thread, it makes words of them. */
    const bool flags = op_segmented && items > 8 && items % 4 == 0 && straight && here != 0 &&
                       call->segments.kind == scan_segments_flags32_;
    uint32_t *marks = (uint32_t *)(void *)own_memory; /* bytes, where no elements pass */
    bool marked = false;
    scan_seen seen;
    if (looks) {
      const scan_look look =
          scan_look_around(&call->segments, call->entries_an_element, lowest, here);
      scan_bits_clear(marks, each * 8);
      scan_short_begin(call, settled, warp, mine, own_in, look.near[0]);
      if (single) {
        if (mine != 0) scan_element_read(&sum, own_in, SCAN_OP);
      } else {
        if (mine != 0) scan_short_take(words, own_in, bytes);
      }
      marked = scan_look_mark(marks, true, &seen, &look, &call->segments,
                              lowest - unused_places + op_reverse, places);
      if (marked && single) {
        if (mine != 0) own_heads = scan_heads_of_marks(own_memory + own_place, 1, SCAN_OP);
        scan_packed_put(words, 0, &sum, SCAN_OP);
      } else if (marked && mine != 0) {
        own_heads = scan_heads_of_marks(own_memory + own_place * items, items, SCAN_OP);
        scan_chunk_fold(&sum, words, own_heads, items, SCAN_OP);
      }
      starts_here = own_heads;
    }
    if (flags) {
      const size_t first_place = lowest - unused_places; /* it may wrap */
      scan_told told = scan_told_of(first_place, unused_places, places, call->n, SCAN_OP);
      told.from = SCAN_AT_CONST_(call->segments.memory, (int64_t)(first_place + op_reverse) * 4);
      scan_short_begin(call, settled, warp, mine, own_in, told.from);
      if (mine != 0) scan_short_take(words, own_in, bytes);
      scan_mark_flags32(marks, told, items);
      scan_warp_barrier();
      if (mine != 0) {
        own_heads = scan_heads_of_marks(own_memory + own_place * items, items, SCAN_OP);
        scan_chunk_fold(&sum, words, own_heads, items, SCAN_OP);
      }
      starts_here = own_heads;
      marked = true;
    }
    if (!marked) {
      scan_short_begin(call, settled, warp, straight || single ? mine : here, own_in, NULL);
      /* The elements are on their way while it is found where segments start. */
      if (single) {
        if (mine != 0) scan_element_read(&sum, own_in, SCAN_OP);
      } else if (straight) {
        if (mine != 0) scan_short_take(words, own_in, bytes);
      } else if (here != 0) {
        /* A later wave lets the one before it ask first. */
        if (tile - call->tiles >= SCAN_SHORT_WAVE)
          scan_delay((tile - call->tiles) / SCAN_SHORT_WAVE * own * op_size *
                     SCAN_SHORT_WAVE_CYCLES);
        scan_short_bring(in + unused, SCAN_AT_CONST_(call->in, offset), here * op_size);
      }
      if (warp == 0 && lane == 0 && call->tiles == 0 && call->seed != NULL && !op_segmented)
        scan_call_seed(&scratch->seed, call, SCAN_OP);
      /* An empty input has results of its own, here and below. */
      if (op_segmented && (here != 0 || call->n == 0)) {
        const scan_found known = looks ? scan_look_far(&call->segments, &seen, places)
                                       : scan_found_nothing(&call->segments);
        scan_short_heads(call, bits, extent, known, lowest, here, unused_places, SCAN_OP);
        if ((single || straight) && mine != 0)
          own_heads = (uint32_t)scan_heads_of(bits, own_place * own, single ? 1 : items, SCAN_OP);
      }
      /* What stands first is faster, the others slower, by up to a tenth (bench/NOTES.md). */
      if (here != 0) {
        if (straight && mine != 0) scan_chunk_fold(&sum, words, own_heads, items, SCAN_OP);
        if (single) scan_packed_put(words, 0, &sum, SCAN_OP);
        starts_here = own_heads;
        if (!single && !straight) {
          const unsigned char *chunk = in + scan_short_chunk(call, SCAN_OP) * bytes;
          const uint32_t place = scan_short_chunk(call, SCAN_OP) * items;
          scan_vectors_brought();
          scan_warp_barrier();
          if (scan_short_vectors(SCAN_OP) && scan_offset(in) == 0)
            starts_here = scan_short_fold(&sum, words, chunk, 0, mine, bits, place, SCAN_OP);
          else
            starts_here =
                scan_short_fold(&sum, words, chunk, scan_offset(in), mine, bits, place, SCAN_OP);
        }
      }
    }
  }
  /* Each warp scans its threads' and leaves the total. */
  if (here != 0) {
    starts = scan_starts(starts_here != 0, SCAN_OP);
    scan_warp_scan(&sum, starts, mine != 0, SCAN_OP);
    if (mine != 0 && (lane + 1) * own >= here)
      scan_total_put(scratch->totals, warp, &sum, starts != 0, SCAN_OP);
  }
  scan_group_barrier(barrier, warps * SCAN_WARP_THREADS);
  /* The tile's aggregate is published before anything is waited for. */
  if (warp == 0 && !last) {
    const bool starts_tile = scan_block_totals(&x, scratch->totals, warps, warps, SCAN_OP);
    scan_publish_short(&x, starts_tile, tile - call->tiles, status, SCAN_OP);
  }
  /* What comes before the thread's elements inside the tile, warps and lanes; then before the tile,
   * for which it waits. */
  if (here != 0 && warp != 0)
    starts_inside = scan_block_totals(&inside, scratch->totals, warp, warp, SCAN_OP);
  if (here != 0) scan_warp_shift(&sum, SCAN_OP);
  if (lane != 0 && mine != 0) {
    const bool starts_before = scan_starts_before(starts) != 0;
    scan_follow(&inside, &sum, starts_before || warp == 0, SCAN_OP);
    starts_inside = starts_inside || starts_before;
  }
  any = tile != 0;
  if (any)
    scan_look_back(&before, call->tiles, tile - call->tiles, warps, warp, barrier, scratch->looked,
                   status, SCAN_OP);
  if (call->tiles == 0 && call->seed != NULL && !op_segmented)
    scan_prepend_first(&before, &any, &scratch->seed, SCAN_OP);
  if (mine != 0 && (warp != 0 || lane != 0))
    scan_follow_first(&before, &any, &inside, starts_inside, SCAN_OP);
  if (!any) scan_element_copy(&before, identity, SCAN_OP);
  if (call->out != NULL || last) {
    const scan_form form = scan_call_form(call, identity, SCAN_OP);
    if (single) {
      if (mine != 0) {
        scan_chunk_scan(words, own_heads, &before, &any, 1, NULL, form, SCAN_OP);
        scan_chunk_get(&x, words, 0, false, SCAN_OP);
        if (gathers)
          scan_element_write(
              scan_short_results(call, own_memory, offset - unused, SCAN_OP) + own_place * op_size,
              &x, SCAN_OP);
        else if (call->out != NULL)
          scan_element_write(SCAN_AT_(call->out, own_offset), &x, SCAN_OP);
      }
    } else if (straight) {
      if (mine != 0) {
        if (op_size > 32) scan_short_take(words, own_in, bytes); /* too many to keep */
        scan_chunk_scan(words, own_heads, &before, &any, items, NULL, form, SCAN_OP);
        if (call->out != NULL) scan_short_leave(SCAN_AT_(call->out, own_offset), words, bytes);
      }
    } else {
      const unsigned char *chunk = in + scan_short_chunk(call, SCAN_OP) * bytes;
      unsigned char *out = scan_short_results(call, own_memory, offset - unused, SCAN_OP);
      unsigned char *to = out + scan_short_chunk(call, SCAN_OP) * bytes;
      const uint32_t place = scan_short_chunk(call, SCAN_OP) * items;
      /* Both at once: nvcc spills where they are asked one after the other. */
      if (scan_short_vectors(SCAN_OP) && ((uintptr_t)chunk | (uintptr_t)to) % 16 == 0)
        scan_short_scan(to, 0, words, chunk, 0, mine, bits, place, &before, &any, form, SCAN_OP);
      else
        scan_short_scan(to, scan_offset(out), words, chunk, scan_offset(in), mine, bits, place,
                        &before, &any, form, SCAN_OP);
      if (!gathers && call->out != NULL && here != 0) {
        scan_warp_barrier();
        scan_short_put(SCAN_AT_(call->out, offset), out + unused, here * op_size);
      }
    }
    if (gathers && (here != 0 || call->n == 0)) {
      scan_warp_barrier();
      scan_segments_gather(
          call->out, scan_short_results(call, own_memory, offset - unused, SCAN_OP),
          &call->segments, *extent, identity, lane, SCAN_WARP_THREADS, call->n, SCAN_OP);
    }
  }
  /* Of the last tile the last thread with elements ends with all of them; of an empty input thread
   * 0 does, with the seed or the identity. Of segments there is no total. */
  if (!op_segmented && last && call->total != NULL &&
      (mine != 0 ? first + lane * own + mine == call->rest
                 : call->rest == 0 && warp == 0 && lane == 0))
    scan_call_total(call, &before, SCAN_OP);
}

#endif /* SCAN_KERNELS_ */

#endif
