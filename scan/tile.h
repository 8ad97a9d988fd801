/* Tiles through the pipeline of a block: load, fold, learn the prefix, scan and store.

   Blocks are persistent and take tiles by ticket. Within a block the warps have roles, and a tile
   passes from one to the next through a stage of shared memory; several stages are under way at
   once:

     loader      takes a ticket and loads the tile              landed   ->
     fold group  folds it and publishes its aggregate           folded   ->  tiles ahead of the scan
     prefix      waits for the tile's prefix                    prefixed ->
     scan group  scans the tile onto the prefix and stores it   finished ->  the loader
                 and when the store has read the stage          emptied  ->  the loader

   Each arrow is a signal a stage. In a reduction the groups that fold empty the stage. In a
   segmented scan the starts of the segments come beside the tile (heads.h). Warps that conduct
   (lookback.h) are in every block and at work in one. In the others they scout (heads.h) where
   there is something to scout for. A plain scan of narrow elements has no warp of its own for the
   prefixes: one of those that conduct waits for them, and in the block that conducts the scan
   groups do. The last tickets are those of the short tiles: a block that draws one has these warps
   do it while its last tiles are under way.
 */
#ifndef SCAN_TILE_H
#define SCAN_TILE_H

#include "scan/heads.h"
#include "scan/short.h"

/* A tile lies in its stage as its array lies in device memory, modulo this many bytes: those of a
   line, since bulk copies between places that are less alike take longer (bench/NOTES.md). Where
   segments of narrow elements start there are better uses of the memory. */
#define SCAN_STAGE_LIKE_(size, segmented) ((segmented) && (size) < 4 ? 16u : 128u)
/* A stage has what that takes before the tile, 16 bytes after, then what the fold group leaves, a
   total a scanning warp, and where segments start. */
#define SCAN_STAGE_FOLDED_(size, segmented) \
  ((SCAN_TILE_(size) * (size) + SCAN_STAGE_LIKE_(size, segmented) + 16 + 15) / 16 * 16)
#define SCAN_STAGE_HEADS_(size, segmented) \
  (SCAN_STAGE_FOLDED_(size, segmented) + SCAN_WARPS * SCAN_TOTAL_WORDS_(size, true) * 4)
/* Of a fused scan of up to 8 bytes it has what every chunk folds to instead of starts. */
#define SCAN_STAGE_BYTES_(size, segmented, fused)                                                \
  (SCAN_STAGE_HEADS_(size, segmented) +                                                          \
   ((segmented) ? SCAN_HEADS_WORDS_(SCAN_TILE_(size)) * 4                                        \
    : (fused) && SCAN_CHUNKS_LEFT_(size)                                                         \
        ? SCAN_TILE_(size) / SCAN_CHUNK_ITEMS_(size, false) * SCAN_TOTAL_WORDS_(size, false) * 4 \
        : 0))
/* Warps of a block. */
#define SCAN_KERNEL_WARPS_(size, groups_most, loader_warps, segmented)                    \
  (SCAN_WARPS * SCAN_SCAN_GROUPS_(size, groups_most) +                                    \
   SCAN_FOLD_WARPS_(size, groups_most, segmented) +                                       \
   SCAN_PREFIX_WARPS_(size, groups_most, segmented) + SCAN_CONDUCTORS_(size, segmented) + \
   SCAN_LOADERS_(size, loader_warps, segmented) + ((segmented) ? SCAN_SEEKERS_(size) : 0))

/* Warps that share the registers of a multiprocessor: those of a pipeline's block, or, where these
 * are more, of a short tile of each wave. One that is all has no more. */
#define SCAN_WARPS_TOGETHER_(size, groups_most, loader_warps, segmented)        \
  SCAN_GREATER_(SCAN_KERNEL_WARPS_(size, groups_most, loader_warps, segmented), \
                SCAN_SHORT_TILES_MOST_(size) / SCAN_SHORT_WAVE * SCAN_WARPS)

/* Builds in which as many warps fold narrow elements as scan them, and those in which half as many
 * do, associate alike (scan_role_fold); with fewer they would not. */
SCAN_STATIC_ASSERT_(2 * SCAN_FOLD_WARPS_(1, 1, false) >= SCAN_WARPS &&
                        2 * SCAN_FOLD_WARPS_(3, 1, false) >= SCAN_WARPS,
                    "a thread folds two chunks at most");

#ifdef SCAN_KERNELS_

/* Threads of the kernel, by which nvcc gives each its registers. */
#define SCAN_KERNEL_THREADS_MOST_(size, segmented) \
  (SCAN_WARPS_TOGETHER_(size, SCAN_GROUPS_MOST, SCAN_LOADER_WARPS, segmented) * SCAN_WARP_THREADS)

/* The head of the block's dynamic shared memory; words of elements follow, in a segmented scan the
 * board, then the stages. */
typedef struct {
  scan_signal landed[SCAN_STAGES_MOST];
  scan_signal folded[SCAN_STAGES_MOST];
  scan_signal prefixed[SCAN_STAGES_MOST];
  scan_signal finished[SCAN_STAGES_MOST]; /* at most a store reads it still */
  scan_signal emptied[SCAN_STAGES_MOST];
  uint32_t tile[SCAN_STAGES_MOST];   /* SCAN_NO_TILE ends each role */
  bool any_prefix[SCAN_STAGES_MOST]; /* the first tile of a scan without seed has none */
  scan_ticket ticket;                /* the block's first, and in the end its last, no tile's */
  uint32_t first;                    /* tile of the block: with tile 0 it conducts */
  uint32_t rest_stage;               /* empty after the last ticket */
  scan_signal ended;                 /* the last ticket is known */
  scan_signal carried[SCAN_CONDUCTORS_MOST];
} scan_pipeline;

/* The words: elements, which are a tile's prefix, a stage each, the seed, and what conducting warps
   hand each other; then totals, two sets a group that folds, for as many as any GPU has. */
#define SCAN_PIPELINE_PREFIXES 0
#define SCAN_PIPELINE_SEED SCAN_STAGES_MOST
#define SCAN_PIPELINE_CARRIES (SCAN_PIPELINE_SEED + 1)
#define SCAN_PIPELINE_ELEMENTS (SCAN_PIPELINE_CARRIES + SCAN_CONDUCTORS_MOST)
#define SCAN_PIPELINE_TOTALS_(size, segmented) \
  (2 * SCAN_WARPS * ((segmented) ? 1 : SCAN_FOLD_GROUPS_MOST_(size, 2)))
