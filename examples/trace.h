// Runs a block strategy once, on the host target, and keeps the state of its section after each
// step: what examples/trace shows and tests/trace_test holds against the chapter's exercises. Of a
// program with this header nothing else may include the strategies first.
#ifndef EXAMPLES_TRACE_H_
#define EXAMPLES_TRACE_H_

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static void trace_keep(uint32_t *xy);

#define SCAN_COUNT
#define SCAN_STRATEGY_STEP_(section) \
  (scan_thread() == 0 ? trace_keep((section)->xy) : (void)0, scan_block_barrier())
#include "scan/strategies/strategies.h"

#ifndef SCAN_TARGET_HOST
#error "examples/trace.h: states are kept on the host target alone"
#endif

enum { TRACE_COLUMNS_MOST = 2048, TRACE_ROWS_MOST = 32, TRACE_NONE = UINT16_MAX };

// The sum of the `count` inputs from `first` on. The identity has count 0 and first TRACE_NONE;
// anything else with count 0 is no element. It knows the column in which it lay when it was read
// last, and the column of the operand that was put in front of it there.
typedef struct {
  uint64_t sum;
  uint16_t first, count, column, earlier;
} trace_element;

SCAN_OPERATOR trace_element trace_join(trace_element earlier, trace_element later) {
  trace_element both;
  both.sum = earlier.sum + later.sum;
  both.first = earlier.first;
  both.count = (uint16_t)(later.first + later.count - earlier.first);
  both.column = later.column;
  both.earlier = earlier.column;
  return both;
}

// A place of the section after a step. What changed came from element.column: by being joined to
// what came from element.earlier, or where that is TRACE_NONE as it was.
typedef struct {
  trace_element element;
  bool changed;
} trace_cell;

typedef enum { TRACE_INPUT, TRACE_PLACED, TRACE_OWN, TRACE_STEP, TRACE_RESULT } trace_kind;

// A column an element; row 0 is the input, and each row is what a step, or what comes before and
// after the steps, made of the one above it.
typedef struct {
  uint32_t columns, rows;
  trace_kind kind[TRACE_ROWS_MOST];
  trace_cell cell[TRACE_ROWS_MOST][TRACE_COLUMNS_MOST];
  scan_counts counts;
  /* While it runs: thread t has the columns from t * items on, and xy its last one. */
  bool running;
  uint32_t items;
  uint32_t *shared;  // the other columns
} trace;

static trace trace_now;

// Adds a row, unless it would be like the one before it.
static void trace_add_row(trace *now, trace_kind kind, const trace_element *row) {
  bool any = now->rows == 0;
  if (now->rows == TRACE_ROWS_MOST) {
    fprintf(stderr, "trace: more than %d states\n", (int)TRACE_ROWS_MOST);
    exit(EXIT_FAILURE);
  }
  for (uint32_t i = 0; i < now->columns; i++) {
    trace_cell *cell = &now->cell[now->rows][i];
    cell->element = row[i];
    cell->changed = false;
    if (now->rows > 0) {
      const trace_element *before = &now->cell[now->rows - 1][i].element;
      cell->changed = row[i].first != before->first || row[i].count != before->count;
    }
    any = any || cell->changed;
    if (kind == TRACE_PLACED && row[i].count > 1) kind = TRACE_OWN;
  }
  now->kind[now->rows] = kind;
  now->rows += any ? 1 : 0;
}

// Called by one thread while the others wait. Elements learn where they lie now.
static void trace_keep(uint32_t *xy) {
  const size_t words = sizeof(trace_element) / sizeof(uint32_t);
  static trace_element row[TRACE_COLUMNS_MOST];
  trace *now = &trace_now;
  const uint32_t items = now->items;
  if (!now->running) return; /* another scan of the same program */
  for (uint32_t i = 0; i < now->columns; i++) {
    const bool last = i % items == items - 1 || i == now->columns - 1;
    uint32_t *at = last ? xy + i / items * words : now->shared + i * words;
    trace_element element;
    memcpy(&element, at, sizeof element);
    row[i] = element;
    element.column = (uint16_t)i;
    element.earlier = TRACE_NONE;
    memcpy(at, &element, sizeof element);
  }
  trace_add_row(now, scan_counts_read().steps == 0 ? TRACE_PLACED : TRACE_STEP, row);
}

typedef struct {
  const trace_element *in;
  trace_element *out;
  uint32_t count;
  bool exclusive;
} trace_call;

// The scan of call->count elements by the threads of a block that has room for them.
SCAN_DEVICE void trace_scan(const trace_call *call, scan_block_traits traits, trace_element *own,
                            uint32_t *scratch, size_t scratch_bytes, uint32_t slots,
                            const scan_element *identity, SCAN_BLOCK_PARAMS, SCAN_OP_PARAMS) {
  uint32_t *shared = scratch + slots * scan_element_words(SCAN_OP);
  const uint32_t begin = scan_thread() * block_items;
  scan_items held = scan_items_of(traits, own, scratch, shared, block_items, call->count);
  if (scan_thread() == 0) {
    memset(scratch, 0, scratch_bytes); /* a place without an element is to be known as such */
    trace_now.items = block_items;
    trace_now.shared = shared;
  }
  scan_section_barrier();
  for (uint32_t i = 0; i < held.own; i++) own[i] = call->in[begin + i];
  if (traits & scan_block_in_shared_) scan_items_to_striped(&held, SCAN_OP);
  (void)scan_items_up(&held, SCAN_BLOCK, SCAN_OP);
  scan_items_down(&held, false, identity, call->exclusive, identity, SCAN_BLOCK, SCAN_OP);
  if (traits & scan_block_in_shared_) scan_items_to_blocked(&held, SCAN_OP);
  for (uint32_t i = 0; i < held.own; i++) call->out[begin + i] = own[i];
}

