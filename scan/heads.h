/* How the starts of its segments reach a tile in the pipeline.

   Seekers, a warp each, take the block's tiles in turn: while a tile is on its way they find what
   tells of its starts (segments.h), bring that into shared memory, what is much a piece at a time,
   and make it into a bit an element, which stays with the tile in its stage. So whatever the
   encoding, it is read once, and nothing as long as the input is made of it.

   Where offsets tell, a search of several steps through memory finds the entries of a tile. Scouts
   do that ahead, a lane for a tile: the warps that conduct (lookback.h) in one block, and have
   nothing to do in the others. A seeker seeks by itself only where it comes sooner. */
#ifndef SCAN_HEADS_H
#define SCAN_HEADS_H

#include "scan/call.h"

/* Warps that seek: a tile's takes several steps through memory. The widest elements leave registers
   for one, whose tiles have few starts. */
#define SCAN_SEEKERS_MOST 3u
#define SCAN_SEEKERS_(size) ((size) <= 52 ? SCAN_SEEKERS_MOST : 1u)
/* Tiles of a block from which on scouts come sooner than seekers, about. */
#define SCAN_SCOUTED_TILES 8u
/* Pieces that a seeker has under way; bytes of a piece, at least and at most. Without them there is
 * room for a stage more. */
#define SCAN_PIECES 2u
#define SCAN_PIECE_BYTES_LEAST_(kind) \
  (!SCAN_SEGMENTS_PIECES_(kind) ? 0u : (kind) == scan_segments_flags32_ ? 1920u : 1024u)
#define SCAN_PIECE_BYTES_MOST 16384

/* Tiles under way in a block, at most; of narrow elements of whose starts as much or more tells as
 * they are, larger pieces are worth more than a stage. */
#define SCAN_STAGES_MOST 8
#define SCAN_STAGES_MOST_(kind, size)                      \
  (((kind) == scan_segments_flags32_ && (size) < 4) ||     \
           ((kind) == scan_segments_flags_ && (size) == 1) \
       ? 4u                                                \
       : SCAN_STAGES_MOST)
/* In a reduction: as many as keep memory busy. Behind more the conducting block waits longer for
 * each look, and comes to be what all wait for. */
#define SCAN_STAGES_REDUCTION 4u

/* Of a tile that comes beside the one before it, what is asked for ahead, in 128ths of it: all,
   where nothing else waits for memory. What is on its way keeps seekers' requests waiting. So it is
   a quarter where all wait for seekers: of tiles of which much tells, in brief calls, where no
   stage is used again, a quarter of that. It is counted in bytes of flags, or in offsets, each of
   which takes a seeker as long as so many of those. In long calls it is seven eighths, so that
   blocks stay in step (bench/NOTES.md, "With 72"). */
#define SCAN_SOUGHT_MUCH 8192u
#define SCAN_SOUGHT_BRIEF 2048u
#define SCAN_SOUGHT_OFFSET 64u
#define SCAN_AHEAD_ALL 128u
#define SCAN_AHEAD_SOUGHT 32u
#define SCAN_AHEAD_IN_STEP 112u
#define SCAN_IN_STEP_TILES 24u /* of a block, about: from here on a call is long */

#define SCAN_NO_TILE UINT32_MAX

#ifdef SCAN_KERNELS_

/* In a block's shared memory, behind the pipeline; the seekers' pieces follow. */
typedef struct {
  scan_signal taken[SCAN_STAGES_MOST];  /* the stage's tile is known */
  scan_signal marked[SCAN_STAGES_MOST]; /* its bits are made */
  scan_extent extent[SCAN_STAGES_MOST];
  scan_signal landed[SCAN_SEEKERS_MOST][SCAN_PIECES];
} scan_board;

#define SCAN_PIECES_AT_ ((sizeof(scan_board) + 127) / 128 * 128)
#define SCAN_BOARD_BYTES_(size, piece_bytes) \
  (SCAN_PIECES_AT_ + (SCAN_SEEKERS_(size) * SCAN_PIECES * (size_t)(piece_bytes) + 127) / 128 * 128)

