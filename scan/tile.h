/* Tiles through the pipeline of a block: load, fold, learn the prefix, scan and store.

   Blocks are persistent and take tiles by ticket. Within a block the warps have roles, and a tile
   passes from one to the next through a stage of shared memory; several stages are under way at
   once:

     loader      takes a ticket and loads the tile           landed    ->
     fold group  folds it and publishes its aggregate       folded    ->   tiles ahead of the scan
     prefix      waits for the tile's prefix                 prefixed  ->
     scan group  scans the tile onto the prefix and stores it   emptied  ->  the loader

   Each arrow is a signal a stage. A reduction has no scan group: the fold group empties the stage.
   The warps that conduct (lookback.h) are in every block and at work in one. */
#ifndef SCAN_TILE_H
#define SCAN_TILE_H

#include "scan/block.h"
#include "scan/lookback.h"
#include "scan/small.h"
#include "scan/thread.h"
#include "scan/workspace.h"

/* Tiles under way in a block, at most. */
#define SCAN_STAGES_MOST 16

/* One call as its kernel sees it. */
typedef struct {
  const void *in;
  void *out;        /* NULL: a reduction */
  const void *seed; /* or NULL */
  void *total;      /* or NULL */
  void *workspace;  /* its device memory */
  size_t words;     /* status words that the workspace has */
  size_t n;
  uint32_t tiles;
  uint32_t warps;       /* of a scan group */
  uint32_t scan_groups; /* which take turns */
  uint32_t conductors;  /* warps */
  uint32_t stages;      /* 0: a small input, which needs none */
  uint32_t stage_bytes;
  bool exclusive;
} scan_call;

/* Warps of the fold group beside `warps` of a scan group, which has twice the work. */
#define SCAN_FOLD_WARPS_(warps) ((warps) > 1 ? (warps) / 2 : 1)
/* Warps of a block. */
#define SCAN_KERNEL_WARPS_(warps, scan_groups, conductors, loader_warps) \
  ((warps) * (scan_groups) + SCAN_FOLD_WARPS_(warps) + 1 + (conductors) + (loader_warps))

#ifdef SCAN_KERNELS_

#define SCAN_KERNEL_THREADS_MOST_(size)                                               \
  (SCAN_KERNEL_WARPS_(SCAN_WARPS_MOST, SCAN_SCAN_GROUPS_(size, SCAN_GROUPS_MOST),     \
                      SCAN_CONDUCTORS_(size, SCAN_LOADER_WARPS), SCAN_LOADER_WARPS) * \
   SCAN_WARP_THREADS)

#define SCAN_NO_TILE UINT32_MAX

/* The head of the block's dynamic shared memory; the stages follow. */
typedef struct {
  scan_signal landed[SCAN_STAGES_MOST];
  scan_signal folded[SCAN_STAGES_MOST];
  scan_signal prefixed[SCAN_STAGES_MOST];
  scan_signal emptied[SCAN_STAGES_MOST];
  uint32_t tile[SCAN_STAGES_MOST];   /* SCAN_NO_TILE ends each role */
  bool any_prefix[SCAN_STAGES_MOST]; /* the first tile of a scan without seed has none */
  scan_element prefix[SCAN_STAGES_MOST];
  uint32_t scan_totals[2][SCAN_WARPS_MOST * SCAN_ELEMENT_WORDS_MOST];
  uint32_t fold_totals[2][SCAN_WARPS_MOST * SCAN_ELEMENT_WORDS_MOST];
  scan_element seed;
  uint32_t tag;      /* of this call's words */
  bool conducts;     /* this block does */
  scan_signal begun; /* tag and conducts are known */
  scan_carry carries[SCAN_CONDUCTORS_MOST];
} scan_pipeline;

#define SCAN_PIPELINE_BYTES ((sizeof(scan_pipeline) + 127) / 128 * 128)

/* Barriers of the groups; 0 is the block's. */
enum {
  scan_barrier_fold_ = 1,
  scan_barrier_load_ = 2,
  scan_barrier_scan_ = 3, /* and 4 */
  scan_barrier_store_ = 5 /* and 6 */
};

/* The stage that a role is at: it goes round, and its signals' phase turns with each round. */
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

/* Where the elements of a tile lie. */
typedef struct {
  uint32_t count; /* elements */
  uint32_t most;  /* that a tile has; a whole tile has as many */
  size_t offset;  /* of the lowest, bytes from the start of the arrays */
} scan_extent;

