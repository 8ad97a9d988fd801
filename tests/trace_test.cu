// trace_test.cu: the chapter's exercises with numbers, 1 to 4 and 6 to 9, answered by
// examples/trace.h on the host target. (Hwu, Kirk and El Hajj, chapter 8.)
#include "examples/trace.h"
#include "tests/test.h"

SCAN_OPERATOR_ADD(uint32_t, add)

// The kernels of exercises 2 and 3: 1024 threads with two elements each.
#undef SCAN_STRATEGY_THREADS
#define SCAN_STRATEGY_THREADS 1024
SCAN_DEFINE_BLOCK_WITH(pairs, brent_kung, 2, uint32_t, add, 0)

typedef struct {
  uint32_t *data;
} pairs_parameters;

SCAN_KERNEL(scan_pairs, pairs_parameters, p) {
  SCAN_SHARED_DYNAMIC(pairs_block_scratch, scratch);
  uint32_t own[2];
  own[0] = p.data[threadIdx.x * 2];
  own[1] = p.data[threadIdx.x * 2 + 1];
  pairs_block_inclusive_items(own, 2, scratch);
  p.data[threadIdx.x * 2] = own[0];
  p.data[threadIdx.x * 2 + 1] = own[1];
}

// Kogge and Stone's steps over twice as many elements as a block has threads; the strategy has one
// a thread.
SCAN_KERNEL(scan_pairs_by_kogge_stone, pairs_parameters, p) {
  SCAN_SHARED_DYNAMIC(uint32_t, xy);
  const uint32_t t = threadIdx.x, count = 2 * blockDim.x;
  for (uint32_t i = t; i < count; i += blockDim.x) xy[i] = p.data[i];
  for (uint32_t stride = 1; stride < count; stride *= 2) {
    uint32_t own[2] = {0, 0};
    scan_block_barrier();
    for (uint32_t k = 0, i = t; k < 2; k++, i += blockDim.x)
      if (i >= stride) own[k] = pairs_op_(xy[i - stride], xy[i]);
    scan_block_barrier();
    for (uint32_t k = 0, i = t; k < 2; k++, i += blockDim.x)
      if (i >= stride) xy[i] = own[k];
  }
  for (uint32_t i = t; i < count; i += blockDim.x) p.data[i] = xy[i];
}

// Exercises 6 and 9: sections of 64.
#undef SCAN_STRATEGY_THREADS
#define SCAN_STRATEGY_THREADS 64
SCAN_DEFINE_WITH(hierarchical, hierarchical, brent_kung, 1, uint32_t, add, 0)

static const trace *run(const trace_strategy *strategy, const uint32_t *numbers, uint32_t count,
                        bool exclusive) {
  const uint64_t schedule = test_below(2) != 0 ? test_random() : 0;
  test_case("%s of %lu%s", strategy->name, (unsigned long)count, exclusive ? ", exclusive" : "");
  scan_host_schedule(schedule, 1, 1);
  return trace_run(strategy, numbers, count, exclusive);
}

static const trace *run_random(const trace_strategy *strategy, uint32_t count, bool exclusive) {
  static uint32_t numbers[TRACE_COLUMNS_MOST];
  uint64_t sum = 0;
  const trace *found;
  for (uint32_t i = 0; i < count; i++) numbers[i] = (uint32_t)test_random();
  found = run(strategy, numbers, count, exclusive);
  for (uint32_t i = 0; i < count; i++) {
    const trace_element *last = &found->cell[found->rows - 1][i].element;
    const uint32_t inputs = exclusive ? i : i + 1;
    if (!exclusive) sum += numbers[i];
    CHECK(last->sum == sum && last->count == inputs && (inputs == 0 || last->first == 0),
          "result %lu: the sum of %u from %u", (unsigned long)i, last->count, last->first);
    if (exclusive) sum += numbers[i];
  }
  return found;
}

static uint64_t operators(const trace_strategy *strategy, uint32_t count) {
  return run_random(strategy, count, false)->counts.operators;
}

static uint32_t joined(const trace *found, uint32_t row, uint32_t first, uint32_t count) {
  uint32_t changed = 0;
  for (uint32_t i = first; i < first + count; i++) changed += found->cell[row][i].changed;
  return changed;
}

#define SAME(what, found, expected)                                              \
  CHECK((uint64_t)(found) == (uint64_t)(expected), what ": %llu, expected %llu", \
        (unsigned long long)(found), (unsigned long long)(expected))

