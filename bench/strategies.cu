// The strategies side by side, CUB and Thrust beside them where they are built in: times over n. On
// the host target with -DSCAN_COUNT: what each strategy does, instead.
#include "bench/report.h"

#include "bench/family.h"
#include "scan/strategies/strategies.h"

#if defined(SCAN_COUNT) && defined(SCAN_TARGET_HOST)
#define STRATEGIES_COUNTED 1
#else
#define STRATEGIES_COUNTED 0
#endif

enum {
  strategies_verify_blocks = 264,
  strategies_segment = 10000  // elements of each segment, as in the thesis's figure 6
};

// Where work grows with n * n, or one thread does it.
#define STRATEGIES_SMALL ((size_t)1 << 14)

static const char *const strategies_help =
    "usage: strategies [option]...\n"
#if STRATEGIES_COUNTED
    "Counts what a call of each strategy's inclusive sum does: calls of the operator, elements "
    "read\n"
    "and written in shared memory, in the client's arrays and in the workspace; steps and "
    "barriers\n"
    "of blocks; of `default` calls of the operator alone.\n"
#else
    "Times a call of each strategy's inclusive sum, by events in a stream: the median of rounds, "
    "of\n"
    "each round the mean. All calls read one array and write another, so that small inputs stay "
    "in\n"
    "cache. Every result is checked.\n"
#endif
    "f32_lifted: pairs of a number and a head; f32_segmented: numbers, and flags of 32 bits, or "
    "keys\n"
    "for a peer; segments of 10,000. f32_reduced: sums of all.\n"
    "\n"
    "  --quick          n up to 2^14 only\n"
    "  --list           names the rows and measures nothing\n"
    "  --csv FILE       writes the rows to FILE, too; of a peer, `block` is its release\n"
    "  --commit HASH    what the CSV says in its column `commit`\n"
    "  --help\n"
    "\n"
    "Exit code: 0; 1 if a result is wrong or a call fails; 2 if an option is wrong.\n";

// X(device, block, items, type) for each strategy that is measured.
#define STRATEGIES_OF_DEVICES(X, type)              \
  X(reduce_then_scan, warps_then_bases, 4, type)    \
  X(host_partials, warps_then_bases, 4, type)       \
  X(stream_scan, warps_then_bases, 4, type)         \
  X(decoupled_look_back, warps_then_bases, 4, type) \
  X(default, none, 1, type)
#define STRATEGIES_OF_BLOCKS(X, items, type)            \
  X(hierarchical, sequential, items, type)              \
  X(hierarchical, naive, items, type)                   \
  X(hierarchical, hillis_steele, items, type)           \
  X(hierarchical, kogge_stone, items, type)             \
  X(hierarchical, kogge_stone_exclusive, items, type)   \
  X(hierarchical, brent_kung, items, type)              \
  X(hierarchical, blelloch, items, type)                \
  X(hierarchical, blelloch_injected, items, type)       \
  X(hierarchical, warps_then_bases_shared, items, type) \
  X(hierarchical, raking, items, type)                  \
  X(hierarchical, warps_then_bases, items, type)
#define STRATEGIES_SEGMENTED(X)                           \
  X(hierarchical, warps_then_bases, 4, f32_lifted)        \
  X(stream_scan, warps_then_bases, 4, f32_lifted)         \
  X(decoupled_look_back, warps_then_bases, 4, f32_lifted) \
  X(default, none, 1, f32_lifted)                         \
  X(thesis_look_back, warps_then_bases, 4, f32_segmented) \
  X(default, none, 1, f32_segmented)
#define STRATEGIES_REDUCED(X)            \
  X(host_partials, tree, 4, f32_reduced) \
  X(second_kernel, tree, 4, f32_reduced) \
  X(last_block, tree, 4, f32_reduced)    \
  X(atomic, tree, 4, f32_reduced)        \
  X(default, none, 1, f32_reduced)
#define STRATEGIES(X)                       \
  X(sequential, none, 1, f32)               \
  X(naive, none, 1, f32)                    \
  STRATEGIES_OF_BLOCKS(X, 1, f32)           \
  STRATEGIES_OF_BLOCKS(X, 4, f32)           \
  X(hierarchical, three_phase, 4, f32)      \
  STRATEGIES_OF_DEVICES(X, f32)             \
  X(hierarchical, warps_then_bases, 4, b16) \
  STRATEGIES_OF_DEVICES(X, b16)             \
  STRATEGIES_SEGMENTED(X)                   \
  STRATEGIES_REDUCED(X)