#define SCAN_PIPELINE_WORDS_AT ((sizeof(scan_pipeline) + 15) / 16 * 16)
#define SCAN_PIPELINE_BYTES_(size, segmented)                                           \
  ((SCAN_PIPELINE_WORDS_AT +                                                            \
    4 * (SCAN_PIPELINE_ELEMENTS * SCAN_TOTAL_WORDS_(size, false) +                      \
         SCAN_PIPELINE_TOTALS_(size, segmented) * SCAN_TOTAL_WORDS_(size, segmented)) + \
    127) /                                                                              \
   128 * 128)
#define SCAN_SHORT_SCRATCH_BYTES ((sizeof(scan_short_scratch) + 127) / 128 * 128)

SCAN_DEVICE uint32_t *scan_pipeline_elements(scan_pipeline *pipeline) {
  return (uint32_t *)__builtin_assume_aligned(SCAN_AT_(pipeline, SCAN_PIPELINE_WORDS_AT), 16);
}
SCAN_DEVICE uint32_t *scan_pipeline_element(scan_pipeline *pipeline, uint32_t index,
                                            SCAN_OP_PARAMS) {
  return scan_pipeline_elements(pipeline) + index * scan_element_words(SCAN_OP);
}

/* Barriers of the groups; 0 is the block's. */
enum {
  scan_barrier_load_ = 1,
  scan_barrier_scan_ = 2, /* and 3 */
  scan_barrier_fold_ = 4, /* and on, in a reduction */
  scan_barrier_seek_ = 5, /* and on, in a segmented scan */
  scan_barrier_short_ = 8
};

SCAN_DEVICE scan_board *scan_pipeline_board(scan_pipeline *pipeline, SCAN_OP_PARAMS) {
  return (scan_board *)SCAN_AT_(pipeline, SCAN_PIPELINE_BYTES_(op_widest, true));
}

/* The lowest element of a tile: its index, where it comes from, and where what is made of it goes,
 * or would. */
SCAN_DEVICE size_t scan_tile_at(const scan_call *call, uint32_t tile, SCAN_OP_PARAMS) {
  const uint32_t count = SCAN_TILE_(op_widest);
  return scan_call_lowest(call, (size_t)tile * count, count, SCAN_OP);
}
SCAN_DEVICE const void *scan_tile_in(const scan_call *call, uint32_t tile, SCAN_OP_PARAMS) {
  return SCAN_AT_CONST_(call->in, scan_tile_at(call, tile, SCAN_OP) * op_in_size);
}
SCAN_DEVICE void *scan_tile_like(const scan_call *call, uint32_t tile, SCAN_OP_PARAMS) {
  return SCAN_AT_(call->like, scan_tile_at(call, tile, SCAN_OP) * op_out_size);
}

SCAN_DEVICE size_t scan_stage_at(uint32_t stage, const scan_call *call) {
  return call->stages_at + (size_t)stage * call->stage_bytes;
}
SCAN_DEVICE void *scan_stage_memory(scan_pipeline *pipeline, uint32_t stage,
                                    const scan_call *call) {
  return SCAN_AT_(pipeline, scan_stage_at(stage, call));
}

SCAN_DEVICE void *scan_stage_place(scan_pipeline *pipeline, uint32_t stage, const scan_call *call,
                                   const void *at, SCAN_OP_PARAMS) {
  return SCAN_AT_(scan_stage_memory(pipeline, stage, call),
                  (uintptr_t)at % SCAN_STAGE_LIKE_(op_widest, op_segmented));
}

/* The elements of a tile up to the end of each scanning warp, back to the last start. */
SCAN_DEVICE uint32_t *scan_stage_folded(scan_pipeline *pipeline, uint32_t stage,
                                        const scan_call *call, SCAN_OP_PARAMS) {
  return (uint32_t *)__builtin_assume_aligned(SCAN_AT_(scan_stage_memory(pipeline, stage, call),
                                                       SCAN_STAGE_FOLDED_(op_widest, op_segmented)),
                                              16);
}

/* Where segments start in a tile: bits. Of a fused scan, what its chunks fold to. */
SCAN_DEVICE uint32_t *scan_stage_bits(scan_pipeline *pipeline, uint32_t stage,
                                      const scan_call *call, SCAN_OP_PARAMS) {
  return (uint32_t *)SCAN_AT_(scan_stage_memory(pipeline, stage, call),
                              SCAN_STAGE_HEADS_(op_widest, op_segmented));
}

SCAN_DEVICE uint32_t scan_stage_skew(scan_pipeline *pipeline, uint32_t stage, SCAN_OP_PARAMS) {
  return op_segmented ? scan_pipeline_board(pipeline, SCAN_OP)->extent[stage].skew : 0;
}

/* Where the `count` chunks of a tile lie that come chunk-th along the scan: elements from the
 * lowest of the tile. */
SCAN_DEVICE ptrdiff_t scan_tile_lowest(uint32_t chunk, uint32_t count, SCAN_OP_PARAMS) {
  const uint32_t items = SCAN_CHUNK_ITEMS_(op_widest, op_segmented);
  return scan_lowest(chunk * items, count * items, SCAN_TILE_(op_widest), SCAN_OP);
}

/* Where segments start in a chunk of a tile. */
SCAN_DEVICE scan_heads scan_tile_heads(const uint32_t *bits, uint32_t skew, uint32_t chunk,
                                       SCAN_OP_PARAMS) {
  return scan_heads_of(bits, skew + (uint32_t)scan_tile_lowest(chunk, 1, SCAN_OP),
                       SCAN_CHUNK_ITEMS_(op_widest, op_segmented), SCAN_OP);
}

/* The block's next tile: the second of a pair, or by its next ticket; SCAN_NO_TILE after its last.
 */
SCAN_DEVICE uint32_t scan_tile_take(const scan_call *call, scan_pipeline *pipeline, bool first,
                                    uint32_t *settled) {
  const uint32_t before = pipeline->ticket.tile;
  if (!first)
    pipeline->ticket.tile =
        before < 2 * call->pairs && before % 2 == 0 ? before + 1 : scan_take(call, settled).tile;
  return pipeline->ticket.tile < call->tiles ? pipeline->ticket.tile : SCAN_NO_TILE;
}

/* Of the `bytes` bytes of a tile, those that are asked for while the tile before is on its way. */
SCAN_DEVICE uint32_t scan_load_ahead(const scan_call *call, uint32_t bytes, SCAN_OP_PARAMS) {
  return op_segmented && call->ahead < bytes ? call->ahead : bytes;
}