SCAN_DEVICE scan_extent scan_tile_extent(const scan_call *call, uint32_t tile, scan_operator op) {
  const uint32_t most = SCAN_ITEMS_(op.size) * SCAN_WARP_THREADS * call->warps;
  const size_t before = (size_t)tile * most; /* elements that earlier tiles have */
  const size_t left = call->n - before;
  scan_extent extent;
  extent.count = left < most ? (uint32_t)left : most;
  extent.most = most;
  extent.offset = (op.reverse ? left - extent.count : before) * op.size;
  return extent;
}

/* The bytes of a tile before, in and after the 16-byte words that lie wholly inside it. */
typedef struct {
  uint32_t head, body, tail;
} scan_edges;

SCAN_DEVICE scan_edges scan_tile_edges(const void *address, uint32_t bytes) {
  scan_edges edges;
  edges.head = (uint32_t)(-(uintptr_t)address % 16);
  if (edges.head > bytes) edges.head = bytes;
  edges.body = (bytes - edges.head) / 16 * 16;
  edges.tail = bytes - edges.head - edges.body;
  return edges;
}

/* Moves head and tail, a byte a thread. */
SCAN_DEVICE void scan_edges_move(void *to, const void *from, scan_edges edges, uint32_t thread,
                                 uint32_t threads) {
  for (uint32_t i = thread; i < edges.head + edges.tail; i += threads) {
    const uint32_t at = i < edges.head ? i : i + edges.body;
    *(uint8_t *)SCAN_AT_(to, at) = *(const uint8_t *)SCAN_AT_CONST_(from, at);
  }
}

/* A tile lies in its stage as its array lies in device memory, modulo 16; in a reverse scan at the
 * upper end, so that there is memory for all its chunks. */
SCAN_DEVICE void *scan_stage_place(void *stages, uint32_t stage, const scan_call *call,
                                   const void *array, scan_extent extent, scan_operator op) {
  const size_t unused = op.reverse ? (size_t)(extent.most - extent.count) * op.size : 0;
  return SCAN_AT_(stages, (size_t)stage * call->stage_bytes + (unused + 15) / 16 * 16 +
                              ((uintptr_t)array + extent.offset) % 16);
}

/* The rows of warp `warp` of a tile that lies at `place`, of chunks of `items`. */
SCAN_DEVICE scan_rows scan_tile_rows(void *place, scan_extent extent, uint32_t warp, uint32_t items,
                                     bool whole, scan_operator op) {
  const uint32_t each = SCAN_ITEMS_(op.size) * SCAN_WARP_THREADS; /* elements of a warp */
  const ptrdiff_t lowest = op.reverse ? (ptrdiff_t)extent.count - (ptrdiff_t)((warp + 1) * each)
                                      : (ptrdiff_t)(warp * each);
  scan_rows rows;
  rows.lowest = (unsigned char *)place + lowest * (ptrdiff_t)op.size;
  rows.rows = SCAN_ITEMS_(op.size) / items;
  rows.items = items;
  rows.bytes = items * op.size;
  rows.count = extent.count <= warp * each         ? 0
               : extent.count - warp * each < each ? extent.count - warp * each
                                                   : each;
  rows.whole = whole;
  return rows;
}

/* Threads of a warp that have elements, when the first `threads` of the group have. */
SCAN_DEVICE uint32_t scan_active(uint32_t threads, uint32_t warp) {
  const uint32_t first = warp * SCAN_WARP_THREADS;
  if (threads <= first) return 0;
  return threads - first < SCAN_WARP_THREADS ? threads - first : SCAN_WARP_THREADS;
}

/* Takes the block's next tile, or SCAN_NO_TILE. The ticket and the number of the call are one word,
   so that one access gives both. Every block takes one ticket that is no tile's; who takes the last
   leaves the word to the next call. A tile that is alone needs no workspace. */
