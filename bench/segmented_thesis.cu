// Figures 6 to 9 of van den Hurk's thesis, measured here: segmented sums of integers by lifted
// operators in three passes and in one, and by specialised scans. See THESIS.md.
#define SCAN_STRATEGY_THREADS 512  // 7 items each: three passes suffice for 12.8 million elements

#include "bench/data.h"
#include "bench/report.h"
#include "scan/strategies/strategies.h"

enum {
  thesis_items = 7,  // of a thread, as in the thesis
  thesis_cold = 3,   // calls that are not timed, as in the thesis
  thesis_hot = 11    // the median of these counts
};

// What is read between two calls, so that the first of them leaves nothing in the device's caches.
#ifdef SCAN_TARGET_HOST
static const size_t thesis_evict_bytes = 4096;
#else
static const size_t thesis_evict_bytes = (size_t)256 << 20;
#endif

static const char *const thesis_help =
    "usage: segmented_thesis [option]...\n"
    "Times segmented sums of 32-bit integers with flags of 32 bits: in three passes and in one "
    "with\n"
    "a lifted operator, and by specialised scans; figures 6 to 9 of van den Hurk's thesis.\n"
    "\n"
    "  --csv FILE       writes a row a contender to FILE, too\n"
    "  --commit HASH    what the CSV says in its column `commit`\n"
    "  --quick          small inputs only\n"
    "  --help\n"
    "\n"
    "Exit code: 0; 1 if a result is wrong or a call fails; 2 if an option is wrong.\n";

SCAN_OPERATOR_ADD(int32_t, add)

// Accelerate's three passes are scan-then-propagate (the thesis's section 2.5.1).
SCAN_DEFINE_LIFTED_WITH(three_pass, hierarchical, warps_then_bases, thesis_items, int32_t, add, 0)
SCAN_DEFINE_LIFTED_WITH(look_back, decoupled_look_back, warps_then_bases, thesis_items, int32_t,
                        add, 0)
SCAN_DEFINE_LIFTED_WITH(own, default, none, 1, int32_t, add, 0)
SCAN_DEFINE_SEGMENTED_WITH(look_back, thesis_look_back, warps_then_bases, thesis_items, int32_t,
                           add, 0)
SCAN_DEFINE_SEGMENTED_WITH(own, default, none, 1, int32_t, add, 0)

// All lifted types are alike.
typedef own_lifted thesis_pair;

// The input in the device's memory, once as numbers and flags and once as pairs; and the output of
// either. The host has what comes and what should come.
typedef struct {
  size_t n, length;  // of segments; n: no flag at all
  int32_t *values;
  uint32_t *flags;
  thesis_pair *pairs;
  void *out;
  scan_workspace *workspace;
  cudaStream_t stream;
} thesis_input;

typedef struct {
  int32_t *values, *expected;
  uint32_t *flags;
  thesis_pair *pairs;
} thesis_memory;

#define THESIS_CALL_LIFTED(name)                                                          \
  static cudaError_t thesis_call_##name##_lifted(const thesis_input *input) {             \
    return name##_lifted_inclusive(input->workspace,                                      \
                                   (const name##_lifted *)(const void *)input->pairs,     \
                                   (name##_lifted *)input->out, input->n, input->stream); \
  }
THESIS_CALL_LIFTED(three_pass)
THESIS_CALL_LIFTED(look_back)
THESIS_CALL_LIFTED(own)

#define THESIS_CALL_SEGMENTED(name)                                                    \
  static cudaError_t thesis_call_##name##_segmented(const thesis_input *input) {       \
    return name##_segmented_inclusive(input->workspace, input->values,                 \
                                      scan_segments_from_flags32(input->flags),        \
                                      (int32_t *)input->out, input->n, input->stream); \
  }
THESIS_CALL_SEGMENTED(look_back)
THESIS_CALL_SEGMENTED(own)

// What fusion would save: maps of the input and of the output, by kernels of their own. The second
// undoes the first: sums are what they would be without them.
typedef struct {
  const int32_t *in;
  int32_t *out;
  size_t n;
  uint32_t factor;
} thesis_mapping;

SCAN_KERNEL(thesis_map, thesis_mapping, p) {
  const size_t threads = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < p.n; i += threads)
    p.out[i] = (int32_t)((uint32_t)p.in[i] * p.factor);
}

static cudaError_t thesis_call_map(const thesis_input *input, const int32_t *in, uint32_t factor) {
  const size_t blocks = (input->n + BENCH_BLOCK - 1) / BENCH_BLOCK;
  thesis_mapping mapping;
  mapping.in = in;
  mapping.out = (int32_t *)input->out;
  mapping.n = input->n;
  mapping.factor = factor;
  return SCAN_LAUNCH(thesis_map, blocks < 4096 ? (unsigned)blocks : 4096u, BENCH_BLOCK, 0,
                     input->stream, mapping);
}