/* By a warp. */
SCAN_DEVICE void scan_board_initialize(scan_board *board) {
  const uint32_t lane = scan_lane();
  if (lane < SCAN_STAGES_MOST) {
    scan_signal_initialize(&board->taken[lane]);
    scan_signal_initialize(&board->marked[lane]);
  }
  if (lane < SCAN_SEEKERS_MOST * SCAN_PIECES)
    scan_signal_initialize(&board->landed[lane / SCAN_PIECES][lane % SCAN_PIECES]);
}

/* By how many bytes the piece from `told` to `end` may be widened to whole 16-byte words inside the
   client's memory: then it need not be moved in two steps. */
typedef struct {
  uint32_t before, after;
} scan_around;

SCAN_DEVICE scan_around scan_told_around(const scan_call *call, const unsigned char *told,
                                         const unsigned char *end) {
  const unsigned char *memory = (const unsigned char *)call->segments.memory;
  const unsigned char *memory_end = (const unsigned char *)scan_segments_at(
      &call->segments, scan_segments_units(&call->segments, call->n));
  scan_around around;
  around.before = (uint32_t)((uintptr_t)told % 16);
  around.after = (uint32_t)(-(uintptr_t)end % 16);
  if (around.before > (uint64_t)(told - memory)) around.before = 0;
  if (around.after > (uint64_t)(memory_end - end)) around.after = 0;
  return around;
}

/* Makes bits of what is told of a tile a piece at a time; `in` is where in its ring of pieces the
   seeker is. What a piece costs is instructions, one after the other: what the pieces of a tile
   have in common is worked out once. */
SCAN_DEVICE void scan_seek_pieces(const scan_call *call, scan_board *board, uint32_t seeker,
                                  scan_stage *in, uint32_t *bits, scan_extent extent,
                                  uint32_t barrier, SCAN_OP_PARAMS) {
  const unsigned char *told = (const unsigned char *)scan_segments_at(&call->segments, extent.told);
  const unsigned char *end = (const unsigned char *)scan_segments_at(&call->segments, extent.end);
  const uint32_t kind = call->segments.kind;
  const bool wide = kind == scan_segments_flags32_;
  const uint64_t origin = extent.lowest + op_reverse;
  const scan_around around = scan_told_around(call, told, end);
  /* The first piece begins where a group of flags does, whose bits are the first. */
  const uint32_t skip = (uint32_t)((uintptr_t)told % SCAN_GROUP_BYTES_(wide));
  const unsigned char *from = told - skip;
  unsigned char *memory =
      (unsigned char *)SCAN_AT_(board, SCAN_PIECES_AT_ + seeker * SCAN_PIECES * call->piece_bytes);
  unsigned char *to = (unsigned char *)bits;
  uint64_t left = (uint64_t)(end - from);
  uint64_t asks = left + around.after;
  uint32_t first = skip - around.before; /* that is asked for of a piece */
  uint32_t before = skip;                /* that tell nothing */
  uint32_t under_way = 0;
  bool begun = false;
  scan_stage out = *in;
  /* Invariant: of the bytes up to `end` all but the last `left` are in the bits, all but the last
   * `asks`, with those around, in their pieces or under way. */
  while (left != 0) {
    const uint32_t here = left < call->piece_bytes ? (uint32_t)left : call->piece_bytes;
    const unsigned char *piece = memory + out.index * call->piece_bytes;
    while (under_way < SCAN_PIECES && asks != 0) {
      const uint32_t last = asks < call->piece_bytes ? (uint32_t)asks : call->piece_bytes;
      const scan_edges edges = scan_edges_of(from + first, last - first);
      scan_piece_load(memory + in->index * call->piece_bytes + first, from + first, edges,
                      edges.body, false, &board->landed[seeker][in->index], NULL, 0, scan_lane(),
                      SCAN_WARP_THREADS, barrier);
      scan_stage_next(in, SCAN_PIECES);
      from += last;
      asks -= last;
      first = 0;
      under_way++;
    }
    if (!begun) { /* while the first are on their way */
      begun = true;
      if (asks != 0 && scan_lane() == 0)
        scan_words_prefetch(from, asks < SCAN_PREFETCH_BYTES_MOST ? (uint32_t)asks / 16 * 16
                                                                  : SCAN_PREFETCH_BYTES_MOST);
      if (SCAN_SEGMENTS_OFFSETS_(kind)) scan_segments_clear(bits, extent);
    }
    scan_signal_wait(&board->landed[seeker][out.index], out.phase);
    scan_stage_next(&out, SCAN_PIECES);
    under_way--;
    if (wide) {
      scan_mark_groups(true, to, piece,
                       (here + SCAN_GROUP_BYTES_(true) - 1) / SCAN_GROUP_BYTES_(true));
      to += here / SCAN_GROUP_BYTES_(true);
    } else if (kind == scan_segments_flags_) {
      scan_mark_groups(false, to, piece,
                       (here + SCAN_GROUP_BYTES_(false) - 1) / SCAN_GROUP_BYTES_(false));
      to += here / (SCAN_GROUP_BYTES_(false) / 2);
    } else if (kind == scan_segments_offsets_) {
      scan_mark_offsets(bits, 4, piece + before, (here - before) / 4, origin, extent.places,
                        SCAN_OP);
    } else {
      scan_mark_offsets(bits, 8, piece + before, (here - before) / 8, origin, extent.places,
                        SCAN_OP);
    }
    left -= here;
    before = 0;
    scan_warp_barrier();
  }
}

