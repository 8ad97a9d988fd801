// device_case.h: one device-wide call of any stamped family against the sequential fold, and the
// cases made of it.
#ifndef SCAN_TESTS_DEVICE_CASE_H
#define SCAN_TESTS_DEVICE_CASE_H

#include "tests/operators.h"

enum { device_inclusive, device_exclusive, device_reduce, device_run };

// One call: which function, its options, and how far each array lies past a 256-byte boundary, in
// bytes.
typedef struct device_call {
  int function;
  int exclusive;
  int reverse;
  int seeded;
  int totalled;
  int in_place;
  int total_is_seed;
  size_t in_shift;
  size_t out_shift;
  size_t seed_shift;
  size_t total_shift;
} device_call;

// What the calls of a test share. elements holds n + 2 elements: the seed of a forward scan, the n
// elements of the input, the seed of a reverse scan.
typedef struct device_fixture {
  test_buffer input;
  test_buffer output;
  test_buffer seed;
  test_buffer total;
  unsigned char *elements;
  unsigned char *expected;
  size_t capacity;
  scan_workspace *workspace;
  size_t workspace_bytes;
  cudaStream_t stream;
} device_fixture;

static inline void device_fixture_make(device_fixture *fixture, size_t capacity) {
  memset(fixture, 0, sizeof *fixture);
  fixture->capacity = capacity;
  test_buffer_make(&fixture->input, capacity);
  test_buffer_make(&fixture->output, capacity);
  test_buffer_make(&fixture->seed, 64);
  test_buffer_make(&fixture->total, 64);
  fixture->elements = (unsigned char *)test_allocate(capacity + 128);
  fixture->expected = (unsigned char *)test_allocate(capacity + 128);
  MUST(cudaStreamCreate(&fixture->stream));
}

static inline void device_fixture_free(device_fixture *fixture) {
  test_buffer_free(&fixture->input);
  test_buffer_free(&fixture->output);
  test_buffer_free(&fixture->seed);
  test_buffer_free(&fixture->total);
  free(fixture->elements);
  free(fixture->expected);
  CHECK_CODE(scan_workspace_destroy(fixture->workspace), cudaSuccess);
  MUST(cudaStreamDestroy(fixture->stream));
}

// Sees to a workspace that serves the family at n; one that is large enough is kept as the last
// call left it.
static inline void device_fixture_provide(device_fixture *fixture, const test_family *family,
                                          size_t n) {
  size_t bytes = family->workspace_bytes(n);
  if (fixture->workspace != NULL && bytes <= fixture->workspace_bytes) return;
  MUST(cudaStreamSynchronize(fixture->stream));
  MUST(scan_workspace_destroy(fixture->workspace));
  fixture->workspace = NULL;
  MUST(scan_workspace_create(&fixture->workspace, bytes, fixture->stream));
  fixture->workspace_bytes = bytes;
}

// Draws how the host target runs what follows; half the time the next call gets a fresh workspace,
// since a workspace keeps the number of multiprocessors that it was made with. A GPU draws its own
// schedule.
static inline void device_fixture_draw_schedule(device_fixture *fixture) {
#if defined(SCAN_TARGET_HOST)
  scan_host_schedule(test_below(8) == 0 ? 0 : test_random() | 1u, 1 + (unsigned)test_below(4),
                     1 + (unsigned)test_below(13));
  if (test_below(2) == 0) return;
  MUST(scan_workspace_destroy(fixture->workspace));
  fixture->workspace = NULL;
#else
  (void)fixture;
#endif
}

static inline const unsigned char *device_seed(const test_family *family,
                                               const unsigned char *elements, size_t n,
                                               const device_call *call) {
  return elements + (call->reverse ? family->size + n * family->in.size : 0);
}

// What a scan gives at an element, from what it is scanned to.
static inline void device_result(const test_family *family, unsigned char *results,
                                 const unsigned char *scanned, const unsigned char *in,
                                 size_t index) {
  unsigned char *result = results + index * family->out.size;
  if (family->store != NULL)
    family->store(result, scanned, in, index);
  else
    memcpy(result, scanned, family->size);
}