static struct {
  cudaStream_t stream;
  bench_timer timer;
  void *in, *out;
  uint32_t *starts;        // a bit an element
  uint32_t *flags, *keys;  // the same as flags, and the number of each element's segment
  uint64_t *wrong;         // on the device
  uint64_t *wrong_seen;
  FILE *csv;
  const char *gpu, *commit;
} strategies;

#define STRATEGIES_NAME(device, block, items, type) strategies_##device##_##block##_##items##_##type
#define STRATEGIES_STAMP_f32(name, ...)                           \
  SCAN_DEFINE_WITH(name, __VA_ARGS__, float, bench_add_f32, 0.0f) \
  STRATEGIES_RUN(name, name, float)
#define STRATEGIES_STAMP_b16(name, ...)                                                     \
  SCAN_DEFINE_WITH(name, __VA_ARGS__, bench_b16, bench_add_b16, {{0.0f, 0.0f, 0.0f, 0.0f}}) \
  STRATEGIES_RUN(name, name, bench_b16)
#define STRATEGIES_STAMP_f32_lifted(name, ...)                           \
  SCAN_DEFINE_LIFTED_WITH(name, __VA_ARGS__, float, bench_add_f32, 0.0f) \
  STRATEGIES_RUN(name, name##_lifted, name##_lifted)
#define STRATEGIES_STAMP_f32_segmented(name, ...)                                                 \
  SCAN_DEFINE_SEGMENTED_WITH(name, __VA_ARGS__, float, bench_add_f32, 0.0f)                       \
  static cudaError_t name##_row(scan_workspace *workspace, const void *in, void *out, size_t n,   \
                                cudaStream_t stream) {                                            \
    return name##_segmented_inclusive(workspace, (const float *)in,                               \
                                      scan_segments_from_flags32(strategies.flags), (float *)out, \
                                      n, stream);                                                 \
  }                                                                                               \
  static size_t name##_row_bytes(size_t n) { return name##_segmented_workspace_bytes(n); }
// By the strategies for reductions, or as the scans' reductions are.
SCAN_OPERATOR_ATOMIC_ADD(float, bench_add_f32)
#define STRATEGIES_STAMP_f32_reduced(name, device, block, items)                             \
  STRATEGIES_REDUCE_BY_##block(name, device, items) static cudaError_t name##_row(           \
      scan_workspace *workspace, const void *in, void *out, size_t n, cudaStream_t stream) { \
    return name##_reduce(workspace, (const float *)in, (float *)out, n, stream);             \
  }                                                                                          \
  static size_t name##_row_bytes(size_t n) { return name##_workspace_bytes(n); }
#define STRATEGIES_REDUCE_BY_tree(name, reduce, items) \
  SCAN_DEFINE_REDUCE_WITH(name, reduce, items, float, bench_add_f32, 0.0f)
#define STRATEGIES_REDUCE_BY_none(name, device, items) \
  SCAN_DEFINE_WITH(name, device, none, items, float, bench_add_f32, 0.0f)
#define STRATEGIES_RUN(name, stamped, T)                                                        \
  static cudaError_t name##_row(scan_workspace *workspace, const void *in, void *out, size_t n, \
                                cudaStream_t stream) {                                          \
    return stamped##_inclusive(workspace, (const T *)in, (T *)out, n, stream);                  \
  }                                                                                             \
  static size_t name##_row_bytes(size_t n) { return stamped##_workspace_bytes(n); }
#define STRATEGIES_STAMP(device, block, items, type)                                           \
  STRATEGIES_STAMP_NAMED(STRATEGIES_STAMP_##type, STRATEGIES_NAME(device, block, items, type), \
                         device, block, items)
#define STRATEGIES_STAMP_NAMED(stamp, ...) stamp(__VA_ARGS__)
STRATEGIES(STRATEGIES_STAMP)

// A type: its data, and the check of a result.
BENCH_OPERATOR float strategies_value_f32(uint64_t index) { return (float)bench_step(index, 0); }
BENCH_STRUCT_VALUE(bench_b16, float, 4, strategies_value_b16)
BENCH_FAMILY_VALUE(strategies_f32, float, strategies_value_f32)
BENCH_FAMILY_DATA(strategies_f32, float, bench_add_f32, 0.0f)
BENCH_FAMILY_VALUE(strategies_b16, bench_b16, strategies_value_b16)
BENCH_FAMILY_DATA(strategies_b16, bench_b16, bench_add_b16, {{0.0f, 0.0f, 0.0f, 0.0f}})

