// What a call costs the thread that makes it, above a bare launch of an empty kernel with the same
// grid, block and bytes of parameters.
#include <time.h>

#include "bench/report.h"

enum {
  overhead_samples = 21,  // the median of these counts
  overhead_batches = 5,   // of a sample; the queue is empty when one begins
  overhead_calls = 200    // of a batch: fewer than fill the queue
};

static const double overhead_goal_us = 1.0;

static const char *const overhead_help =
    "usage: overhead [option]...\n"
    "Times a call of scan_float_add_inclusive on the host, and a bare launch of an empty kernel\n"
    "with the same grid, block and bytes of parameters.\n"
    "\n"
    "  --csv FILE       writes the rows to FILE, too\n"
    "  --commit HASH    what the CSV says in its column `commit`\n"
    "  --help\n"
    "\n"
    "Exit code: 0; 1 if a result is wrong or a call fails; 2 if an option is wrong.\n";

SCAN_OPERATOR float add(float earlier, float later) { return earlier + later; }
SCAN_DEFINE(float, add, 0.0f)

// Empty kernels, one for every size of parameters in words of 8 bytes.
#define OVERHEAD_TO_8(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8)
#define OVERHEAD_TO_16(X) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16)
#define OVERHEAD_TO_24(X) X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24)
#define OVERHEAD_TO_32(X) X(25) X(26) X(27) X(28) X(29) X(30) X(31) X(32)
#define OVERHEAD_TO_40(X) X(33) X(34) X(35) X(36) X(37) X(38) X(39) X(40)
#define OVERHEAD_SIZES(X) \
  OVERHEAD_TO_8(X) OVERHEAD_TO_16(X) OVERHEAD_TO_24(X) OVERHEAD_TO_32(X) OVERHEAD_TO_40(X)
enum { overhead_words_most = 40 };
SCAN_STATIC_ASSERT_(sizeof(scan_call) <= 8 * overhead_words_most,
                    "larger parameters than any empty kernel's");
