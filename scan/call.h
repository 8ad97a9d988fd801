/* One call as its kernel sees it, and how its blocks take tiles.

   The input is cut into tiles, which go through the pipeline of tile.h, and the rest, from one
   element to about as many as a tile has, into short tiles (short.h); of a small input all is rest.
 */
#ifndef SCAN_CALL_H
#define SCAN_CALL_H

#include "scan/lookback.h"
#include "scan/segments.h"
#include "scan/tuning.h"
#include "scan/workspace.h"

/* Bytes of what tells of segments that are brought nearer ahead of their use at a time, at most. */
#define SCAN_PREFETCH_BYTES_MOST 32768

typedef struct {
  const void *in;
  void *out;        /* NULL: a reduction */
  void *like;       /* what a tile gives lies in shared memory as it would here: out, or in where
                       that is gathered */
  const void *seed; /* or NULL */
  void *total;      /* or NULL */
  void *workspace;  /* its device memory */
  /* What a short tile works with ahead of all else: 64 bytes, on sm_90 a line. */
  uint32_t tiles;       /* 0: a block takes one short tile, and there is no pipeline */
  uint32_t short_tiles; /* numbered on from the tiles; 1 at least, and at most as many as blocks */
  uint16_t chunks;      /* of a thread of a short tile */
  uint16_t warps;       /* of a short tile */
  uint32_t warp_bytes;  /* of shared memory, a warp's */
  uint32_t rows;        /* of chunks, a warp's each; those of single elements follow */
  uint32_t singles;     /* elements of these */
  uint32_t rest;        /* elements of the short tiles */
  uint32_t answers;     /* to what short tiles ask (short.h) */
  size_t rest_lowest;   /* the lowest element of these */
  const void *rest_in;  /* where it lies */
  void *rest_out;       /* and its result goes, or NULL: there is none */
  /* Its status words (lookback.h): of short tiles, of tiles. */
  uint64_t *shorts;
  uint64_t *aggregates;
  uint64_t *prefixes;
  uint64_t *entries;
  size_t words; /* that the workspace has */
  size_t n;
  uint32_t pairs; /* of tiles, the first ones, that are a ticket each */
  uint32_t kept;  /* of tiles, the last ones, that are given back to the cache (tile.h) */
  uint32_t stages;
  uint32_t stage_bytes;
  uint32_t stages_at;   /* bytes from the start of a block's shared memory */
  uint32_t fold_groups; /* a group has the same stages always */
  uint32_t zero;        /* always, which nvcc does not see (thread.h) */
  bool exclusive;
  /* Of a segmented scan alone. */
  bool gathers;             /* out has a value a segment */
  bool scouts;              /* heads.h */
  scan_segments segments;   /* whose memory is not NULL */
  float entries_an_element; /* of the offsets, on an average */
  uint32_t piece_bytes;     /* heads.h */
  uint32_t ahead;           /* bytes of a tile that are asked for ahead: heads.h */
  scan_view view;           /* of offsets, a short tile's warp's */
} scan_call;

#ifdef SCAN_KERNELS_

/* Whether it is a reduction, and whether of segments, a value each; of neither is any reverse. */
SCAN_DEVICE bool scan_call_reduces(const scan_call *call, SCAN_OP_PARAMS) {
  return !op_reverse && !op_segmented && call->out == NULL;
}
SCAN_DEVICE bool scan_call_gathers(const scan_call *call, SCAN_OP_PARAMS) {
  return op_segmented && !op_reverse && call->gathers;
}

/* A place in a ring of stages, and which time round: the signals' phase turns with each round. */
typedef struct {
  uint32_t index;
  uint32_t phase;
} scan_stage;

SCAN_DEVICE void scan_stage_next(scan_stage *stage, uint32_t stages) {
  if (++stage->index == stages) {
    stage->index = 0;
    stage->phase ^= 1;
  }
}

SCAN_DEVICE void scan_stage_skip(scan_stage *stage, uint32_t count, uint32_t stages) {
  SCAN_ROLL_
  for (uint32_t i = 0; i < count; i++) scan_stage_next(stage, stages);
}

/* Stages that a group may hold while its store reads them: none where there is but one. */
SCAN_DEVICE uint32_t scan_stages_held(const scan_call *call) {
  return call->stages > SCAN_STORES_IN_FLIGHT ? SCAN_STORES_IN_FLIGHT : 0;
}

/* What a block takes: a tile, of two the first, or a short tile, and the tag of the call. */
typedef struct {
  uint32_t tile;
  uint32_t tag;
} scan_ticket;

/* Takes the block's next ticket; the number of the call is in the same word, so that one access
   gives both. Every block takes one ticket, its last, that is no tile's: a short tile's, or beyond
   them. Who takes the last of all leaves the word to the next call.

   A grid that starts early takes tickets while the one before it still runs. But each block of that
   one released it only when its own additions to the word were done (*settled of its last ticket),
   so none is still to come. */