SCAN_DEVICE uint32_t scan_take(const scan_call *call, scan_pipeline *pipeline, bool first) {
  scan_workspace_header *header = (scan_workspace_header *)call->workspace;
  uint64_t taken = first ? 0 : 1;
  uint32_t ticket, tag;
  if (call->tiles > 1) taken = scan_ticket_take(&header->call_and_ticket);
  ticket = (uint32_t)taken;
  tag = (uint32_t)(taken >> 32) + 1;
  if (first) {
    pipeline->tag = tag;
    pipeline->conducts = ticket == 0 && call->tiles > 1;
    scan_signal_arrive(&pipeline->begun);
  }
  if (call->tiles > 1 && ticket == call->tiles + scan_blocks() - 1)
    scan_word_write(&header->call_and_ticket, tag == UINT32_MAX ? 0 : (uint64_t)tag << 32);
  return ticket < call->tiles ? ticket : SCAN_NO_TILE;
}

SCAN_DEVICE void scan_role_load(const scan_call *call, scan_pipeline *pipeline, void *stages,
                                uint32_t thread, scan_operator op) {
  const uint32_t threads = SCAN_LOADER_WARPS * SCAN_WARP_THREADS;
  const uint32_t ends_most = call->scan_groups > 1 ? call->scan_groups : 1;
  scan_stage stage = {0, 1}; /* all stages start empty */
  uint32_t ends = 0;
  bool first = true;
  /* Invariant: this block's tiles so far are loaded or under way. A ticket is taken when there is a
     stage for its tile, not before: a tile that is taken early and loaded late keeps all later
     tiles waiting. */
  for (;; scan_stage_next(&stage, call->stages)) {
    uint32_t tile;
    scan_signal_wait(&pipeline->emptied[stage.index], stage.phase);
    if (thread == 0)
      pipeline->tile[stage.index] = ends == 0 ? scan_take(call, pipeline, first) : SCAN_NO_TILE;
    first = false;
    scan_group_barrier(scan_barrier_load_, threads);
    tile = pipeline->tile[stage.index];
    if (tile == SCAN_NO_TILE) {
      if (thread == 0) scan_signal_arrive(&pipeline->landed[stage.index]);
      if (++ends == ends_most) break;
    } else {
      const scan_extent extent = scan_tile_extent(call, tile, op);
      const void *from = SCAN_AT_CONST_(call->in, extent.offset);
      void *to = scan_stage_place(stages, stage.index, call, call->in, extent, op);
      const scan_edges edges = scan_tile_edges(from, extent.count * op.size);
      scan_edges_move(to, from, edges, thread, threads);
      scan_words_load(SCAN_AT_(to, edges.head), SCAN_AT_CONST_(from, edges.head), edges.body,
                      &pipeline->landed[stage.index], thread, threads, scan_barrier_load_);
    }
  }
}

/* Waits for the prefix of a tile; false where it has none. */
SCAN_DEVICE bool scan_prefix(scan_element *prefix, const scan_call *call,
                             const scan_pipeline *pipeline, uint32_t tile, scan_status status,
                             scan_operator op) {
  if (tile != 0)
    scan_await(prefix, status.prefixes, tile, pipeline->tag, op);
  else
    scan_element_copy(prefix, &pipeline->seed, op);
  return tile != 0 || call->seed != NULL;
}

/* Writes the total when the last tile is folded. All tiles have been folded then, so every block
 * that has any has read the seed, which may lie at the same place. */
SCAN_DEVICE void scan_total(const scan_call *call, const scan_pipeline *pipeline, uint32_t tile,
                            const scan_element *aggregate, scan_status status, scan_operator op) {
  scan_element total;
  bool any = scan_prefix(&total, call, pipeline, tile, status, op);
  scan_append_first(&total, &any, aggregate, op);
  scan_element_write(call->total, &total, op);
}

/* Reads chunk `chunk`, of `items`, of a tile, as they follow each other along the scan. */
SCAN_DEVICE void scan_tile_chunk(uint32_t *words, const void *place, scan_extent extent,
                                 uint32_t chunk, uint32_t items, scan_operator op) {
  const ptrdiff_t lowest = op.reverse ? (ptrdiff_t)extent.count - (ptrdiff_t)((chunk + 1) * items)
                                      : (ptrdiff_t)(chunk * items);
  words[(items * op.size - 1) / 4 + 1] = 0;
  scan_chunk_load(words, SCAN_AT_CONST_(place, lowest * (ptrdiff_t)op.size), items * op.size);
}

/* sum = `spans` times the items of a lane of a tile, from the first-th such span on, if there are
   any. Of a whole tile as many chunks are under way together as a row has. A lane of the fold group
   has as many elements as the rows of some warps give one of the scan group, but one after the
   other: so one exchange between lanes suffices. */