#define OVERHEAD_EMPTY(words) \
  typedef struct {            \
    uint64_t word[words];     \
  } overhead_words_##words;   \
  SCAN_KERNEL(overhead_empty_##words, overhead_words_##words, p) { (void)p; }
OVERHEAD_SIZES(OVERHEAD_EMPTY)
#define OVERHEAD_FUNCTION(words) (const void *)overhead_empty_##words,
static const void *const overhead_empty[] = {OVERHEAD_SIZES(OVERHEAD_FUNCTION)};

typedef struct {
  float *data;
} overhead_filling;

SCAN_KERNEL(overhead_fill, overhead_filling, p) {
  p.data[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = 1.0f;
}

typedef struct {
  size_t n;
  scan_workspace *workspace;
  const float *in;
  float *out;
  cudaStream_t stream;
  // The bare launch.
  const void *empty;
  dim3 grid, block;
  size_t parameter_bytes;
} overhead_row;

static double overhead_now_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

static void overhead_call_ours(const overhead_row *row) {
  BENCH_CHECK(scan_float_add_inclusive(row->workspace, row->in, row->out, row->n, row->stream));
}

static void overhead_call_bare(const overhead_row *row) {
  static uint64_t words[overhead_words_most];
  void *parameters[] = {words};
  BENCH_CHECK(cudaLaunchKernel(row->empty, row->grid, row->block, parameters, 0, row->stream));
}

// The time of a call, in the mean over a sample. What the device still has to do is not in it.
static double overhead_sample_us(const overhead_row *row, void (*call)(const overhead_row *)) {
  double us = 0.0;
  for (unsigned batch = 0; batch < overhead_batches; batch++) {
    const double before = overhead_now_us();
    for (unsigned i = 0; i < overhead_calls; i++) call(row);
    us += overhead_now_us() - before;
    BENCH_CHECK(cudaStreamSynchronize(row->stream));
  }
  return us / (overhead_batches * overhead_calls);
}

// Learns from a captured call how it launches its kernel, and finds the empty one that is like it.
static void overhead_learn(overhead_row *row) {
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphNodeType kind;
  struct cudaKernelNodeParams launch;
  size_t nodes = 0, words = 0;
  BENCH_CHECK(cudaStreamBeginCapture(row->stream, cudaStreamCaptureModeThreadLocal));
  overhead_call_ours(row);
  BENCH_CHECK(cudaStreamEndCapture(row->stream, &graph));
  BENCH_CHECK(cudaGraphGetNodes(graph, NULL, &nodes));
  if (nodes != 1) {
    fprintf(stderr, "overhead: a call is %zu nodes of a graph, expected 1\n", nodes);
    exit(EXIT_FAILURE);
  }
  BENCH_CHECK(cudaGraphGetNodes(graph, &node, &nodes));
  BENCH_CHECK(cudaGraphNodeGetType(node, &kind));
  if (kind != cudaGraphNodeTypeKernel) {
    fprintf(stderr, "overhead: a call is no kernel\n");
    exit(EXIT_FAILURE);
  }
  BENCH_CHECK(cudaGraphKernelNodeGetParams(node, &launch));
  row->grid = launch.gridDim;
  row->block = launch.blockDim;
  row->parameter_bytes = 0;
  for (;;) {
    size_t offset, size;
    if (cudaFuncGetParamInfo(launch.func, words, &offset, &size) != cudaSuccess) break;
    row->parameter_bytes = offset + size;
    words++;
  }
  (void)cudaGetLastError();  // of the parameter that is not there
  words = (row->parameter_bytes + 7) / 8;
  if (words == 0 || words > overhead_words_most) {
    fprintf(stderr, "overhead: %zu bytes of parameters, expected 1 to %d\n", row->parameter_bytes,
            overhead_words_most * 8);
    exit(EXIT_FAILURE);
  }
  row->empty = overhead_empty[words - 1];
  BENCH_CHECK(cudaGraphDestroy(graph));
}

// Of an input of ones.
static void overhead_verify(const overhead_row *row) {
  float last;
  BENCH_CHECK(cudaMemcpyAsync(&last, row->out + row->n - 1, sizeof last, cudaMemcpyDeviceToHost,
                              row->stream));
  BENCH_CHECK(cudaStreamSynchronize(row->stream));
  if (last == (float)row->n) return;
  fprintf(stderr, "overhead: the sum of %zu ones is %g\n", row->n, (double)last);
  exit(EXIT_FAILURE);
}

int main(int count, char **values) {
  static const size_t sizes[] = {1, (size_t)1 << 10, (size_t)1 << 20};
  enum { size_count = sizeof sizes / sizeof sizes[0] };
  const size_t most = sizes[size_count - 1];
  const bench_report report = bench_report_options("overhead", overhead_help, 0, count, values);
  const cudaDeviceProp properties = bench_report_device();
  FILE *csv = bench_report_open(&report, "n,ours_us,bare_us,difference_us,gpu,commit");
  double worst = 0.0;
  size_t total, free_before, free_after;
  overhead_row row;
  overhead_filling filling;
  memset((void *)&row, 0, sizeof row);
  BENCH_CHECK(cudaStreamCreate(&row.stream));
  BENCH_CHECK(cudaMalloc((void **)&filling.data, most * sizeof *filling.data));
  BENCH_CHECK(cudaMalloc((void **)&row.out, most * sizeof *row.out));
  BENCH_CHECK(SCAN_LAUNCH(overhead_fill, (unsigned)(most / BENCH_BLOCK), BENCH_BLOCK, 0, row.stream,
                          filling));
  row.in = filling.data;
  BENCH_CHECK(
      scan_workspace_create(&row.workspace, scan_float_add_workspace_bytes(most), row.stream));

  printf(
      "%s, scan %s\nMedians of %d samples of %d calls, us a call.\n\n"
      "%8s %6s %6s %10s %8s %8s %10s\n",
      properties.name, SCAN_VERSION_STRING, overhead_samples, overhead_batches * overhead_calls,
      "n", "blocks", "threads", "parameters", "ours", "bare", "difference");
  // What the runtime sets up with a first call is not the call's.
  row.n = 1;
  overhead_call_ours(&row);
  overhead_learn(&row);
  overhead_call_bare(&row);
  BENCH_CHECK(cudaStreamSynchronize(row.stream));
  BENCH_CHECK(cudaMemGetInfo(&free_before, &total));
  for (unsigned s = 0; s < size_count; s++) {
    double ours[overhead_samples], bare[overhead_samples], ours_us, bare_us;
    row.n = sizes[s];
    overhead_learn(&row);
    overhead_sample_us(&row, overhead_call_ours);
    overhead_sample_us(&row, overhead_call_bare);
    for (unsigned i = 0; i < overhead_samples; i++) {
      ours[i] = overhead_sample_us(&row, overhead_call_ours);
      bare[i] = overhead_sample_us(&row, overhead_call_bare);
    }
    overhead_verify(&row);
    ours_us = bench_median(ours, overhead_samples);
    bare_us = bench_median(bare, overhead_samples);
    if (s == 0 || ours_us - bare_us > worst) worst = ours_us - bare_us;
    printf("%8zu %6u %6u %10zu %8.3f %8.3f %10.3f\n", row.n, row.grid.x, row.block.x,
           row.parameter_bytes, ours_us, bare_us, ours_us - bare_us);
    if (csv != NULL)
      fprintf(csv, "%zu,%.3f,%.3f,%.3f,%s,%s\n", row.n, ours_us, bare_us, ours_us - bare_us,
              properties.name, report.commit);
  }
  BENCH_CHECK(cudaMemGetInfo(&free_after, &total));
  bench_close_csv(csv, report.csv);
  printf("\nA call costs at most %.3f us more than a bare launch: goal %.1f %s; ", worst,
         overhead_goal_us, worst <= overhead_goal_us ? "met" : "missed");
  if (free_before == free_after)
    printf("the calls took no device memory\n");
  else
    printf("%lld bytes of device memory went meanwhile\n",
           (long long)free_before - (long long)free_after);

  BENCH_CHECK(scan_workspace_destroy(row.workspace));
  BENCH_CHECK(cudaFree(filling.data));
  BENCH_CHECK(cudaFree(row.out));
  BENCH_CHECK(cudaStreamDestroy(row.stream));
  return EXIT_SUCCESS;
}
