// Draws segments on the host, and encodes them on the device.
#include "bench/segments.h"

#include <math.h>
#include <string.h>

#include "bench/family.h"

// Every element starts a segment with probability 1/100: mean 100.
static double bench_geometric(double uniform) { return 1.0 + log(uniform) / log(1.0 - 1.0 / 100); }

// Lengths from 1 to 10^6 with a density that falls as length^-1.74: mean 100.
static double bench_power_law(double uniform) {
  const double exponent = 0.74, longest = 1e6;
  return pow(1.0 - uniform * (1.0 - pow(longest, -exponent)), -1.0 / exponent);
}

const bench_length bench_lengths[] = {{"1", 1, NULL},
                                      {"2", 2, NULL},
                                      {"10", 10, NULL},
                                      {"100", 100, NULL},
                                      {"10000", 10000, NULL},
                                      {"1000000", 1000000, NULL},
                                      {"none", SIZE_MAX, NULL},
                                      {"geometric", 0, bench_geometric},
                                      {"power", 0, bench_power_law},
                                      {NULL, 0, NULL}};

size_t bench_drawing_words(size_t n) { return (n + 31) / 32; }

size_t bench_draw(const bench_length *length, size_t n, uint32_t *starts, uint32_t *before) {
  const size_t words = bench_drawing_words(n);
  size_t count = 0, start = 0;
  memset(starts, 0, words * sizeof *starts);
  while (start < n) {
    const size_t drawn = length->fixed != 0
                             ? length->fixed
                             : (size_t)length->drawn((bench_mix(count) + 0.5) / 4294967296.0);
    starts[start / 32] |= 1u << (start % 32);
    start = drawn < n - start ? start + drawn : n;
    count++;
  }
  count = 0;
  for (size_t i = 0; i < words; i++) {
    before[i] = (uint32_t)count;
    count += (size_t)__builtin_popcount(starts[i]);
  }
  return count;
}

size_t bench_encoding_bytes(bench_encoding encoding, size_t n, size_t count) {
  switch (encoding) {
    case bench_flags32:
    case bench_keys:
      return n * 4;
    case bench_flags8:
      return n;
    case bench_bits:
      return bench_drawing_words(n) * 4;
    case bench_offsets:
      return (count + 1) * 4;
    default:
      return 0;
  }
}

typedef struct {
  bench_drawing drawing;
  bench_encoding encoding;
  void *memory;
} bench_encoder;

// A thread makes what a word of bits tells.
SCAN_KERNEL(bench_encode_kernel, bench_encoder, p) {
  const bench_drawing *drawing = &p.drawing;
  uint32_t *words = (uint32_t *)p.memory;
  if (p.encoding == bench_offsets && bench_thread() == 0)
    words[drawing->count] = (uint32_t)drawing->n;
  for (size_t word = bench_thread(); word * 32 < drawing->n; word += bench_threads()) {
    uint32_t begun = drawing->before[word];
    if (p.encoding == bench_bits) words[word] = drawing->starts[word];
    for (size_t i = word * 32; i < word * 32 + 32 && i < drawing->n; i++) {
      const bool starts = bench_starts_at(drawing->starts, i);
      if (p.encoding == bench_offsets && starts) words[begun] = (uint32_t)i;
      if (starts) begun++;
      if (p.encoding == bench_flags32) words[i] = starts;
      if (p.encoding == bench_flags8) ((uint8_t *)p.memory)[i] = starts;
      if (p.encoding == bench_keys) words[i] = begun - 1;
    }
  }
}

cudaError_t bench_encode(bench_encoding encoding, const bench_drawing *drawing, void *memory,
                         cudaStream_t stream) {
  const bench_encoder encoder = {*drawing, encoding, memory};
  const size_t blocks = (bench_drawing_words(drawing->n) + BENCH_BLOCK - 1) / BENCH_BLOCK;
  if (bench_encoding_bytes(encoding, drawing->n, drawing->count) == 0) return cudaSuccess;
  return SCAN_LAUNCH(bench_encode_kernel, blocks < 4096 ? (unsigned)blocks : 4096u, BENCH_BLOCK, 0,
                     stream, encoder);
}

scan_segments bench_encoded(bench_encoding encoding, const bench_length *length,
                            const bench_drawing *drawing, const void *memory) {
  switch (encoding) {
    case bench_flags32:
      return scan_segments_from_flags32((const uint32_t *)memory);
    case bench_flags8:
      return scan_segments_from_flags((const uint8_t *)memory);
    case bench_bits:
      return scan_segments_from_bits((const uint32_t *)memory);
    case bench_offsets:
      return scan_segments_from_offsets((const uint32_t *)memory, drawing->count);
    default:
      return scan_segments_regular(length->fixed < drawing->n ? length->fixed : drawing->n);
  }
}