SCAN_DEVICE void scan_fold_spans(scan_element *sum, const void *place, scan_extent extent,
                                 uint32_t first, uint32_t spans, scan_operator op) {
  bool any = false;
  if (extent.count == extent.most) {
    const uint32_t together = SCAN_ROWS_(op.size);
    const uint32_t items = SCAN_CHUNK_ITEMS_(op.size);
    SCAN_ROLL_
    for (uint32_t span = first; span < first + spans; span++) {
      uint32_t words[SCAN_ROWS_MOST][SCAN_SPAN_BYTES_MOST / 4 + 1];
      scan_element x[SCAN_ROWS_MOST];
      SCAN_UNROLL_
      for (uint32_t r = 0; r < together; r++)
        scan_tile_chunk(words[r], place, extent, span * together + r, items, op);
      SCAN_UNROLL_
      for (uint32_t r = 0; r < together; r++) {
        scan_chunk_fold(&x[r], words[r], items, items, op);
        scan_append_first(sum, &any, &x[r], op);
      }
    }
  } else {
    const uint32_t items = SCAN_FEW_ITEMS_(op.size);
    const uint32_t chunks = SCAN_ITEMS_(op.size) / items; /* of a span */
    SCAN_ROLL_
    for (uint32_t chunk = first * chunks;
         chunk < (first + spans) * chunks && chunk * items < extent.count; chunk++) {
      const uint32_t left = extent.count - chunk * items;
      uint32_t words[SCAN_SPAN_BYTES_MOST / 4 + 1];
      scan_element x;
      scan_tile_chunk(words, place, extent, chunk, items, op);
      scan_chunk_fold(&x, words, items, left < items ? left : items, op);
      scan_append_first(sum, &any, &x, op);
    }
  }
}

SCAN_DEVICE void scan_role_fold(const scan_call *call, scan_pipeline *pipeline, void *stages,
                                scan_status status, uint32_t thread, scan_operator op) {
  const uint32_t warps = SCAN_FOLD_WARPS_(call->warps);
  const uint32_t mine = call->warps / warps; /* spans of a thread */
  const uint32_t warp = thread / SCAN_WARP_THREADS;
  const bool wanted = call->tiles > 1 || call->total != NULL;
  scan_stage stage = {0, 0};
  uint32_t turn = 0;
  for (;; scan_stage_next(&stage, call->stages)) {
    uint32_t tile, threads;
    bool any;
    scan_element sum;
    scan_element_clear(&sum, op);
    scan_signal_wait(&pipeline->landed[stage.index], stage.phase);
    tile = pipeline->tile[stage.index];
    if (tile == SCAN_NO_TILE || !wanted) {
      if (thread == 0) scan_signal_arrive(&pipeline->folded[stage.index]);
      if (tile == SCAN_NO_TILE) break;
      continue;
    }
    /* Each thread folds its elements. */
    {
      const scan_extent extent = scan_tile_extent(call, tile, op);
      const uint32_t each = mine * SCAN_ITEMS_(op.size); /* elements of a thread */
      const void *place = scan_stage_place(stages, stage.index, call, call->in, extent, op);
      threads = (extent.count + each - 1) / each;
      scan_fold_spans(&sum, place, extent, thread * mine, mine, op);
    }
    /* Each warp folds its threads, thread 0 folds the warps. Two sets of totals take turns: one
     * barrier suffices. */
    {
      const uint32_t active = scan_active(threads, warp);
      if (active != 0) {
        scan_warp_fold(&sum, active, op);
        if (scan_lane() == 0) scan_packed_put(pipeline->fold_totals[turn], warp, &sum, op);
      }
      scan_group_barrier(scan_barrier_fold_, warps * SCAN_WARP_THREADS);
      if (thread == 0) {
        scan_block_warp_prefix(&sum, &any, pipeline->fold_totals[turn],
                               (threads + SCAN_WARP_THREADS - 1) / SCAN_WARP_THREADS, op);
        scan_signal_arrive(call->out != NULL ? &pipeline->folded[stage.index]
                                             : &pipeline->emptied[stage.index]);
        status.tag = pipeline->tag;
        if (call->tiles > 1) scan_publish(status.aggregates, tile, &sum, status.tag, op);
        if (tile == call->tiles - 1 && call->total != NULL)
          scan_total(call, pipeline, tile, &sum, status, op);
      }
      turn ^= 1;
    }
  }
}

