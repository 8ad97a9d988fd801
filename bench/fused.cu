// Scans with load and store beside the same in three kernels, a map, a scan and a map, and a copy
// of the bytes that come in and go out.
#include "bench/data.h"
#include "bench/report.h"

static const char *const fused_help =
    "usage: fused [option]...\n"
    "Times fused scans, the same work as a map, a scan and a map, and a copy of as many bytes as\n"
    "come in and go out, and compares what the two give.\n"
    "\n"
    "  --csv FILE       writes the rows to FILE, too\n"
    "  --commit HASH    what the CSV says in its column `commit`\n"
    "  --quick          up to 2^20 elements, not 2^28\n"
    "  --help\n"
    "\n"
    "Exit code: 0; 1 if a result is wrong or a call fails; 2 if an option is wrong.\n";

enum {
  fused_samples = 11,      // the median of these counts
  fused_calls_most = 100,  // of a sample, in a graph; fewer of large inputs
  fused_blocks = 1024,
  fused_poison = 0xa5,
  fused_log_most = 28,
  fused_log_most_quick = 20
};

// Squares of floats, one in 64 counted, from which the elements are taken away again.
SCAN_OPERATOR float square(float x, size_t index) { return index % 64 == 0 ? x * x : 0.0f; }
SCAN_OPERATOR float less(float scanned, float x, size_t index) {
  (void)index;
  return scanned - x;
}
SCAN_OPERATOR_ADD(float, add_float)
// Where the elements that are kept go: stream compaction.
SCAN_OPERATOR uint32_t is_kept(uint8_t x, size_t index) {
  (void)index;
  return x % 2;
}
SCAN_OPERATOR uint32_t place(uint32_t scanned, uint8_t x, size_t index) {
  (void)index;
  return x % 2 != 0 ? scanned - 1 : UINT32_MAX;
}
SCAN_OPERATOR_ADD(uint32_t, add_uint32_t)
// Which heights are seen from the first: those whose slope none before exceeds.
SCAN_OPERATOR float slope(float height, size_t index) {
  return height / (float)((int32_t)index + 1);
}
SCAN_OPERATOR uint8_t is_seen(float steepest, float height, size_t index) {
  return height / (float)((int32_t)index + 1) >= steepest;
}
SCAN_OPERATOR_MAXIMUM(float, maximum_float)
// The mean so far, summed in double.
SCAN_OPERATOR double widen(float x, size_t index) {
  (void)index;
  return (double)x;
}
SCAN_OPERATOR float mean(double sum, float x, size_t index) {
  (void)x;
  return (float)(sum / (double)((int32_t)index + 1));
}
SCAN_OPERATOR_ADD(double, add_double)
// Bytes from differences whose sign is their lowest bit.
SCAN_OPERATOR uint8_t difference(uint8_t x, size_t index) {
  (void)index;
  return (uint8_t)(x >> 1 ^ -(x & 1));
}
SCAN_OPERATOR uint8_t as_it_is(uint8_t scanned, uint8_t x, size_t index) {
  (void)x;
  (void)index;
  return scanned;
}
SCAN_OPERATOR_ADD(uint8_t, add_uint8_t)

// X(name, most, …): what comes in, whole numbers below `most` or, where that is 0, bytes. Every sum
// is exact.
#define FUSED_WORKS(X)                                                           \
  X(squares, 2, float, float, float, square, add_float, less, 0.0f)              \
  X(places, 0, uint8_t, uint32_t, uint32_t, is_kept, add_uint32_t, place, 0)     \
  X(sight, 1000, float, float, uint8_t, slope, maximum_float, is_seen, -1.0e30f) \
  X(means, 1000, float, double, float, widen, add_double, mean, 0.0)             \
  X(differences, 0, uint8_t, uint8_t, uint8_t, difference, add_uint8_t, as_it_is, 0)

// The arrays of both ways; `between` is the one that a fused scan spares.
typedef struct {
  const void *in;
  void *between;
  void *out;
  size_t n;
} fused_arrays;

SCAN_DEVICE size_t fused_thread(void) { return (size_t)blockIdx.x * blockDim.x + threadIdx.x; }
SCAN_DEVICE size_t fused_threads(void) { return (size_t)gridDim.x * blockDim.x; }