static cudaError_t thesis_call_mapped(const thesis_input *input) {
  const uint32_t factor = 3, inverse = 0xaaaaaaabu;
  int32_t *out = (int32_t *)input->out;
  cudaError_t error = thesis_call_map(input, input->values, factor);
  if (error == cudaSuccess)
    error = own_segmented_inclusive(input->workspace, out, scan_segments_from_flags32(input->flags),
                                    out, input->n, input->stream);
  return error == cudaSuccess ? thesis_call_map(input, out, inverse) : error;
}

typedef struct {
  const char *name;
  int lifted;  // what it scans, and leaves, is pairs
  cudaError_t (*call)(const thesis_input *input);
  size_t (*workspace_bytes)(size_t n);
} thesis_contender;

static const thesis_contender thesis_contenders[] = {
    {"three_pass_lifted", 1, thesis_call_three_pass_lifted, three_pass_lifted_workspace_bytes},
    {"look_back_lifted", 1, thesis_call_look_back_lifted, look_back_lifted_workspace_bytes},
    {"default_lifted", 1, thesis_call_own_lifted, own_lifted_workspace_bytes},
    {"look_back_specialised", 0, thesis_call_look_back_segmented,
     look_back_segmented_workspace_bytes},
    {"mapped", 0, thesis_call_mapped, own_segmented_workspace_bytes},
    {"specialised", 0, thesis_call_own_segmented, own_segmented_workspace_bytes}};
enum { thesis_contender_count = sizeof thesis_contenders / sizeof thesis_contenders[0] };

// All that a run has.
typedef struct {
  thesis_input input;
  thesis_memory host;
  uint32_t *evicted;  // thesis_evict_bytes, and a word after them
  bench_timer timer;
  unsigned hot;
  FILE *csv;
  const char *gpu, *commit;
} thesis_bench;

typedef struct {
  const uint32_t *words;
  uint32_t *never;
  size_t count;
} thesis_reading;

// Reads all words, all of which are 0.
SCAN_KERNEL(thesis_read, thesis_reading, p) {
  const size_t threads = (size_t)gridDim.x * blockDim.x;
  uint32_t any = 0;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < p.count; i += threads)
    any |= p.words[i];
  if (any != 0) *p.never = any;
}

static void thesis_evict(const thesis_bench *bench) {
  const size_t count = thesis_evict_bytes / sizeof *bench->evicted;
  const size_t blocks = count / BENCH_BLOCK / 16;
  thesis_reading reading;
  reading.words = bench->evicted;
  reading.never = bench->evicted + count;
  reading.count = count;
  BENCH_CHECK(SCAN_LAUNCH(thesis_read, (unsigned)(blocks == 0 ? 1 : blocks), BENCH_BLOCK, 0,
                          bench->input.stream, reading));
}

// Elements of the tiles that the specialised scan cuts n elements into; the last ones may be
// smaller.
static size_t thesis_tile(size_t n) {
  const scan_cut cut = scan_tuning_cut(sizeof(int32_t), n);
  if (cut.tiles != 0) return SCAN_TILE_(sizeof(int32_t));
  return (size_t)SCAN_SHORT_ITEMS_(sizeof(int32_t)) * SCAN_WARP_THREADS * cut.warps * cut.chunks;
}

// Those of the blocks of look_back_specialised.
static const size_t thesis_section = (size_t)SCAN_STRATEGY_THREADS * thesis_items;

// Of tiles of that size, the part that holds a flag.
static double thesis_share(size_t n, size_t length, size_t tile) {
  const size_t tiles = (n + tile - 1) / tile;
  size_t hold = 0;
  if (length >= n) return 0.0;
  for (size_t first = 0; first < n; first += tile) {
    const size_t flag = (first + length - 1) / length * length;
    if (flag < n && flag < first + tile) hold++;
  }
  return (double)hold / (double)tiles;
}

static void thesis_upload(const thesis_bench *bench, void *to, const void *from, size_t bytes) {
  BENCH_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, bench->input.stream));
}