// Exercise 1: lanes of a warp part ways (some add, some do not) in the first warp alone, for the
// strides 1 to 16; for the others whole warps are idle.
static void check_divergence(uint32_t threads) {
  const trace *found = run_random(&trace_kogge_stone, threads, false);
  uint32_t stride = 1;
  for (uint32_t row = 1; row < found->rows; row++, stride *= 2)
    for (uint32_t warp = 0; warp < threads / 32; warp++) {
      const uint32_t adding = joined(found, row, warp * 32, 32);
      CHECK((adding != 0 && adding != 32) == (warp == 0 && stride <= 16),
            "stride %lu, warp %lu: %lu lanes add", (unsigned long)stride, (unsigned long)warp,
            (unsigned long)adding);
    }
  SAME("the strides end at the block's size", stride, threads);
}

// Additions of a scan of 2048 elements by a kernel above, which must be right.
static uint64_t pairs_operators(cudaError_t (*launch)(pairs_parameters p)) {
  static uint32_t numbers[2048], scanned[2048];
  const pairs_parameters p = {scanned};
  uint32_t sum = 0;
  for (uint32_t i = 0; i < 2048; i++) numbers[i] = p.data[i] = (uint32_t)test_random();
  scan_counts_reset();
  MUST(launch(p));
  for (uint32_t i = 0; i < 2048; i++) {
    sum += numbers[i];
    CHECK(p.data[i] == sum, "element %lu", (unsigned long)i);
  }
  return scan_counts_read().operators;
}
static cudaError_t launch_brent_kung(pairs_parameters p) {
  return SCAN_LAUNCH(scan_pairs, 1, 1024, sizeof(pairs_block_scratch), 0, p);
}
static cudaError_t launch_kogge_stone(pairs_parameters p) {
  return SCAN_LAUNCH(scan_pairs_by_kogge_stone, 1, 1024, 2048 * sizeof(uint32_t), 0, p);
}

// Exercise 2, 2N - 2 - log2 N: 4083, which choice (A), (2048 - 1) * 2, rounds.
static void check_brent_kung(void) {
  uint32_t n = 2;
  for (uint32_t log_n = 1; n <= 1024; n *= 2, log_n++)
    SAME("2N - 2 - log2 N", operators(&trace_brent_kung, n), 2 * n - 2 - log_n);
  test_case("exercise 2");
  SAME("additions of 2048 elements", pairs_operators(launch_brent_kung), 4083);
}

// Exercise 3, N log2 N - (N - 1): 20481, to which choice (D), 10 * 1024, is the nearest of those
// below.
static void check_kogge_stone(void) {
  uint32_t n = 2;
  for (uint32_t log_n = 1; n <= 1024; n *= 2, log_n++) {
    const trace *found = run_random(&trace_kogge_stone, n, false);
    SAME("N log2 N - (N - 1)", found->counts.operators, n * log_n - (n - 1));
    SAME("log2 N steps", found->rows - 1, log_n);
    for (uint32_t row = 1; row < found->rows; row++)
      SAME("N - stride", joined(found, row, 0, n), n - (1u << (row - 1)));
  }
  test_case("exercise 3");
  SAME("additions of 2048 elements", pairs_operators(launch_kogge_stone), 20481);
}

// The states of the exercises' array; -1 where there is no element.
static void check_states(const trace_strategy *strategy, bool exclusive, uint32_t rows,
                         const int states[][8]) {
  static const uint32_t array[] = {4, 6, 7, 1, 2, 8, 5, 2};
  const trace *found = run(strategy, array, 8, exclusive);
  SAME("states", found->rows, rows);
  for (uint32_t row = 0; row < rows && row < found->rows; row++)
    for (uint32_t i = 0; i < 8; i++) {
      const trace_element *element = &found->cell[row][i].element;
      const bool none = element->count == 0 && element->first != TRACE_NONE;
      CHECK((none ? -1 : (long long)element->sum) == states[row][i],
            "state %lu, element %lu: %lld, expected %d", (unsigned long)row, (unsigned long)i,
            none ? -1 : (long long)element->sum, states[row][i]);
    }
}

static const int exercise_7[][8] = {{4, 6, 7, 1, 2, 8, 5, 2},
                                    {4, 10, 13, 8, 3, 10, 13, 7},
                                    {4, 10, 17, 18, 16, 18, 16, 17},
                                    {4, 10, 17, 18, 20, 28, 33, 35}};
static const int exercise_8[][8] = {{4, 6, 7, 1, 2, 8, 5, 2},     {4, 10, 7, 8, 2, 10, 5, 7},
                                    {4, 10, 7, 18, 2, 10, 5, 17}, {4, 10, 7, 18, 2, 10, 5, 35},
                                    {4, 10, 7, 18, 2, 28, 5, 35}, {4, 10, 17, 18, 20, 28, 33, 35}};
// Exercise 4's kernel, after figure 8.3: the place of the chapter's zero stays empty to the end.
static const int exercise_4[][8] = {
    {4, 6, 7, 1, 2, 8, 5, 2},        {-1, 4, 6, 7, 1, 2, 8, 5},
    {-1, 4, 10, 13, 8, 3, 10, 13},   {-1, 4, 10, 17, 18, 16, 18, 16},
    {-1, 4, 10, 17, 18, 20, 28, 33}, {0, 4, 10, 17, 18, 20, 28, 33}};