// Folds the elements one by one, in the order and form of the call, into results (n elements), and
// total (one).
static inline void device_oracle(const test_family *family, const unsigned char *elements, size_t n,
                                 const device_call *call, unsigned char *results,
                                 unsigned char *total) {
  size_t size = family->size;
  TEST_ALIGNAS(16) unsigned char so_far[64];
  TEST_ALIGNAS(16) unsigned char loaded[64];
  int some = call->seeded;
  size_t k;
  family->identity(so_far);
  if (some) memcpy(so_far, device_seed(family, elements, n, call), size);
  for (k = 0; k < n; k++) {
    size_t i = call->reverse ? n - 1 - k : k;
    const unsigned char *in = elements + size + i * family->in.size;
    const unsigned char *x = in;
    if (family->load != NULL) {
      family->load(loaded, in, i);
      x = loaded;
    }
    if (call->exclusive) device_result(family, results, so_far, in, i);
    if (!some) {
      memcpy(so_far, x, size);
      some = 1;
    } else if (call->reverse) {
      family->combine(so_far, x, so_far);
    } else {
      family->combine(so_far, so_far, x);
    }
    if (!call->exclusive) device_result(family, results, so_far, in, i);
  }
  memcpy(total, so_far, size);
}

static inline cudaError_t device_dispatch(const test_family *family, scan_workspace *workspace,
                                          const void *in, void *out, size_t n,
                                          const device_call *call, const void *seed, void *total,
                                          cudaStream_t stream) {
  switch (call->function) {
    case device_inclusive:
      return family->inclusive(workspace, in, out, n, stream);
    case device_exclusive:
      return family->exclusive(workspace, in, out, n, stream);
    case device_reduce:
      return family->reduce(workspace, in, out, n, stream);
    default:
      return family->run(workspace, in, out, n, call->exclusive, call->reverse, seed, total,
                         stream);
  }
}

// Runs one call on the fixture's first n elements, and checks: outputs, total, guards, an untouched
// input and seed, and that the operator was never asked for what it is not defined for.
static inline void device_check(device_fixture *fixture, const test_family *family, size_t n,
                                const device_call *call) {
  static const char *const function_names[] = {"inclusive", "exclusive", "reduce", "run"};
  size_t size = family->size;
  size_t out_bytes = call->function == device_reduce ? size : n * family->out.size;
  TEST_ALIGNAS(16) unsigned char total[64];
  test_buffer *total_buffer = call->total_is_seed ? &fixture->seed : &fixture->total;
  const unsigned char *seed_element = device_seed(family, fixture->elements, n, call);
  unsigned long long misuses = operator_misuses();
  unsigned long long stores;
  void *in;
  void *out;
  void *seed = NULL;
  void *total_out = NULL;

  test_case("%s_%s n=%zu%s%s%s%s%s%s shifts in %zu out %zu seed %zu total %zu", family->name,
            function_names[call->function], n, call->exclusive ? " exclusive" : "",
            call->reverse ? " reverse" : "", call->seeded ? " seed" : "",
            call->totalled ? " total" : "", call->in_place ? " in place" : "",
            call->total_is_seed ? " total is seed" : "", call->in_shift, call->out_shift,
            call->seed_shift, call->total_shift);
  device_fixture_provide(fixture, family, n);
  in = test_buffer_place(&fixture->input, call->in_shift, n * family->in.size,
                         fixture->elements + size);
  out = call->in_place ? in : test_buffer_place(&fixture->output, call->out_shift, out_bytes, NULL);
  if (call->seeded) seed = test_buffer_place(&fixture->seed, call->seed_shift, size, seed_element);
  if (call->totalled) {
    total_out = call->total_is_seed
                    ? seed
                    : test_buffer_place(&fixture->total, call->total_shift, size, NULL);
  }

  device_oracle(family, fixture->elements, n, call, fixture->expected, total);
  stores = operator_stores();
  CHECK_CODE(device_dispatch(family, fixture->workspace, in, out, n, call, seed, total_out,
                             fixture->stream),
             cudaSuccess);
  MUST(cudaStreamSynchronize(fixture->stream));

  if (call->function == device_reduce) {
    CHECK_SAME("the reduction equals the sequential fold",
               test_buffer_fetch(&fixture->output, "out"), total, size, 1);
  } else if (call->in_place) {
    CHECK_SAME("the scan equals the sequential fold", test_buffer_fetch(&fixture->input, "out"),
               fixture->expected, family->out.size, n);
  } else {
    CHECK_SAME("the scan equals the sequential fold", test_buffer_fetch(&fixture->output, "out"),
               fixture->expected, family->out.size, n);
  }
  if (!call->in_place) {
    CHECK_SAME("the input is untouched", test_buffer_fetch(&fixture->input, "in"),
               fixture->elements + size, family->in.size, n);
  }
  if (call->totalled) {
    CHECK_SAME("the total equals the sequential fold", test_buffer_fetch(total_buffer, "total"),
               total, size, 1);
  }
  if (call->seeded && !call->total_is_seed) {
    CHECK_SAME("the seed is untouched", test_buffer_fetch(&fixture->seed, "seed"), seed_element,
               size, 1);
  }
  CHECK_NO_MISUSES_SINCE(misuses);
  stores = operator_stores() - stores;
  CHECK(stores == (family->store != NULL && call->function != device_reduce ? n : 0), "%llu stores",
        stores);
}

