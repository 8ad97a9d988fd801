/* The one table of sizes, by the width of the element and by n. It decides how operands are
   associated, so what does so knows nothing of the device, the build or the arrays'
   alignment: what takes groups_most or loader_warps, which are the build's, only says who does the
   work. The figures behind it are in bench/NOTES.md.

   A test build may fix SCAN_TUNING_ITEMS (of a chunk, 32 at most), SCAN_TUNING_ROWS,
   SCAN_TUNING_WARPS (1, 2, 4 or 8) and SCAN_TUNING_SHORT_TILES before the first include, so that a
   small input has every edge that a large one has; and for the CPU SCAN_TUNING_GROUPS, 1 or 2, as
   the builds for the GPU have them.
 */
#ifndef SCAN_TUNING_H
#define SCAN_TUNING_H

#include "scan/target/target.h"

/* Narrow elements, in all that follows and elsewhere, have fewer than 4 bytes.

   A tile is cut into rows, a row into chunks: a warp takes a row at a time, a lane a chunk of it.
   One chunk a lane is least of what lanes exchange; segments of narrow elements come in three rows,
   since a chunk has bits for 64 starts (thread.h), and those of 3 bytes would spill. A lane's
   elements are as many as fill the first of these sizes that the element divides: whole 16-byte
   vectors, most of them an odd number, so that no two of the eight lanes that shared memory serves
   at once meet in a bank. Others are as many as a thread can hold in whole words; of 5 bytes an odd
   number of words, since there are no registers for 160 bytes. */
#ifdef SCAN_TUNING_ITEMS
#define SCAN_ITEMS_(size) (SCAN_TUNING_ITEMS * SCAN_TUNING_ROWS + 0 * (size))
#define SCAN_ROWS_(size, segmented) (SCAN_TUNING_ROWS + 0 * (size) + 0 * (segmented))
#define SCAN_SPAN_BYTES_MOST (64 * SCAN_TUNING_ITEMS * SCAN_TUNING_ROWS)
#else
#define SCAN_SPAN_BYTES_MOST 192
#define SCAN_WHOLE_WORDS_(size) ((size) % 4 == 0 ? 1 : (size) % 2 == 0 ? 2 : 4) /* elements */
#define SCAN_ITEMS_(size)                                                                    \
  ((size) == 5         ? 28                                                                  \
   : 144 % (size) == 0 ? 144 / (size)                                                        \
   : 112 % (size) == 0 ? 112 / (size)                                                        \
   : 176 % (size) == 0 ? 176 / (size)                                                        \
   : 160 % (size) == 0 ? 160 / (size)                                                        \
   : SCAN_WHOLE_WORDS_(size) * (size) <= SCAN_SPAN_BYTES_MOST                                \
       ? SCAN_SPAN_BYTES_MOST / (SCAN_WHOLE_WORDS_(size) * (size)) * SCAN_WHOLE_WORDS_(size) \
       : SCAN_SPAN_BYTES_MOST / (size))
#define SCAN_ROWS_(size, segmented) ((segmented) && (size) < 4 ? 3u : 1u)
#endif
/* Of a chunk; a lane has one of each row of its warp. */
#define SCAN_CHUNK_ITEMS_(size, segmented) (SCAN_ITEMS_(size) / SCAN_ROWS_(size, segmented))
/* Whether what chunks fold to is left for the scan: of up to 8 bytes; wider ones would wait. */
#define SCAN_CHUNKS_LEFT_(size) ((size) <= 8)

/* Warps that scan a tile. */
#ifdef SCAN_TUNING_WARPS
#define SCAN_WARPS SCAN_TUNING_WARPS
#else
#define SCAN_WARPS 8
#endif
/* Elements of a tile. */
#define SCAN_TILE_(size) (SCAN_ITEMS_(size) * SCAN_WARP_THREADS * SCAN_WARPS)

/* In a short tile a thread has a few small chunks one after the other: so as many threads as can be
   have a part in a small input, and the code that runs once is short. */