/* Waits for the prefixes of the block's tiles. */
SCAN_DEVICE void scan_role_prefix(const scan_call *call, scan_pipeline *pipeline,
                                  scan_status status, scan_operator op) {
  scan_stage stage = {0, 0};
  for (;; scan_stage_next(&stage, call->stages)) {
    scan_element prefix;
    uint32_t tile;
    scan_signal_wait(&pipeline->folded[stage.index], stage.phase);
    tile = pipeline->tile[stage.index];
    if (tile == SCAN_NO_TILE) break;
    pipeline->any_prefix[stage.index] = scan_prefix(&prefix, call, pipeline, tile, status, op);
    if (pipeline->any_prefix[stage.index])
      scan_element_copy(&pipeline->prefix[stage.index], &prefix, op);
    scan_signal_arrive(&pipeline->prefixed[stage.index]);
  }
}

/* Stores a scanned tile that lies at `from` in shared memory. When thread 0 returns, no other
   thread reads there any more, and the stores under way are in_flight at most. */
SCAN_DEVICE void scan_tile_store(void *to, const void *from, uint32_t count, uint32_t thread,
                                 uint32_t threads, uint32_t barrier, uint32_t in_flight,
                                 scan_operator op) {
  scan_edges edges = scan_tile_edges(to, count * op.size);
  if ((uintptr_t)to % 16 == (uintptr_t)from % 16) {
    if (thread < SCAN_WARP_THREADS) {
      scan_edges_move(to, from, edges, thread, SCAN_WARP_THREADS);
      scan_warp_barrier();
    }
  } else { /* the end of an input that lies otherwise than the output: element by element */
    edges.body = 0;
    for (uint32_t i = thread; i < count; i += threads) {
      scan_element x;
      scan_element_read(&x, SCAN_AT_CONST_(from, i * op.size), op);
      scan_element_write(SCAN_AT_(to, i * op.size), &x, op);
    }
    scan_group_barrier(barrier, threads);
  }
  scan_words_store(SCAN_AT_(to, edges.head), SCAN_AT_CONST_(from, edges.head), edges.body, thread,
                   threads, barrier, in_flight);
}

/* What comes before a warp's rows: leaves `sum`, the warp's, to the warps after, and takes the sums
   of the warps before and before them the tile's prefix. False if nothing does. On return the fold
   group has taken its sums, and every warp of the group what it loaded before the call. */
SCAN_DEVICE bool scan_warp_before(scan_element *before, const scan_element *sum,
                                  const scan_call *call, scan_pipeline *pipeline, scan_stage stage,
                                  uint32_t group, uint32_t warp, scan_rows rows, scan_operator op) {
  bool any = false;
  if (rows.count != 0 && scan_lane() == 0)
    scan_packed_put(pipeline->scan_totals[group], warp, sum, op);
  scan_group_barrier(scan_barrier_scan_ + group, call->warps * SCAN_WARP_THREADS);
  if (rows.count != 0) scan_block_warp_prefix(before, &any, pipeline->scan_totals[group], warp, op);
  scan_signal_wait(&pipeline->prefixed[stage.index], stage.phase);
  if (rows.count != 0 && pipeline->any_prefix[stage.index]) {
    if (any)
      scan_prepend(before, &pipeline->prefix[stage.index], op);
    else
      scan_element_copy(before, &pipeline->prefix[stage.index], op);
    any = true;
  }
  return any;
}

/* One warp's part in the scan of a whole tile in stage `stage`, with all its rows in registers. The
 * result lies in the stage as the output does. */
SCAN_DEVICE void *scan_tile_whole(const scan_call *call, scan_pipeline *pipeline, void *stages,
                                  const scan_element *identity, scan_stage stage,
                                  scan_extent extent, uint32_t group, uint32_t warp,
                                  scan_operator op) {
  void *from = scan_stage_place(stages, stage.index, call, call->in, extent, op);
  void *to = scan_stage_place(stages, stage.index, call, call->out, extent, op);
  const scan_rows rows = scan_tile_rows(from, extent, warp, SCAN_CHUNK_ITEMS_(op.size), true, op);
  scan_span span;
  scan_element x[SCAN_ROWS_MOST];
  scan_element sum, before;
  bool any;
  scan_element_clear(&before, op);
  scan_rows_load(&span, rows, op);
  scan_rows_scan(x, &sum, &span, rows, op);
  any = scan_warp_before(&before, &sum, call, pipeline, stage, group, warp, rows, op);
  scan_rows_finish(&span, &sum, x, &before, any, call->exclusive, identity, rows, op);
  scan_rows_store(scan_tile_rows(to, extent, warp, SCAN_CHUNK_ITEMS_(op.size), true, op), &span,
                  op);
  return to;
}

