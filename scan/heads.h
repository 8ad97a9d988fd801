/* How the starts of its segments reach a tile in the pipeline.

   Seekers, a warp each, take the block's tiles in turn: while a tile is on its way they find what
   tells of its starts (segments.h), bring that into shared memory, what is much a piece at a time,
   and make it into a bit an element, which stays with the tile in its stage. So whatever the
   encoding, it is read once, and nothing as long as the input is made of it. */
#ifndef SCAN_HEADS_H
#define SCAN_HEADS_H

#include "scan/call.h"

/* Warps that seek: a tile's takes several steps through memory. */
#define SCAN_SEEKERS 3u
/* Pieces that a seeker has under way; bytes of a piece, at least and at most. Without them there is
 * room for a stage more; where they are many, larger ones are worth more than that. */
#define SCAN_PIECES 2u
#define SCAN_PIECE_BYTES_LEAST_(kind) \
  (!SCAN_SEGMENTS_PIECES_(kind) ? 0u : (kind) == scan_segments_flags32_ ? 1920u : 1024u)
#define SCAN_PIECE_BYTES_MOST 8192
/* Bytes that a seeker asks for ahead of its pieces, at most. */
#define SCAN_PREFETCH_BYTES_MOST 65536

/* Tiles under way in a block, at most. */
#define SCAN_STAGES_MOST 8

#define SCAN_NO_TILE UINT32_MAX

#ifdef SCAN_KERNELS_

/* In a block's shared memory, behind the pipeline; the seekers' pieces follow. */
typedef struct {
  scan_signal taken[SCAN_STAGES_MOST];  /* the stage's tile is known */
  scan_signal marked[SCAN_STAGES_MOST]; /* its bits are made */
  scan_extent extent[SCAN_STAGES_MOST];
  scan_signal landed[SCAN_SEEKERS][SCAN_PIECES];
} scan_board;

/* A piece lies in its memory as it does in device memory, modulo the bytes of a group of flags. */
#define SCAN_PIECE_MEMORY_(bytes) ((bytes) + SCAN_GROUP_BYTES_WIDE_)
#define SCAN_PIECES_AT_ ((sizeof(scan_board) + 127) / 128 * 128)
#define SCAN_BOARD_BYTES_(piece_bytes) \
  (SCAN_PIECES_AT_ +                   \
   (SCAN_SEEKERS * SCAN_PIECES * SCAN_PIECE_MEMORY_((size_t)(piece_bytes)) + 127) / 128 * 128)

/* By a warp. */
SCAN_DEVICE void scan_board_initialize(scan_board *board) {
  const uint32_t lane = scan_lane();
  if (lane < SCAN_STAGES_MOST) {
    scan_signal_initialize(&board->taken[lane]);
    scan_signal_initialize(&board->marked[lane]);
  }
  if (lane < SCAN_SEEKERS * SCAN_PIECES)
    scan_signal_initialize(&board->landed[lane / SCAN_PIECES][lane % SCAN_PIECES]);
}

/* Bytes of the piece that begins at `from`, of `left` bytes to come: up to where a group of flags
 * begins. */
SCAN_DEVICE uint32_t scan_piece_bytes(const scan_call *call, const void *from, uint64_t left) {
  const uint32_t most = call->piece_bytes - (uint32_t)((uintptr_t)from % SCAN_GROUP_BYTES_WIDE_);
  return left < most ? (uint32_t)left : most;
}

/* Bytes of the 16-byte words at the ends of a piece that are not the piece's, but the client's too:
   with them a piece is whole words, but at the ends of the client's memory, and need not be moved
   in two steps. */
typedef struct {
  uint32_t before, after;
} scan_around;

SCAN_DEVICE scan_around scan_piece_around(const scan_call *call, const unsigned char *from,
                                          uint32_t bytes) {
  const unsigned char *memory = (const unsigned char *)call->segments.memory;
  const unsigned char *end = (const unsigned char *)scan_segments_at(
      &call->segments, scan_segments_units(&call->segments, call->n));
  scan_around around;
  around.before = (uint32_t)((uintptr_t)from % 16);
  around.after = (uint32_t)(-(uintptr_t)(from + bytes) % 16);
  if (around.before > (uint64_t)(from - memory)) around.before = 0;
  if (around.after > (uint64_t)(end - (from + bytes))) around.after = 0;
  return around;
}

/* Where a seeker has the piece that begins at `from`. */
SCAN_DEVICE void *scan_piece_place(const scan_call *call, scan_board *board, uint32_t seeker,
                                   uint32_t piece, const void *from) {
  return SCAN_AT_(board,
                  SCAN_PIECES_AT_ +
                      (seeker * SCAN_PIECES + piece) * SCAN_PIECE_MEMORY_(call->piece_bytes) +
                      (uint32_t)((uintptr_t)from % SCAN_GROUP_BYTES_WIDE_));
}