static bool is_of(const trace_element *element, uint32_t first, uint32_t end) {
  return element->count != 0 && element->first == first && element->first + element->count == end;
}

// The picture's lines: what came into a column is made of what lies in those that it came from, in
// the state before, or where a thread goes along its own items in the same; of the inputs where a
// result is made of the element and what the strategy found before it.
static void check_operands(const trace_strategy *strategy, uint32_t count, bool exclusive) {
  const trace *found = run_random(strategy, count, exclusive);
  for (uint32_t row = 1; row < found->rows; row++)
    for (uint32_t i = 0; i < found->columns; i++) {
      const trace_cell *cell = &found->cell[row][i], *above = found->cell[row - 1];
      const trace_element *sum = &cell->element, *later = &above[sum->column].element;
      const uint32_t end = sum->first + sum->count;
      bool right = false;
      if (!cell->changed || sum->count == 0) continue;
      if (later->first + later->count != end) later = &found->cell[0][sum->column].element;
      if (sum->earlier == TRACE_NONE) {
        right = is_of(later, sum->first, end);
      } else {
        const trace_element *earlier = &above[sum->earlier].element;
        if (found->kind[row] == TRACE_OWN && sum->count > 2)
          earlier = &found->cell[row][sum->earlier].element;
        right = is_of(earlier, sum->first, later->first) && is_of(later, later->first, end) &&
                sum->sum == earlier->sum + later->sum;
      }
      CHECK(right, "state %lu, element %lu: from %u and %u", (unsigned long)row, (unsigned long)i,
            sum->earlier, sum->column);
    }
}

static uint32_t *data, *results;
static scan_workspace *workspace;

static uint64_t launches_of(size_t n) {
  const uint64_t before = scan_host_launches();
  test_case("hierarchical scan of %zu", n);
  scan_counts_reset();
  MUST(hierarchical_inclusive(workspace, data, results, n, 0));
  for (size_t i = 0, sum = 0; i < n; i++) {
    sum += data[i];
    CHECK(results[i] == (uint32_t)sum, "element %zu", i);
  }
  return scan_host_launches() - before;
}

// Exercise 6: work-efficient, 4N - 3 additions at most. Exercise 9: two levels end where the
// sections' sums fill a section, at the square of a section's elements, and the grid has a block
// for each: 3 kernels, and from there on 5. By the chapter's Brent-Kung kernel with two elements a
// thread that is 1024 * 1024 = 1048576 on a GeForce GTX 280 (512 threads a block) and
// 2048 * 2048 = 4194304 on a Tesla C2050 (1024). Section 8.6 bounds the grid alone, by 65536
// blocks of 2048: 134217728, the sums' own scan being left open.
static void check_hierarchical(void) {
  const size_t section = 64, most = section * section;
  for (int i = 0; i < 300; i++) {
    const size_t n = i < 130 ? (size_t)i + 1 : 1 + test_below(2 * most);
    const uint64_t launches = launches_of(n);
    const uint64_t operations = scan_counts_read().operators;
    CHECK(operations <= 4 * n - 3, "%llu operations", (unsigned long long)operations);
    SAME("launches", launches, n <= section ? 1 : n <= most ? 3 : 5);
  }
  SAME("launches of two levels", launches_of(most), 3);
  SAME("launches of three", launches_of(most + 1), 5);
}

int main(void) {
  const size_t bytes = 2 * 64 * 64 * sizeof *data;
  test_begin("trace_test");
  for (uint32_t threads = 32; threads <= 1024; threads *= 2) check_divergence(threads);
  check_brent_kung();
  check_kogge_stone();
  for (int i = 0; i < 4; i++) {
    check_states(&trace_kogge_stone, false, 4, exercise_7);
    check_states(&trace_hillis_steele, false, 4, exercise_7);
    check_states(&trace_brent_kung, false, 6, exercise_8);
    check_states(&trace_kogge_stone_exclusive, true, 6, exercise_4);
  }
  for (int i = 0; i < TRACE_STRATEGIES; i++)
    for (uint32_t count = 1; count <= 64; count++) {
      check_operands(trace_strategies[i], count, false);
      check_operands(trace_strategies[i], count, true);
    }
  MUST(cudaMalloc((void **)&data, bytes));
  MUST(cudaMalloc((void **)&results, bytes));
  MUST(scan_workspace_create(&workspace, hierarchical_workspace_bytes(2 * 64 * 64), 0));
  test_random_bytes(data, bytes);
  check_hierarchical();
  MUST(scan_workspace_destroy(workspace));
  MUST(cudaFree(data));
  MUST(cudaFree(results));
  return test_end("the chapter's exercises 1 to 4 and 6 to 9 have the answers that are due");
}