#ifdef SCAN_TUNING_ITEMS
#define SCAN_SHORT_ITEMS_(size) (SCAN_TUNING_ITEMS + 0 * (size))
#define SCAN_SHORT_CHUNKS_(size) ((size) <= 16 ? SCAN_TUNING_ROWS : 1) /* more: not in 64 KiB */
#else
#define SCAN_SHORT_ITEMS_(size) ((size) == 3 ? 4 : (size) < 16 ? 16 / (size) : 1)
#define SCAN_SHORT_CHUNKS_(size) ((size) <= 16 ? 3u : (size) <= 24 ? 2u : 1u)
#endif
/* Inputs of up to so many elements come without chunks, an element a lane, as do those beyond whole
   chunks; and whether any ever do. Fewer where chunks are a few elements in whole words, which go
   straight between memory and registers. */
#define SCAN_SINGLES_MOST_(size)                                               \
  ((size) >= 16 ? 0u                                                           \
   : SCAN_SHORT_ITEMS_(size) <= 4 && SCAN_SHORT_ITEMS_(size) * (size) % 4 == 0 \
       ? 64u                                                                   \
       : (uint32_t)SCAN_WARPS * SCAN_WARP_THREADS)
#define SCAN_SINGLES_(size) ((size) < 16 || SCAN_SHORT_ITEMS_(size) > 1)
/* Up to twice as many where there would be more short tiles than run at once; two of the widest
 * would not fit in shared memory. */
#define SCAN_SHORT_CHUNKS_MOST_(size) ((size) > 60 ? 1u : SCAN_SHORT_CHUNKS_(size) * 2u)
/* Warps of a short tile, at most, of one that is all and of one among others. One that is all has
 * as many as there is work for, and one more for elements beyond its chunks. */
#define SCAN_SHORT_WARPS_MOST (SCAN_WARPS * 3)
#define SCAN_SPREAD_WARPS_MOST (SCAN_WARPS * 2)
/* As many short tiles as an H200 has multiprocessors are a wave. Inputs of more waves than run at
 * once, about, go through the pipeline. */
#ifdef SCAN_TUNING_SHORT_TILES
#define SCAN_SHORT_WAVE (SCAN_TUNING_SHORT_TILES / 3)
#define SCAN_SHORT_TILES_MOST_(size) (SCAN_TUNING_SHORT_TILES + 0 * (size))
#else
#define SCAN_SHORT_WAVE 132
#define SCAN_SHORT_TILES_MOST_(size) \
  (((size) <= 8 ? 3u : (size) <= 32 || (size) > 60 ? 2u : 1u) * SCAN_SHORT_WAVE)
#endif
/* Short tiles at once on a multiprocessor, where there are more than multiprocessors. */
#define SCAN_SHORT_AT_ONCE_(size) ((size) <= 8 ? 3u : 2u)
/* Cycles by which a wave is behind the one before it, for each byte of a thread's chunks: so memory
 * brings first what was taken first, which all others wait for. */
#define SCAN_SHORT_WAVE_CYCLES 8

/* Copies of a short tile's aggregate: where all blocks wait for the same few words, they had better
 * not look in the same place. */
#define SCAN_SHORT_COPIES 4
/* Cycles by which the first look of a short tile is late (short.h), in a wave and in several, above
   so many rows. */
#define SCAN_LATE_CYCLES 30u
#define SCAN_LATE_CYCLES_WAVES 150u
#define SCAN_LATE_ABOVE (SCAN_WARPS * 32u)
#define SCAN_LATE_ABOVE_OFFSETS (SCAN_WARPS * 64u)

/* Warps of the short tiles behind a pipeline, where those that conduct do them: no more than these.
 */
#define SCAN_REST_WARPS 2
/* Warps that have chunks of a tile that is all, and warps of the tiles of one wave, at most: of
 * wide elements more tiles are faster than so many warps; of chunks that are no vectors, and of
 * bytes, than most. */
#define SCAN_ALONE_WARPS_(size)                                  \
  ((size) == 1                       ? (SCAN_WARPS * 5 + 1) / 2  \
   : (size) <= 8 && 16 % (size) == 0 ? SCAN_SHORT_WARPS_MOST - 1 \
   : (size) <= 16                    ? SCAN_SPREAD_WARPS_MOST    \
   : (size) <= 32                    ? (SCAN_WARPS * 3 + 1) / 2  \
                                     : SCAN_WARPS)
