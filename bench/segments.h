// Where segments start in the segmented rows, and how that is told.
#ifndef BENCH_SEGMENTS_H_
#define BENCH_SEGMENTS_H_

#include "scan/scan.h"

// How long segments are: all of them `fixed`, or each as drawn(a number from 0 to 1).
typedef struct {
  const char *name;
  size_t fixed;  // 0: drawn
  double (*drawn)(double uniform);
} bench_length;

// The last has name == NULL.
SCAN_EXTERN_ const bench_length bench_lengths[];

typedef enum {
  bench_not_segmented,
  bench_flags32,
  bench_flags8,
  bench_bits,
  bench_offsets,
  bench_regular,
  bench_lifted,  // told in the elements
  bench_keys     // the number of its segment for each element: what peers take
} bench_encoding;

// In the device's memory: a bit an element that starts a segment, and how many start before each
// word of bits.
typedef struct {
  const uint32_t *starts, *before;
  size_t n, count;  // elements, segments
} bench_drawing;

// Words of `starts`, and of `before`.
SCAN_EXTERN_ size_t bench_drawing_words(size_t n);
// Draws in the host's memory; segment s is as long as `length` and s say. Returns their number.
SCAN_EXTERN_ size_t bench_draw(const bench_length *length, size_t n, uint32_t *starts,
                               uint32_t *before);

// Bytes of an encoding, apart from the elements.
SCAN_EXTERN_ size_t bench_encoding_bytes(bench_encoding encoding, size_t n, size_t count);
SCAN_EXTERN_ cudaError_t bench_encode(bench_encoding encoding, const bench_drawing *drawing,
                                      void *memory, cudaStream_t stream);
// What the library is told of segments that are not told in the elements.
SCAN_EXTERN_ scan_segments bench_encoded(bench_encoding encoding, const bench_length *length,
                                         const bench_drawing *drawing, const void *memory);

#endif  // BENCH_SEGMENTS_H_
