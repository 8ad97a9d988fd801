// The block and warp levels against CUB's: one kernel around ours and theirs, which repeats a scan
// on registers.
#include <math.h>

#include "bench/data.h"
#include "bench/levels.h"
#include "bench/report.h"
#include "scan/strategies/strategies.h"

enum {
  levels_rounds = 7,      // the median of these counts
  levels_repeats = 4000,  // of a scan in a kernel
  levels_contenders_most = 8,
  levels_warm_up = 200
};

static const char *const levels_help =
    "usage: levels [option]...\n"
    "Times the library's block and warp scans and CUB's inside the same kernel, which repeats a\n"
    "scan on registers. Each is timed twice: with one block (or warp) a multiprocessor, and with\n"
    "as many as fit.\n"
    "\n"
    "  --quick          of the blocks only those of 256 threads\n"
    "  --csv FILE       writes the rows to FILE, too; a work that ends in _alone is one block or\n"
    "                   warp a multiprocessor\n"
    "  --commit HASH    what the CSV says in its column `commit`\n"
    "  --help\n"
    "\n"
    "Exit code: 0; 1 if a result is wrong or a call fails; 2 if an option is wrong.\n";

SCAN_DEFINE_AS(levels_add_i32, int32_t, bench_add_i32, 0)
SCAN_DEFINE_AS(levels_add_f32, float, bench_add_f32, 0.0f)
SCAN_DEFINE_AS(levels_add_f64, double, bench_add_f64, 0.0)
SCAN_DEFINE_AS(levels_max_f32, float, bench_max_f32, -INFINITY)
SCAN_DEFINE_AS(levels_affine_b8, bench_affine, bench_compose, {1.0f, 0.0f})
SCAN_DEFINE_AS(levels_add_b16, bench_b16, bench_add_b16, {{0.0f, 0.0f, 0.0f, 0.0f}})