/* Whether tiles stay in the second cache: then what is stored leaves it at once and in order, and
   memory serves both faster (bench/NOTES.md, "With 54"). The last of them are given back when all
   have been taken, or what comes after the call would find the cache smaller: each block sees to
   those that its last ticket says. */
SCAN_DEVICE bool scan_tiles_kept(const scan_call *call, SCAN_OP_PARAMS) {
  return SCAN_KEEPS_(op_widest, op_segmented, op_load != NULL) && call->kept != 0;
}
SCAN_DEVICE void scan_tiles_give_back(const scan_call *call, const scan_pipeline *pipeline,
                                      uint32_t thread, uint32_t threads, SCAN_OP_PARAMS) {
  uint32_t tile;
  if (!scan_tiles_kept(call, SCAN_OP)) return;
  tile = scan_uniform(pipeline->ticket.tile) - call->kept;
  /* Invariant: of what this block sees to, all before the tile is given back. */
  for (; tile < call->tiles; tile += scan_blocks())
    scan_words_give_back(scan_tile_in(call, tile, SCAN_OP), SCAN_TILE_(op_widest) * op_in_size,
                         thread, threads);
}

SCAN_DEVICE void scan_role_load(const scan_call *call, scan_pipeline *pipeline, uint32_t warp,
                                uint32_t settled, SCAN_OP_PARAMS) {
  const uint32_t threads =
      SCAN_LOADERS_(op_widest, SCAN_LOADER_WARPS, op_segmented) * SCAN_WARP_THREADS;
  const uint32_t thread = warp * SCAN_WARP_THREADS + scan_lane();
  scan_stage stage = {0, 1}; /* all stages start empty */
  const uint32_t groups = !scan_call_reduces(call, SCAN_OP)
                              ? SCAN_SCAN_GROUPS_(op_widest, SCAN_GROUPS_MOST)
                              : scan_fold_groups(call, SCAN_OP);
  const uint32_t ends_all =
      op_segmented && groups < scan_seekers(call, SCAN_OP) ? scan_seekers(call, SCAN_OP) : groups;
  /* A tile whose results go back to memory is on its way beside the one before it and no others:
     with more bulk copies memory serves all of them worse. A reduction has as many as there are
     stages; of one stage there is none before. */
  scan_signal *before = NULL;
  uint32_t before_phase = 0;
  uint32_t ends = 0;
  bool first = true;
  /* Invariant: this block's tiles so far are loaded or under way. A ticket is taken when its tile's
     stage is about to be empty, which takes as long as the ticket, not before: a tile that is taken
     early and loaded late keeps all later tiles waiting. Each group that takes turns and each
     seeker has an end of its own. */
  for (; ends < ends_all; scan_stage_next(&stage, call->stages)) {
    uint32_t tile;
    scan_signal_wait(&pipeline->finished[stage.index], stage.phase);
    if (thread == 0) {
      pipeline->tile[stage.index] =
          ends == 0 ? scan_tile_take(call, pipeline, first, &settled) : SCAN_NO_TILE;
      if (op_segmented)
        scan_signal_arrive(&scan_pipeline_board(pipeline, SCAN_OP)->taken[stage.index]);
    }
    first = false;
    scan_signal_wait(&pipeline->emptied[stage.index], stage.phase);
    scan_group_barrier(scan_barrier_load_, threads);
    /* Of one stage the next tile takes this one's place: a warp has read it when thread 0 goes on
     * (scan_uniform), a second one when the tile lands (scan_words_arrive). */
    tile = scan_uniform(pipeline->tile[stage.index]);
    if (tile == SCAN_NO_TILE) {
      if (thread == 0 && ends == 0) {
        pipeline->rest_stage = stage.index;
        scan_signal_arrive(&pipeline->ended);
        scan_grid_release(settled);
      }
      if (thread == 0) scan_signal_arrive(&pipeline->landed[stage.index]);
      ends++;
    } else {
      const void *from = scan_tile_in(call, tile, SCAN_OP);
      void *to = scan_stage_place(pipeline, stage.index, call, from, SCAN_OP);
      const scan_edges edges = scan_edges_of(from, SCAN_TILE_(op_widest) * op_in_size);
      if (thread < SCAN_WARP_THREADS)
        scan_slots_prefetch(scan_call_status(call, pipeline->ticket.tag, SCAN_OP),
                            tile + SCAN_SLOTS_AHEAD_, call->tiles, SCAN_OP);
      scan_piece_load(to, from, edges, scan_load_ahead(call, edges.body, SCAN_OP),
                      scan_tiles_kept(call, SCAN_OP), &pipeline->landed[stage.index], before,
                      before_phase, thread, threads, scan_barrier_load_);
      if (!scan_call_reduces(call, SCAN_OP) && call->stages > 1) {
        before = &pipeline->landed[stage.index];
        before_phase = stage.phase ^ 1; /* stage.phase is that of `emptied` */
      }
    }
  }
  scan_tiles_give_back(call, pipeline, thread, threads, SCAN_OP);
}

/* sum = the elements of `count` chunks of the tile at `place`, whose lowest element is the at-th,
   from the first-th chunk on, back to the last start; returns whether there is one. leaves: the
   last element of each chunk gives way to what the chunk folds to, or in a fused scan bits do. */
SCAN_DEVICE bool scan_fold_chunks(scan_element *sum, unsigned char *place, size_t at,
                                  uint32_t *bits, uint32_t skew, uint32_t first, uint32_t count,
                                  bool leaves, SCAN_OP_PARAMS) {
  const uint32_t items = SCAN_CHUNK_ITEMS_(op_widest, op_segmented);
  const uint32_t bytes = items * op_in_size;
  bool any = false;
  bool starts = false;
  /* Invariant: sum is the chunks before the i-th, back to their last start. */
  SCAN_ROLL_
  for (uint32_t i = first; i < first + count; i++) {
    const ptrdiff_t lowest = scan_tile_lowest(i, 1, SCAN_OP);
    unsigned char *chunk = place + lowest * (ptrdiff_t)op_in_size;
    scan_heads heads;
    scan_span span;
    scan_element x;
    span.word[scan_chunk_words(bytes)] = 0;
    scan_chunk_load(span.word, chunk, scan_chunk_offset(chunk, scan_offset(place), bytes), bytes,
                    SCAN_OP);
    heads = scan_tile_heads(bits, skew, i, SCAN_OP);
    scan_chunk_fold(&x, span.word, heads, items, at + (size_t)lowest, SCAN_OP);
    scan_follow_first(sum, &any, &x, heads != 0, SCAN_OP);
    starts = starts || heads != 0;
    if (leaves && op_load != NULL)
      scan_packed_put(bits, i, &x, SCAN_OP);
    else if (leaves)
      scan_element_write(chunk + scan_place(items - 1, items, SCAN_OP) * op_size, &x, SCAN_OP);
  }
  return starts;
}