// All lifted types are alike; one of them is for the data.
typedef strategies_default_none_1_f32_lifted_lifted strategies_pair;
SCAN_DEVICE strategies_pair strategies_lifted_at(const uint32_t *starts, uint64_t index) {
  strategies_pair element;
  element.value = strategies_value_f32(index);
  element.head = bench_starts_at(starts, index);
  return element;
}
BENCH_FAMILY_DATA(strategies_lifted, strategies_pair, strategies_default_none_1_f32_lifted_lift_,
                  {0.0f, 0})

// Whether the first element is the sum of all.
SCAN_KERNEL(strategies_reduced_verify_kernel, bench_verification, p) {
  const float expected = (float)bench_level(p.n, 0);
  const bool same = *(const float *)p.out == expected;
  p.wrong[bench_thread()] = same ? UINT64_MAX : 0;
}
static cudaError_t strategies_reduced_verify(const bench_verification *verification,
                                             unsigned blocks, cudaStream_t stream) {
  return SCAN_LAUNCH(strategies_reduced_verify_kernel, blocks, BENCH_BLOCK, 0, stream,
                     *verification);
}

typedef struct {
  const char *name;
  size_t size;
  int segmented;
  cudaError_t (*fill)(void *data, size_t n, const uint32_t *starts, cudaStream_t stream);
  cudaError_t (*verify)(const bench_verification *verification, unsigned blocks,
                        cudaStream_t stream);
} strategies_type;

static const strategies_type strategies_types[] = {
    {"f32", sizeof(float), 0, strategies_f32_bench_fill, strategies_f32_bench_verify},
    {"b16", sizeof(bench_b16), 0, strategies_b16_bench_fill, strategies_b16_bench_verify},
    {"f32_lifted", sizeof(strategies_pair), 1, strategies_lifted_bench_fill,
     strategies_lifted_bench_verify},
    {"f32_segmented", sizeof(float), 1, strategies_f32_bench_fill, strategies_f32_bench_verify},
    {"f32_reduced", sizeof(float), 0, strategies_f32_bench_fill, strategies_reduced_verify}};

static const strategies_type *strategies_find_type(const char *name) {
  const strategies_type *type = strategies_types;
  while (strcmp(type->name, name) != 0) type++;
  return type;
}

// A row of the table.
typedef struct {
  const char *device;
  const char *block;  // of a peer: its release
  unsigned items;     // a thread
  const char *type;
  size_t (*workspace_bytes)(size_t n);
  cudaError_t (*run)(scan_workspace *workspace, const void *in, void *out, size_t n,
                     cudaStream_t stream);
  const bench_peer *peer;  // NULL: ours
} strategies_row;