static inline size_t device_random_shift(size_t alignment) {
  return test_below(16 / alignment) * alignment;
}

// A call of the given function with random alignments and, for run, the options of the four low
// bits of `options`.
static inline device_call device_random_call(const test_family *family, int function,
                                             unsigned options) {
  device_call call;
  memset(&call, 0, sizeof call);
  call.function = function;
  call.exclusive = function == device_exclusive;
  if (function == device_run) {
    call.exclusive = (options & 1u) != 0;
    call.reverse = (options & 2u) != 0;
    call.seeded = (options & 4u) != 0;
    call.totalled = (options & 8u) != 0;
    call.total_is_seed = call.seeded && call.totalled && test_below(2) == 0;
  }
  call.in_place =
      function != device_reduce && family->in.size == family->out.size && test_below(4) == 0;
  call.in_shift = device_random_shift(call.in_place && family->out.alignment > family->in.alignment
                                          ? family->out.alignment
                                          : family->in.alignment);
  call.out_shift =
      device_random_shift(function == device_reduce ? family->alignment : family->out.alignment);
  call.seed_shift = device_random_shift(family->alignment);
  call.total_shift = device_random_shift(family->alignment);
  return call;
}

// Sizes to test, ascending, each once.
typedef struct device_sizes {
  size_t count;
  size_t size[4096];
} device_sizes;

static inline void device_sizes_add(device_sizes *sizes, size_t n, size_t limit) {
  size_t at = sizes->count;
  size_t i;
  if (n > limit || sizes->count == TEST_COUNT(sizes->size)) return;
  while (at > 0 && sizes->size[at - 1] >= n) at--;
  if (at < sizes->count && sizes->size[at] == n) return;
  for (i = sizes->count; i > at; i--) sizes->size[i] = sizes->size[i - 1];
  sizes->size[at] = n;
  sizes->count++;
}

static inline void device_sizes_around(device_sizes *sizes, size_t edge, size_t limit) {
  if (edge > 0) device_sizes_add(sizes, edge - 1, limit);
  device_sizes_add(sizes, edge, limit);
  device_sizes_add(sizes, edge + 1, limit);
}

// Elements of a short tile, where there are several.
static inline size_t device_short_tile(size_t size) {
  return (size_t)SCAN_SHORT_ITEMS_(size) * SCAN_SHORT_CHUNKS_MOST_(size) * 32 * SCAN_WARPS;
}

