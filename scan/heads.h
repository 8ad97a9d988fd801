/* How the starts of its segments reach a tile in the pipeline.

   Seekers, a warp each, take the block's tiles in turn: while a tile is on its way they find what
   tells of its starts (segments.h), bring that into shared memory, a piece at a time, and make it
   into a bit an element, which stays with the tile in its stage. So whatever the encoding, it is
   read once, and nothing as long as the input is made of it. */
#ifndef SCAN_HEADS_H
#define SCAN_HEADS_H

#include "scan/call.h"

/* Warps that seek: a tile's takes several steps through memory. */
#define SCAN_SEEKERS 3u
/* Pieces that a seeker has under way; bytes of a piece, at least and at most. */
#define SCAN_PIECES 2u
#define SCAN_PIECE_BYTES_LEAST 1024
#define SCAN_PIECE_BYTES_MOST 8192

/* Tiles under way in a block, at most. */
#define SCAN_STAGES_MOST 16

#define SCAN_NO_TILE UINT32_MAX

#ifdef SCAN_KERNELS_

/* In a block's shared memory, behind the pipeline; the seekers' pieces follow. */
typedef struct {
  scan_signal taken[SCAN_STAGES_MOST];  /* the stage's tile is known */
  scan_signal marked[SCAN_STAGES_MOST]; /* its bits are made */
  scan_extent extent[SCAN_STAGES_MOST];
  uint32_t starts[SCAN_STAGES_MOST]; /* scanning warps with a start in their elements: a bit each */
  scan_signal landed[SCAN_SEEKERS][SCAN_PIECES];
} scan_board;

/* A piece lies in its memory as it does in device memory, modulo the bytes of a group of flags. */
#define SCAN_PIECE_MEMORY_(bytes) ((bytes) + SCAN_GROUP_BYTES_WIDE_)
#define SCAN_PIECES_AT_ ((sizeof(scan_board) + 127) / 128 * 128)
#define SCAN_BOARD_BYTES_(piece_bytes) \
  (SCAN_PIECES_AT_ +                   \
   (SCAN_SEEKERS * SCAN_PIECES * SCAN_PIECE_MEMORY_((size_t)(piece_bytes)) + 127) / 128 * 128)

SCAN_DEVICE void scan_board_initialize(scan_board *board) {
  SCAN_ROLL_
  for (uint32_t i = 0; i < SCAN_STAGES_MOST; i++) {
    scan_signal_initialize(&board->taken[i]);
    scan_signal_initialize(&board->marked[i]);
  }
  SCAN_ROLL_
  for (uint32_t i = 0; i < SCAN_SEEKERS * SCAN_PIECES; i++)
    scan_signal_initialize(&board->landed[i / SCAN_PIECES][i % SCAN_PIECES]);
}

/* The end of the piece that begins with unit `first`: before the extent's that of a group of flags.
 */
SCAN_DEVICE uint64_t scan_piece_end(const scan_call *call, scan_extent extent, uint64_t first) {
  const uint32_t unit = SCAN_SEGMENTS_UNIT_(call->segments.kind);
  const uintptr_t at = (uintptr_t)scan_segments_at(&call->segments, first);
  const uint64_t most =
      unit != 0 ? (call->piece_bytes - at % SCAN_GROUP_BYTES_WIDE_) / unit : UINT64_MAX;
  return extent.end - first > most ? first + most : extent.end;
}

/* Where a seeker has the piece that begins with unit `first`. */
SCAN_DEVICE void *scan_piece_place(const scan_call *call, scan_board *board, uint32_t seeker,
                                   uint32_t piece, uint64_t first) {
  return SCAN_AT_(board,
                  SCAN_PIECES_AT_ +
                      (seeker * SCAN_PIECES + piece) * SCAN_PIECE_MEMORY_(call->piece_bytes) +
                      (uintptr_t)scan_segments_at(&call->segments, first) % SCAN_GROUP_BYTES_WIDE_);
}