/* The part of a group that folds. In a reduction the second scan group's warps are more of them. */
SCAN_DEVICE void scan_role_fold(const scan_call *call, scan_pipeline *pipeline, uint32_t group,
                                uint32_t warp, SCAN_OP_PARAMS) {
  const uint32_t thread = warp * SCAN_WARP_THREADS + scan_lane();
  const uint32_t threads =
      SCAN_FOLD_WARPS_(op_widest, SCAN_GROUPS_MOST, op_segmented) * SCAN_WARP_THREADS;
  const uint32_t part = threads / SCAN_WARPS; /* to a scanning warp's rows */
  /* The chunks of a thread lie one after the other: so one exchange between lanes suffices. How
   * many they are differs between builds only where it is one or two (of one row, not of the
   * several of a test build), which are the first step of the fold across lanes: so the bits do
   * not. */
  const uint32_t mine = SCAN_ROWS_(op_widest, op_segmented) * SCAN_WARP_THREADS / part;
  /* Asked, even where it is known: else segments of doubles spill on sm_75. */
  const bool reduces = call->out == NULL;
  scan_board *board = scan_pipeline_board(pipeline, SCAN_OP);
  scan_stage stage = {0, 0};
  uint32_t turn = 0;
  /* Invariant: the group's tiles before the stage's are folded and published. */
  for (scan_stage_skip(&stage, group, call->stages);;
       scan_stage_skip(&stage, scan_fold_groups(call, SCAN_OP), call->stages)) {
    uint32_t *bits = scan_stage_bits(pipeline, stage.index, call, SCAN_OP);
    uint32_t *totals = scan_pipeline_element(pipeline, SCAN_PIPELINE_ELEMENTS, SCAN_OP) +
                       (2 * group + turn) * SCAN_WARPS * SCAN_TOTAL_WORDS_(op_size, op_segmented);
    uint32_t tile, starts;
    bool starts_here = false;
    scan_element sum;
    scan_element_clear(&sum, SCAN_OP);
    scan_signal_wait(&pipeline->landed[stage.index], stage.phase);
    tile = scan_uniform(pipeline->tile[stage.index]);
    if (tile == SCAN_NO_TILE) {
      if (thread == 0) scan_signal_arrive(&pipeline->folded[stage.index]);
      break;
    }
    if (op_segmented) scan_signal_wait(&board->marked[stage.index], stage.phase);
    /* Each thread folds its elements, parts of a warp those that a scanning warp has. */
    starts_here = scan_fold_chunks(
        &sum,
        (unsigned char *)scan_stage_place(pipeline, stage.index, call,
                                          scan_tile_in(call, tile, SCAN_OP), SCAN_OP),
        scan_tile_at(call, tile, SCAN_OP), bits, scan_stage_skew(pipeline, stage.index, SCAN_OP),
        thread * mine, mine, !reduces && scan_chunks_left(SCAN_OP), SCAN_OP);
    starts = scan_starts(starts_here, SCAN_OP);
    scan_warp_fold_parts(&sum, part, starts, SCAN_WARP_THREADS, SCAN_WARP_THREADS, NULL, SCAN_OP);
    if (thread % part == 0)
      scan_total_put(totals, thread / part, &sum,
                     (starts >> scan_lane() & (~0u >> (SCAN_WARP_THREADS - part))) != 0, SCAN_OP);
    scan_group_barrier(scan_barrier_fold_ + group, threads);
    if (reduces && thread == 0) {
      scan_signal_arrive(&pipeline->finished[stage.index]);
      scan_signal_arrive(&pipeline->emptied[stage.index]);
    }
    /* The first warp scans these. Two sets of totals take turns: one barrier suffices. */
    if (warp == 0) {
      starts_here = false;
      if (thread < SCAN_WARPS) starts_here = scan_total_get(&sum, totals, thread, SCAN_OP);
      starts = scan_starts(starts_here, SCAN_OP);
      scan_warp_scan_batches(&sum, 1, &starts, SCAN_WARPS, thread < SCAN_WARPS, SCAN_OP);
      if (thread == SCAN_WARPS - 1)
        scan_publish_tile(&sum, starts != 0, tile,
                          scan_call_status(call, pipeline->ticket.tag, SCAN_OP), SCAN_OP);
      if (!reduces && thread < SCAN_WARPS)
        scan_total_put(scan_stage_folded(pipeline, stage.index, call, SCAN_OP), thread, &sum,
                       scan_starts_through(starts) != 0, SCAN_OP);
      scan_warp_barrier();
      if (!reduces && thread == 0) scan_signal_arrive(&pipeline->folded[stage.index]);
    }
    turn ^= 1;
  }
}

/* Waits for the prefix, if there is one, of the tile in stage `stage`, which is folded. By one
 * thread. */
SCAN_DEVICE void scan_tile_await(const scan_call *call, scan_pipeline *pipeline, uint32_t stage,
                                 uint32_t tile, SCAN_OP_PARAMS) {
  scan_element prefix;
  /* A tile that begins with a start needs none, and the first tile of all has the seed. */
  const bool any = op_segmented ? !scan_bit(scan_stage_bits(pipeline, stage, call, SCAN_OP),
                                            scan_stage_skew(pipeline, stage, SCAN_OP) +
                                                (op_reverse ? SCAN_TILE_(op_widest) - 1 : 0))
                                : tile != 0 || call->seed != NULL;
  if (any && tile == 0)
    scan_packed_get(&prefix, scan_pipeline_elements(pipeline), SCAN_PIPELINE_SEED, SCAN_OP);
  else if (any)
    scan_await(&prefix, scan_call_status(call, pipeline->ticket.tag, SCAN_OP).prefixes, tile,
               SCAN_PREFIX_POLLS_(op_size, call->tiles), pipeline->ticket.tag, SCAN_OP);
  else
    scan_element_clear(&prefix, SCAN_OP);
  scan_packed_put(scan_pipeline_elements(pipeline), SCAN_PIPELINE_PREFIXES + stage, &prefix,
                  SCAN_OP);
  pipeline->any_prefix[stage] = any;
  scan_signal_arrive(&pipeline->prefixed[stage]);
}

/* Whether a group that scans does so for its own tiles: in the block that conducts, where no warp
 * is left for it. */
