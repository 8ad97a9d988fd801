// What the parts of the bench share.
#ifndef BENCH_BENCH_H_
#define BENCH_BENCH_H_

#include <stdio.h>
#include <stdlib.h>

#include "bench/peer.h"
#include "bench/segments.h"
#include "scan/scan.h"

// A call that returns cudaError_t; an error ends the program with a line that names the call.
#define BENCH_CHECK(call) bench_check((call), #call, __FILE__, __LINE__)

static inline void bench_check(cudaError_t error, const char *call, const char *file, int line) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s:%d: %s: %s (%s)\n", file, line, call, cudaGetErrorString(error),
          cudaGetErrorName(error));
  exit(EXIT_FAILURE);
}

// The end of the program, too, where the CSV has not arrived whole; csv may be NULL.
static inline void bench_close_csv(FILE *csv, const char *path) {
  bool failed;
  if (csv == NULL) return;
  failed = ferror(csv) != 0;
  if (fclose(csv) == 0 && !failed) return;
  fprintf(stderr, "%s: not written completely\n", path);
  exit(EXIT_FAILURE);
}

static inline int bench_compare_numbers_(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

// Times what is done on a stream, one thing after the other.
typedef struct {
  cudaEvent_t before, after;
} bench_timer;

static inline void bench_timer_create(bench_timer *timer) {
  BENCH_CHECK(cudaEventCreate(&timer->before));
  BENCH_CHECK(cudaEventCreate(&timer->after));
}

static inline void bench_timer_destroy(bench_timer *timer) {
  BENCH_CHECK(cudaEventDestroy(timer->after));
  BENCH_CHECK(cudaEventDestroy(timer->before));
}

static inline void bench_timer_start(const bench_timer *timer, cudaStream_t stream) {
  BENCH_CHECK(cudaEventRecord(timer->before, stream));
}

// Waits for what came since the start; what it took, in us.
static inline double bench_timer_stop(const bench_timer *timer, cudaStream_t stream) {
  float milliseconds = 0.0f;
  BENCH_CHECK(cudaEventRecord(timer->after, stream));
  BENCH_CHECK(cudaEventSynchronize(timer->after));
  BENCH_CHECK(cudaEventElapsedTime(&milliseconds, timer->before, timer->after));
  return (double)milliseconds * 1e3;
}

// A graph of what is done on the stream between the two.
static inline void bench_capture_begin(cudaStream_t stream) {
  BENCH_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
}

static inline cudaGraphExec_t bench_capture_end(cudaStream_t stream) {
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  BENCH_CHECK(cudaStreamEndCapture(stream, &graph));
  BENCH_CHECK(cudaGraphInstantiate(&ready, graph, 0));
  BENCH_CHECK(cudaGraphDestroy(graph));
  return ready;
}

// Sorts the numbers.
static inline double bench_median(double *numbers, unsigned count) {
  qsort(numbers, count, sizeof *numbers, bench_compare_numbers_);
  return numbers[count / 2];
}

// The shorter of two times, where 0 is none.
static inline double bench_shorter(double a, double b) { return a == 0.0 || b < a ? b : a; }

// How a scan is called. What is in place and what is off by an element is a matter of the arrays.
typedef struct {
  int exclusive;
  int reverse;
  const void *seed;
  void *total;
  const scan_segments *segments;  // NULL: not segmented
} bench_options;

// Whether out, and *total, are what the scan of the data makes; wrong gets a word a thread: the
// first wrong index that it met (total: n), or UINT64_MAX.
typedef struct {
  const void *out;
  bench_options options;
  size_t n;
  const uint32_t *starts;  // of segments, a bit an element; NULL: not segmented
  uint64_t *wrong;
} bench_verification;

// An element type with an operator, stamped by BENCH_FAMILY.
typedef struct bench_family {
  const char *operation;
  const char *type;
  size_t size;
  size_t (*workspace_bytes)(size_t n);
  cudaError_t (*run)(scan_workspace *workspace, const void *in, void *out, size_t n,
                     const bench_options *options, cudaStream_t stream);
  cudaError_t (*reduce)(scan_workspace *workspace, const void *in, void *out, size_t n,
                        cudaStream_t stream);
  cudaError_t (*fill)(void *data, size_t n, const uint32_t *starts, cudaStream_t stream);
  cudaError_t (*verify)(const bench_verification *verification, unsigned blocks,
                        cudaStream_t stream);
  const struct bench_family *peers_scan;  // what peers scan in its place; NULL: the same
} bench_family;

#define BENCH_BLOCK 256u

SCAN_EXTERN_ const bench_family bench_families_integer[];
SCAN_EXTERN_ const bench_family bench_families_float[];
SCAN_EXTERN_ const bench_family bench_families_maximum[];
SCAN_EXTERN_ const bench_family bench_families_struct[];
SCAN_EXTERN_ const bench_family bench_families_operator[];
SCAN_EXTERN_ const bench_family bench_families_segmented[];

// One of the CSV's works.
typedef struct {
  const char *name;
  const char *operation;
  int exclusive, reverse, seeded, total, in_place, unaligned, reduction;
  bench_encoding encoding;
} bench_work;

// Sizes are named by their powers: 3 * 2^4, 2^10 + 1.
typedef struct {
  unsigned factor;
  unsigned exponent;
  int more;
} bench_size;

// A row of the table.
typedef struct {
  const bench_work *work;
  const bench_family *family;
  const bench_length *length;  // of segments; NULL: not segmented
  bench_size size;
  size_t n;
  int graph;
  size_t encoding_bytes;            // what tells of the segments; known once measured
  const char *cache;                // "cold" or "warm": where the arrays are when a call begins
  double ours_us, cub_us, copy_us;  // 0: there is none
} bench_row;

// Measures a row: ours, the peers and the copy in turn, each result checked. `warm`: one pair of
// arrays for all calls.
SCAN_EXTERN_ void bench_measure(bench_row *row, int warm);

// Bytes of both arrays of a row.
SCAN_EXTERN_ size_t bench_bytes(const bench_row *row);

// Brings the device's clocks up, and readies what all measurements share; frees it.
SCAN_EXTERN_ void bench_measure_begin(void);
SCAN_EXTERN_ void bench_measure_end(void);

// A copy by a kernel, of whole 16-byte words, both arrays so aligned.
SCAN_EXTERN_ cudaError_t bench_copy(const void *in, void *out, size_t bytes, cudaStream_t stream);
// Whether two arrays of whole 16-byte words agree; `wrong` as in bench_verification.
SCAN_EXTERN_ cudaError_t bench_compare(const void *in, const void *out, size_t bytes,
                                       uint64_t *wrong, unsigned blocks, cudaStream_t stream);

#endif  // BENCH_BENCH_H_