/* Makes the bits of a tile. */
SCAN_DEVICE void scan_seek_bits(const scan_call *call, scan_board *board, uint32_t seeker,
                                scan_stage *in, uint32_t *bits, scan_extent extent,
                                uint32_t barrier, SCAN_OP_PARAMS) {
  const uint64_t count = extent.end - extent.told;
  if (call->segments.kind == scan_segments_regular_) {
    scan_mark_regular(bits, &call->segments, extent, SCAN_OP);
  } else if (!SCAN_SEGMENTS_PIECES_(call->segments.kind) ||
             (SCAN_SEGMENTS_OFFSETS_(call->segments.kind) &&
              count <= 2 * SCAN_MARK_ENTRIES_ * SCAN_WARP_THREADS)) {
    /* What is little needs no pieces. */
    if (SCAN_SEGMENTS_OFFSETS_(call->segments.kind)) scan_segments_clear(bits, extent);
    if (count != 0)
      scan_segments_mark(bits, &call->segments, extent.told, (uint32_t)count, extent, SCAN_OP);
  } else {
    scan_seek_pieces(call, board, seeker, in, bits, extent, barrier, SCAN_OP);
  }
  scan_segments_finish(bits, extent, call->n, SCAN_OP);
}

/* Asks for the byte flags of the tile that is taken about when the block takes its next: they are
   near when that is sought for. With more to bring, or of narrow elements, where there is less
   time, that costs more than it gains. */
SCAN_DEVICE void scan_seek_ahead(const scan_call *call, scan_extent extent, SCAN_OP_PARAMS) {
  const uint64_t count = SCAN_TILE_(op_widest);
  const uint64_t far = count * scan_blocks();
  const uint64_t first = op_reverse ? extent.first - far : extent.first + far;
  if (call->segments.kind == scan_segments_flags_ && op_size >= 4 && scan_lane() == 0 &&
      first < call->n && call->n - first >= count)
    scan_piece_prefetch(scan_segments_at(&call->segments, first), (uint32_t)count);
}

/* Seekers at work. Each takes an end of its own from a stage, which then has to come to be empty,
   and with more of them than stages one would wait for a turn of a signal after the next. */
SCAN_DEVICE uint32_t scan_seekers(const scan_call *call, SCAN_OP_PARAMS) {
  const uint32_t stages = call->stages - scan_stages_held(call);
  return stages < SCAN_SEEKERS_(op_widest) ? stages : SCAN_SEEKERS_(op_widest);
}

/* Where the first `tiles` tiles along the scan end: the element after them, in a reverse scan their
 * lowest. Word `tiles` of what scouts find is the number of the first entry beyond it. */
