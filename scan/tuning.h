/* The one table of sizes, by the width of the element and by n. It decides how operands are
   associated (promise 3), so it knows nothing of the device, the build or the arrays' alignment.
   The figures behind it are in bench/NOTES.md.

   A test build may fix SCAN_TUNING_ITEMS (of a chunk), SCAN_TUNING_ROWS and SCAN_TUNING_WARPS (1,
   2, 4 or 8) before the first include, so that a small input has every edge that a large one has.
 */
#ifndef SCAN_TUNING_H
#define SCAN_TUNING_H

#include "scan/target/target.h"

/* A tile is cut into rows, a row into chunks: a warp takes a row at a time, a lane a chunk of it. A
   chunk is whole elements; the first of these sizes that the element divides, else as much as fits
   in 144 bytes. It is whole 16-byte vectors where it can be, and an odd number of them where it can
   be: then no two of the eight lanes that shared memory serves at once meet in a bank. A few rows
   are there so that a lane has as many chains of operations at once; many cost too much of what
   lanes exchange. */
#ifdef SCAN_TUNING_ITEMS
#define SCAN_CHUNK_ITEMS_(size) SCAN_TUNING_ITEMS
#define SCAN_ROWS_(size) SCAN_TUNING_ROWS
#define SCAN_SPAN_BYTES_MOST (64 * SCAN_TUNING_ITEMS * SCAN_TUNING_ROWS)
#else
#define SCAN_SPAN_BYTES_MOST 176
#define SCAN_CHUNK_ITEMS_(size)       \
  (48 % (size) == 0    ? 48 / (size)  \
   : 80 % (size) == 0  ? 80 / (size)  \
   : 112 % (size) == 0 ? 112 / (size) \
   : 144 % (size) == 0 ? 144 / (size) \
   : 176 % (size) == 0 ? 176 / (size) \
   : 160 % (size) == 0 ? 160 / (size) \
   : (size) > 48       ? 1            \
                       : 144 / (size))
/* Rows of a warp in a whole tile, which its lanes hold in registers. */
#define SCAN_ROWS_(size) (48 % (size) == 0 ? 3 : 1)
#endif
/* Items of the chunks of a tile that is not whole, which divide those of a lane: few where the
 * registers for them are. */
#define SCAN_FEW_ITEMS_(size) ((size) > 16 ? 1 : SCAN_CHUNK_ITEMS_(size))
#define SCAN_ROWS_MOST 3
/* Items of a lane in a whole tile. */
#define SCAN_ITEMS_(size) (SCAN_ROWS_(size) * SCAN_CHUNK_ITEMS_(size))

/* Warps of the block that conducts which do so: a batch of 32 aggregates each, on its way through
   memory. In a reduction tiles come twice as fast, and the scan groups are free. */
#define SCAN_CONDUCTORS_(size, loader_warps) ((size) <= 16 ? 3u : 3u - (loader_warps))
#define SCAN_CONDUCTORS_REDUCING 6u
#define SCAN_CONDUCTORS_MOST 8

/* Groups that scan take turns tile by tile where there are two: a scan is latency, and a second
 * group hides it, where registers allow. */
#define SCAN_SCAN_GROUPS_(size, most) ((size) == 1 || (size) == 4 ? (most) : 1u)

/* Status words of an element: 32 bits of it a word, in pairs from two on. */
#define SCAN_STATUS_WORDS_(size) ((size) <= 4 ? 1u : ((size) + 7u) / 8u * 2u)

/* A small input has a chunk a thread, of four elements at most, in one block of so many warps at
 * most. */
#define SCAN_SMALL_WARPS 16
#ifdef SCAN_TUNING_ITEMS
#define SCAN_SMALL_ITEMS_(size) ((size) > 0 ? 1 : 0)
#define SCAN_SMALL_THREADS_MOST 0
#else
#define SCAN_SMALL_ITEMS_(size) ((size) < 4 ? 4 : (size) < 16 ? 16 / (size) : 1)
#define SCAN_SMALL_THREADS_MOST (SCAN_SMALL_WARPS * SCAN_WARP_THREADS)
#endif

/* Warps that scan a tile, at most. */
#define SCAN_WARPS_MOST 8

/* How a scan of n elements is cut. */
typedef struct {
  uint32_t items; /* elements a lane: SCAN_ITEMS_ */
  uint32_t warps; /* that scan a tile, 1 to SCAN_WARPS_MOST, a power of two: a tile has items * 32 *
                     warps elements */
} scan_shape;

/* Rows of the table by the bytes that are scanned: a small input in one tile; a middle one in
   enough tiles for many multiprocessors; a large one in tiles that move at the speed of a copy. */
#ifdef SCAN_TUNING_WARPS
#define SCAN_TUNING_TABLE_          \
  {                                 \
    { SIZE_MAX, SCAN_TUNING_WARPS } \
  }
#else
#define SCAN_TUNING_TABLE_                                    \
  {                                                           \
    {36864, 8}, {1u << 20, 2}, {4u << 20, 4}, { SIZE_MAX, 8 } \
  }
#endif
static const struct {
  size_t bytes_most;
  uint32_t warps;
} scan_tuning_rows_[] SCAN_UNUSED_ = SCAN_TUNING_TABLE_;

/* The bytes up to which row `row` serves; SIZE_MAX ends the table. */
SCAN_HOST_ size_t scan_tuning_row_end(uint32_t row) { return scan_tuning_rows_[row].bytes_most; }

/* The shape for n elements of `size` bytes; n * size does not overflow. */
SCAN_HOST_ scan_shape scan_tuning_shape(size_t size, size_t n) {
  scan_shape shape;
  uint32_t row = 0;
  while (scan_tuning_rows_[row].bytes_most < n * size) row++;
  shape.items = (uint32_t)SCAN_ITEMS_(size);
  shape.warps = scan_tuning_rows_[row].warps;
  return shape;
}

/* Threads that n elements take in one block, or 0 if they are too many for that. */
SCAN_HOST_ uint32_t scan_tuning_small(size_t size, size_t n) {
  const uint32_t items = (uint32_t)SCAN_SMALL_ITEMS_(size);
  if (n == 0) return SCAN_WARP_THREADS;
  if (n > (size_t)SCAN_SMALL_THREADS_MOST * items) return 0;
  return ((uint32_t)n + items * SCAN_WARP_THREADS - 1) / (items * SCAN_WARP_THREADS) *
         SCAN_WARP_THREADS;
}

SCAN_HOST_ uint32_t scan_tuning_tile(scan_shape shape) {
  return shape.items * SCAN_WARP_THREADS * shape.warps;
}

#endif
