// Scans of elements of many widths beside a copy of the same bytes: no width may fall off.
#include "bench/data.h"
#include "bench/report.h"

static const char *const widths_help =
    "usage: widths [option]...\n"
    "Times inclusive scans of elements of 1 to 64 bytes and a copy of as many bytes, and checks\n"
    "every result.\n"
    "\n"
    "  --csv FILE       writes the rows to FILE, too\n"
    "  --commit HASH    what the CSV says in its column `commit`\n"
    "  --quick          12 MiB of each, not 256\n"
    "  --help\n"
    "\n"
    "Exit code: 0; 1 if a result is wrong or a call fails; 2 if an option is wrong.\n";

enum {
  widths_samples = 11,  // the median of these counts
  widths_calls = 4,     // of a sample, in a graph; of a quick run one of each
  widths_blocks = 1024,
  widths_poison = 0xa5,
  widths_bytes = 1 << 28,
  widths_bytes_quick = 12 << 20  // more than short tiles take, whatever the width
};

// The first unit of a result counts up what those of the elements say, the others are the last
// element's. So each byte is checked, and the operator, which does not commute, costs little.
#define WIDTHS_STAMP(Unit, width)                                                                 \
  typedef struct {                                                                                \
    Unit unit[(width) / sizeof(Unit)];                                                            \
  } widths_##width;                                                                               \
  SCAN_OPERATOR widths_##width count_##width(widths_##width earlier, widths_##width later) {      \
    later.unit[0] = (Unit)(earlier.unit[0] + later.unit[0]);                                      \
    return later;                                                                                 \
  }                                                                                               \
  SCAN_DEFINE(widths_##width, count_##width, {{0}})                                               \
  static cudaError_t widths_run_##width(scan_workspace *workspace, const void *in, void *out,     \
                                        size_t n, cudaStream_t stream) {                          \
    return scan_widths_##width##_count_##width##_inclusive(workspace, (const widths_##width *)in, \
                                                           (widths_##width *)out, n, stream);     \
  }

#define WIDTHS_TO_5(X) X(uint8_t, 1) X(uint16_t, 2) X(uint8_t, 3) X(uint32_t, 4) X(uint8_t, 5)
#define WIDTHS_TO_10(X) X(uint16_t, 6) X(uint8_t, 7) X(uint32_t, 8) X(uint8_t, 9) X(uint16_t, 10)
#define WIDTHS_TO_16(X) \
  X(uint8_t, 11) X(uint32_t, 12) X(uint8_t, 13) X(uint16_t, 14) X(uint32_t, 16)
#define WIDTHS_TO_26(X) \
  X(uint16_t, 18) X(uint32_t, 20) X(uint16_t, 22) X(uint32_t, 24) X(uint16_t, 26)
#define WIDTHS_TO_44(X) \
  X(uint32_t, 28) X(uint32_t, 32) X(uint32_t, 36) X(uint32_t, 40) X(uint32_t, 44)
#define WIDTHS_TO_64(X) \
  X(uint32_t, 48) X(uint32_t, 52) X(uint32_t, 56) X(uint32_t, 60) X(uint32_t, 64)
#define WIDTHS(X) \
  WIDTHS_TO_5(X) WIDTHS_TO_10(X) WIDTHS_TO_16(X) WIDTHS_TO_26(X) WIDTHS_TO_44(X) WIDTHS_TO_64(X)
WIDTHS(WIDTHS_STAMP)

typedef struct {
  size_t size;
  size_t unit;
  cudaError_t (*run)(scan_workspace *workspace, const void *in, void *out, size_t n,
                     cudaStream_t stream);
  size_t (*workspace_bytes)(size_t n);
} widths_family;

#define WIDTHS_FAMILY(Unit, width) \
  {width, sizeof(Unit), widths_run_##width, scan_widths_##width##_count_##width##_workspace_bytes},
static const widths_family widths_families[] = {WIDTHS(WIDTHS_FAMILY)};
enum { widths_count = sizeof widths_families / sizeof widths_families[0] };

typedef struct {
  uint8_t *bytes;
  size_t count;
} widths_filling;

SCAN_KERNEL(widths_fill, widths_filling, p) {
  const size_t threads = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < p.count; i += threads)
    p.bytes[i] = (uint8_t)bench_mix(i);
}

typedef struct {
  const uint8_t *in, *out;
  size_t size, unit, n;
  size_t before, after;  // bytes of poison around the results
  uint32_t *wrong;
} widths_checking;

SCAN_OPERATOR uint32_t widths_unit(const uint8_t *element, size_t unit) {
  uint32_t value = 0;
  for (size_t i = 0; i < unit; i++) value |= (uint32_t)element[i] << (8 * i);
  return value;
}

// Whether each result is the one before it and its element, and the poison around is untouched.
SCAN_KERNEL(widths_check, widths_checking, p) {
  const size_t threads = (size_t)gridDim.x * blockDim.x;
  const uint32_t mask = ~0u >> (32 - 8 * p.unit);
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < p.n; i += threads) {
    const uint8_t *in = p.in + i * p.size, *out = p.out + i * p.size;
    const uint32_t before = i == 0 ? 0 : widths_unit(out - p.size, p.unit);
    bool right = ((before + widths_unit(in, p.unit)) & mask) == widths_unit(out, p.unit);
    for (size_t b = p.unit; b < p.size; b++) right = right && in[b] == out[b];
    for (size_t b = 1; i == 0 && b <= p.before; b++) right = right && *(out - b) == widths_poison;
    for (size_t b = 0; i == p.n - 1 && b < p.after; b++)
      right = right && out[p.size + b] == widths_poison;
    if (!right) *p.wrong = 1;
  }
}