SCAN_DEVICE bool scan_awaits(const scan_pipeline *pipeline, SCAN_OP_PARAMS) {
  return SCAN_PREFIX_WARPS_(op_widest, SCAN_GROUPS_MOST, op_segmented) == 0 && pipeline->first == 0;
}

/* Waits for the prefixes of the block's tiles. */
SCAN_DEVICE void scan_role_prefix(const scan_call *call, scan_pipeline *pipeline, SCAN_OP_PARAMS) {
  scan_stage stage = {0, 0};
  /* Invariant: the block's tiles before the stage's have their prefixes beside them. */
  for (;; scan_stage_next(&stage, call->stages)) {
    uint32_t tile;
    scan_signal_wait(&pipeline->folded[stage.index], stage.phase);
    tile = pipeline->tile[stage.index];
    if (tile == SCAN_NO_TILE) break;
    scan_tile_await(call, pipeline, stage.index, tile, SCAN_OP);
  }
}

/* Where segments start in the chunk that a lane of a scanning warp has in row r. */
SCAN_DEVICE scan_heads scan_tile_row_heads(scan_pipeline *pipeline, const scan_call *call,
                                           uint32_t stage, uint32_t warp, uint32_t r,
                                           SCAN_OP_PARAMS) {
  return scan_tile_heads(
      scan_stage_bits(pipeline, stage, call, SCAN_OP), scan_stage_skew(pipeline, stage, SCAN_OP),
      (warp * SCAN_ROWS_(op_widest, op_segmented) + r) * SCAN_WARP_THREADS + scan_lane(), SCAN_OP);
}
SCAN_DEVICE void scan_tile_rows_heads(scan_heads *heads, scan_pipeline *pipeline,
                                      const scan_call *call, uint32_t stage, uint32_t warp,
                                      SCAN_OP_PARAMS) {
  SCAN_UNROLL_
  for (uint32_t r = 0; r < SCAN_ROWS_(op_widest, op_segmented); r++)
    heads[r] = scan_tile_row_heads(pipeline, call, stage, warp, r, SCAN_OP);
}

/* x[r] = what the fold group left of that chunk in a fused scan. */
SCAN_DEVICE void scan_tile_rows_left(scan_element *x, scan_pipeline *pipeline,
                                     const scan_call *call, uint32_t stage, uint32_t warp,
                                     SCAN_OP_PARAMS) {
  const uint32_t rows = SCAN_ROWS_(op_widest, op_segmented);
  SCAN_UNROLL_
  for (uint32_t r = 0; r < rows; r++)
    scan_packed_get(&x[r], scan_stage_bits(pipeline, stage, call, SCAN_OP),
                    (warp * rows + r) * SCAN_WARP_THREADS + scan_lane(), SCAN_OP);
}

/* A scanning warp's rows of a tile in a stage, where it lies as at `address` in device memory; its
   lowest element is the at-th. Found anew for each use, since next to the elements there are no
   registers for what can be. */
SCAN_DEVICE scan_rows scan_stage_rows(const scan_call *call, scan_pipeline *pipeline,
                                      uint32_t stage, const void *address, size_t at, uint32_t warp,
                                      SCAN_OP_PARAMS) {
  const uint32_t chunks = SCAN_ROWS_(op_widest, op_segmented) * SCAN_WARP_THREADS;
  unsigned char *place = (unsigned char *)scan_stage_place(pipeline, stage, call, address, SCAN_OP);
  const ptrdiff_t lowest = scan_tile_lowest(warp * chunks, chunks, SCAN_OP);
  scan_rows rows;
  rows.lowest = place + lowest * (ptrdiff_t)op_size;
  rows.at = at + (size_t)lowest;
  rows.rows = SCAN_ROWS_(op_widest, op_segmented);
  rows.items = SCAN_CHUNK_ITEMS_(op_widest, op_segmented);
  rows.bytes = rows.items * op_size;
  return rows;
}

/* The same of the tile that the stage has, as it came in. */
SCAN_DEVICE scan_rows scan_tile_rows(const scan_call *call, scan_pipeline *pipeline, uint32_t stage,
                                     uint32_t warp, SCAN_OP_PARAMS) {
  const uint32_t tile = scan_uniform(pipeline->tile[stage]);
  return scan_stage_rows(call, pipeline, stage, scan_tile_in(call, tile, SCAN_OP),
                         scan_tile_at(call, tile, SCAN_OP), warp, SCAN_OP_IN);
}

/* Moves a warp's rows in a stage; all warps of the group do. */
SCAN_DEVICE void scan_rows_move(scan_rows to, scan_rows from, uint32_t barrier, SCAN_OP_PARAMS) {
  scan_span span;
  if (to.lowest == from.lowest) return;
  scan_rows_load(&span, from, SCAN_OP);
  /* Every warp has loaded its rows before any stores where the others' may lie. */
  scan_group_barrier(barrier, SCAN_WARPS * SCAN_WARP_THREADS);
  scan_rows_store(to, &span, SCAN_OP);
}

/* Whether the rows of a tile are finished one after the other, each from shared memory and back,
   and not all in registers at once: where segments of narrow elements start, that is more code than
   the cache of instructions holds. For that chunks are whole vectors, and lie on them. */
SCAN_DEVICE bool scan_rows_alone(SCAN_OP_PARAMS) {
  return op_segmented && op_size < 4 &&
         SCAN_CHUNK_ITEMS_(op_widest, op_segmented) * op_size % 16 == 0;
}

/* Whether the thread is the one of a group that scans by which it stores: of the last warp, since
   the first waits longest for the prefix of its next tile. Not by its warp and lane, which would
   stay in registers for it. */
SCAN_DEVICE bool scan_stores(void) {
  return scan_thread() % (SCAN_WARPS * SCAN_WARP_THREADS) == (SCAN_WARPS - 1) * SCAN_WARP_THREADS;
}

/* Empties a stage once the group's last store has read it; by the thread that stores. */
SCAN_DEVICE void scan_stage_empty(scan_pipeline *pipeline, uint32_t stage) {
  scan_words_stored();
  scan_signal_arrive(&pipeline->emptied[stage]);
}

/* What the fold group has of the tile in stage `stage` before a scanning warp's rows, back to the
 * last start; returns whether there is one. Before the first warp's there is nothing. */
SCAN_DEVICE bool scan_tile_before(scan_element *before, const scan_call *call,
                                  scan_pipeline *pipeline, uint32_t stage, uint32_t warp,
                                  SCAN_OP_PARAMS) {
  scan_element_clear(before, SCAN_OP);
  return warp != 0 && scan_total_get(before, scan_stage_folded(pipeline, stage, call, SCAN_OP),
                                     warp - 1, SCAN_OP);
}