// Makes the input, and its sums one after the other; integers wrap.
static void thesis_make(thesis_bench *bench, size_t n, size_t length) {
  const thesis_memory *host = &bench->host;
  thesis_input *input = &bench->input;
  uint32_t sum = 0;
  size_t left = 0;  // elements before the next flag
  for (size_t i = 0; i < n; i++) {
    const uint32_t value = bench_mix(i);
    const int head = length < n && left == 0;
    if (left == 0) left = length;
    left--;
    sum = head ? value : sum + value;
    host->values[i] = (int32_t)value;
    host->flags[i] = (uint32_t)head;
    host->pairs[i].value = (int32_t)value;
    host->pairs[i].head = (uint32_t)head;
    host->expected[i] = (int32_t)sum;
  }
  input->n = n;
  input->length = length;
  thesis_upload(bench, input->values, host->values, n * sizeof *host->values);
  thesis_upload(bench, input->flags, host->flags, n * sizeof *host->flags);
  thesis_upload(bench, input->pairs, host->pairs, n * sizeof *host->pairs);
  BENCH_CHECK(cudaStreamSynchronize(input->stream));
}

// One call more, onto a poisoned output. The pairs on the host are free for it: the device has
// them.
static void thesis_verify(const thesis_bench *bench, const thesis_contender *contender) {
  const thesis_input *input = &bench->input;
  const size_t bytes = input->n * (contender->lifted ? sizeof(thesis_pair) : sizeof(int32_t));
  thesis_pair *const pairs = bench->host.pairs;
  BENCH_CHECK(cudaMemsetAsync(input->out, 0xa5, bytes, input->stream));
  BENCH_CHECK(contender->call(input));
  BENCH_CHECK(cudaMemcpyAsync(pairs, input->out, bytes, cudaMemcpyDeviceToHost, input->stream));
  BENCH_CHECK(cudaStreamSynchronize(input->stream));
  for (size_t i = 0; i < input->n; i++) {
    int32_t sum;
    if (contender->lifted)
      sum = pairs[i].value;
    else
      memcpy(&sum, (const char *)pairs + i * sizeof sum, sizeof sum);
    if (sum != bench->host.expected[i]) {
      fprintf(stderr,
              "segmented_thesis: %s of %zu elements in segments of %zu: element %zu is %d, "
              "expected %d\n",
              contender->name, input->n, input->length, i, (int)sum, (int)bench->host.expected[i]);
      exit(EXIT_FAILURE);
    }
  }
}

// One call, in us. The device is still reading other memory when the host asks for it, so that it
// need not wait for the host.
static double thesis_time(const thesis_bench *bench, const thesis_contender *contender) {
  thesis_evict(bench);
  bench_timer_start(&bench->timer, bench->input.stream);
  BENCH_CHECK(contender->call(&bench->input));
  return bench_timer_stop(&bench->timer, bench->input.stream);
}

// A line of the table, and a row of the CSV for each contender.
static void thesis_measure(thesis_bench *bench, int figure, size_t n, size_t length) {
  const double share = thesis_share(n, length, figure == 10 ? thesis_section : thesis_tile(n));
  double us[thesis_contender_count];
  thesis_make(bench, n, length);
  printf("%6d %10zu %10zu %7.4f", figure, n, length < n ? length : n, share);
  for (unsigned c = 0; c < thesis_contender_count; c++) {
    const thesis_contender *contender = &thesis_contenders[c];
    double sample[thesis_hot];
    for (unsigned i = 0; i < thesis_cold; i++) thesis_time(bench, contender);
    for (unsigned i = 0; i < bench->hot; i++) sample[i] = thesis_time(bench, contender);
    us[c] = bench_median(sample, bench->hot);
    thesis_verify(bench, contender);
    printf(" %21.2f", us[c]);
    if (bench->csv != NULL)
      fprintf(bench->csv, "%d,%s,%zu,%zu,%.6g,%.3f,%s,%s\n", figure, contender->name, n,
              length < n ? length : n, share, us[c], bench->gpu, bench->commit);
  }
  printf(" %8.2f\n", us[0] / us[thesis_contender_count - 1]);
  fflush(stdout);
}

static void thesis_begin(thesis_bench *bench, size_t most) {
  thesis_input *input = &bench->input;
  thesis_memory *host = &bench->host;
  size_t workspace_bytes = 0;
  for (unsigned c = 0; c < thesis_contender_count; c++) {
    const size_t bytes = thesis_contenders[c].workspace_bytes(most);
    if (bytes > workspace_bytes) workspace_bytes = bytes;
  }
  host->values = (int32_t *)bench_report_allocate(most * sizeof *host->values);
  host->expected = (int32_t *)bench_report_allocate(most * sizeof *host->expected);
  host->flags = (uint32_t *)bench_report_allocate(most * sizeof *host->flags);
  host->pairs = (thesis_pair *)bench_report_allocate(most * sizeof *host->pairs);
  BENCH_CHECK(cudaStreamCreate(&input->stream));
  bench_timer_create(&bench->timer);
  BENCH_CHECK(cudaMalloc((void **)&input->values, most * sizeof *input->values));
  BENCH_CHECK(cudaMalloc((void **)&input->flags, most * sizeof *input->flags));
  BENCH_CHECK(cudaMalloc((void **)&input->pairs, most * sizeof *input->pairs));
  BENCH_CHECK(cudaMalloc(&input->out, most * sizeof *input->pairs));
  BENCH_CHECK(cudaMalloc((void **)&bench->evicted, thesis_evict_bytes + sizeof *bench->evicted));
  BENCH_CHECK(cudaMemsetAsync(bench->evicted, 0, thesis_evict_bytes + sizeof *bench->evicted,
                              input->stream));
  BENCH_CHECK(scan_workspace_create(&input->workspace, workspace_bytes, input->stream));
}