/* Brings the bits of a tile; `in` is where in its ring of pieces the seeker is. */
SCAN_DEVICE void scan_seek_bits(const scan_call *call, scan_board *board, uint32_t seeker,
                                scan_stage *in, uint32_t *bits, scan_extent extent,
                                uint32_t barrier, scan_operator op) {
  const uint32_t unit = SCAN_SEGMENTS_UNIT_(call->segments.kind);
  uint64_t loaded = extent.first, first = extent.first;
  scan_stage out = *in;
  uint32_t under_way = 0;
  bool last;
  scan_segments_clear(bits, extent, op);
  /* Invariant: the units before `first` are in the bits, those before `loaded` are under way. An
   * extent of nothing is one piece of nothing. */
  do {
    uint64_t end;
    while (under_way < SCAN_PIECES && (loaded != extent.end || under_way == 0)) {
      const void *from = scan_segments_at(&call->segments, loaded);
      void *to = scan_piece_place(call, board, seeker, in->index, loaded);
      const uint64_t loaded_end = scan_piece_end(call, extent, loaded);
      const scan_edges edges = scan_edges_of(from, (uint32_t)(loaded_end - loaded) * unit);
      scan_edges_move(to, from, edges);
      scan_words_load(SCAN_AT_(to, edges.head), SCAN_AT_CONST_(from, edges.head), edges.body,
                      &board->landed[seeker][in->index], scan_lane(), SCAN_WARP_THREADS, barrier);
      scan_stage_next(in, SCAN_PIECES);
      loaded = loaded_end;
      under_way++;
    }
    scan_signal_wait(&board->landed[seeker][out.index], out.phase);
    end = scan_piece_end(call, extent, first);
    last = end == extent.end;
    scan_segments_mark(bits, &call->segments,
                       scan_piece_place(call, board, seeker, out.index, first), first, end, extent,
                       true, call->n, op);
    scan_stage_next(&out, SCAN_PIECES);
    under_way--;
    first = end;
    scan_warp_barrier();
  } while (!last);
}

/* Seekers at work. Each takes an end of its own from a stage, which then has to come to be empty,
   and with more of them than stages one would wait for a turn of a signal after the next. */
SCAN_DEVICE uint32_t scan_seekers(const scan_call *call) {
  const uint32_t stages = call->stages - SCAN_STORES_IN_FLIGHT;
  return stages < SCAN_SEEKERS ? stages : SCAN_SEEKERS;
}

/* A seeker's part. tiles: those of the block's stages; bits lie at bits_at in each stage, which are
 * stage_bytes apart. */
SCAN_DEVICE void scan_role_seek(const scan_call *call, const uint32_t *tiles, scan_board *board,
                                void *stages, uint32_t bits_at, uint32_t seeker, uint32_t barrier,
                                scan_operator op) {
  const uint32_t count = SCAN_TILE_(op.size);
  scan_stage stage = {0, 0};
  scan_stage piece = {0, 0};
  scan_sought sought = {0, 0};
  if (seeker >= scan_seekers(call)) return;
  for (scan_stage_skip(&stage, seeker, call->stages);;
       scan_stage_skip(&stage, scan_seekers(call), call->stages)) {
    scan_extent extent;
    uint32_t tile;
    scan_signal_wait(&board->taken[stage.index], stage.phase);
    tile = scan_uniform(tiles[stage.index]);
    if (tile == SCAN_NO_TILE) break;
    extent = scan_segments_extent(&call->segments, &sought, call->entries_an_element,
                                  scan_call_lowest(call, (size_t)tile * count, count, op), count, 0,
                                  true, call->n, op);
    if (scan_lane() == 0) board->extent[stage.index] = extent;
    scan_seek_bits(call, board, seeker, &piece,
                   (uint32_t *)SCAN_AT_(stages, stage.index * call->stage_bytes + bits_at), extent,
                   barrier, op);
    if (scan_lane() == 0) scan_signal_arrive(&board->marked[stage.index]);
  }
}

#endif /* SCAN_KERNELS_ */

#endif