/* Puts the tile's prefix, which is there, in front of that, if it has one and nothing `starts` in
 * between; returns whether there is anything now. */
SCAN_DEVICE bool scan_tile_prepend(scan_element *before, bool starts, scan_pipeline *pipeline,
                                   uint32_t stage, uint32_t warp, SCAN_OP_PARAMS) {
  /* Asked twice, instead of `any`, which would take a register from tile to tile. */
  const bool any_prefix = !starts && pipeline->any_prefix[stage];
  bool any = warp != 0;
  if (any_prefix) {
    scan_element prefix;
    scan_packed_get(&prefix, scan_pipeline_elements(pipeline), SCAN_PIPELINE_PREFIXES + stage,
                    SCAN_OP);
    scan_prepend_first(before, &any, &prefix, SCAN_OP);
  }
  return warp != 0 || any_prefix;
}

/* One warp's part in the scan of the tile in stage `stage`. The result lies in the stage as the
   tile does in `like`. Empties stage `held`, if there is one, before it waits for the prefix: by
   then the store that reads it is over. */
SCAN_DEVICE void scan_tile_scan(const scan_call *call, scan_pipeline *pipeline,
                                const scan_element *identity, scan_stage stage, uint32_t tile,
                                uint32_t held, uint32_t barrier, uint32_t warp, SCAN_OP_PARAMS) {
  const void *from = scan_tile_in(call, tile, SCAN_OP);
  const size_t at = scan_tile_at(call, tile, SCAN_OP);
  const scan_rows landed = scan_stage_rows(call, pipeline, stage.index, from, at, warp, SCAN_OP_IN);
  scan_rows rows =
      scan_rows_alone(SCAN_OP)
          ? scan_stage_rows(call, pipeline, stage.index,
                            SCAN_AT_CONST_(from, -(ptrdiff_t)scan_offset(from)), at, warp, SCAN_OP)
          : landed;
  scan_span span;
  scan_element x[SCAN_BATCHES_MOST];
  scan_heads heads[SCAN_BATCHES_MOST];
  scan_element before;
  scan_form form;
  scan_rows left;
  uint32_t started;
  bool any;
  if (op_segmented || scan_chunks_left(SCAN_OP))
    scan_signal_wait(&pipeline->folded[stage.index], stage.phase);
  if (scan_rows_alone(SCAN_OP)) {
    scan_rows_move(rows, landed, barrier, SCAN_OP);
    scan_rows_folded(x, rows, SCAN_OP);
  }
  scan_tile_rows_heads(heads, pipeline, call, stage.index, warp, SCAN_OP);
  if (op_load != NULL && scan_chunks_left(SCAN_OP)) {
    scan_tile_rows_left(x, pipeline, call, stage.index, warp, SCAN_OP);
  } else if (!scan_rows_alone(SCAN_OP)) {
    scan_rows_load(&span, rows, SCAN_OP_IN);
    scan_rows_fold(x, &span, heads, rows, SCAN_OP);
  }
  started = scan_rows_scan(x, heads, rows, SCAN_OP);
  if (held != SCAN_STAGES_MOST && scan_stores()) scan_stage_empty(pipeline, held);
  form = scan_call_form(call, call->exclusive, call->seed != NULL, identity, SCAN_OP);
  /* What comes before the warp's rows: what the fold group has and, where no start cuts it off, the
   * tile's prefix. The first warp waits for that always, so no stage is emptied before it is there.
   */
  if (scan_rows_alone(SCAN_OP)) {
    /* Whether `before` begins at a start or holds the prefix. */
    bool complete = scan_tile_before(&before, call, pipeline, stage.index, warp, SCAN_OP);
    span.word[scan_chunk_words(rows.bytes)] = 0; /* as scan_rows_load leaves it */
    /* From the last row to the first, so that the prefix is waited for as late as can be.
     * Invariant: x ends with what scan_rows_scan made of the row before r, and of r. */
    SCAN_ROLL_
    for (uint32_t r = rows.rows; r-- > 0;) {
      unsigned char *chunk = scan_rows_chunk(rows, r, scan_lane(), SCAN_OP);
      const bool begins = (started & ((1u << r) - 1)) == 0; /* no start in the rows before */
      bool joins;
      scan_element turned;
      if (begins && !complete) {
        scan_signal_wait(&pipeline->prefixed[stage.index], stage.phase);
        (void)scan_tile_prepend(&before, false, pipeline, stage.index, warp, SCAN_OP);
        complete = true;
      }
      any = warp != 0 || (begins && pipeline->any_prefix[stage.index]);
      joins = begins && any;
      scan_chunk_load(span.word, chunk, 0, rows.bytes, SCAN_OP);
      scan_row_finish(span.word, r, &x[rows.rows > 1 ? rows.rows - 2 : 0], &x[rows.rows - 1],
                      scan_tile_row_heads(pipeline, call, stage.index, warp, r, SCAN_OP), &before,
                      any, &joins, form, rows, SCAN_OP);
      scan_chunk_store(chunk, 0, span.word, rows.bytes);
      scan_element_copy(&turned, &x[rows.rows - 1], SCAN_OP);
      SCAN_UNROLL_
      for (uint32_t i = rows.rows - 1; i > 0; i--) scan_element_copy(&x[i], &x[i - 1], SCAN_OP);
      scan_element_copy(&x[0], &turned, SCAN_OP);
    }
  } else {
    /* Asked of segments first; in a plain scan what the fold group has is there with the prefix. */
    bool starts_before =
        op_segmented && scan_tile_before(&before, call, pipeline, stage.index, warp, SCAN_OP);
    if (warp == 0 && scan_awaits(pipeline, SCAN_OP)) {
      /* The tile asked for: nvcc would keep it for this, and spill. */
      if (scan_lane() == 0)
        scan_tile_await(call, pipeline, stage.index, pipeline->tile[stage.index], SCAN_OP);
      scan_warp_barrier();
    }
    if (!starts_before) scan_signal_wait(&pipeline->prefixed[stage.index], stage.phase);
    starts_before = scan_tile_before(&before, call, pipeline, stage.index, warp, SCAN_OP);
    any = scan_tile_prepend(&before, starts_before, pipeline, stage.index, warp, SCAN_OP);
    scan_tile_rows_heads(heads, pipeline, call, stage.index, warp, SCAN_OP);
    if (op_load != NULL) {
      /* Loaded anew, and the tile asked for: nvcc would keep all that load made of the rows. */
      rows = scan_tile_rows(call, pipeline, stage.index, warp, SCAN_OP);
      scan_rows_load(&span, rows, SCAN_OP_IN);
    }
    scan_rows_finish(&span, x, heads, &before, any, form, rows, SCAN_OP);
  }
  /* The tile asked for again, here and for the store: nvcc would keep it next to the elements, and
   * spill. */
  if (scan_rows_alone(SCAN_OP)) tile = scan_uniform(pipeline->tile[stage.index]);
  left = scan_stage_rows(call, pipeline, stage.index, scan_tile_like(call, tile, SCAN_OP), at, warp,
                         SCAN_OP_OUT);
  if (scan_rows_alone(SCAN_OP)) {
    scan_rows_move(left, rows, barrier, SCAN_OP);
  } else {
    scan_group_barrier(barrier, SCAN_WARPS * SCAN_WARP_THREADS); /* as in scan_rows_move */
    scan_rows_store(left, &span, SCAN_OP_OUT);
  }
}