// A block strategy with so many items a thread (more than one: in shared memory, or their states
// mean nothing), for blocks of up to SCAN_STRATEGY_THREADS.
#define TRACE_STRATEGY(name, block, items, tree)                                                   \
  SCAN_DEFINE_BLOCK_WITH(trace_##name, block, items, trace_element, trace_join,                    \
                         {0, TRACE_NONE, 0, 0, TRACE_NONE})                                        \
  SCAN_KERNEL(trace_##name##_kernel, trace_call, call) {                                           \
    SCAN_SHARED_DYNAMIC(trace_##name##_block_scratch, scratch);                                    \
    trace_element own[items];                                                                      \
    scan_element identity;                                                                         \
    memset(own, 0, sizeof own);                                                                    \
    trace_##name##_identity_(&identity);                                                           \
    trace_scan(&call, SCAN_BLOCK_IS_##block, own, scratch->words, sizeof *scratch,                 \
               trace_##name##_slots_, &identity, SCAN_BLOCK_BY_##block, trace_##name##_threads_,   \
               items, SCAN_BIND_(trace_##name, trace_element, false, false));                      \
  }                                                                                                \
  static cudaError_t trace_##name##_launch(uint32_t threads, trace_call call) {                    \
    return SCAN_LAUNCH(trace_##name##_kernel, 1, threads, sizeof(trace_##name##_block_scratch), 0, \
                       call);                                                                      \
  }                                                                                                \
  static const trace_strategy trace_##name = {#name, items, SCAN_STRATEGY_THREADS, tree,           \
                                              trace_##name##_launch};

typedef struct {
  const char *name;
  uint32_t items, threads_most;
  bool tree;  // its section has columns up to a power of two
  cudaError_t (*launch)(uint32_t threads, trace_call call);
} trace_strategy;

#undef SCAN_STRATEGY_THREADS
#define SCAN_STRATEGY_THREADS 1024
TRACE_STRATEGY(hillis_steele, hillis_steele, 1, false)
TRACE_STRATEGY(kogge_stone, kogge_stone, 1, false)
TRACE_STRATEGY(kogge_stone_exclusive, kogge_stone_exclusive, 1, false)
TRACE_STRATEGY(brent_kung, brent_kung, 1, false)
TRACE_STRATEGY(blelloch, blelloch, 1, true)
#undef SCAN_STRATEGY_THREADS
#define SCAN_STRATEGY_THREADS 512
TRACE_STRATEGY(three_phase, three_phase, 4, false) /* as many as in figure 8.7 */

// Those whose steps are steps of the block.
static const trace_strategy *const trace_strategies[] = {
    &trace_hillis_steele, &trace_kogge_stone, &trace_kogge_stone_exclusive,
    &trace_brent_kung,    &trace_blelloch,    &trace_three_phase};
enum { TRACE_STRATEGIES = sizeof trace_strategies / sizeof trace_strategies[0] };

// Scans 1 to threads_most * items numbers. The trace is there until the next call.
static inline const trace *trace_run(const trace_strategy *strategy, const uint32_t *numbers,
                                     uint32_t count, bool exclusive) {
  static trace_element in[TRACE_COLUMNS_MOST], out[TRACE_COLUMNS_MOST];
  const uint32_t warp_items = SCAN_WARP_THREADS * strategy->items;
  trace_call call;
  cudaError_t error;
  memset(in, 0, sizeof in);
  for (uint32_t i = 0; i < count; i++) {
    in[i].sum = numbers[i];
    in[i].first = in[i].column = (uint16_t)i;
    in[i].count = 1;
    in[i].earlier = TRACE_NONE;
  }
  trace_now.columns = strategy->tree ? scan_power_of_two(count) : count;
  trace_now.rows = 0;
  trace_add_row(&trace_now, TRACE_INPUT, in);
  call.in = in;
  call.out = out;
  call.count = count;
  call.exclusive = exclusive;
  scan_counts_reset();
  trace_now.running = true;
  error = strategy->launch((count + warp_items - 1) / warp_items * SCAN_WARP_THREADS, call);
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  trace_now.running = false;
  if (error != cudaSuccess) {
    fprintf(stderr, "trace: %s: %s\n", strategy->name, cudaGetErrorString(error));
    exit(EXIT_FAILURE);
  }
  trace_now.counts = scan_counts_read();
  /* Columns without an input have no result. */
  for (uint32_t i = count; i < trace_now.columns; i++)
    out[i] = trace_now.cell[trace_now.rows - 1][i].element;
  trace_add_row(&trace_now, TRACE_RESULT, out);
  return &trace_now;
}

#endif  // EXAMPLES_TRACE_H_