// The same by raking, for blocks of each size.
#define LEVELS_RAKING(threads)                                                                 \
  SCAN_DEFINE_BLOCK_WITH(levels_add_i32_##threads, raking, 9, int32_t, bench_add_i32, 0)       \
  SCAN_DEFINE_BLOCK_WITH(levels_add_f32_##threads, raking, 9, float, bench_add_f32, 0.0f)      \
  SCAN_DEFINE_BLOCK_WITH(levels_add_f64_##threads, raking, 9, double, bench_add_f64, 0.0)      \
  SCAN_DEFINE_BLOCK_WITH(levels_max_f32_##threads, raking, 9, float, bench_max_f32, -INFINITY) \
  SCAN_DEFINE_BLOCK_WITH(levels_affine_b8_##threads, raking, 9, bench_affine, bench_compose,   \
                         {1.0f, 0.0f})                                                         \
  SCAN_DEFINE_BLOCK_WITH(levels_add_b16_##threads, raking, 9, bench_b16, bench_add_b16,        \
                         {{0.0f, 0.0f, 0.0f, 0.0f}})
#undef SCAN_STRATEGY_THREADS
#define SCAN_STRATEGY_THREADS 128
LEVELS_RAKING(128)
#undef SCAN_STRATEGY_THREADS
#define SCAN_STRATEGY_THREADS 256
LEVELS_RAKING(256)
#undef SCAN_STRATEGY_THREADS
#define SCAN_STRATEGY_THREADS 512
LEVELS_RAKING(512)

// Our kernels. Blocks have two contenders, `warps`, which SCAN_DEFINE has, and `raking`, warps one.
#define LEVELS_KERNEL(how, name, level, work, threads, items, operation, type, T)              \
  SCAN_DEVICE void BENCH_LEVEL_NAME(how##_call, level, work, threads, items, operation, type)( \
      T * x, name##_block_scratch * scratch) {                                                 \
    LEVELS_CALL_##level(name, work, items);                                                    \
  }                                                                                            \
  BENCH_LEVEL_KERNEL(BENCH_LEVEL_NAME(how, level, work, threads, items, operation, type), T,   \
                     bench_next_##type, threads, items, name##_block_scratch,                  \
                     BENCH_LEVEL_NAME(how##_call, level, work, threads, items, operation, type))
#define LEVELS_CALL_warp(name, work, items) \
  (void)scratch;                            \
  *x = name##_warp_##work(*x)
#define LEVELS_CALL_block(name, work, items) LEVELS_CALL_##items(name, work)
#define LEVELS_CALL_1(name, work) *x = name##_block_##work(*x, scratch)
#define LEVELS_CALL_4(name, work) name##_block_##work##_items(x, 4, scratch)
#define LEVELS_CALL_9(name, work) name##_block_##work##_items(x, 9, scratch)
#define LEVELS_KERNELS_warp(work, threads, items, operation, type, T)                         \
  LEVELS_KERNEL(shuffles, levels_##operation##_##type, warp, work, threads, items, operation, \
                type, T)
#define LEVELS_KERNELS_block(work, threads, items, operation, type, T)                            \
  LEVELS_KERNEL(warps, levels_##operation##_##type, block, work, threads, items, operation, type, \
                T)                                                                                \
  LEVELS_KERNEL(raking, levels_##operation##_##type##_##threads, block, work, threads, items,     \
                operation, type, T)
#define LEVELS_KERNELS(level, ...) LEVELS_KERNELS_##level(__VA_ARGS__)

BENCH_LEVELS(LEVELS_KERNELS)

static const bench_level_entry levels_ours[] = {BENCH_LEVELS(BENCH_LEVEL_ENTRIES) BENCH_LEVEL_END};

// The peers that are built in.
#ifdef BENCH_PEERS_TOOLKIT
SCAN_EXTERN_ const bench_level_file bench_levels_toolkit;
#endif
#ifdef BENCH_PEERS_NEWEST
SCAN_EXTERN_ const bench_level_file bench_levels_newest;
#endif
static const bench_level_file *const levels_peers[] = {
#ifdef BENCH_PEERS_TOOLKIT
    &bench_levels_toolkit,
#endif
#ifdef BENCH_PEERS_NEWEST
    &bench_levels_newest,
#endif
    NULL};

// What the host knows of a type: the data, none of it zero, and what the kernel makes of it, one
// element after the other.
typedef struct {
  const char *operation;
  const char *type;
  size_t size;
  void (*fill)(void *data, size_t n);
  void (*expect)(const char *work, const void *in, void *out, size_t n);
} levels_type;

static float levels_odd(size_t i, uint32_t c) { return (float)(bench_step(i, c) | 1); }
static int32_t levels_value_add_i32(size_t i) { return bench_step(i, 0) | 1; }
static float levels_value_add_f32(size_t i) { return levels_odd(i, 0); }
static double levels_value_add_f64(size_t i) { return levels_odd(i, 0); }
static float levels_value_max_f32(size_t i) { return (float)(bench_climb(i, 0) + 1); }
static bench_affine levels_value_affine_b8(size_t i) {
  const bench_affine value = {bench_step(i, 1) > 0 ? 1.0f : -1.0f, levels_odd(i, 0)};
  return value;
}
static bench_b16 levels_value_add_b16(size_t i) {
  const bench_b16 value = {
      {levels_odd(i, 0), levels_odd(i, 1), levels_odd(i, 2), levels_odd(i, 3)}};
  return value;
}

#define LEVELS_TYPE(operation, type, T, op, ...)                                              \
  static void levels_fill_##operation##_##type(void *data, size_t n) {                        \
    for (size_t i = 0; i < n; i++) ((T *)data)[i] = levels_value_##operation##_##type(i);     \
  }                                                                                           \
  static void levels_expect_##operation##_##type(const char *work, const void *in, void *out, \
                                                 size_t n) {                                  \
    const T identity = __VA_ARGS__, *given = (const T *)in;                                   \
    const int reduce = work[0] == 'r', exclusive = work[0] == 'e';                            \
    T *x = (T *)out;                                                                          \
    memcpy(out, in, n * sizeof(T));                                                           \
    for (unsigned repeat = 0; repeat < levels_repeats; repeat++) {                            \
      T sum = bench_next_##type(x[0], given[0]);                                              \
      x[0] = exclusive ? identity : sum;                                                      \
      for (size_t i = 1; i < n; i++) {                                                        \
        const T before = sum;                                                                 \
        sum = op(sum, bench_next_##type(x[i], given[i]));                                     \
        x[i] = exclusive ? before : sum;                                                      \
      }                                                                                       \
      for (size_t i = 0; reduce && i < n; i++) x[i] = sum;                                    \
    }                                                                                         \
  }

LEVELS_TYPE(add, i32, int32_t, bench_add_i32, 0)
LEVELS_TYPE(add, f32, float, bench_add_f32, 0.0f)
LEVELS_TYPE(add, f64, double, bench_add_f64, 0.0)
LEVELS_TYPE(max, f32, float, bench_max_f32, -INFINITY)
LEVELS_TYPE(affine, b8, bench_affine, bench_compose, {1.0f, 0.0f})
LEVELS_TYPE(add, b16, bench_b16, bench_add_b16, {{0.0f, 0.0f, 0.0f, 0.0f}})

#define LEVELS_TYPE_ENTRY(operation, type, T)                       \
  {                                                                 \
#operation, #type, sizeof(T), levels_fill_##operation##_##type, \
        levels_expect_##operation##_##type                          \
  }
static const levels_type levels_types[] = {
    LEVELS_TYPE_ENTRY(add, i32, int32_t),        LEVELS_TYPE_ENTRY(add, f32, float),
    LEVELS_TYPE_ENTRY(add, f64, double),         LEVELS_TYPE_ENTRY(max, f32, float),
    LEVELS_TYPE_ENTRY(affine, b8, bench_affine), LEVELS_TYPE_ENTRY(add, b16, bench_b16)};

// What is timed against each other, alone on a multiprocessor and with as many blocks as fit.
typedef struct {
  const bench_level_entry *entry;
  const char *release;
  unsigned blocks[2];  // a multiprocessor
  double ns[2][levels_rounds];
} levels_contender;

enum { levels_alone, levels_full };

static struct {
  cudaStream_t stream;
  bench_timer timer;
  unsigned multiprocessors;
  void *in, *out;  // on the device
  size_t out_bytes;
  void *given, *expected, *got;
} levels;

// The fastest of several ways.
typedef struct {
  double ns;  // 0: there is none
  const char *how;
} levels_best;

// By load; defined: by SCAN_DEFINE alone.
typedef struct {
  levels_best ours[2], defined[2], cub[2];
} levels_row;

static const levels_type *levels_find_type(const bench_level_entry *entry) {
  const char *operation = strchr(entry->work, '_') + 1;
  unsigned i = 0;
  while (strcmp(levels_types[i].operation, operation) != 0 ||
         strcmp(levels_types[i].type, entry->type) != 0)
    i++;
  return &levels_types[i];
}

static int levels_same(const bench_level_entry *a, const bench_level_entry *b) {
  return strcmp(a->level, b->level) == 0 && strcmp(a->work, b->work) == 0 &&
         strcmp(a->type, b->type) == 0 && a->threads == b->threads && a->items == b->items;
}

static void levels_add_contender(levels_contender *contenders, unsigned *count,
                                 const bench_level_entry *entry, const char *release) {
  levels_contender *contender = &contenders[(*count)++];
  int blocks;
  if (*count > levels_contenders_most) {
    fprintf(stderr, "levels: more contenders than there is room for\n");
    exit(EXIT_FAILURE);
  }
  BENCH_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, entry->kernel,
                                                            (int)entry->threads, 0));
  memset(contender, 0, sizeof *contender);
  contender->entry = entry;
  contender->release = release;
  contender->blocks[levels_alone] = 1;
  contender->blocks[levels_full] = (unsigned)blocks;
}

static void levels_launch(const levels_contender *contender, int load) {
  bench_level_call call = {levels.in, levels.out, levels_repeats};
  void *parameters[] = {&call};
  const dim3 grid = {levels.multiprocessors * contender->blocks[load], 1, 1};
  const dim3 block = {contender->entry->threads, 1, 1};
  BENCH_CHECK(
      cudaLaunchKernel(contender->entry->kernel, grid, block, parameters, 0, levels.stream));
}

// Ends the program unless every block left what was expected.
static void levels_verify(const levels_contender *contender, int load, size_t block_bytes) {
  const bench_level_entry *entry = contender->entry;
  const size_t blocks = (size_t)levels.multiprocessors * contender->blocks[load];
  BENCH_CHECK(cudaMemsetAsync(levels.out, 0xa5, blocks * block_bytes, levels.stream));
  levels_launch(contender, load);
  BENCH_CHECK(cudaMemcpyAsync(levels.got, levels.out, blocks * block_bytes, cudaMemcpyDeviceToHost,
                              levels.stream));
  BENCH_CHECK(cudaStreamSynchronize(levels.stream));
  for (size_t block = 0; block < blocks; block++)
    if (memcmp(SCAN_AT_CONST_(levels.got, block * block_bytes), levels.expected, block_bytes) !=
        0) {
      fprintf(stderr, "levels: %s %s of %s, %u threads, %u items: %s (%s) is wrong in block %zu\n",
              entry->level, entry->work, entry->type, entry->threads, entry->items,
              contender->release == NULL ? "ours" : contender->release, entry->how, block);
      exit(EXIT_FAILURE);
    }
}

// The data of a row, what is to come out, and room for the results of all contenders.
static size_t levels_prepare(const bench_level_entry *entry, const levels_contender *contenders,
                             unsigned count) {
  const levels_type *type = levels_find_type(entry);
  const size_t n = (size_t)entry->threads * entry->items, block_bytes = n * type->size;
  for (unsigned c = 0; c < count; c++) {
    const size_t bytes = levels.multiprocessors * contenders[c].blocks[levels_full] * block_bytes;
    if (bytes <= levels.out_bytes) continue;
    free(levels.got);
    BENCH_CHECK(cudaFree(levels.out));
    BENCH_CHECK(cudaMalloc(&levels.out, bytes));
    levels.got = bench_report_allocate(bytes);
    levels.out_bytes = bytes;
  }
  type->fill(levels.given, n);
  type->expect(entry->work, levels.given, levels.expected, n);
  BENCH_CHECK(
      cudaMemcpyAsync(levels.in, levels.given, block_bytes, cudaMemcpyHostToDevice, levels.stream));
  return block_bytes;
}

static double levels_time(const levels_contender *contender, int load) {
  bench_timer_start(&levels.timer, levels.stream);
  levels_launch(contender, load);
  return bench_timer_stop(&levels.timer, levels.stream) * 1e3 / levels_repeats /
         contender->blocks[load];
}

static levels_row levels_measure(const bench_level_entry *ours) {
  levels_contender contenders[levels_contenders_most];
  levels_row row;
  unsigned count = 0;
  size_t block_bytes;
  memset(&row, 0, sizeof row);
  for (const bench_level_entry *entry = levels_ours; entry->kernel != NULL; entry++)
    if (levels_same(entry, ours)) levels_add_contender(contenders, &count, entry, NULL);
  for (unsigned i = 0; levels_peers[i] != NULL; i++)
    for (const bench_level_entry *entry = levels_peers[i]->levels; entry->kernel != NULL; entry++)
      if (levels_same(entry, ours))
        levels_add_contender(contenders, &count, entry, levels_peers[i]->release);
  block_bytes = levels_prepare(ours, contenders, count);
  for (int load = levels_alone; load <= levels_full; load++) {
    for (unsigned c = 0; c < count; c++) levels_verify(&contenders[c], load, block_bytes);
    for (unsigned round = 0; round < levels_rounds; round++)
      for (unsigned c = 0; c < count; c++)
        contenders[c].ns[load][round] = levels_time(&contenders[c], load);
    for (unsigned c = 0; c < count; c++) {
      const levels_best way = {bench_median(contenders[c].ns[load], levels_rounds),
                               contenders[c].entry->how};
      levels_best *best = contenders[c].release == NULL ? &row.ours[load] : &row.cub[load];
      if (bench_shorter(best->ns, way.ns) != best->ns) *best = way;
      if (contenders[c].entry == ours) row.defined[load] = way;
    }
  }
  return row;
}

static void levels_begin(void) {
  const size_t bytes = (size_t)512 * 9 * 16;  // of the largest block
  const cudaDeviceProp properties = bench_report_device();
  levels_contender contender;
  unsigned count = 0;
  levels.multiprocessors = (unsigned)properties.multiProcessorCount;
  BENCH_CHECK(cudaStreamCreate(&levels.stream));
  bench_timer_create(&levels.timer);
  BENCH_CHECK(cudaMalloc(&levels.in, bytes));
  levels.given = bench_report_allocate(bytes);
  levels.expected = bench_report_allocate(bytes);
  // Brings the clocks up.
  levels_add_contender(&contender, &count, &levels_ours[0], NULL);
  levels_prepare(&levels_ours[0], &contender, count);
  for (unsigned i = 0; i < levels_warm_up; i++) levels_launch(&contender, levels_full);
  BENCH_CHECK(cudaStreamSynchronize(levels.stream));
}

static void levels_end(void) {
  free(levels.given);
  free(levels.expected);
  free(levels.got);
  BENCH_CHECK(cudaFree(levels.in));
  BENCH_CHECK(cudaFree(levels.out));
  bench_timer_destroy(&levels.timer);
  BENCH_CHECK(cudaStreamDestroy(levels.stream));
}

static void levels_print_head(const char *device) {
  printf("%s, scan %s", device, SCAN_VERSION_STRING);
  for (unsigned i = 0; levels_peers[i] != NULL; i++)
    printf(", %s CUB %d.%d.%d", levels_peers[i]->release, levels_peers[i]->version / 100000,
           levels_peers[i]->version / 100 % 1000, levels_peers[i]->version % 100);
  printf(
      "\nMedians of 7, in ns a scan. alone: one block, or warp, a multiprocessor, so how long a "
      "scan takes.\nfull: as many as fit, the time divided by how many these are. ours: the faster "
      "of SCAN_DEFINE (by\nwarps) and SCAN_DEFINE_BLOCK_WITH raking. CUB: the fastest of its "
      "releases and of the same two\nalgorithms. ratio: our time to CUB's. A reduction gives every "
      "thread the result.\n\n"
      "%-5s %-16s %7s %5s %-4s %40s %8s %40s\n"
      "%-5s %-16s %7s %5s %-4s %8s %-8s %8s %-8s %5s %8s %-8s %8s %-8s %5s\n",
      "", "", "", "", "", "alone", "", "full", "level", "work", "threads", "items", "type", "ours",
      "", "CUB", "", "ratio", "ours", "", "CUB", "", "ratio");
}

static void levels_print_row(const bench_level_entry *entry, const levels_row *row) {
  printf("%-5s %-16s %7u %5u %-4s", entry->level, entry->work, entry->threads, entry->items,
         entry->type);
  for (int load = levels_alone; load <= levels_full; load++) {
    const levels_best ours = row->ours[load], cub = row->cub[load];
    printf(" %8.2f %-8s", ours.ns, ours.how);
    if (cub.ns > 0.0)
      printf(" %8.2f %-8s %5.2f", cub.ns, cub.how, ours.ns / cub.ns);
    else
      printf(" %8s %-8s %5s", "-", "", "-");
  }
  printf("\n");
  fflush(stdout);
}

static void levels_write_csv(FILE *csv, const bench_level_entry *entry, const levels_row *row,
                             const char *device, const char *commit) {
  for (int load = levels_alone; load <= levels_full; load++) {
    char cub[32] = "";
    if (row->cub[load].ns > 0.0) snprintf(cub, sizeof cub, "%.3f", row->cub[load].ns);
    fprintf(csv, "%s,%s%s,%u,%u,%s,%.3f,%.3f,%s,%s,%s\n", entry->level, entry->work,
            load == levels_alone ? "_alone" : "", entry->threads, entry->items, entry->type,
            row->ours[load].ns, row->defined[load].ns, cub, device, commit);
  }
  fflush(csv);
}

int main(int count, char **values) {
  const bench_report report =
      bench_report_options("levels", levels_help, BENCH_REPORT_QUICK, count, values);
  const cudaDeviceProp properties = bench_report_device();
  FILE *csv = bench_report_open(
      &report, "level,work,threads,items,type,ours_ns,defined_ns,cub_ns,gpu,commit");
  double logarithms[2] = {0.0, 0.0}, defined[2] = {0.0, 0.0};
  unsigned rows = 0, compared = 0, no_slower[2] = {0, 0};
  levels_begin();
  levels_print_head(properties.name);
  for (const bench_level_entry *entry = levels_ours; entry->kernel != NULL; entry++) {
    levels_row row;
    if (strcmp(entry->how, "raking") == 0) continue; /* stands beside the one before */
    if (report.quick && strcmp(entry->level, "block") == 0 && entry->threads != 256) continue;
    row = levels_measure(entry);
    levels_print_row(entry, &row);
    if (csv != NULL) levels_write_csv(csv, entry, &row, properties.name, report.commit);
    rows++;
    if (row.cub[levels_full].ns == 0.0) continue;
    compared++;
    for (int load = levels_alone; load <= levels_full; load++) {
      logarithms[load] += log(row.ours[load].ns / row.cub[load].ns);
      defined[load] += log(row.defined[load].ns / row.cub[load].ns);
      no_slower[load] += row.ours[load].ns <= row.cub[load].ns;
    }
  }
  levels_end();
  bench_close_csv(csv, report.csv);
  printf("\n%u rows, every result as a loop over the elements makes it", rows);
  if (compared != 0)
    printf(
        "; ours takes at most CUB's time in %u alone and %u full of %u; geometric mean of the "
        "ratios %.2f and %.2f (by SCAN_DEFINE alone %.2f and %.2f)",
        no_slower[levels_alone], no_slower[levels_full], compared,
        exp(logarithms[levels_alone] / compared), exp(logarithms[levels_full] / compared),
        exp(defined[levels_alone] / compared), exp(defined[levels_full] / compared));
  printf("\n");
  return EXIT_SUCCESS;
}