/* Stores a scanned tile that lies at `from` in shared memory. When the thread that stores returns,
 * no other reads there any more. */
SCAN_DEVICE void scan_tile_store(void *to, const void *from, uint32_t warp, uint32_t barrier,
                                 SCAN_OP_PARAMS) {
  const scan_edges edges = scan_edges_of(to, SCAN_TILE_(op_widest) * op_out_size);
  if (warp == SCAN_WARPS - 1) {
    scan_edges_move(to, from, edges);
    scan_warp_barrier();
  }
  scan_words_store(SCAN_AT_(to, edges.head), SCAN_AT_CONST_(from, edges.head), edges.body,
                   (SCAN_WARPS - 1 - warp) * SCAN_WARP_THREADS + scan_lane(),
                   SCAN_WARPS * SCAN_WARP_THREADS, barrier);
}

SCAN_DEVICE void scan_role_scan(const scan_call *call, scan_pipeline *pipeline,
                                const scan_element *identity, uint32_t group, uint32_t warp,
                                SCAN_OP_PARAMS) {
  const uint32_t groups = SCAN_SCAN_GROUPS_(op_widest, SCAN_GROUPS_MOST);
  const uint32_t barrier = scan_barrier_scan_ + group;
  const bool gathers = scan_call_gathers(call, SCAN_OP);
  scan_stage stage = {0, 0};
  /* Where there is no second group, this one goes on while its last store still reads the stage
   * `held`. */
  const bool holds = groups == 1 && scan_stages_held(call) != 0;
  uint32_t held = SCAN_STAGES_MOST; /* none */
  /* Invariant: the group's tiles before the stage's are scanned, and all their stages but `held`
   * are empty or taken anew. */
  for (scan_stage_skip(&stage, group, call->stages);;
       scan_stage_skip(&stage, groups, call->stages)) {
    uint32_t tile;
    void *to;
    scan_signal_wait(&pipeline->landed[stage.index], stage.phase);
    tile = scan_uniform(pipeline->tile[stage.index]);
    if (tile == SCAN_NO_TILE) break;
    SCAN_LATE_(scan_tile_scan, call, pipeline, identity, stage, tile, held, barrier, warp, SCAN_OP);
    if (scan_rows_alone(SCAN_OP)) tile = scan_uniform(pipeline->tile[stage.index]);
    to = scan_tile_like(call, tile, SCAN_OP);
    scan_words_written();
    scan_group_barrier(barrier, SCAN_WARPS * SCAN_WARP_THREADS);
    if (gathers) {
      scan_segments_gather(
          call->out,
          (const unsigned char *)scan_stage_place(pipeline, stage.index, call, to, SCAN_OP),
          &call->segments, scan_pipeline_board(pipeline, SCAN_OP)->extent[stage.index], identity,
          SCAN_GATHER_ENTRIES_, warp * SCAN_WARP_THREADS + scan_lane(),
          SCAN_WARPS * SCAN_WARP_THREADS, call->n, SCAN_OP);
      scan_group_barrier(barrier, SCAN_WARPS * SCAN_WARP_THREADS);
    }
    if (!gathers)
      scan_tile_store(to, scan_stage_place(pipeline, stage.index, call, to, SCAN_OP), warp, barrier,
                      SCAN_OP);
    if (scan_stores()) scan_signal_arrive(&pipeline->finished[stage.index]);
    if (holds)
      held = stage.index;
    else if (scan_stores())
      scan_stage_empty(pipeline, stage.index);
  }
}

SCAN_DEVICE void scan_role_conduct(const scan_call *call, scan_pipeline *pipeline, uint32_t warp,
                                   uint32_t warps, SCAN_OP_PARAMS) {
  if (pipeline->first == 0)
    scan_conduct(scan_pipeline_element(pipeline, SCAN_PIPELINE_CARRIES, SCAN_OP), pipeline->carried,
                 warp, warps, call->tiles, scan_call_reduces(call, SCAN_OP) ? call->tiles : 0,
                 scan_pipeline_element(pipeline, SCAN_PIPELINE_SEED, SCAN_OP),
                 call->seed != NULL && !op_segmented,
                 scan_call_status(call, pipeline->ticket.tag, SCAN_OP), SCAN_OP);
}

/* The warp's role in the pipeline, to its end. Returns its number among the warps that do the short
   tile then, from the first that conducts on, which in all blocks but one have little to do; of a
   warp before these it wraps, and is larger than any number of warps. */