/* Brings the bits of a tile; `in` is where in its ring of pieces the seeker is. */
SCAN_DEVICE void scan_seek_bits(const scan_call *call, scan_board *board, uint32_t seeker,
                                scan_stage *in, uint32_t *bits, scan_extent extent,
                                uint32_t barrier, SCAN_OP_PARAMS) {
  const unsigned char *marked =
      (const unsigned char *)scan_segments_at(&call->segments, extent.told);
  const unsigned char *end = (const unsigned char *)scan_segments_at(&call->segments, extent.end);
  /* What is little needs no pieces. */
  const bool straight = !SCAN_SEGMENTS_PIECES_(call->segments.kind) ||
                        (SCAN_SEGMENTS_OFFSETS_(call->segments.kind) &&
                         extent.end - extent.told <= SCAN_MARK_ENTRIES_ * SCAN_WARP_THREADS);
  const unsigned char *loaded = straight ? end : marked;
  const uint32_t unit_log = SCAN_SEGMENTS_UNIT_LOG_(call->segments.kind);
  scan_stage out = *in;
  uint32_t under_way = 0;
  /* More than the pieces hold is fetched from far away at once. */
  if ((uint64_t)(end - loaded) > SCAN_PIECES * call->piece_bytes && scan_lane() == 0) {
    const uint64_t left = (uint64_t)(end - loaded);
    const scan_edges ahead = scan_edges_of(
        marked, left < SCAN_PREFETCH_BYTES_MOST ? (uint32_t)left : SCAN_PREFETCH_BYTES_MOST);
    scan_words_prefetch(marked + ahead.head, ahead.body);
  }
  scan_segments_clear(bits, extent);
  if (call->segments.kind == scan_segments_regular_)
    scan_mark_regular(bits, call->segments.length, extent, SCAN_OP);
  /* Invariant: what lies before `marked` is in the bits, what lies before `loaded` is under way to
   * its piece, or goes straight. */
  while (marked != end) {
    uint32_t bytes = (uint32_t)(end - marked);
    const void *piece = marked;
    while (under_way < SCAN_PIECES && loaded != end) {
      const uint32_t piece_bytes = scan_piece_bytes(call, loaded, (uint64_t)(end - loaded));
      const scan_around around = scan_piece_around(call, loaded, piece_bytes);
      const unsigned char *from = loaded - around.before;
      const scan_edges edges = scan_edges_of(from, around.before + piece_bytes + around.after);
      void *to = SCAN_AT_(scan_piece_place(call, board, seeker, in->index, loaded),
                          -(ptrdiff_t)around.before);
      scan_piece_load(to, from, edges, edges.body, &board->landed[seeker][in->index], NULL, 0,
                      scan_lane(), SCAN_WARP_THREADS, barrier);
      scan_stage_next(in, SCAN_PIECES);
      loaded += piece_bytes;
      under_way++;
    }
    if (under_way != 0) {
      scan_signal_wait(&board->landed[seeker][out.index], out.phase);
      bytes = scan_piece_bytes(call, marked, (uint64_t)(end - marked));
      piece = scan_piece_place(call, board, seeker, out.index, marked);
      scan_stage_next(&out, SCAN_PIECES);
      under_way--;
    }
    scan_segments_mark(
        bits, call->segments.kind, piece,
        (uint64_t)(marked - (const unsigned char *)call->segments.memory) >> unit_log,
        bytes >> unit_log, extent, true, SCAN_OP);
    marked += bytes;
    scan_warp_barrier();
  }
  scan_segments_finish(bits, extent, call->n, SCAN_OP);
}

/* Asks for the byte flags of the tile that is taken about when the block takes its next: they are
   near when that is sought for. With more to bring, or of narrow elements, where there is less
   time, that costs more than it gains. */
SCAN_DEVICE void scan_seek_ahead(const scan_call *call, scan_extent extent, SCAN_OP_PARAMS) {
  const uint64_t count = SCAN_TILE_(op_size);
  const uint64_t far = count * scan_blocks();
  const uint64_t first = op_reverse ? extent.first - far : extent.first + far;
  if (call->segments.kind == scan_segments_flags_ && op_size >= 4 && scan_lane() == 0 &&
      first < call->n && call->n - first >= count) {
    const unsigned char *flags = (const unsigned char *)scan_segments_at(&call->segments, first);
    const scan_edges edges = scan_edges_of(flags, (uint32_t)count);
    scan_words_prefetch(flags + edges.head, edges.body);
  }
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
                                SCAN_OP_PARAMS) {
  const uint32_t count = SCAN_TILE_(op_size);
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
                                  scan_call_lowest(call, (size_t)tile * count, count, SCAN_OP),
                                  count, 0, true, call->n, SCAN_OP);
    if (scan_lane() == 0) board->extent[stage.index] = extent;
    scan_seek_ahead(call, extent, SCAN_OP);
    scan_seek_bits(call, board, seeker, &piece,
                   (uint32_t *)SCAN_AT_(stages, stage.index * call->stage_bytes + bits_at), extent,
                   barrier, SCAN_OP);
    if (scan_lane() == 0) scan_signal_arrive(&board->marked[stage.index]);
  }
}

#endif /* SCAN_KERNELS_ */

#endif