// The sizes around every chunk, warp, short tile, tile and batch edge of this build's cut for
// elements of `size` bytes, and where one way to cut gives way to the next.
static inline void device_sizes_make(device_sizes *sizes, size_t size, size_t limit) {
  static const size_t primes[] = {3,     5,     7,      13,     31,     61,     127,
                                  251,   509,   1021,   2039,   4093,   8191,   16381,
                                  32749, 65521, 131071, 262139, 524287, 1048573};
  static const size_t batches[] = {1,
                                   2,
                                   3,
                                   SCAN_WARP_THREADS - 1,
                                   SCAN_WARP_THREADS,
                                   SCAN_WARP_THREADS + 1,
                                   SCAN_WARP_THREADS * 2,
                                   SCAN_WARP_THREADS * 3};
  const size_t row = SCAN_SHORT_ITEMS_(size) * 32;
  const size_t short_tile = device_short_tile(size);
  const size_t piped = short_tile * SCAN_SHORT_TILES_MOST_(size);
  const size_t edges[] = {
      SCAN_SHORT_ITEMS_(size),
      SCAN_SHORT_ITEMS_(size) * SCAN_SHORT_CHUNKS_MOST_(size),
      SCAN_SHORT_ITEMS_(size) * SCAN_SHORT_CHUNKS_(size),
      row,
      row * 2,
      row * SCAN_ALONE_WARPS_(size),
      row * SCAN_HALVED_ABOVE_(size),
      row * SCAN_HALF_WARPS * SCAN_HALVED_TILES_(size),
      SCAN_SINGLES_MOST_(size),
      row * SCAN_WARPS * 5,
      row * SCAN_WARPS * SCAN_SHORT_WAVE,
      row * SCAN_SPREAD_WARPS_(size) * SCAN_SHORT_WAVE,
      row * SCAN_SPREAD_WARPS_(size) * SCAN_SHORT_WAVE * SCAN_SHORT_CHUNKS_(size),
      row * SCAN_LONG_WARPS_(size) * SCAN_SHORT_WAVE * SCAN_LONG_CHUNKS_(size),
      piped / 2,
      SCAN_ITEMS_(size),
      piped};
  size_t i;
  sizes->count = 0;
  for (i = 0; i <= 2; i++) device_sizes_add(sizes, i, limit);
  for (i = 32; i <= 1024; i += i < 128 ? 32 : 128) device_sizes_around(sizes, i, limit);
  for (i = 0; i < TEST_COUNT(primes); i++) device_sizes_add(sizes, primes[i], limit);
  for (i = 0; i < TEST_COUNT(edges); i++) device_sizes_around(sizes, edges[i], limit);
  for (i = 0; i < TEST_COUNT(batches); i++) {
    device_sizes_around(sizes, short_tile * batches[i], limit);
    device_sizes_around(sizes, SCAN_TILE_(size) * batches[i], limit);
  }
  /* Past the first tiles of the pipeline, with one short tile and with several behind. */
  for (i = 1; i <= 3; i++) {
    const size_t tiles = (piped / SCAN_TILE_(size) + i) * SCAN_TILE_(size);
    device_sizes_around(sizes, tiles, limit);
    device_sizes_around(sizes, tiles + short_tile * i, limit);
  }
}

// Sizes past this many elements are far: on the host target only a few of them are drawn.
#if defined(TEST_THREAD_SANITIZER)
enum { device_far = 10000 };
#else
enum { device_far = 300000 };
#endif

static inline size_t device_far_most(void) {
  return TEST_SCALE > 1 ? 4096 : TEST_SCALE < 1 ? 1 : 2;
}

