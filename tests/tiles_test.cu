// tiles_test.cu: what the table of sizes promises of all widths: a tile and its scratch fit in the
// 64 KiB of an sm_75, and what bulk copies need in the 99 of an sm_120, a block in the bounds of
// its kernel, the words of a call in its workspace, and a thread's chunks in its span; and what is
// asked for ahead of a tile is whole 16-byte words.
#include "tests/test.h"

enum { SHARED_BYTES = 64 * 1024, SHARED_BYTES_BULK = 99 * 1024, MULTIPROCESSORS = 40 };

// Cuts n elements as for a kernel with bulk copies or without.
static void fits(uint32_t size, uint32_t kind, size_t n, bool bulk) {
  const bool segmented = kind != 0;
  const uint32_t loader_warps = bulk ? 1 : 2;
  const uint32_t groups_most = bulk ? 2 : 1;
  const uint32_t shared_bytes = bulk ? SHARED_BYTES_BULK : SHARED_BYTES;
  const scan_kernel_traits traits = {shared_bytes, loader_warps, groups_most, false};
  const scan_kernel_traits nothing_fits = {1024, loader_warps, groups_most, false};
  scan_family family;
  scan_device_launch_ launch = {0, 0, 0};
  scan_call call;
  test_case("size %u segments %u n=%zu", size, kind, n);
  memset(&family, 0, sizeof family);
  family.in.size = family.element.size = family.out.size = size;
  family.segmented = segmented;
  family.fused = !segmented && test_below(2) == 0;
  memset(&call, 0, sizeof call);
  call.n = n;
  if (test_below(2) == 0) call.out = call.like = &call;  // a scan, else a reduction
  call.segments.kind = kind;
  call.segments.count = (size_t)test_below((uint64_t)n + 1);
  CHECK_CODE(scan_device_cut_(&call, &launch, &family, false, MULTIPROCESSORS, &nothing_fits),
             cudaErrorLaunchOutOfResources);
  CHECK_CODE(scan_device_cut_(&call, &launch, &family, false, MULTIPROCESSORS, &traits),
             cudaSuccess);
  CHECK(launch.shared_bytes <= shared_bytes, "%zu bytes", launch.shared_bytes);
  CHECK(launch.block <= 32 * SCAN_WARPS_TOGETHER_(size, groups_most, loader_warps, segmented),
        "%u threads", (unsigned)launch.block);
  if (segmented && call.tiles != 0)
    CHECK(call.ahead % 16 == 0 && call.ahead <= (size_t)SCAN_TILE_(size) * size, "%u bytes ahead",
          (unsigned)call.ahead);
  if (call.tiles + call.short_tiles > 1)
    CHECK(2 * (uint64_t)call.tiles + 1 + SCAN_SHORT_COPIES * (uint64_t)call.short_tiles <=
              scan_tuning_slots_most(size, n),
          "%u tiles, %u short ones", (unsigned)call.tiles, (unsigned)call.short_tiles);
}

int main(void) {
  test_begin("tiles_test");
  for (uint32_t size = 1; size <= SCAN_ELEMENT_BYTES_MOST; size++) {
    test_case("size %u", size);
    for (uint32_t segmented = 0; segmented < 2; segmented++) {
      const uint32_t rows = SCAN_ROWS_(size, segmented), items = SCAN_CHUNK_ITEMS_(size, segmented);
      CHECK(rows * items == SCAN_ITEMS_(size) &&
                rows * ((items * size + 3) / 4 * 4) <= SCAN_SPAN_BYTES_MOST &&
                (!segmented || items <= 64),
            "%u rows of %u elements", (unsigned)rows, (unsigned)items);
    }
    for (uint32_t kind = 0; kind <= scan_segments_regular_; kind++)
      for (uint32_t log = 0; log < 31; log++) {
        const size_t power = (size_t)1 << log;
        fits(size, kind, power - 1, log % 2 != 0);
        fits(size, kind, power, log % 2 == 0);
        fits(size, kind, power + (size_t)test_below((uint64_t)power), test_below(2) != 0);
      }
    // Without a pipeline every row of chunks may be the one at which the cut changes; that of
    // single elements may take one warp more.
    for (uint32_t kind = 0; kind <= scan_segments_flags_; kind++)
      for (size_t n = 1; scan_tuning_cut(size, n).tiles == 0;
           n += SCAN_SHORT_ITEMS_(size) * SCAN_WARP_THREADS) {
        fits(size, kind, n, false);
        if (n > 2) fits(size, kind, n - 2, false);
      }
  }
  return test_end(
      "tiles of %d widths, plain and by %d encodings of segments, fit in 64 KiB, in 99 by bulk "
      "copies, in their blocks and in their workspace",
      SCAN_ELEMENT_BYTES_MOST, (int)scan_segments_regular_);
}