#define STRATEGIES_ROW_OF(name, device, block, items, type) \
  {device, block, items, type, name##_row_bytes, name##_row, NULL},
#define STRATEGIES_ROW(device, block, items, type) \
  STRATEGIES_ROW_NAMED(STRATEGIES_NAME(device, block, items, type), #device, #block, items, #type)
#define STRATEGIES_ROW_NAMED(...) STRATEGIES_ROW_OF(__VA_ARGS__)
static const strategies_row strategies_ours[] = {STRATEGIES(STRATEGIES_ROW)};
enum { strategies_ours_count = sizeof strategies_ours / sizeof strategies_ours[0] };

// The peers that are built in.
#ifdef BENCH_PEERS_TOOLKIT
SCAN_EXTERN_ const bench_peer_file bench_peer_strategies_toolkit;
#endif
#ifdef BENCH_PEERS_NEWEST
SCAN_EXTERN_ const bench_peer_file bench_peer_strategies_newest;
#endif
static const bench_peer_file *const strategies_peers[] = {
#ifdef BENCH_PEERS_TOOLKIT
    &bench_peer_strategies_toolkit,
#endif
#ifdef BENCH_PEERS_NEWEST
    &bench_peer_strategies_newest,
#endif
    NULL};

// A row at one size, with the memory that it needs.
typedef struct {
  const strategies_row *row;
  size_t n;
  scan_workspace *workspace;  // ours
  void *temporary;            // a peer's
  size_t temporary_bytes;
} strategies_case;

// Without memory it asks for how much there must be.
static void strategies_call_peer(strategies_case *c) {
  const bench_peer *peer = c->row->peer;
  BENCH_CHECK(peer->by_key != NULL
                  ? peer->by_key(c->temporary, &c->temporary_bytes, strategies.keys, strategies.in,
                                 strategies.out, c->n, strategies.stream)
                  : peer->call(c->temporary, &c->temporary_bytes, strategies.in, strategies.out,
                               c->n, strategies.stream));
}

static strategies_case strategies_case_begin(const strategies_row *row, size_t n) {
  strategies_case c = {row, n, NULL, NULL, 0};
  BENCH_CHECK(strategies_find_type(row->type)->fill(strategies.in, n, strategies.starts,
                                                    strategies.stream));
  if (row->peer == NULL) {
    BENCH_CHECK(scan_workspace_create(&c.workspace, row->workspace_bytes(n), strategies.stream));
  } else {
    strategies_call_peer(&c);
    BENCH_CHECK(cudaMalloc(&c.temporary, c.temporary_bytes));
  }
  return c;
}

static void strategies_case_end(const strategies_case *c) {
  BENCH_CHECK(cudaStreamSynchronize(strategies.stream));
  if (c->row->peer == NULL)
    BENCH_CHECK(scan_workspace_destroy(c->workspace));
  else
    BENCH_CHECK(cudaFree(c->temporary));
}

static void strategies_call(strategies_case *c) {
  if (c->row->peer == NULL)
    BENCH_CHECK(c->row->run(c->workspace, strategies.in, strategies.out, c->n, strategies.stream));
  else
    strategies_call_peer(c);
}

// Ends the program unless a call's result is right.
static void strategies_verify(strategies_case *c) {
  enum { words = strategies_verify_blocks * BENCH_BLOCK };
  const strategies_type *type = strategies_find_type(c->row->type);
  bench_verification verification;
  memset((void *)&verification, 0, sizeof verification);
  verification.out = strategies.out;
  verification.n = c->n;
  verification.wrong = strategies.wrong;
  if (type->segmented) verification.starts = strategies.starts;
  BENCH_CHECK(cudaMemsetAsync(strategies.out, 0xa5, c->n * type->size, strategies.stream));
  strategies_call(c);
  BENCH_CHECK(type->verify(&verification, strategies_verify_blocks, strategies.stream));
  BENCH_CHECK(cudaMemcpyAsync(strategies.wrong_seen, strategies.wrong, words * sizeof(uint64_t),
                              cudaMemcpyDeviceToHost, strategies.stream));
  BENCH_CHECK(cudaStreamSynchronize(strategies.stream));
  for (size_t i = 0; i < words; i++)
    if (strategies.wrong_seen[i] != UINT64_MAX) {
      fprintf(stderr, "strategies: %s, %s, %u items, %s, n = %zu: wrong at %llu\n", c->row->device,
              c->row->block, c->row->items, c->row->type, c->n,
              (unsigned long long)strategies.wrong_seen[i]);
      exit(EXIT_FAILURE);
    }
}

static int strategies_too_large(const strategies_row *row, size_t n) {
  return n > STRATEGIES_SMALL &&
         (strcmp(row->device, "sequential") == 0 || strcmp(row->device, "naive") == 0);
}

static void strategies_print_name(const strategies_row *row) {
  printf("%-20s %-24s %5u %-13s", row->device, row->block, row->items, row->type);
}
static void strategies_print_names_head(void) {
  printf("%-20s %-24s %5s %-13s", "device", "block", "items", "type");
}

#if STRATEGIES_COUNTED

static const char *const strategies_csv_head =
    "device,block,items,type,n,operators,steps,barriers,shared,global,status,commit";

static void strategies_print_head(const size_t *sizes, unsigned count) {
  (void)sizes;
  (void)count;
  printf(
      "For each element: calls of the operator, reads and writes. For each section, of %d threads "
      "and\n"
      "their items: steps, barriers. -: none, or not counted.\n\n",
      SCAN_STRATEGY_THREADS);
  strategies_print_names_head();
  printf(" %10s %9s %9s %9s %9s %9s %9s\n", "n", "operators", "steps", "barriers", "shared",
         "global", "status");
}

static void strategies_print_ratio(uint64_t count, size_t by) {
  if (count == 0)
    printf(" %9s", "-");
  else
    printf(" %9.3f", (double)count / (double)by);
}

// A line a size.
static void strategies_measure(const strategies_row *row, const size_t *sizes, unsigned count) {
  for (unsigned s = 0; s < count && !strategies_too_large(row, sizes[s]); s++) {
    const size_t n = sizes[s], section = (size_t)SCAN_STRATEGY_THREADS * row->items;
    const size_t sections = (n + section - 1) / section;
    strategies_case c = strategies_case_begin(row, n);
    scan_counts counts;
    strategies_verify(&c);
    scan_counts_reset();
    strategies_call(&c);
    strategies_case_end(&c);
    counts = scan_counts_read();
    strategies_print_name(row);
    printf(" %10zu", n);
    strategies_print_ratio(counts.operators, n);
    strategies_print_ratio(counts.steps, sections);
    strategies_print_ratio(counts.barriers, sections);
    strategies_print_ratio(counts.shared_reads + counts.shared_writes, n);
    strategies_print_ratio(counts.global_reads + counts.global_writes, n);
    strategies_print_ratio(counts.status_reads + counts.status_writes, n);
    printf("\n");
    if (strategies.csv != NULL)
      fprintf(strategies.csv, "%s,%s,%u,%s,%zu,%llu,%llu,%llu,%llu,%llu,%llu,%s\n", row->device,
              row->block, row->items, row->type, n, (unsigned long long)counts.operators,
              (unsigned long long)counts.steps, (unsigned long long)counts.barriers,
              (unsigned long long)(counts.shared_reads + counts.shared_writes),
              (unsigned long long)(counts.global_reads + counts.global_writes),
              (unsigned long long)(counts.status_reads + counts.status_writes), strategies.commit);
  }
}

#else

enum {
  strategies_rounds = 11,     // the median of these counts
  strategies_calls_most = 20  // of a round
};

// A round has as many calls as fill this, but for the limit above.
static const double strategies_round_us = 2000.0;

static const char *const strategies_csv_head = "device,block,items,type,n,us,gpu,commit";

static void strategies_print_head(const size_t *sizes, unsigned count) {
  printf("Medians of %d rounds, us a call, over n.\n\n", strategies_rounds);
  strategies_print_names_head();
  for (unsigned s = 0; s < count; s++) printf(" %11zu", sizes[s]);
  printf("\n");
}

// The mean of a round.
static double strategies_round(strategies_case *c, unsigned calls) {
  bench_timer_start(&strategies.timer, strategies.stream);
  for (unsigned i = 0; i < calls; i++) strategies_call(c);
  return bench_timer_stop(&strategies.timer, strategies.stream) / calls;
}

static double strategies_time(strategies_case *c) {
  double us[strategies_rounds];
  const double once = strategies_round(c, 1);
  unsigned calls = strategies_calls_most;
  if (once * calls > strategies_round_us)
    calls = once < strategies_round_us ? (unsigned)(strategies_round_us / once) : 1;
  for (unsigned i = 0; i < strategies_rounds; i++) us[i] = strategies_round(c, calls);
  return bench_median(us, strategies_rounds);
}

// A column a size.
static void strategies_measure(const strategies_row *row, const size_t *sizes, unsigned count) {
  strategies_print_name(row);
  for (unsigned s = 0; s < count; s++) {
    strategies_case c;
    double us;
    if (strategies_too_large(row, sizes[s])) {
      printf(" %11s", "-");
      continue;
    }
    c = strategies_case_begin(row, sizes[s]);
    strategies_verify(&c);
    us = strategies_time(&c);
    strategies_case_end(&c);
    printf(" %11.2f", us);
    if (strategies.csv != NULL)
      fprintf(strategies.csv, "%s,%s,%u,%s,%zu,%.3f,%s,%s\n", row->device, row->block, row->items,
              row->type, sizes[s], us, strategies.gpu, strategies.commit);
  }
  printf("\n");
}

#endif

// Measures, or only names; what one row found is seen before the next begins.
static void strategies_row_do(const strategies_row *row, const bench_report *report,
                              const size_t *sizes, unsigned count) {
  if (report->list) {
    strategies_print_name(row);
    printf("\n");
  } else {
    strategies_measure(row, sizes, count);
  }
  fflush(stdout);
}

// Makes what tells of segments, once for all n.
typedef struct {
  uint32_t *starts, *flags, *keys;
  size_t n;
} strategies_telling;

SCAN_KERNEL(strategies_tell_kernel, strategies_telling, p) {
  for (size_t word = bench_thread(); word * 32 < p.n; word += bench_threads()) {
    uint32_t bits = 0;
    for (size_t i = word * 32; i < word * 32 + 32 && i < p.n; i++) {
      p.flags[i] = i % strategies_segment == 0;
      p.keys[i] = (uint32_t)(i / strategies_segment);
      bits |= p.flags[i] << i % 32;
    }
    p.starts[word] = bits;
  }
}

static void strategies_tell(size_t n) {
  strategies_telling telling;
  telling.starts = strategies.starts;
  telling.flags = strategies.flags;
  telling.keys = strategies.keys;
  telling.n = n;
  BENCH_CHECK(SCAN_LAUNCH(strategies_tell_kernel, strategies_verify_blocks, BENCH_BLOCK, 0,
                          strategies.stream, telling));
}

static void strategies_begin(const bench_report *report, size_t most) {
  const size_t words = strategies_verify_blocks * BENCH_BLOCK;
  BENCH_CHECK(cudaStreamCreate(&strategies.stream));
  bench_timer_create(&strategies.timer);
  BENCH_CHECK(cudaMalloc(&strategies.in, most * sizeof(bench_b16)));
  BENCH_CHECK(cudaMalloc(&strategies.out, most * sizeof(bench_b16)));
  BENCH_CHECK(cudaMalloc((void **)&strategies.starts, (most / 32 + 1) * sizeof(uint32_t)));
  BENCH_CHECK(cudaMalloc((void **)&strategies.flags, most * sizeof(uint32_t)));
  BENCH_CHECK(cudaMalloc((void **)&strategies.keys, most * sizeof(uint32_t)));
  BENCH_CHECK(cudaMalloc((void **)&strategies.wrong, words * sizeof(uint64_t)));
  strategies.wrong_seen = (uint64_t *)bench_report_allocate(words * sizeof(uint64_t));
  strategies.csv = bench_report_open(report, strategies_csv_head);
  strategies.commit = report->commit;
  strategies_tell(most);
}

static void strategies_end(const bench_report *report) {
  bench_close_csv(strategies.csv, report->csv);
  free(strategies.wrong_seen);
  BENCH_CHECK(cudaFree(strategies.wrong));
  BENCH_CHECK(cudaFree(strategies.keys));
  BENCH_CHECK(cudaFree(strategies.flags));
  BENCH_CHECK(cudaFree(strategies.starts));
  BENCH_CHECK(cudaFree(strategies.in));
  BENCH_CHECK(cudaFree(strategies.out));
  bench_timer_destroy(&strategies.timer);
  BENCH_CHECK(cudaStreamDestroy(strategies.stream));
}

int main(int count, char **values) {
  static const size_t sizes[] = {(size_t)1 << 10, (size_t)1 << 14, (size_t)1 << 18, (size_t)1 << 22,
                                 (size_t)1 << 26};
  const bench_report report = bench_report_options("strategies", strategies_help,
                                                   BENCH_REPORT_QUICK_AND_LIST, count, values);
  const unsigned size_count = report.quick ? 2 : sizeof sizes / sizeof sizes[0];
  cudaDeviceProp properties;
  unsigned rows = 0;
  if (!report.list) {
    properties = bench_report_device();
    strategies.gpu = properties.name;
    strategies_begin(&report, sizes[size_count - 1]);
    printf("%s, scan %s, blocks of %d threads.\n", properties.name, SCAN_VERSION_STRING,
           SCAN_STRATEGY_THREADS);
    strategies_print_head(sizes, size_count);
  }
  for (; rows < strategies_ours_count; rows++)
    strategies_row_do(&strategies_ours[rows], &report, sizes, size_count);
  for (const bench_peer_file *const *file = strategies_peers; *file != NULL; file++)
    for (const bench_peer *peer = (*file)->peers; peer->work != NULL; peer++, rows++) {
      const strategies_row row = {peer->work, (*file)->release, 1, peer->type, NULL, NULL, peer};
      strategies_row_do(&row, &report, sizes, size_count);
    }
  if (!report.list) {
    strategies_end(&report);
    printf("\n%u rows, every result checked\n", rows);
  }
  return EXIT_SUCCESS;
}