typedef struct {
  uint8_t *in, *out;
  uint32_t *wrong;
  scan_workspace *workspace;
  cudaStream_t stream;
  bench_timer timer;
  size_t bytes;
  unsigned samples, calls;
} widths_bench;

// A contender: a family, or the copy where there is none, of arrays that are off by so many bytes.
typedef struct {
  const widths_family *family;
  size_t offset;
  cudaGraphExec_t graph;  // a sample
  double sample[widths_samples];
} widths_contender;

// Bytes of an array: off by an element, and with something behind.
static size_t widths_array(const widths_bench *bench) {
  return bench->bytes + (size_t)2 * SCAN_ELEMENT_BYTES_MOST;
}

static void widths_call(const widths_bench *bench, const widths_contender *contender) {
  const widths_family *family = contender->family;
  const uint8_t *in = bench->in + contender->offset;
  uint8_t *out = bench->out + contender->offset;
  if (family == NULL)
    BENCH_CHECK(cudaMemcpyAsync(out, in, bench->bytes, cudaMemcpyDeviceToDevice, bench->stream));
  else
    BENCH_CHECK(family->run(bench->workspace, in, out, bench->bytes / family->size, bench->stream));
}

static void widths_capture(const widths_bench *bench, widths_contender *contender) {
  bench_capture_begin(bench->stream);
  for (unsigned i = 0; i < bench->calls; i++) widths_call(bench, contender);
  contender->graph = bench_capture_end(bench->stream);
}

// A call, in us.
static double widths_time(const widths_bench *bench, const widths_contender *contender) {
  bench_timer_start(&bench->timer, bench->stream);
  BENCH_CHECK(cudaGraphLaunch(contender->graph, bench->stream));
  return bench_timer_stop(&bench->timer, bench->stream) / bench->calls;
}

// Once more, onto a poisoned output.
static void widths_verify(const widths_bench *bench, const widths_contender *contender) {
  const widths_family *family = contender->family;
  const size_t poisoned = widths_array(bench);
  widths_checking checking;
  uint32_t wrong;
  BENCH_CHECK(cudaMemsetAsync(bench->out, widths_poison, poisoned, bench->stream));
  BENCH_CHECK(cudaMemsetAsync(bench->wrong, 0, sizeof *bench->wrong, bench->stream));
  widths_call(bench, contender);
  checking.in = bench->in + contender->offset;
  checking.out = bench->out + contender->offset;
  checking.size = family->size;
  checking.unit = family->unit;
  checking.n = bench->bytes / family->size;
  checking.before = contender->offset;
  checking.after = poisoned - contender->offset - checking.n * family->size;
  checking.wrong = bench->wrong;
  BENCH_CHECK(SCAN_LAUNCH(widths_check, widths_blocks, BENCH_BLOCK, 0, bench->stream, checking));
  BENCH_CHECK(
      cudaMemcpyAsync(&wrong, bench->wrong, sizeof wrong, cudaMemcpyDeviceToHost, bench->stream));
  BENCH_CHECK(cudaStreamSynchronize(bench->stream));
  if (wrong == 0) return;
  fprintf(stderr, "widths: %zu elements of %zu bytes, off by %zu bytes: a wrong result\n",
          checking.n, family->size, contender->offset);
  exit(EXIT_FAILURE);
}