SCAN_DEVICE uint32_t scan_pipeline_run(const scan_call *call, scan_pipeline *pipeline,
                                       const scan_element *identity, SCAN_OP_PARAMS) {
  const uint32_t warp = scan_warp();
  const uint32_t fold_warps = SCAN_FOLD_WARPS_(op_widest, SCAN_GROUPS_MOST, op_segmented);
  const uint32_t fold_groups = scan_fold_groups(call, SCAN_OP);
  const uint32_t fold_first = SCAN_WARPS * SCAN_SCAN_GROUPS_(op_widest, SCAN_GROUPS_MOST);
  const uint32_t prefix_first = fold_first + fold_warps;
  const uint32_t conduct_first =
      prefix_first + SCAN_PREFIX_WARPS_(op_widest, SCAN_GROUPS_MOST, op_segmented);
  const uint32_t conductors = SCAN_CONDUCTORS_(op_widest, op_segmented);
  const uint32_t load_first = conduct_first + conductors;
  const uint32_t seek_first =
      load_first + SCAN_LOADERS_(op_widest, SCAN_LOADER_WARPS, op_segmented);
  uint32_t settled = 0;
  if (warp == 0) {
    const uint32_t lane = scan_lane(); /* which has a stage's signals, if there is one */
    if (lane < call->stages) {
      scan_signal_initialize(&pipeline->landed[lane]);
      scan_signal_initialize(&pipeline->folded[lane]);
      scan_signal_initialize(&pipeline->prefixed[lane]);
      scan_signal_initialize(&pipeline->finished[lane]);
      scan_signal_initialize(&pipeline->emptied[lane]);
    }
    if (lane < SCAN_CONDUCTORS_MOST) scan_signal_initialize(&pipeline->carried[lane]);
    if (lane == 0) scan_signal_initialize(&pipeline->ended);
    if (op_segmented) scan_board_initialize(scan_pipeline_board(pipeline, SCAN_OP));
    scan_signal_initialized();
  }
  if (warp == load_first && scan_lane() == 0) {
    pipeline->ticket = scan_take(call, &settled);
    pipeline->first = pipeline->ticket.tile;
    if (pipeline->first < call->tiles)
      scan_call_prefetch(call, scan_uniform_alone(pipeline->first), SCAN_TILE_(op_widest), SCAN_OP);
  }
  scan_block_barrier();
  scan_grid_wait(0, NULL, NULL);
  /* What comes before the first tile. */
  if (!op_segmented && call->seed != NULL && pipeline->first == 0) {
    if (scan_thread() == 0) {
      scan_element seed;
      scan_call_seed(&seed, call, SCAN_OP);
      scan_packed_put(scan_pipeline_elements(pipeline), SCAN_PIPELINE_SEED, &seed, SCAN_OP);
    }
    scan_block_barrier();
  }
  if (op_segmented && warp >= seek_first) {
    SCAN_LATE_(scan_role_seek, call, pipeline->tile, scan_pipeline_board(pipeline, SCAN_OP),
               scan_stage_memory(pipeline, 0, call), SCAN_STAGE_HEADS_(op_widest, op_segmented),
               warp - seek_first, scan_barrier_seek_ + warp - seek_first,
               scan_call_status(call, pipeline->ticket.tag, SCAN_OP), SCAN_OP);
  } else if (warp >= load_first) {
    SCAN_LATE_(scan_role_load, call, pipeline, warp - load_first, settled, SCAN_OP);
  } else if (op_segmented && warp >= conduct_first && pipeline->first != 0) {
    scan_role_scout(call, (pipeline->first - 1) * conductors + warp - conduct_first,
                    (scan_blocks() - 1) * conductors,
                    scan_call_status(call, pipeline->ticket.tag, SCAN_OP), SCAN_OP);
  } else if (warp == prefix_first && !scan_awaits(pipeline, SCAN_OP)) {
    if (!scan_call_reduces(call, SCAN_OP) && scan_lane() == 0)
      scan_role_prefix(call, pipeline, SCAN_OP);
  } else if (warp < prefix_first && warp + fold_warps * fold_groups >= prefix_first) {
    SCAN_LATE_(scan_role_fold, call, pipeline,
               fold_groups == 1 ? 0 : (prefix_first - 1 - warp) / fold_warps, warp % fold_warps,
               SCAN_OP);
  } else if (warp < fold_first && !scan_call_reduces(call, SCAN_OP)) {
    /* The number by a shuffle of its own: else nvcc keeps what the roles have in common, and
     * spills. */
    SCAN_LATE_(scan_role_scan, call, pipeline, identity, warp / SCAN_WARPS,
               scan_uniform(warp % SCAN_WARPS), SCAN_OP);
  } else if (!scan_call_reduces(call, SCAN_OP) ? warp >= conduct_first : warp < SCAN_WARPS) {
    scan_role_conduct(call, pipeline,
                      !scan_call_reduces(call, SCAN_OP) ? warp - conduct_first : warp,
                      !scan_call_reduces(call, SCAN_OP) ? conductors : SCAN_WARPS, SCAN_OP);
  }
  scan_warp_barrier();
  return warp - conduct_first;
}

/* The kernel of every device-wide scan and reduction. */
SCAN_DEVICE void scan_tiles(const scan_call *call, const scan_element *identity, SCAN_OP_PARAMS) {
  SCAN_SHARED_DYNAMIC(scan_pipeline, pipeline);
  scan_short_scratch *scratch = (scan_short_scratch *)(void *)pipeline;
  size_t at = 0; /* where a short tile's lies: of one of two pointers nvcc makes a generic one */
  scan_ticket ticket = {0, 1}; /* of a tile that is alone: no workspace, no shuffle */
  uint32_t settled = 0;        /* thread 0's, of its ticket */
  uint32_t warp = scan_warp();
  if (call->tiles != 0) {
    warp = SCAN_LATE_(scan_pipeline_run, call, pipeline, identity, SCAN_OP);
    if (warp < call->warps) {
      scan_signal_wait(&pipeline->ended, 0);
      at = scan_stage_at(pipeline->rest_stage, call);
      ticket = pipeline->ticket;
    }
    ticket.tile = scan_uniform(ticket.tile);
  } else if (call->short_tiles > 1) {
    if (warp == 0) {
      if (scan_lane() == 0) ticket = scan_take(call, &settled);
      scan_shuffle_from(&ticket.tile, 1, 0);
      if (scan_lane() == 0) scratch->ticket = ticket;
      scan_call_prefetch(
          call, ticket.tile,
          SCAN_SHORT_ITEMS_(op_widest) * call->chunks * SCAN_WARP_THREADS * call->warps, SCAN_OP);
    }
    scan_block_barrier();
    ticket = scratch->ticket;
    ticket.tile = scan_uniform(ticket.tile);
  }
  scratch = (scan_short_scratch *)SCAN_AT_(pipeline, at);
  if (warp < call->warps && ticket.tile < call->tiles + call->short_tiles)
    SCAN_LATE_(scan_short, call, scratch, SCAN_AT_(scratch, SCAN_SHORT_SCRATCH_BYTES), ticket.tile,
               settled, warp, scan_barrier_short_, identity,
               scan_call_status(call, ticket.tag, SCAN_OP), SCAN_OP);
  if (call->tiles == 0 && ticket.tag != SCAN_TAG_MOST) return;
  /* A block departs when all its threads are done with status words, and with shared memory. */
  if (call->tiles != 0) scan_words_stored();
  scan_block_barrier();
  if (call->tiles != 0) ticket = pipeline->ticket;
  if (scan_thread() == 0 && ticket.tag == SCAN_TAG_MOST) scan_wipe(call);
}

#endif /* SCAN_KERNELS_ */

#endif
