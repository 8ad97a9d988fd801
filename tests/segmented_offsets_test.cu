// segmented_offsets_test.cu: the starts that a warp finds by offsets in pieces of arrays of up to
// 2^42 elements, of which the offsets alone are there: far segments must not look near.
#include "tests/test.h"

enum {
  places = 1000,
  words = (SCAN_HEADS_WORDS_(places) + 3) / 4 * 4,  // marks behind them lie on a 16-byte boundary
  words_of_marks = (places + 15) / 16 * 4,
  segments_most = 400,
  segments_many = 12000,
};
// How the pieces of a block find their starts: as a tile of the pipeline, and as short tiles of one
// chunk a thread and of several.
enum { by_seeking, by_looking, by_looking_at_all, ways };

typedef struct {
  scan_segments segments;
  uint64_t n;
  scan_view view;
  const uint64_t *lowest; /* of each piece, one a way and block */
  uint32_t *bits;         /* of each piece: words */
  uint64_t *entries;      /* of each piece: between which those of segments that end in it lie */
} starts_parameters;

SCAN_DEVICE void find(const starts_parameters *p, uint32_t *bits, SCAN_OP_PARAMS) {
  const float entries_an_element = (float)p->segments.count / (float)p->n;
  const uint32_t count = (uint32_t)(p->n < places ? p->n : places);
  uint8_t *marks = (uint8_t *)(void *)(bits + words);
  for (uint32_t k = 0; k < ways; k++) {
    const size_t piece = ways * (size_t)blockIdx.x + k;
    const uint64_t lowest = p->lowest[piece];
    scan_extent extent;
    if (k == by_seeking) {
      extent =
          scan_segments_extent(&p->segments, scan_found_nothing(&p->segments), entries_an_element,
                               lowest, count, 0, true, (size_t)p->n, SCAN_OP);
      scan_segments_clear(bits, extent);
      if (extent.told != extent.end)
        scan_segments_mark(bits, &p->segments, extent.told, (uint32_t)(extent.end - extent.told),
                           extent, SCAN_OP);
      scan_segments_finish(bits, extent, (size_t)p->n, SCAN_OP);
    } else {
      const scan_look look = scan_look_around(&p->segments, &p->view, lowest, count, 0, SCAN_OP);
      scan_marks_clear(marks, count);
      if (k == by_looking_at_all) {
        extent = scan_look_all(marks, &look, &p->segments, &p->view);
      } else {
        const scan_looked looked = scan_look_ask(&look);
        const bool far = scan_look_mark(marks, looked, &look);
        extent = look.few && !far
                     ? scan_look_extent(&look)
                     : scan_look_rest(marks, looked, far, &look, &p->segments, &p->view);
      }
      scan_warp_barrier();
      scan_marks_bits(bits, marks, count);
    }
    if (threadIdx.x < 2)
      p->entries[2 * piece + threadIdx.x] = threadIdx.x == 0 ? extent.first : extent.end;
    scan_warp_barrier();
    // Where an array is shorter than a piece, bits beyond its end mean nothing, nor, of marks, any
    // beyond the piece.
    for (uint32_t i = threadIdx.x; i < (count + 31) / 32; i += 32)
      p->bits[piece * words + i] =
          bits[i] &
          (count < places || k != by_seeking ? ~0u >> (32 - scan_left(count, i * 32, 32)) : ~0u);
    scan_warp_barrier();
  }
}

SCAN_KERNEL(find_forward, starts_parameters, p) {
  SCAN_SHARED_DYNAMIC(uint32_t, bits);
  find(&p, bits, NULL, SCAN_LAID_OUT_(uint8_t), false, true, SCAN_UNFUSED_(uint8_t));
}
SCAN_KERNEL(find_reverse, starts_parameters, p) {
  SCAN_SHARED_DYNAMIC(uint32_t, bits);
  find(&p, bits, NULL, SCAN_LAID_OUT_(uint8_t), true, true, SCAN_UNFUSED_(uint8_t));
}