static void widths_begin(widths_bench *bench) {
  const size_t bytes = widths_array(bench);
  size_t workspace_bytes = 0;
  widths_filling filling;
  for (unsigned f = 0; f < widths_count; f++) {
    const widths_family *family = &widths_families[f];
    const size_t needed = family->workspace_bytes(bench->bytes / family->size);
    if (needed > workspace_bytes) workspace_bytes = needed;
  }
  BENCH_CHECK(cudaStreamCreate(&bench->stream));
  bench_timer_create(&bench->timer);
  BENCH_CHECK(cudaMalloc((void **)&bench->in, bytes));
  BENCH_CHECK(cudaMalloc((void **)&bench->out, bytes));
  BENCH_CHECK(cudaMalloc((void **)&bench->wrong, sizeof *bench->wrong));
  filling.bytes = bench->in;
  filling.count = bytes;
  BENCH_CHECK(SCAN_LAUNCH(widths_fill, widths_blocks, BENCH_BLOCK, 0, bench->stream, filling));
  BENCH_CHECK(scan_workspace_create(&bench->workspace, workspace_bytes, bench->stream));
}

static void widths_end(widths_bench *bench) {
  BENCH_CHECK(scan_workspace_destroy(bench->workspace));
  BENCH_CHECK(cudaFree(bench->wrong));
  BENCH_CHECK(cudaFree(bench->out));
  BENCH_CHECK(cudaFree(bench->in));
  bench_timer_destroy(&bench->timer);
  BENCH_CHECK(cudaStreamDestroy(bench->stream));
}

int main(int count, char **values) {
  enum { aligned, off, copy, contenders };
  const bench_report report = bench_report_options("widths", widths_help, 1, count, values);
  const cudaDeviceProp properties = bench_report_device();
  FILE *csv =
      bench_report_open(&report, "width,alignment,n,ours_us,unaligned_us,copy_us,gpu,commit");
  double least = 0.0;
  size_t least_width = 0;
  widths_bench bench;
  memset((void *)&bench, 0, sizeof bench);
  bench.bytes = report.quick ? widths_bytes_quick : widths_bytes;
  bench.samples = report.quick ? 1 : widths_samples;
  bench.calls = report.quick ? 1 : widths_calls;
  widths_begin(&bench);
  printf(
      "%s, scan %s\n"
      "Inclusive scans of %zu MiB by the width of the element, us a call: medians of %u graphs of\n"
      "%u calls. off: both arrays by an element. copy: cudaMemcpyAsync of as many bytes, "
      "aligned.\n\n"
      "%6s %9s %10s %10s %10s %9s %9s\n",
      properties.name, SCAN_VERSION_STRING, bench.bytes >> 20, bench.samples, bench.calls, "width",
      "alignment", "ours", "off", "copy", "copy/ours", "copy/off");
  for (unsigned f = 0; f < widths_count; f++) {
    const widths_family *family = &widths_families[f];
    widths_contender contender[contenders];
    double us[contenders];
    memset((void *)contender, 0, sizeof contender);
    contender[aligned].family = contender[off].family = family;
    contender[off].offset = family->size;
    for (unsigned c = 0; c < contenders; c++) {
      widths_capture(&bench, &contender[c]);
      widths_time(&bench, &contender[c]);
    }
    for (unsigned i = 0; i < bench.samples; i++)
      for (unsigned c = 0; c < contenders; c++)
        contender[c].sample[i] = widths_time(&bench, &contender[c]);
    for (unsigned c = 0; c < contenders; c++) {
      us[c] = bench_median(contender[c].sample, bench.samples);
      if (c != copy) widths_verify(&bench, &contender[c]);
      BENCH_CHECK(cudaGraphExecDestroy(contender[c].graph));
    }
    if (f == 0 || us[copy] / us[aligned] < least) {
      least = us[copy] / us[aligned];
      least_width = family->size;
    }
    printf("%6zu %9zu %10.2f %10.2f %10.2f %9.3f %9.3f\n", family->size, family->unit, us[aligned],
           us[off], us[copy], us[copy] / us[aligned], us[copy] / us[off]);
    fflush(stdout);
    if (csv != NULL)
      fprintf(csv, "%zu,%zu,%zu,%.3f,%.3f,%.3f,%s,%s\n", family->size, family->unit,
              bench.bytes / family->size, us[aligned], us[off], us[copy], properties.name,
              report.commit);
  }
  printf("\nEvery result is right; aligned, the slowest is %zu bytes with %.3f of the copy.\n",
         least_width, least);
  bench_close_csv(csv, report.csv);
  widths_end(&bench);
  return EXIT_SUCCESS;
}