#define SCAN_SPREAD_WARPS_(size) ((size) <= 16 ? SCAN_SPREAD_WARPS_MOST : SCAN_WARPS)
/* Warps and chunks of the longest tiles of one wave, of elements wider than 16 bytes: eight by two
 * of the widest would not fit in shared memory. */
#define SCAN_LONG_WARPS_(size) ((size) > 60 ? SCAN_WARPS - 1u : SCAN_WARPS)
#define SCAN_LONG_CHUNKS_(size) ((size) > 60 ? 2u : SCAN_SHORT_CHUNKS_MOST_(size))
/* Where tiles are few they have half as many warps, and twice as many multiprocessors a part: above
   so many rows, any where an element is much work; and up to so many tiles, of which each thread of
   a tile has no more than one to look at, the fewer the narrower elements are. */
#define SCAN_HALF_WARPS ((SCAN_WARPS + 1) / 2)
#define SCAN_HALVED_ABOVE_(size) ((size) > 16 || (size) == 3 ? 0u : SCAN_WARPS * 7u)
#define SCAN_HALVED_TILES_(size) \
  (SCAN_HALF_WARPS * SCAN_WARP_THREADS / ((size) > 16 || (size) == 3 ? 1u : (size) > 8 ? 2u : 4u))

/* Warps that fold a tile: the scan has twice the work. Not so where segments of single or three
   bytes start, nor of other narrow elements where two groups scan: these each take their turn in a
   chain, and as many warps fold them. The widest elements leave registers for fewer. */
#define SCAN_FOLDS_STARTS_(size, segmented) ((segmented) && (size) < 4 && (size) % 2 != 0)
#define SCAN_FOLDS_NARROW_(size, groups_most, segmented) \
  ((size) < 4 && (groups_most) > 1 && !(segmented))
#define SCAN_FOLD_WARPS_(size, groups_most, segmented)                                     \
  (SCAN_FOLDS_STARTS_(size, segmented) || SCAN_FOLDS_NARROW_(size, groups_most, segmented) \
       ? SCAN_WARPS                                                                        \
   : (size) <= 52 ? (SCAN_WARPS + 1u) / 2                                                  \
                  : (SCAN_WARPS + 3u) / 4)
/* Warps that wait for prefixes and do nothing else: none where there are no registers for one more
 * beside so many that fold (tile.h). */
#define SCAN_PREFIX_WARPS_(size, groups_most, segmented) \
  (SCAN_FOLDS_NARROW_(size, groups_most, segmented) ? 0u : 1u)
/* Warps that load a tile, of as many as the machine takes: one where more fold, or segments of wide
 * elements start, for which there are no registers else. */
#define SCAN_LOADERS_(size, loader_warps, segmented) \
  (SCAN_FOLDS_STARTS_(size, segmented) || ((segmented) && (size) > 24) ? 1u : (loader_warps))
/* Warps that conduct, a batch of 32 aggregates each, on its way through memory: as many as keep up
   with the tiles, and no more, since those that wait keep the block from its own. Wide elements
   take longer, so they have a fourth; segments leave no registers for it, and the widest are slower
   with it from memory (bench/NOTES.md). In a reduction the warps of the scan group do it. */
#define SCAN_CONDUCTORS_(size, segmented) (!(segmented) && (size) > 8 && (size) <= 52 ? 4u : 3u)
#define SCAN_CONDUCTORS_MOST (SCAN_WARPS > 4 ? SCAN_WARPS : 4u)

/* Groups that scan take turns tile by tile where there are two: a scan is latency, and a second
 * group hides it. Wide elements leave no registers for one. */
#define SCAN_SCAN_GROUPS_(size, most) ((size) <= 8 ? (most) : 1u)

/* Groups that fold in a reduction, where the warps of the first scan group conduct: the second's
 * are more of them. */