SCAN_DEVICE uint64_t scan_scouted_element(const scan_call *call, uint64_t tiles, SCAN_OP_PARAMS) {
  return op_reverse ? call->n - tiles * SCAN_TILE_(op_widest) : tiles * SCAN_TILE_(op_widest);
}

/* The part of one of `scouts` scouts, which take 32 words at a time in turn. Nobody waits for them.
 */
SCAN_DEVICE void scan_role_scout(const scan_call *call, uint32_t scout, uint32_t scouts,
                                 scan_status status, SCAN_OP_PARAMS) {
  if (!call->scouts) return;
  /* Invariant: the scout's words before `first` are written. */
  for (uint32_t first = scout * SCAN_WARP_THREADS; first <= call->tiles;
       first += scouts * SCAN_WARP_THREADS) {
    const uint32_t last = first + scan_left(call->tiles, first, SCAN_WARP_THREADS - 1);
    const uint32_t tiles = first + scan_lane() < last ? first + scan_lane() : last;
    const uint64_t target = scan_scouted_element(call, tiles, SCAN_OP);
    const scan_found found =
        scan_seek(&call->segments, scan_found_nothing(&call->segments), call->entries_an_element,
                  scan_scouted_element(call, op_reverse ? last : first, SCAN_OP),
                  (uint64_t)(last - first) * SCAN_TILE_(op_widest));
    uint32_t low = (uint32_t)found.entry[0], high = (uint32_t)found.entry[1];
    /* Invariant: the first entry beyond the target lies in [low, high]. */
    while (low < high) {
      const uint32_t middle = low + (high - low) / 2;
      if (scan_segments_entry(&call->segments, call->segments.memory, 0, middle, call->n) > target)
        high = middle;
      else
        low = middle + 1;
    }
    scan_word_write(&status.entries[tiles], (uint64_t)status.tag << 32 | low);
  }
}

/* What scouts have found of a tile; by a whole warp. */
SCAN_DEVICE scan_found scan_scouted(const scan_call *call, uint32_t tile, scan_status status,
                                    SCAN_OP_PARAMS) {
  scan_found found = scan_found_nothing(&call->segments);
  if (call->scouts) {
    const uint64_t word = scan_word_read(&status.entries[tile + scan_lane() % 2]);
    found.known = scan_ballot((uint32_t)(word >> 32) == status.tag) == ~0u;
    SCAN_UNROLL_
    for (uint32_t i = 0; i < 2; i++) {
      uint32_t entry = (uint32_t)word;
      scan_shuffle_from(&entry, 1, op_reverse ? 1 - i : i);
      if (found.known) found.entry[i] = entry;
    }
  }
  return found;
}

/* A seeker's part. tiles: those of the block's stages; bits lie at bits_at in each stage, which are
 * stage_bytes apart. */
SCAN_DEVICE void scan_role_seek(const scan_call *call, const uint32_t *tiles, scan_board *board,
                                void *stages, uint32_t bits_at, uint32_t seeker, uint32_t barrier,
                                scan_status status, SCAN_OP_PARAMS) {
  const uint32_t count = SCAN_TILE_(op_widest);
  scan_stage stage = {0, 0};
  scan_stage piece = {0, 0};
  if (seeker >= scan_seekers(call, SCAN_OP)) return;
  /* Invariant: the seeker's tiles before the stage's have their bits. */
  for (scan_stage_skip(&stage, seeker, call->stages);;
       scan_stage_skip(&stage, scan_seekers(call, SCAN_OP), call->stages)) {
    scan_extent extent;
    uint32_t tile;
    scan_signal_wait(&board->taken[stage.index], stage.phase);
    tile = scan_uniform(tiles[stage.index]);
    if (tile == SCAN_NO_TILE) break;
    extent = scan_segments_extent(&call->segments, scan_scouted(call, tile, status, SCAN_OP),
                                  call->entries_an_element,
                                  scan_call_lowest(call, (size_t)tile * count, count, SCAN_OP),
                                  count, 0, scan_call_gathers(call, SCAN_OP), call->n, SCAN_OP);
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