/* The same for a tile of any number of elements, the last, row by row and twice; the result lies as
 * the input did. */
SCAN_DEVICE void *scan_tile_ragged(const scan_call *call, scan_pipeline *pipeline, void *stages,
                                   const scan_element *identity, scan_stage stage,
                                   scan_extent extent, uint32_t group, uint32_t warp,
                                   scan_operator op) {
  void *place = scan_stage_place(stages, stage.index, call, call->in, extent, op);
  const scan_rows rows = scan_tile_rows(place, extent, warp, SCAN_FEW_ITEMS_(op.size), false, op);
  const uint32_t active = (scan_rows_active(rows) + SCAN_WARP_THREADS - 1) / SCAN_WARP_THREADS;
  scan_span span;
  scan_element x, sum, row_sum, before;
  bool any_sum = false;
  bool any;
  scan_element_clear(&sum, op);
  scan_element_clear(&before, op);
  SCAN_ROLL_
  for (uint32_t r = 0; r < active; r++) {
    const scan_rows row = scan_rows_one(rows, r, op);
    scan_rows_load(&span, row, op);
    scan_rows_scan(&x, &row_sum, &span, row, op);
    scan_append_first(&sum, &any_sum, &row_sum, op);
  }
  any = scan_warp_before(&before, &sum, call, pipeline, stage, group, warp, rows, op);
  /* Invariant: before holds what comes before row r. */
  SCAN_ROLL_
  for (uint32_t r = 0; r < active; r++) {
    const scan_rows row = scan_rows_one(rows, r, op);
    scan_rows_load(&span, row, op);
    scan_rows_scan(&x, &row_sum, &span, row, op);
    scan_rows_finish(&span, &before, &x, &before, any, call->exclusive, identity, row, op);
    scan_rows_store(row, &span, op);
    scan_shuffle_from(before.word, scan_element_words(op), scan_rows_active(row) - 1);
    any = true;
  }
  return place;
}

SCAN_DEVICE void scan_role_scan(const scan_call *call, scan_pipeline *pipeline, void *stages,
                                const scan_element *identity, uint32_t group, uint32_t thread,
                                scan_operator op) {
  const uint32_t threads = call->warps * SCAN_WARP_THREADS;
  const uint32_t warp = thread / SCAN_WARP_THREADS;
  scan_stage stage = {0, 0};
  /* Where there is no second group, this one goes on while its last store still reads the stage
   * `held`. */
  const uint32_t in_flight =
      SCAN_SCAN_GROUPS_(op.size, SCAN_GROUPS_MOST) == 1 ? SCAN_STORES_IN_FLIGHT : 0;
  uint32_t held = SCAN_STAGES_MOST; /* none */
  for (scan_stage_skip(&stage, group, call->stages);;
       scan_stage_skip(&stage, call->scan_groups, call->stages)) {
    uint32_t tile;
    scan_signal_wait(&pipeline->landed[stage.index], stage.phase);
    tile = pipeline->tile[stage.index];
    if (tile == SCAN_NO_TILE) break;
    {
      const scan_extent extent = scan_tile_extent(call, tile, op);
      const uint32_t empty = in_flight != 0 ? held : stage.index;
      const void *from =
          extent.count == extent.most
              ? scan_tile_whole(call, pipeline, stages, identity, stage, extent, group, warp, op)
              : scan_tile_ragged(call, pipeline, stages, identity, stage, extent, group, warp, op);
      scan_words_written();
      scan_group_barrier(scan_barrier_store_ + group, threads);
      scan_tile_store(SCAN_AT_(call->out, extent.offset), from, extent.count, thread, threads,
                      scan_barrier_store_ + group, in_flight, op);
      held = stage.index;
      if (thread == 0 && empty != SCAN_STAGES_MOST) scan_signal_arrive(&pipeline->emptied[empty]);
    }
  }
  if (thread != 0) return;
  scan_words_stored();
  if (in_flight != 0 && held != SCAN_STAGES_MOST) scan_signal_arrive(&pipeline->emptied[held]);
}