static void find_starts(starts_parameters p, bool reverse, unsigned blocks) {
  const size_t shared_bytes = (words + words_of_marks) * 4;
  if (reverse)
    CHECK_CODE(SCAN_LAUNCH(find_reverse, blocks, 32, shared_bytes, 0, p), cudaSuccess);
  else
    CHECK_CODE(SCAN_LAUNCH(find_forward, blocks, 32, shared_bytes, 0, p), cudaSuccess);
  MUST(cudaDeviceSynchronize());
}

// A length: about `even`, if that is not 0; else none, some elements, or about a multiple of 2^32,
// where offsets have that many bits.
static uint64_t draw_length(bool wide, uint64_t even) {
  const uint64_t far = wide ? (uint64_t)1 << 32 : (uint64_t)1 << 22;
  if (even != 0) return even - even / 4 + test_below(even / 2 + 1);
  switch (test_below(4)) {
    case 0:
      return test_below(2) * test_below(3);
    case 1:
      return test_below(2 * places);
    case 2:
      return far * (1 + test_below(3)) + test_below(places) - test_below(places);
    default:
      return far / 2 + test_below(far);
  }
}

// Where a piece begins that may hold `element`, which may lie outside of the array, or that begins
// or ends there.
static uint64_t draw_lowest(uint64_t element, uint64_t n) {
  const uint64_t last = n > places ? n - places : 0;
  const uint64_t lowest = element - (test_below(4) ? test_below(places) : test_below(2) * places);
  return lowest <= last ? lowest : test_below(last + 1);
}