SCAN_DEVICE scan_ticket scan_take(const scan_call *call, uint32_t *settled) {
  scan_workspace_header *header = (scan_workspace_header *)call->workspace;
  const uint64_t taken = scan_counter_add(&header->call_and_ticket, 1);
  const uint32_t number = (uint32_t)taken;
  scan_ticket ticket;
  ticket.tile = number + (number < call->pairs ? number : call->pairs);
  ticket.tag = (uint32_t)(taken >> 32) + 1;
  *settled = 0;
  if (ticket.tile == call->tiles + scan_blocks() - 1) {
    const uint64_t next = ticket.tag == SCAN_TAG_MOST ? 0 : (uint64_t)ticket.tag << 32;
    *settled = (uint32_t)(scan_counter_add(&header->call_and_ticket, next - (taken + 1)) >> 32);
  }
  return ticket;
}

/* The status words of a call. Tiles of segments go in step (lookback.h) where their
   starts are known soon: not by 32-bit flags, and by offsets of wide elements alone, which leave
   most time for that; the narrowest leave too little. */
SCAN_DEVICE scan_status scan_call_status(const scan_call *call, uint32_t tag, SCAN_OP_PARAMS) {
  scan_status status;
  status.aggregates.words = call->aggregates;
  status.aggregates.count = call->tiles;
  status.prefixes.words = call->prefixes;
  status.prefixes.count = (size_t)call->tiles + 1;
  status.shorts.words = call->shorts;
  status.shorts.count = call->short_tiles;
  status.entries = call->entries;
  status.tag = tag;
  status.in_step = op_segmented && op_size >= 4 && call->segments.kind != scan_segments_flags32_ &&
                   (op_size > 8 || !SCAN_SEGMENTS_OFFSETS_(call->segments.kind));
  return status;
}

/* The tags start again after this call, so the last block to leave it wipes them out. Called by one
   thread of each block. The next call reads status words behind scan_grid_wait alone, or starts
   when this grid is over, so it sees them wiped. A block departs (release) behind a barrier after
   its last word, and the last one (acquire) wipes when all have departed: so no word of this call
   comes to stand over a zero. */
SCAN_DEVICE void scan_wipe(const scan_call *call) {
  scan_workspace_header *header = (scan_workspace_header *)call->workspace;
  uint64_t *words = (uint64_t *)SCAN_AT_(header, SCAN_WORKSPACE_HEADER_BYTES);
  if (scan_counter_take_ordered(&header->departures) != scan_blocks() - 1) return;
  SCAN_ROLL_
  for (size_t i = 0; i < call->words; i++) scan_word_write(&words[i], 0);
  scan_counter_write(&header->departures, 0);
}

/* The lowest of the `count` elements that come first-th along the scan. */
SCAN_DEVICE size_t scan_call_lowest(const scan_call *call, size_t first, uint32_t count,
                                    SCAN_OP_PARAMS) {
  return op_reverse ? call->n - first - count : first;
}

/* Groups that fold, which take turns: a constant where there is never more than one. */
SCAN_DEVICE uint32_t scan_fold_groups(const scan_call *call, SCAN_OP_PARAMS) {
  return op_segmented || SCAN_SCAN_GROUPS_(op_widest, SCAN_GROUPS_MOST) == 1 ? 1
                                                                             : call->fold_groups;
}

/* The seed, which a block reads before it publishes anything; and the total, which may lie at the
   same place and is written by who has seen what all of them publish. */
SCAN_DEVICE void scan_call_seed(scan_element *seed, const scan_call *call, SCAN_OP_PARAMS) {
  scan_element_read(seed, call->seed, SCAN_OP);
  scan_memory_left(call->seed);
}
SCAN_DEVICE void scan_call_total(const scan_call *call, const scan_element *total, SCAN_OP_PARAMS) {
  scan_memory_taken(call->total);
  scan_element_write(call->total, total, SCAN_OP);
}

/* What the results of a call are; `exclusive` and whether it is seeded as the call says, which the
 * caller may have asked before. */
SCAN_DEVICE scan_form scan_call_form(const scan_call *call, bool exclusive, bool seeded,
                                     const scan_element *identity, SCAN_OP_PARAMS) {
  scan_form form;
  form.exclusive = exclusive;
  form.reduces = scan_call_reduces(call, SCAN_OP);
  form.seeded = op_segmented && seeded;
  form.seed = call->seed;
  form.identity = identity;
  form.zero = call->zero;
  return form;
}

/* The bytes of a piece of memory before, in and after the 16-byte words that lie wholly inside it.
 */
typedef struct {
  uint32_t head, body, tail;
} scan_edges;

SCAN_DEVICE scan_edges scan_edges_of(const void *address, uint32_t bytes) {
  scan_edges edges;
  edges.head = (uint32_t)(-(uintptr_t)address % 16);
  if (edges.head > bytes) edges.head = bytes;
  edges.body = (bytes - edges.head) / 16 * 16;
  edges.tail = bytes - edges.head - edges.body;
  return edges;
}