// Every case of one family, over sizes up to `limit_bytes`, within about `budget` elements of work.
static inline void device_family_test(device_fixture *fixture, const test_family *family,
                                      size_t limit_bytes, double budget) {
  static device_sizes sizes;
  size_t some[8];
  size_t some_count = 0;
  size_t size = test_family_widest(family);
  size_t limit = limit_bytes / size;
  size_t far_sizes = 0;
  const size_t piped = device_short_tile(size) * SCAN_SHORT_TILES_MOST_(size);
  const size_t near = limit < device_far ? limit : (size_t)device_far;
  unsigned options;
  size_t i;
  size_t j;
  device_sizes_make(&sizes, size, limit);
  device_fixture_provide(fixture, family, limit);
  for (i = 0; i < sizes.count; i++) far_sizes += sizes.size[i] > device_far;

  /* Every function at every near edge; one of them at a far one. */
  for (i = 0; i < sizes.count; i++) {
    size_t n = sizes.size[i];
    device_call call;
    int function;
    if (n > device_far && test_below(far_sizes) >= device_far_most()) continue;
    family->generate(fixture->elements, n + 2);
    if (n > device_far) {
      call = device_random_call(family, (int)test_below(4), (unsigned)test_below(16));
      device_check(fixture, family, n, &call);
      budget -= (double)n;
      continue;
    }
    for (function = device_inclusive; function <= device_run; function++) {
      call = device_random_call(family, function, (unsigned)test_below(16));
      device_check(fixture, family, n, &call);
      budget -= (double)n;
    }
  }

  /* All sixteen forms of run: in one short tile, in several, and through the pipeline. */
  some[some_count++] = 0;
  some[some_count++] = 1;
  some[some_count++] = 2;
  some[some_count++] = 33;
  some[some_count++] = device_short_tile(size) * 3;
  some[some_count++] = device_short_tile(size) * 3 + 1;
  some[some_count++] = piped + 1;
  some[some_count++] = piped + SCAN_TILE_(size) * (SCAN_WARP_THREADS + 1) + 5;
  for (i = 0; i < some_count; i++) {
    if (some[i] > limit) continue;
    family->generate(fixture->elements, some[i] + 2);
    for (options = 0; options < 16; options++) {
      device_call call = device_random_call(family, device_run, options);
      if (some[i] > device_far && test_below(16) >= device_far_most()) continue;
      device_check(fixture, family, some[i], &call);
      budget -= (double)some[i];
    }
  }

  /* All alignments of in and out modulo 16, each against each. */
  for (i = 0; i < 16 / family->in.alignment; i++) {
    for (j = 0; j < 16 / family->out.alignment; j++) {
      device_call call = device_random_call(family, device_run, (unsigned)test_below(16));
      size_t n = test_below(4) == 0 && piped + 99 <= near ? piped + 1 + test_below(99)
                 : test_below(4) == 0                     ? device_short_tile(size) * 3
                                                          : test_below(200) + 1;
      family->generate(fixture->elements, n + 2);
      call.in_place = 0;
      call.in_shift = i * family->in.alignment;
      call.out_shift = j * family->out.alignment;
      device_check(fixture, family, n, &call);
      budget -= (double)n;
    }
  }

  /* Random sizes for what is left of the budget. */
  while (budget > 0) {
    size_t n = test_below(test_below(near) + 1);
    device_call call =
        device_random_call(family, device_inclusive + (int)test_below(4), (unsigned)test_below(16));
    family->generate(fixture->elements, n + 2);
    device_check(fixture, family, n, &call);
    budget -= (double)n + 1000.0;
  }
}

// The families of a test, one after the other, up to sizes of several groups of tiles.
static inline void device_families_test(const test_family *const *families, size_t count,
                                        double budget) {
  const size_t limit_bytes = TEST_SCALE > 1 ? 20000000 : TEST_SCALE < 1 ? 3000000 : 12000000;
  device_fixture fixture;
  size_t i;
  device_fixture_make(&fixture, limit_bytes + 128);
  for (i = 0; i < count; i++) {
    device_fixture_draw_schedule(&fixture);
    device_family_test(&fixture, families[i], limit_bytes, budget * TEST_SCALE);
  }
  device_fixture_free(&fixture);
}

#endif