#define SCAN_FOLD_GROUPS_MOST_(size, most) \
  (1 + (SCAN_SCAN_GROUPS_(size, most) - 1) * (SCAN_WARPS / SCAN_FOLD_WARPS_(size, most, false)))

/* Where tiles are kept in the second cache (tile.h): of elements up to 16 bytes, in plain scans
   that read so many bytes or more; and the bytes of those that are given back. */
#define SCAN_KEEPS_(size, segmented, fused) (!(segmented) && !(fused) && (size) <= 16)
#define SCAN_KEPT_BYTES_LEAST ((size_t)192 << 20)
#define SCAN_KEPT_BYTES_LAST ((size_t)16 << 20)

/* Status words of an element: 32 bits of it a word, in pairs from two on. */
#define SCAN_STATUS_WORDS_(size) ((size) <= 4 ? 1u : ((size) + 7u) / 8u * 2u)
/* Whether words that one block alone looks at are polled (lookback.h). Of wide elements, which have
   more of them, what is conducted is sooner loaded, and so is a tile's own prefix in calls of fewer
   tiles than these. */
#define SCAN_CONDUCT_POLLS_(size) ((size) <= 16)
#define SCAN_PREFIX_POLLS_(size, tiles) ((size) <= 16 || (tiles) >= SCAN_POLLED_TILES_LEAST)
#ifdef SCAN_TUNING_ITEMS
#define SCAN_POLLED_TILES_LEAST 4u
#else
#define SCAN_POLLED_TILES_LEAST 640u
#endif

/* Slots that a thread of a short tile looks at at once, of those before it: of wider elements a
 * multiprocessor has fewer tiles. And tiles, the last ones, that may have to look twice. */
#define SCAN_LOOKS_AT_ONCE_(size) ((size) <= 8 ? 2u : 1u)
#define SCAN_LOOKS_TWICE_MOST 16u

/* How n elements are cut. */
typedef struct {
  uint64_t tiles;       /* of SCAN_TILE_ elements */
  uint32_t short_tiles; /* of the rest, 1 at least */
  uint32_t warps;       /* of a short tile */
  uint32_t chunks;      /* of a thread of a short tile */
  uint32_t rows;        /* of whole chunks, a warp's each */
  uint32_t singles;     /* elements after these, in rows of one a lane */
} scan_cut;

/* Cuts the rest into rows, of chunks as far as these are whole or of single elements alone, and the
   rows into short tiles of up to cut->warps, or into one tile where it is alone: each has as few as
   so many tiles need. */
SCAN_HOST_ void scan_tuning_rows(scan_cut *cut, size_t size, size_t rest, bool single, bool alone) {
  const size_t items = SCAN_SHORT_ITEMS_(size);
  const size_t row = items * SCAN_WARP_THREADS * cut->chunks;
  size_t rows;
  cut->singles = (uint32_t)(single ? rest : rest % items);
  cut->rows = (uint32_t)((rest - cut->singles + row - 1) / row);
  rows = cut->rows + (cut->singles + SCAN_WARP_THREADS - 1) / SCAN_WARP_THREADS;
  cut->short_tiles = rows == 0 || alone ? 1 : (uint32_t)((rows + cut->warps - 1) / cut->warps);
  cut->warps = rows == 0 ? 1 : (uint32_t)((rows + cut->short_tiles - 1) / cut->short_tiles);
}

/* Of `rows` rows that are a wave or more, gives a tile as many warps as leave a multiprocessor the
   fewest rows: where waves are full, all have as many. But where a thread looks at one slot at a
   time (lookback.h), fewer warps only if all tiles but a few have a thread for each one before. */
SCAN_HOST_ void scan_tuning_balance(scan_cut *cut, size_t size, size_t rows, size_t tiles_most) {
  const uint32_t most = cut->warps;
  size_t fewest = SIZE_MAX;
  /* Invariant: with cut->warps it is `fewest`, the fewest so far. */
  for (uint32_t warps = most; warps > most / 2; warps--) {
    const size_t tiles = (rows + warps - 1) / warps;
    const size_t mine = (tiles + SCAN_SHORT_WAVE - 1) / SCAN_SHORT_WAVE * warps;
    const bool looks = warps == most || SCAN_LOOKS_AT_ONCE_(size) > 1 ||
                       tiles <= warps * SCAN_WARP_THREADS + SCAN_LOOKS_TWICE_MOST;
    if (tiles <= tiles_most && looks && mine < fewest) {
      fewest = mine;
      cut->warps = warps;
    }
  }
}