/* The tags start again after this call, so the last block to leave it wipes them out. */
SCAN_DEVICE void scan_wipe(const scan_call *call) {
  scan_workspace_header *header = (scan_workspace_header *)call->workspace;
  uint64_t *words = (uint64_t *)SCAN_AT_(header, SCAN_WORKSPACE_HEADER_BYTES);
  if (scan_counter_take_ordered(&header->departures) != scan_blocks() - 1) return;
  SCAN_ROLL_
  for (size_t i = 0; i < call->words; i++) scan_word_write(&words[i], 0);
  scan_counter_write(&header->departures, 0);
}

/* A scan or reduction by tiles. */
SCAN_DEVICE void scan_large(const scan_call *call, const scan_element *identity, scan_operator op) {
  SCAN_SHARED_DYNAMIC(scan_pipeline, pipeline);
  void *stages = SCAN_AT_(pipeline, SCAN_PIPELINE_BYTES);
  const uint32_t thread = scan_thread();
  const uint32_t scan_threads_each = call->warps * SCAN_WARP_THREADS;
  const uint32_t fold_first = call->scan_groups * scan_threads_each;
  const uint32_t prefix_first = fold_first + SCAN_FOLD_WARPS_(call->warps) * SCAN_WARP_THREADS;
  const uint32_t conduct_first = prefix_first + SCAN_WARP_THREADS;
  const uint32_t load_first = conduct_first + call->conductors * SCAN_WARP_THREADS;
  scan_status status;
  /* The seed is read before anything is published: who writes the total has seen every tile's
   * aggregate. */
  if (thread == 0) {
    for (uint32_t i = 0; i < call->stages; i++) {
      scan_signal_initialize(&pipeline->landed[i]);
      scan_signal_initialize(&pipeline->folded[i]);
      scan_signal_initialize(&pipeline->prefixed[i]);
      scan_signal_initialize(&pipeline->emptied[i]);
    }
    for (uint32_t i = 0; i < call->conductors; i++)
      scan_signal_initialize(&pipeline->carries[i].ready);
    scan_signal_initialize(&pipeline->begun);
    scan_signal_initialized();
    if (call->seed != NULL) scan_element_read(&pipeline->seed, call->seed, op);
  }
  scan_block_barrier();
  status.aggregates = (uint64_t *)SCAN_AT_(call->workspace, SCAN_WORKSPACE_HEADER_BYTES);
  status.prefixes = status.aggregates + (size_t)call->tiles * SCAN_STATUS_WORDS_(op.size);
  if (thread >= load_first) {
    scan_role_load(call, pipeline, stages, thread - load_first, op);
  } else if (thread >= conduct_first) {
    scan_signal_wait(&pipeline->begun, 0);
    status.tag = pipeline->tag;
    if (pipeline->conducts)
      scan_conduct(pipeline->carries, (thread - conduct_first) / SCAN_WARP_THREADS,
                   call->conductors, call->tiles, call->out == NULL ? call->tiles - 1 : 0,
                   &pipeline->seed, call->seed != NULL, status, op);
  } else if (thread >= prefix_first) {
    if (call->out != NULL && scan_lane() == 0) scan_role_prefix(call, pipeline, status, op);
  } else if (thread >= fold_first) {
    scan_role_fold(call, pipeline, stages, status, thread - fold_first, op);
  } else {
    scan_role_scan(call, pipeline, stages, identity, thread / scan_threads_each,
                   thread % scan_threads_each, op);
  }
  scan_block_barrier();
  if (thread != 0) return;
  if (call->tiles > 1 && pipeline->tag == UINT32_MAX) scan_wipe(call);
}

/* The kernel of every device-wide scan and reduction. */
SCAN_DEVICE void scan_tiles(const scan_call *call, const scan_element *identity, scan_operator op) {
  if (call->stages == 0)
    scan_small(call->in, call->out, call->seed, call->total, (uint32_t)call->n, call->exclusive,
               identity, op);
  else
    scan_large(call, identity, op);
}

#endif /* SCAN_KERNELS_ */

#endif