static void thesis_end(thesis_bench *bench) {
  thesis_input *input = &bench->input;
  BENCH_CHECK(scan_workspace_destroy(input->workspace));
  BENCH_CHECK(cudaFree(bench->evicted));
  BENCH_CHECK(cudaFree(input->out));
  BENCH_CHECK(cudaFree(input->pairs));
  BENCH_CHECK(cudaFree(input->flags));
  BENCH_CHECK(cudaFree(input->values));
  bench_timer_destroy(&bench->timer);
  BENCH_CHECK(cudaStreamDestroy(input->stream));
  free(bench->host.pairs);
  free(bench->host.flags);
  free(bench->host.expected);
  free(bench->host.values);
}

int main(int count, char **values) {
  static const size_t sizes[] = {100,     200,     500,     1000,     2000,      5000,
                                 10000,   20000,   50000,   100000,   200000,    500000,
                                 1000000, 2000000, 5000000, 10000000, 1u << 24u, 1u << 26u};
  enum { size_count = sizeof sizes / sizeof sizes[0], quick_hot = 3 };
  const bench_report report =
      bench_report_options("segmented_thesis", thesis_help, 1, count, values);
  const cudaDeviceProp properties = bench_report_device();
  const size_t most = report.quick ? 100000 : sizes[size_count - 1];
  const size_t fixed = report.quick ? most : 5000000;  // of figures 8 and 9
  const size_t length = 10000;                         // of figures 6 and 7
  thesis_bench bench;
  memset((void *)&bench, 0, sizeof bench);
  bench.hot = report.quick ? (unsigned)quick_hot : (unsigned)thesis_hot;
  bench.gpu = properties.name;
  bench.commit = report.commit;
  bench.csv = bench_report_open(&report, "figure,contender,n,length,share,us,gpu,commit");
  thesis_begin(&bench, most);

  printf(
      "%s, scan %s\n"
      "Segmented sums of 32-bit integers, us a call: medians of %u calls by events, caches cold, "
      "%d\n"
      "calls not timed before. Lifted contenders scan pairs of a value and a head, which are made\n"
      "outside the timing. mapped: specialised between two kernels that map. share: of the\n"
      "specialised scan's tiles (%zu elements in figures 8 and 9), in figure 10 of the blocks of\n"
      "look_back_specialised (%zu), those that hold a start. times: three_pass_lifted / "
      "specialised.\n"
      "Figure 7 is figure 6 over three_pass_lifted; 10 is figure 9 with starts at other "
      "blocks.\n\n",
      properties.name, SCAN_VERSION_STRING, bench.hot, (int)thesis_cold, thesis_tile(fixed),
      thesis_section);
  printf("%6s %10s %10s %7s", "figure", "n", "length", "share");
  for (unsigned c = 0; c < thesis_contender_count; c++) printf(" %21s", thesis_contenders[c].name);
  printf(" %8s\n", "times");

  for (unsigned s = 0; s < size_count && sizes[s] <= most; s++)
    thesis_measure(&bench, 6, sizes[s], length);
  // To the first length that leaves one segment.
  for (size_t apart = 1; apart < fixed * 10; apart *= 10) thesis_measure(&bench, 8, fixed, apart);
  // A start in every tile, in every second, and so on; then none.
  for (size_t apart = thesis_tile(fixed); apart < fixed; apart *= 2)
    thesis_measure(&bench, 9, fixed, apart);
  thesis_measure(&bench, 9, fixed, fixed);
  for (size_t apart = thesis_section; apart < fixed; apart *= 2)
    thesis_measure(&bench, 10, fixed, apart);
  thesis_measure(&bench, 10, fixed, fixed);

  printf("\nEvery result is that of a sequential segmented sum.\n");
  bench_close_csv(bench.csv, report.csv);
  thesis_end(&bench);
  return EXIT_SUCCESS;
}