/* The cut of n elements of `size` bytes; n * size does not overflow. */
SCAN_HOST_ scan_cut scan_tuning_cut(size_t size, size_t n) {
  const size_t row = SCAN_SHORT_ITEMS_(size) * SCAN_WARP_THREADS; /* a chunk a lane of a warp */
  const size_t spread = row * SCAN_SHORT_WAVE;
  uint32_t chunks = SCAN_SHORT_CHUNKS_(size); /* of one wave, and of a rest */
  scan_cut cut = {0, 1, SCAN_WARPS, 1, 0, 0};
  if (n <= row * SCAN_ALONE_WARPS_(size)) {
    scan_tuning_rows(&cut, size, n, n <= SCAN_SINGLES_MOST_(size), true);
    return cut;
  }
  if (n > row * SCAN_WARPS * SCAN_SHORT_CHUNKS_MOST_(size) * SCAN_SHORT_TILES_MOST_(size)) {
    cut.warps = SCAN_REST_WARPS;
    cut.tiles = (n - 1) / SCAN_TILE_(size);
    n -= cut.tiles * SCAN_TILE_(size);
  } else {
    if (n > row * SCAN_HALVED_ABOVE_(size) && n <= spread * SCAN_HALF_WARPS &&
        n <= row * SCAN_HALF_WARPS * SCAN_HALVED_TILES_(size))
      cut.warps = SCAN_HALF_WARPS;
    /* A second wave of wide elements is slower than one of longer tiles. */
    if (size > 16 && n > spread * SCAN_WARPS &&
        n <= spread * SCAN_LONG_WARPS_(size) * SCAN_LONG_CHUNKS_(size)) {
      cut.warps = SCAN_LONG_WARPS_(size);
      chunks = SCAN_LONG_CHUNKS_(size);
    }
  }
  /* A wave while that goes, of as few chunks a thread as can be, by more warps before more chunks;
   * then no more tiles than run at once; of a rest, few. */
  if (cut.tiles == 0 && n > spread * SCAN_WARPS && n <= spread * SCAN_SPREAD_WARPS_(size) * chunks)
    cut.warps = SCAN_SPREAD_WARPS_(size);
  while (cut.chunks < chunks && (cut.tiles != 0 || n > spread * cut.warps * cut.chunks))
    cut.chunks++;
  while (n > row * cut.warps * cut.chunks * SCAN_SHORT_TILES_MOST_(size)) cut.chunks++;
  /* Of four chunks, four lanes meet in a bank; of narrow elements the work is more than that. */
  if (cut.chunks == 4 && size >= 4) cut.chunks = 5;
  if (cut.tiles == 0 && n > spread * SCAN_WARPS)
    scan_tuning_balance(&cut, size, (n - 1) / (row * cut.chunks) + 1, SCAN_SHORT_TILES_MOST_(size));
  scan_tuning_rows(&cut, size, n, false, false);
  return cut;
}

/* Words that tell where the entries of `tiles` tiles are (heads.h), one more than there are tiles,
 * and an even number: pairs of words that follow stay aligned. */
#define SCAN_ENTRY_WORDS_(tiles) ((tiles) / 2 * 2 + 2)

/* Slots (lookback.h) for n elements, or any fewer: where more chunks a thread, or the pipeline,
 * begin, there are fewer short tiles than just before. */
SCAN_HOST_ uint64_t scan_tuning_slots_most(size_t size, size_t n) {
  const scan_cut cut = scan_tuning_cut(size, n);
  const bool alone = cut.tiles == 0 && cut.short_tiles == 1;
  return 2 * cut.tiles + 1 + (alone ? 0 : SCAN_SHORT_COPIES * (SCAN_SHORT_TILES_MOST_(size) + 1));
}

#endif