/* Head and tail are moved a byte a lane: whether the lane has one, and where. */
SCAN_DEVICE bool scan_edge_has(scan_edges edges) { return scan_lane() < edges.head + edges.tail; }
SCAN_DEVICE uint32_t scan_edge_at(scan_edges edges) {
  return scan_lane() < edges.head ? scan_lane() : scan_lane() + edges.body;
}
SCAN_DEVICE void scan_edges_move(void *to, const void *from, scan_edges edges) {
  const uint32_t at = scan_edge_at(edges);
  if (scan_edge_has(edges))
    *(uint8_t *)SCAN_AT_(to, at) = *(const uint8_t *)SCAN_AT_CONST_(from, at);
}

/* Brings a piece of device memory to shared memory, where it lies alike modulo 16, and arrives at
   the signal when it is there; its words as scan_words_ask says. Bytes at its ends come while these
   are on their way. Called by the `threads` threads of a loader, whole warps. */
SCAN_DEVICE void scan_piece_load(void *to, const void *from, scan_edges edges, uint32_t ahead,
                                 bool keep, scan_signal *signal, scan_signal *before,
                                 uint32_t phase, uint32_t thread, uint32_t threads,
                                 uint32_t barrier) {
  void *shared = SCAN_AT_(to, edges.head);
  const void *global = SCAN_AT_CONST_(from, edges.head);
  const bool whole = edges.head + edges.tail == 0;
  scan_words_ask(shared, global, edges.body, ahead, keep, whole, signal, thread, threads, barrier);
  if (!whole) {
    if (thread < SCAN_WARP_THREADS) scan_edges_move(to, from, edges);
    scan_words_arrive(signal, thread, threads, barrier);
  }
  scan_words_ask_rest(shared, global, edges.body, ahead, signal, before, phase, thread);
}

/* Brings a piece of device memory nearer, for a read to come. By a warp, whose first thread asks,
   or by that alone. What is asked for should be known to be the warp's: else the assembler takes
   the lanes one by one (bench/NOTES.md). */
SCAN_DEVICE void scan_piece_prefetch(const void *from, uint32_t bytes) {
  const scan_edges edges = scan_edges_of(from, bytes);
  if (scan_lane() == 0) scan_words_prefetch(SCAN_AT_CONST_(from, edges.head), edges.body);
}

/* The same of what a block's first ticket gives it, a tile of `each` elements or a pair, and of
   what tells of their segments: of offsets, those that warps will look at first (segments.h). It
   reads nothing, so it comes before scan_grid_wait: memory need not idle until what precedes the
   grid is over. By the block that reads them, since the cache has two halves, and brings them to
   the nearer. */
SCAN_DEVICE void scan_call_prefetch(const scan_call *call, uint32_t tile, uint32_t each,
                                    SCAN_OP_PARAMS) {
  const scan_segments *segments = &call->segments;
  const size_t begin = (size_t)tile * each; /* beyond all where rows of single elements are last */
  const size_t first = begin < call->n ? begin : call->n;
  const uint32_t most = tile < 2 * call->pairs ? 2 * each : each;
  const uint32_t count = call->n - first < most ? (uint32_t)(call->n - first) : most;
  const size_t lowest = scan_call_lowest(call, first, count, SCAN_OP);
  scan_piece_prefetch(SCAN_AT_CONST_(call->in, lowest * op_in_size), count * op_in_size);
  if (op_segmented && SCAN_SEGMENTS_OFFSETS_(segments->kind)) {
    const uint32_t unit = SCAN_SEGMENTS_OFFSET_BYTES_(segments->kind);
    const float average = (float)count * call->entries_an_element;
    const float average_most = SCAN_PREFETCH_BYTES_MOST / 8;
    const uint64_t guess = (uint64_t)(int64_t)((float)(int64_t)lowest * call->entries_an_element);
    const uint64_t around = guess > SCAN_LOOK_FIRST_ / 2 ? guess - SCAN_LOOK_FIRST_ / 2 : 0;
    const uint64_t at = around < segments->count ? around : segments->count;
    const uint64_t left = segments->count + 1 - at;
    uint32_t entries =
        SCAN_LOOK_FIRST_ + (uint32_t)(average < average_most ? average : average_most);
    if (entries > left) entries = (uint32_t)left;
    scan_piece_prefetch(SCAN_AT_CONST_(segments->memory, at * unit), entries * unit);
  } else if (op_segmented && segments->kind == scan_segments_bits_) {
    scan_piece_prefetch(SCAN_AT_CONST_(segments->memory, lowest / 32 * 4), count / 32 * 4);
  } else if (op_segmented && segments->kind != scan_segments_regular_) {
    const uint32_t unit = segments->kind == scan_segments_flags32_ ? 4 : 1;
    scan_piece_prefetch(SCAN_AT_CONST_(segments->memory, lowest * unit), count * unit);
  }
}

#endif /* SCAN_KERNELS_ */

#endif