static void check_starts(bool wide, bool reverse) {
  const bool many = test_below(4) == 0;
  const size_t count = 1 + (size_t)test_below(many ? segments_many : segments_most - 1);
  uint64_t *offsets = (uint64_t *)test_allocate((count + 1) * sizeof *offsets);
  uint32_t *offsets32 = (uint32_t *)test_allocate((count + 1) * sizeof *offsets32);
  const size_t pieces = ways * (1 + (size_t)test_below(many ? 20 : segments_most));
  uint64_t *lowest = (uint64_t *)test_allocate(pieces * sizeof *lowest);
  uint32_t *expected = (uint32_t *)test_allocate(pieces * words * sizeof *expected);
  const size_t unit = wide ? sizeof *offsets : sizeof *offsets32;
  test_buffer offsets_buffer, lowest_buffer, bits_buffer, entries_buffer;
  const uint64_t *entries;
  // Of even lengths a piece's entries are where they would be on an average, or nearly; some way
  // off, or far, if only those of some segments are.
  const uint64_t even = test_below(3) ? 1 + test_below(test_below(2) ? 20 : 4 * places) : 0;
  const uint64_t else_even = test_below(3) ? 1 + test_below(places / 10) : 0;
  const size_t even_from = test_below(2) ? test_below(count) : 0;
  const size_t even_to = test_below(2) ? test_below(count) : count;
  // And many that are empty may lie in one place.
  const size_t empty_from = test_below(2) ? test_below(count) : count;
  const size_t empty_to = empty_from + test_below(count);
  starts_parameters p;
  uint64_t n;
  offsets[0] = offsets32[0] = 0;
  for (size_t k = 1; k <= count; k++) {
    uint64_t length = draw_length(wide, even_from < k && k <= even_to ? even : else_even);
    if (empty_from < k && k <= empty_to) length = 0;
    if (!wide && offsets[k - 1] + length > UINT32_MAX) length = 0;
    offsets[k] = offsets[k - 1] + length;
    if (k == count && offsets[k] == 0) offsets[k] = 1;
    offsets32[k] = (uint32_t)offsets[k];
  }
  n = offsets[count];
  test_case("%u bits %s count=%zu n=%llu even=%llu", wide ? 64 : 32,
            reverse ? "reverse" : "forward", count, (unsigned long long)n,
            (unsigned long long)even);
  test_buffer_make(&bits_buffer, pieces * words * sizeof *expected);
  p.bits = (uint32_t *)test_buffer_place(&bits_buffer, 0, pieces * words * sizeof *expected, NULL);
  test_buffer_make(&entries_buffer, pieces * 2 * sizeof *entries);
  p.entries = (uint64_t *)test_buffer_place(&entries_buffer, 0, pieces * 2 * sizeof *entries, NULL);
  MUST(cudaMemset(p.bits, 0, pieces * words * sizeof *expected));
  memset(expected, 0, pieces * words * sizeof *expected);
  for (size_t piece = 0; piece < pieces; piece++) {
    const uint64_t start = offsets[test_below(4) ? test_below(count + 1) : empty_from];
    const uint64_t far = test_below(4) << 32;  // the same low half
    lowest[piece] = draw_lowest(test_below(2) ? start + far : start - far, n);
    for (size_t k = 0; k <= count; k++) {
      // The first element of all starts a segment along the scan, and the one beyond the last none.
      const uint64_t place = offsets[k] - reverse - lowest[piece];
      if (place < places && lowest[piece] + place < n)
        expected[piece * words + place / 32] |= 1u << place % 32;
    }
  }
  test_buffer_make(&offsets_buffer, (count + 1) * unit);
  test_buffer_make(&lowest_buffer, pieces * sizeof *lowest);
  p.n = n;
  p.lowest =
      (const uint64_t *)test_buffer_place(&lowest_buffer, 0, pieces * sizeof *lowest, lowest);
  p.segments =
      wide ? scan_segments_from_offsets64((const uint64_t *)test_buffer_place(
                                              &offsets_buffer, 0, (count + 1) * unit, offsets),
                                          count)
           : scan_segments_from_offsets((const uint32_t *)test_buffer_place(
                                            &offsets_buffer, 0, (count + 1) * unit, offsets32),
                                        count);
  p.view = scan_view_of(&p.segments, (size_t)n, places);
  // As if there were more than 32 bits count, which are gigabytes.
  if (test_below(4) == 0) {
    p.view.large = p.view.elsewhere = true;
    p.view.few = false;
    p.view.part = 0;
  }
  find_starts(p, reverse, (unsigned)pieces / ways);
  CHECK_SAME("where segments start", test_buffer_fetch(&bits_buffer, "bits"), expected,
             sizeof *expected, pieces * words);
  // Of those that end a segment in the piece, or before all, none may lie elsewhere; only a
  // reduction, which runs forward, asks.
  entries = (const uint64_t *)test_buffer_fetch(&entries_buffer, "entries");
  for (size_t piece = 0; piece < pieces && !reverse; piece++)
    for (size_t k = 1; k <= count; k++)
      if (offsets[k] <= lowest[piece] + places &&
          (offsets[k] > lowest[piece] || (offsets[k] == 0 && lowest[piece] == 0)))
        CHECK(entries[2 * piece] <= k && k < entries[2 * piece + 1],
              "piece %zu: entry %zu is not among those from %llu to %llu", piece, k,
              (unsigned long long)entries[2 * piece], (unsigned long long)entries[2 * piece + 1]);
  // Of an input with more elements than 32 bits tell what is found means nothing, and does no harm.
  if (!wide) {
    p.n += (uint64_t)1 << 33;
    find_starts(p, reverse, (unsigned)pieces / ways);
  }
  test_buffer_free(&entries_buffer);
  test_buffer_free(&bits_buffer);
  test_buffer_free(&lowest_buffer);
  test_buffer_free(&offsets_buffer);
  free(expected);
  free(lowest);
  free(offsets32);
  free(offsets);
}

int main(void) {
  test_begin("segmented_offsets_test");
  for (int round = 0; round < 60; round++)
    for (int kind = 0; kind < 4; kind++) check_starts(kind % 2 != 0, kind / 2 != 0);
  return test_end(
      "starts of up to %d segments of up to 2^34 elements found by both widths of "
      "offsets, either way along the scan",
      (int)segments_many);
}
