// strategies_count_test.cu: what each strategy costs, on the host target: operator calls, steps,
// barriers, shared and global traffic, exactly, and beside it the seed's expression.
#define SCAN_COUNT
#define SCAN_STRATEGY_THREADS 512
#include "scan/strategies/strategies.h"
#include "tests/operators.h"

enum { most_threads = 512, large = 64 * 64 };

// N and its logarithm are what expressions are of; T and its logarithm where a thread has several
// items.
static uint64_t kogge_stone(uint64_t n, uint64_t log_n) { return n * log_n - (n - 1); }
static uint64_t brent_kung(uint64_t n, uint64_t log_n) { return 2 * n - 2 - log_n; }

// R whole runs of r elements: each folded, the R sums scanned by Kogge and Stone, and what comes
// before a run put in front of all but its last.
static uint64_t raking(uint64_t n, uint64_t r) {
  const uint64_t runs = n / r;
  uint64_t sums = 0;
  uint64_t reach;
  for (reach = 1; reach < runs; reach *= 2) sums += runs - reach;
  return runs * (r - 1) + sums + (runs - 1) * (r - 1);
}

// Two items a thread, scanned by Kogge and Stone: N = 2T.
static uint64_t pairs(uint64_t t, uint64_t log_t) { return t + kogge_stone(t, log_t) + t - 1; }

typedef struct count_parameters {
  uint32_t *data;
  int exclusive;
} count_parameters;