#define FUSED_STAMP(name, most, In, T, Out, load, op, store, ...)                                  \
  SCAN_DEFINE_FUSED(fused_##name, In, T, Out, load, op, store, __VA_ARGS__)                        \
  SCAN_DEFINE_AS(apart_##name, T, op, __VA_ARGS__)                                                 \
  SCAN_KERNEL(name##_before, fused_arrays, p) {                                                    \
    for (size_t i = fused_thread(); i < p.n; i += fused_threads())                                 \
      ((T *)p.between)[i] = load(((const In *)p.in)[i], i);                                        \
  }                                                                                                \
  SCAN_KERNEL(name##_after, fused_arrays, p) {                                                     \
    for (size_t i = fused_thread(); i < p.n; i += fused_threads())                                 \
      ((Out *)p.out)[i] = store(((const T *)p.between)[i], ((const In *)p.in)[i], i);              \
  }                                                                                                \
  static cudaError_t name##_fused(scan_workspace *workspace, fused_arrays arrays,                  \
                                  cudaStream_t stream) {                                           \
    return fused_##name##_inclusive(workspace, (const In *)arrays.in, (Out *)arrays.out, arrays.n, \
                                    stream);                                                       \
  }                                                                                                \
  static cudaError_t name##_apart(scan_workspace *workspace, fused_arrays arrays,                  \
                                  cudaStream_t stream) {                                           \
    T *between = (T *)arrays.between;                                                              \
    const size_t blocks = (arrays.n + BENCH_BLOCK - 1) / BENCH_BLOCK;                              \
    const unsigned grid = blocks < fused_blocks ? (unsigned)blocks : (unsigned)fused_blocks;       \
    cudaError_t error = SCAN_LAUNCH(name##_before, grid, BENCH_BLOCK, 0, stream, arrays);          \
    if (error == cudaSuccess)                                                                      \
      error = apart_##name##_inclusive(workspace, between, between, arrays.n, stream);             \
    if (error == cudaSuccess)                                                                      \
      error = SCAN_LAUNCH(name##_after, grid, BENCH_BLOCK, 0, stream, arrays);                     \
    return error;                                                                                  \
  }
FUSED_WORKS(FUSED_STAMP)

typedef cudaError_t (*fused_call)(scan_workspace *workspace, fused_arrays arrays,
                                  cudaStream_t stream);
typedef struct {
  const char *name;
  const char *types;
  size_t in_size, out_size;
  unsigned most;  // of what comes in
  fused_call fused, apart;
} fused_work;

#define FUSED_WORK(name, most, In, T, Out, load, op, store, ...) \
  {#name, #In " > " #T " > " #Out, sizeof(In), sizeof(Out), most, name##_fused, name##_apart},
static const fused_work fused_works[] = {FUSED_WORKS(FUSED_WORK)};

typedef struct {
  void *to;
  size_t n;
  unsigned most;
} fused_filling;

SCAN_KERNEL(fused_fill, fused_filling, p) {
  for (size_t i = fused_thread(); i < p.n; i += fused_threads()) {
    if (p.most == 0)
      ((uint8_t *)p.to)[i] = (uint8_t)bench_mix(i);
    else
      ((float *)p.to)[i] = (float)(bench_mix(i) % p.most);
  }
}

typedef struct {
  const uint8_t *a, *b;
  size_t bytes;
  uint32_t *wrong;
} fused_comparing;

SCAN_KERNEL(fused_compare, fused_comparing, p) {
  for (size_t i = fused_thread(); i < p.bytes; i += fused_threads())
    if (p.a[i] != p.b[i]) *p.wrong = 1;
}

typedef struct {
  void *in, *between, *out, *other;
  uint32_t *wrong;
  scan_workspace *workspace;
  cudaStream_t stream;
  bench_timer timer;
  unsigned calls;  // of a sample
} fused_bench;

enum { fused_way, apart_way, copy_way, fused_ways };

static void fused_do(const fused_bench *bench, const fused_work *work, int way, size_t n) {
  const fused_arrays arrays = {bench->in, bench->between, bench->out, n};
  if (way == copy_way)
    BENCH_CHECK(
        bench_copy(bench->in, bench->out, (work->in_size + work->out_size) * n / 2, bench->stream));
  else
    BENCH_CHECK(
        (way == fused_way ? work->fused : work->apart)(bench->workspace, arrays, bench->stream));
}

static cudaGraphExec_t fused_capture(const fused_bench *bench, const fused_work *work, int way,
                                     size_t n) {
  bench_capture_begin(bench->stream);
  for (unsigned i = 0; i < bench->calls; i++) fused_do(bench, work, way, n);
  return bench_capture_end(bench->stream);
}

// A call, in us.
static double fused_time(const fused_bench *bench, cudaGraphExec_t graph) {
  bench_timer_start(&bench->timer, bench->stream);
  BENCH_CHECK(cudaGraphLaunch(graph, bench->stream));
  return bench_timer_stop(&bench->timer, bench->stream) / bench->calls;
}

// Ends the program unless both ways give the same bits, onto poison.
static void fused_verify(const fused_bench *bench, const fused_work *work, size_t n) {
  const size_t bytes = n * work->out_size;
  const fused_comparing comparing = {(const uint8_t *)bench->out, (const uint8_t *)bench->other,
                                     bytes, bench->wrong};
  uint32_t wrong;
  BENCH_CHECK(cudaMemsetAsync(bench->wrong, 0, sizeof wrong, bench->stream));
  fused_do(bench, work, apart_way, n);
  BENCH_CHECK(
      cudaMemcpyAsync(bench->other, bench->out, bytes, cudaMemcpyDeviceToDevice, bench->stream));
  BENCH_CHECK(cudaMemsetAsync(bench->out, fused_poison, bytes, bench->stream));
  fused_do(bench, work, fused_way, n);
  BENCH_CHECK(SCAN_LAUNCH(fused_compare, fused_blocks, BENCH_BLOCK, 0, bench->stream, comparing));
  BENCH_CHECK(
      cudaMemcpyAsync(&wrong, bench->wrong, sizeof wrong, cudaMemcpyDeviceToHost, bench->stream));
  BENCH_CHECK(cudaStreamSynchronize(bench->stream));
  if (wrong == 0) return;
  fprintf(stderr, "fused: %s of %zu elements: fused and apart differ\n", work->name, n);
  exit(EXIT_FAILURE);
}

// The widest type has 8 bytes.
static void fused_begin(fused_bench *bench, size_t n) {
  memset((void *)bench, 0, sizeof *bench);
  BENCH_CHECK(cudaStreamCreate(&bench->stream));
  bench_timer_create(&bench->timer);
  BENCH_CHECK(cudaMalloc(&bench->in, n * 4));
  BENCH_CHECK(cudaMalloc(&bench->between, n * 8));
  BENCH_CHECK(cudaMalloc(&bench->out, n * 4));
  BENCH_CHECK(cudaMalloc(&bench->other, n * 4));
  BENCH_CHECK(cudaMalloc((void **)&bench->wrong, sizeof *bench->wrong));
  BENCH_CHECK(
      scan_workspace_create(&bench->workspace, fused_means_workspace_bytes(n), bench->stream));
}

static void fused_end(fused_bench *bench) {
  BENCH_CHECK(scan_workspace_destroy(bench->workspace));
  BENCH_CHECK(cudaFree(bench->wrong));
  BENCH_CHECK(cudaFree(bench->other));
  BENCH_CHECK(cudaFree(bench->out));
  BENCH_CHECK(cudaFree(bench->between));
  BENCH_CHECK(cudaFree(bench->in));
  bench_timer_destroy(&bench->timer);
  BENCH_CHECK(cudaStreamDestroy(bench->stream));
}

int main(int count, char **values) {
  const bench_report report = bench_report_options("fused", fused_help, 1, count, values);
  const cudaDeviceProp properties = bench_report_device();
  const unsigned log_most = report.quick ? fused_log_most_quick : fused_log_most;
  const unsigned samples = report.quick ? 1 : fused_samples;
  FILE *csv = bench_report_open(&report, "work,n,fused_us,apart_us,copy_us,gpu,commit");
  fused_bench bench;
  fused_begin(&bench, (size_t)1 << log_most);
  printf(
      "%s, scan %s\n"
      "Fused scans, the same as a map, a scan and a map, and a copy of what comes in and goes out, "
      "16 bytes\nan access, us a call: medians of %u graphs.\n\n"
      "%-12s %-32s %10s %10s %10s %10s %11s %10s\n",
      properties.name, SCAN_VERSION_STRING, samples, "work", "types", "n", "fused", "apart", "copy",
      "apart/fused", "copy/fused");
  for (unsigned w = 0; w < sizeof fused_works / sizeof fused_works[0]; w++) {
    const fused_work *work = &fused_works[w];
    const fused_filling filling = {bench.in, (size_t)1 << log_most, work->most};
    BENCH_CHECK(SCAN_LAUNCH(fused_fill, fused_blocks, BENCH_BLOCK, 0, bench.stream, filling));
    for (unsigned log = 8; log <= log_most; log += 4) {
      const size_t n = (size_t)1 << log;
      cudaGraphExec_t graph[fused_ways];
      double sample[fused_ways][fused_samples], us[fused_ways];
      bench.calls = report.quick ? 1 : log <= 16 ? (unsigned)fused_calls_most : 10;
      for (int way = 0; way < fused_ways; way++) {
        graph[way] = fused_capture(&bench, work, way, n);
        fused_time(&bench, graph[way]);
      }
      for (unsigned i = 0; i < samples; i++)
        for (int way = 0; way < fused_ways; way++) sample[way][i] = fused_time(&bench, graph[way]);
      for (int way = 0; way < fused_ways; way++) {
        us[way] = bench_median(sample[way], samples);
        BENCH_CHECK(cudaGraphExecDestroy(graph[way]));
      }
      fused_verify(&bench, work, n);
      printf("%-12s %-32s %10zu %10.2f %10.2f %10.2f %11.2f %10.3f\n", work->name, work->types, n,
             us[fused_way], us[apart_way], us[copy_way], us[apart_way] / us[fused_way],
             us[copy_way] / us[fused_way]);
      fflush(stdout);
      if (csv != NULL)
        fprintf(csv, "%s,%zu,%.3f,%.3f,%.3f,%s,%s\n", work->name, n, us[fused_way], us[apart_way],
                us[copy_way], properties.name, report.commit);
    }
  }
  printf("\nIn every row both gave the same bits.\n");
  bench_close_csv(csv, report.csv);
  fused_end(&bench);
  return EXIT_SUCCESS;
}