// One item a thread, and `count` of them.
#define BLOCK(block, count)                                                                      \
  SCAN_DEFINE_BLOCK_WITH(block##_##count, block, count, uint32_t, add_uint32_t, 0)               \
  SCAN_KERNEL(count_##block##_##count, count_parameters, p) {                                    \
    SCAN_SHARED_DYNAMIC(block##_##count##_block_scratch, scratch);                               \
    uint32_t items[count];                                                                       \
    int k;                                                                                       \
    for (k = 0; k < count; k++) items[k] = p.data[threadIdx.x * count + k];                      \
    if (p.exclusive) {                                                                           \
      block##_##count##_block_exclusive_items(items, count, scratch);                            \
    } else {                                                                                     \
      block##_##count##_block_inclusive_items(items, count, scratch);                            \
    }                                                                                            \
    for (k = 0; k < count; k++) p.data[threadIdx.x * count + k] = items[k];                      \
  }                                                                                              \
  static cudaError_t launch_##block##_##count(unsigned threads, int exclusive, uint32_t *data) { \
    count_parameters parameters;                                                                 \
    parameters.data = data;                                                                      \
    parameters.exclusive = exclusive;                                                            \
    return SCAN_LAUNCH(count_##block##_##count, 1, threads,                                      \
                       sizeof(block##_##count##_block_scratch), 0, parameters);                  \
  }
BLOCK(sequential, 1)
BLOCK(naive, 1)
BLOCK(hillis_steele, 1)
BLOCK(kogge_stone, 1)
BLOCK(kogge_stone_exclusive, 1)
BLOCK(brent_kung, 1)
BLOCK(blelloch, 1)
BLOCK(blelloch_injected, 1)
BLOCK(warps_then_bases, 1)
BLOCK(warps_then_bases_shared, 1)
BLOCK(raking, 1)
BLOCK(raking, 4)
BLOCK(three_phase, 4)
BLOCK(kogge_stone, 4)
BLOCK(brent_kung, 8)
BLOCK(blelloch, 4)

#define SAME(what, found, expected)                                              \
  CHECK((uint64_t)(found) == (uint64_t)(expected), what ": %llu, expected %llu", \
        (unsigned long long)(found), (unsigned long long)(expected))
#define AT_MOST(what, found, bound)                                              \
  CHECK((uint64_t)(found) <= (uint64_t)(bound), what ": %llu, but at most %llu", \
        (unsigned long long)(found), (unsigned long long)(bound))

static uint32_t *data;

static scan_counts count(const char *name, cudaError_t (*launch)(unsigned, int, uint32_t *),
                         unsigned threads, int exclusive) {
  size_t i;
  test_case("%s%s of %u threads", name, exclusive ? ", exclusive," : "", threads);
  for (i = 0; i < large; i++) data[i] = (uint32_t)test_random();
  scan_counts_reset();
  MUST(launch(threads, exclusive, data));
  return scan_counts_read();
}
#define COUNT(strategy, threads, exclusive) count(#strategy, launch_##strategy, threads, exclusive)

// N elements, one a thread, N a power of two.
static void check_section(unsigned n, uint64_t log_n) {
  const uint64_t warps = n / 32;
  const uint64_t log_warps = log_n - 5;
  scan_counts c;

  c = COUNT(sequential_1, n, 0);
  SAME("N - 1", c.operators, n - 1);
  SAME("steps", c.steps, n - 1);

  c = COUNT(naive_1, n, 0);
  SAME("N (N - 1) / 2", c.operators, (uint64_t)n * (n - 1) / 2);

  /* The chapter's expression, met exactly. Every step reads what lies `reach` before and writes:
     here all elements to the other buffer. Then each thread takes its result. */
  c = COUNT(hillis_steele_1, n, 0);
  SAME("N log2 N - (N - 1)", c.operators, kogge_stone(n, log_n));
  SAME("log2 N steps", c.steps, log_n);
  SAME("a barrier a step, one before, one after", c.barriers, log_n + 2);
  SAME("shared reads", c.shared_reads, kogge_stone(n, log_n) + n);
  SAME("shared writes", c.shared_writes, n + n * log_n);

  c = COUNT(kogge_stone_1, n, 0);
  SAME("N log2 N - (N - 1)", c.operators, kogge_stone(n, log_n));
  SAME("log2 N steps", c.steps, log_n);
  SAME("two barriers a step, one before, one after", c.barriers, 2 * log_n + 2);
  SAME("shared reads", c.shared_reads, kogge_stone(n, log_n) + n);
  SAME("shared writes", c.shared_writes, n + kogge_stone(n, log_n));
  /* An exclusive result is the neighbour's: no operation more. */
  SAME("exclusive: the same", COUNT(kogge_stone_1, n, 1).operators, c.operators);

  /* The chapter's counts the additions of its zero, too: a bound. */
  c = COUNT(kogge_stone_exclusive_1, n, 1);
  SAME("(N - 1) (log2 N - 1) + 1", c.operators, (uint64_t)(n - 1) * (log_n - 1) + 1);
  AT_MOST("N log2 N - (N - 1)", c.operators, kogge_stone(n, log_n));
  SAME("log2 N steps", c.steps, log_n);
  SAME("inclusive: one a thread more, but the first",
       COUNT(kogge_stone_exclusive_1, n, 0).operators, c.operators + n - 1);

  /* The chapter's, met exactly. */
  c = COUNT(brent_kung_1, n, 0);
  SAME("2N - 2 - log2 N", c.operators, brent_kung(n, log_n));
  SAME("2 log2 N - 1 steps", c.steps, 2 * log_n - 1);
  SAME("a barrier a step, one before, one after", c.barriers, 2 * log_n + 1);
  SAME("shared reads: two an operation, and the results", c.shared_reads,
       2 * brent_kung(n, log_n) + n);
  SAME("shared writes", c.shared_writes, n + brent_kung(n, log_n));
  SAME("exclusive: the same", COUNT(brent_kung_1, n, 1).operators, c.operators);

  /* The page's 2N - 2, less those with the identity, one a level. */
  c = COUNT(blelloch_1, n, 1);
  SAME("2N - 2, less log2 N", c.operators, 2 * (uint64_t)n - 2 - log_n);
  SAME("2 log2 N steps", c.steps, 2 * log_n);
  SAME("a barrier a step, one before, one after", c.barriers, 2 * log_n + 2);
  SAME("inclusive: one a thread more, but the first", COUNT(blelloch_1, n, 0).operators,
       c.operators + n - 1);
  SAME("nothing injected: the same", COUNT(blelloch_injected_1, n, 1).operators, c.operators);

  /* The notes' N lg N is a bound. */
  c = COUNT(warps_then_bases_1, n, 0);
  SAME("129 w + the scan of w bases + 32 (w - 1)", c.operators,
       129 * warps + kogge_stone(warps, log_warps) + 32 * (warps - 1));
  AT_MOST("N log2 N", c.operators, n * log_n);
  SAME("three barriers for the phases, one after", c.barriers, 4);
  SAME("log2 32 steps, the same of up to 32 bases, one", c.steps, 11);
  SAME("in shared memory: the same", COUNT(warps_then_bases_shared_1, n, 0).operators, c.operators);

  /* Runs of as many elements as the largest block has warps, whose last ones the lanes have. */
  c = COUNT(raking_1, n, 0);
  SAME("R (r - 1) + the scan of R runs + (R - 1) (r - 1)", c.operators,
       raking(n, most_threads / 32));
  SAME("r - 1 steps, log2 32, one", c.steps, most_threads / 32 + 5);
  SAME("a barrier before, one after, one behind", c.barriers, 3);
  SAME("shared reads: each, and the results", c.shared_reads, 2 * n);
  SAME("shared writes: each, and what it becomes", c.shared_writes, 2 * n);
  SAME("exclusive: the same", COUNT(raking_1, n, 1).operators, c.operators);
}

// T threads of several items each.
static void check_coarsened(unsigned t, uint64_t log_t) {
  const uint64_t n4 = 4 * (uint64_t)t;
  const uint64_t n8 = 8 * (uint64_t)t;
  scan_counts c;
  /* The chapter's three phases: exactly what it derives step by step, and its sum as a bound. */
  c = COUNT(three_phase_4, t, 0);
  SAME("(N - T) + (T log2 T - T + 1) + (T - 1) (N/T - 1)", c.operators,
       (n4 - t) + (t * log_t - t + 1) + (t - 1) * (n4 / t - 1));
  AT_MOST("N - 1 + T log2 T + N - T", c.operators, n4 - 1 + t * log_t + n4 - t);
  SAME("log2 T steps together", c.steps, log_t);
  SAME("exclusive: the same", COUNT(three_phase_4, t, 1).operators, c.operators);
  SAME("elements in registers: the same", COUNT(kogge_stone_4, t, 0).operators, c.operators);
  SAME("(N - T) + (2T - 2 - log2 T) + (T - 1) (N/T - 1)", COUNT(brent_kung_8, t, 0).operators,
       (n8 - t) + brent_kung(t, log_t) + (t - 1) * (n8 / t - 1));
  SAME("(N - T) + (2T - 2 - log2 T) + (T - 1) (N/T - 1)", COUNT(blelloch_4, t, 1).operators,
       (n4 - t) + brent_kung(t, log_t) + (t - 1) * (n4 / t - 1));
  /* Onto what comes before a thread it scans its own once more. */
  c = COUNT(raking_4, t, 0);
  SAME("(N - T) + the scan of T + (N - 1)", c.operators,
       (n4 - t) + raking(t, most_threads / 32) + (n4 - 1));
  SAME("shared reads: the scan's, and one a thread", c.shared_reads, 2 * (uint64_t)t);
  SAME("exclusive: (N - T) + the scan of T + (N - T - 1)", COUNT(raking_4, t, 1).operators,
       (n4 - t) + raking(t, most_threads / 32) + (n4 - t - 1));
}

#undef SCAN_STRATEGY_THREADS
#define SCAN_STRATEGY_THREADS 64
#define DEVICE(name, device, block, items) \
  SCAN_DEFINE_WITH(name, device, block, items, uint32_t, add_uint32_t, 0)
DEVICE(hierarchical, hierarchical, brent_kung, 1)
DEVICE(hierarchical_coarse, hierarchical, three_phase, 4)
DEVICE(reduced, reduce_then_scan, kogge_stone, 2)
DEVICE(by_host, host_partials, brent_kung, 1)
DEVICE(chained, stream_scan, blelloch, 1)
DEVICE(chained_injected, stream_scan, blelloch_injected, 1)
DEVICE(looking_back, decoupled_look_back, kogge_stone, 2)
DEVICE(alone, sequential, none, 1)
DEVICE(each, naive, none, 1)
SCAN_DEFINE_LIFTED_WITH(chained, stream_scan, blelloch, 1, uint32_t, add_uint32_t, 0)
SCAN_DEFINE_LIFTED_WITH(looking_back, decoupled_look_back, kogge_stone, 2, uint32_t, add_uint32_t,
                        0)
SCAN_DEFINE_SEGMENTED_WITH(thesis, thesis_look_back, kogge_stone, 1, uint32_t, add_uint32_t, 0)
SCAN_OPERATOR_ATOMIC_ADD(uint32_t, add_uint32_t)
SCAN_DEFINE_REDUCE_WITH(finished_by_host, host_partials, 2, uint32_t, add_uint32_t, 0)
SCAN_DEFINE_REDUCE_WITH(finished_by_kernel, second_kernel, 2, uint32_t, add_uint32_t, 0)
SCAN_DEFINE_REDUCE_WITH(finished_by_block, last_block, 2, uint32_t, add_uint32_t, 0)
SCAN_DEFINE_REDUCE_WITH(finished_by_atomics, atomic, 2, uint32_t, add_uint32_t, 0)

static uint32_t *out, *flags;
static scan_workspace *workspace;

#define CALL(name, function, n)                                                \
  (test_case(#name "_" #function " of %zu", (size_t)(n)), scan_counts_reset(), \
   call_result(name##_##function(workspace, data, out, n, 0)), scan_counts_read())
// The same of a lifted family, whose arrays have pairs.
#define CALL_LIFTED(name, function, n)                                                             \
  (test_case(#name "_" #function " of %zu", (size_t)(n)), scan_counts_reset(),                     \
   call_result(                                                                                    \
       name##_##function(workspace, (const name *)(const void *)data, (name *)(void *)out, n, 0)), \
   scan_counts_read())
static void call_result(cudaError_t found) { MUST(found); }

static void check_traffic(scan_counts c, uint64_t reads, uint64_t writes) {
  SAME("elements read", c.global_reads, reads);
  SAME("elements written", c.global_writes, writes);
}

// Starts every `apart` elements, from the first-th on.
static scan_counts count_thesis(size_t n, size_t first, size_t apart) {
  size_t i;
  test_case("thesis of %zu, starts at %zu and every %zu", n, first, apart);
  for (i = 0; i < n; i++) flags[i] = i % apart == first;
  scan_counts_reset();
  MUST(thesis_segmented_inclusive(workspace, data, scan_segments_from_flags32(flags), out, n, 0));
  return scan_counts_read();
}

// m sections of s elements.
static void check_segmented(uint64_t s, uint64_t log_s, uint64_t m) {
  const uint64_t n = m * s;
  scan_counts c;

  /* Lifted: operations, of the lifted operator, and traffic, in pairs, are those of the strategy.
   */
  c = CALL_LIFTED(chained_lifted, exclusive, n);
  SAME("m (2s - 2 - log2 s), (m - 1) s", c.operators, m * brent_kung(s, log_s) + (m - 1) * s);
  check_traffic(c, n, n);
  check_traffic(CALL_LIFTED(looking_back_lifted, inclusive, n), n, n);

  /* The thesis's: 2n, and one n more for the flags, in one pass. Where a section begins with a
     start it is the chapter's expression for a section, and nobody looks back. */
  c = count_thesis(n, 0, s);
  SAME("m (s log2 s - (s - 1))", c.operators, m * kogge_stone(s, log_s));
  check_traffic(c, 2 * n, n);
  SAME("nobody looks back", c.status_reads, 0);
  SAME("all but the last publish once", c.status_writes, m - 1);

  /* With a start in the middle no operation crosses it, what comes before goes into the elements
     before it, and who looks back finds it in the section before. */
  c = count_thesis(n, s / 2, s);
  SAME("2m (s/2 log2 s/2 - (s/2 - 1)), (m - 1) s/2", c.operators,
       2 * m * kogge_stone(s / 2, log_s - 1) + (m - 1) * s / 2);
  check_traffic(c, 2 * n, n);
  SAME("one step back each", c.status_reads, m - 1);
  SAME("all but the last publish once", c.status_writes, m - 1);

  /* Without a start it is decoupled look-back, here of sections one after the other: what comes
     before goes into each element but the first section's, and into the sums that are published. */
  scan_host_schedule(0, 1, 1);
  c = count_thesis(n, 0, n);
  SAME("m (s log2 s - (s - 1)), (m - 1) s, m - 2", c.operators,
       m * kogge_stone(s, log_s) + (m - 1) * s + m - 2);
  SAME("one step back each", c.status_reads, m - 1);
  check_traffic(c, 2 * n, n);
  SAME("sum and prefix, but of the first and the last", c.status_writes, 2 * (m - 2) + 1);
  scan_host_schedule(0, 0, 0);
}

static void check_device(void) {
  const uint64_t s = 64, log_s = 6, m = 64, n = large; /* m sections of s */
  const uint64_t k = 32, log_k = 5;
  scan_counts c;

  c = CALL(alone, inclusive, n);
  SAME("n - 1", c.operators, n - 1);
  check_traffic(c, n, n);
  c = CALL(each, inclusive, 1000);
  SAME("n (n - 1) / 2", c.operators, 1000 * 999 / 2);
  check_traffic(c, 1000 * 1001 / 2, 1000);

  /* Scan-then-propagate, 4n, of which the first section is spared two; the chapter's exercise 6. */
  c = CALL(hierarchical, inclusive, n);
  SAME("m (2s - 2 - log2 s), the same of m sums, n - s", c.operators,
       m * brent_kung(s, log_s) + brent_kung(m, log_s) + n - s);
  AT_MOST("4N - 3", c.operators, 4 * n - 3);
  check_traffic(c, 2 * n - s, 2 * n - s);
  c = CALL(hierarchical, inclusive, 3 * s * s / 4 + 17);
  AT_MOST("4N - 3", c.operators, 4 * (3 * s * s / 4 + 17) - 3);
  c = CALL(hierarchical_coarse, exclusive, n);
  check_traffic(c, 2 * n - 4 * s - (n / (4 * s) - 1), 2 * n - 4 * s);
  c = CALL(hierarchical, reduce, n);
  check_traffic(c, n, 0);
  SAME("a sum a section, of both levels", c.status_writes, m + 1);
  c = CALL(by_host, inclusive, n);
  SAME("m (2s - 2 - log2 s), m - 1, n - s", c.operators, m * brent_kung(s, log_s) + m - 1 + n - s);
  check_traffic(c, 2 * n - s, 2 * n - s);

  /* 3n. Here and below a section has two items a thread: t = s threads, k sections of 2t. The sums
     are k items of k/2 threads. */
  c = CALL(reduced, inclusive, n);
  SAME("n - k, the scan of k sums, k scans of 2t, (k - 1) 2t", c.operators,
       n - k + pairs(k / 2, log_k - 1) + k * pairs(s, log_s) + (k - 1) * 2 * s);
  check_traffic(c, 2 * n, n);
  c = CALL(reduced, reduce, n);
  check_traffic(c, n, 0);
  SAME("a sum a section", c.status_writes, k);

  /* 2n. A prefix is added to each element but the first, and to the sum; or it is injected: one
     operation a level, and the sum's. */
  c = CALL(chained, exclusive, n);
  SAME("m (2s - 2 - log2 s), (m - 1) s", c.operators, m * brent_kung(s, log_s) + (m - 1) * s);
  check_traffic(c, n, n);
  c = CALL(chained_injected, exclusive, n);
  SAME("m (2s - 2), less log2 s, m - 1", c.operators, m * (2 * s - 2) - log_s + m - 1);
  check_traffic(c, n, n);
  scan_host_schedule(0, 1, 1); /* one after the other: nobody joins sums of others */
  c = CALL(looking_back, inclusive, n);
  SAME("k scans of 2t, (k - 1) 2t, k - 1", c.operators,
       k * pairs(s, log_s) + (k - 1) * (2 * s + 1));
  check_traffic(c, n, n);
  scan_host_schedule(0, 0, 0);

  check_segmented(s, log_s, m);

  /* n - 1 operations, n reads, whoever finishes. */
  c = CALL(finished_by_host, reduce, n + 5);
  SAME("n - 1", c.operators, n + 4);
  check_traffic(c, n + 5, 0);
  c = CALL(finished_by_kernel, reduce, n + 5);
  SAME("n - 1", c.operators, n + 4);
  check_traffic(c, n + 5, 0);
  c = CALL(finished_by_block, reduce, n + 5);
  SAME("n - 1", c.operators, n + 4);
  check_traffic(c, n + 5, 0);
  c = CALL(finished_by_atomics, reduce, n + 5);
  SAME("n - 1", c.operators, n + 4);
  check_traffic(c, n + 5, 0);
}

int main(void) {
  unsigned threads;
  uint64_t log = 5;
  test_begin("strategies_count_test");
  MUST(cudaMalloc((void **)&data, (large + 64) * sizeof(chained_lifted)));
  MUST(cudaMalloc((void **)&out, (large + 64) * sizeof(chained_lifted)));
  MUST(cudaMalloc((void **)&flags, large * sizeof *flags));
  MUST(scan_workspace_create(&workspace, each_workspace_bytes(large + 64), 0));
  memset(data, 0, (large + 64) * sizeof(chained_lifted));
  for (threads = 32; threads <= most_threads; threads *= 2, log++) {
    check_section(threads, log);
    check_coarsened(threads, log);
  }
  check_device();
  MUST(scan_workspace_destroy(workspace));
  MUST(cudaFree(data));
  MUST(cudaFree(out));
  MUST(cudaFree(flags));
  return test_end("operations, steps, barriers and traffic are as stated");
}
