// strategies_case.h: stamped strategies behind the face of a test_family, and the cases that every
// one of them must pass.
#ifndef SCAN_TESTS_STRATEGIES_CASE_H
#define SCAN_TESTS_STRATEGIES_CASE_H

#include "scan/strategies/strategies.h"
#include "tests/device_case.h"

// A family under test, with what the cases must know of it.
typedef struct strategy_case {
  const test_family *family;
  size_t section;  // elements of a block's section
  size_t most;     // elements that are not too many for it
  int repeatable;  // the same bits whoever comes first (promise 3)
  int launches;    // kernels of a scan of several sections, 0: as many as there are levels
} strategy_case;

// The operator and the identity of a type, once for all strategies.
#define STRATEGY_TYPE(T, op, ...)                                                     \
  static void case_##T##_combine(void *out, const void *earlier, const void *later) { \
    *(T *)out = op(*(const T *)earlier, *(const T *)later);                           \
  }                                                                                   \
  static void case_##T##_identity(void *out) {                                        \
    const T identity = __VA_ARGS__;                                                   \
    memcpy(out, &identity, sizeof identity);                                          \
  }

// The face of a stamped family `name`.
#define STRATEGY_FACE(name, T, section, most, repeatable, launches)                             \
  TEST_FAMILY_CALLS(name, name, T, T, T, T##_generate, case_##T##_combine, case_##T##_identity, \
                    NULL, NULL)                                                                 \
  static const strategy_case case_##name = {&test_family_##name, section, most, repeatable,     \
                                            launches};

// STRATEGY(device, block, items, most, launches, repeatable, T, op, identity): stamps
// <T>_<device>_<block>_<items> with blocks of SCAN_STRATEGY_THREADS, and its case.
#define STRATEGY(device, block, items, most, launches, repeatable, T, op, ...)                   \
  SCAN_DEFINE_WITH(T##_##device##_##block##_##items, device, block, items, T, op, __VA_ARGS__)   \
  STRATEGY_FACE(T##_##device##_##block##_##items, T, (size_t)SCAN_STRATEGY_THREADS *items, most, \
                repeatable, launches)

static inline void strategy_sizes(device_sizes *sizes, const strategy_case *tested) {
  const size_t section = tested->section;
  const size_t edges[] = {1,
                          32,
                          section / 2,
                          section,
                          section * 2,
                          section * 3,
                          section * 31,
                          section * 32,
                          section * 33,
                          section * section,
                          section * section + section};
  size_t i;
  sizes->count = 0;
  device_sizes_add(sizes, 0, tested->most);
  for (i = 0; i < TEST_COUNT(edges); i++) device_sizes_around(sizes, edges[i], tested->most);
}

// All functions at the edges, all forms of run, and what chance brings.
static inline void strategy_check(device_fixture *fixture, const strategy_case *tested,
                                  double budget) {
  static device_sizes sizes;
  unsigned options;
  size_t i;
  int function;
  strategy_sizes(&sizes, tested);
  for (i = 0; i < sizes.count; i++) {
    const size_t n = sizes.size[i];
    device_fixture_draw_schedule(fixture);
    tested->family->generate(fixture->elements, n + 2);
    for (function = device_inclusive; function <= device_run; function++) {
      device_call call = device_random_call(tested->family, function, (unsigned)test_below(16));
      if (n > 1500 && test_below(2) != 0) continue;
      device_check(fixture, tested->family, n, &call);
      budget -= (double)n;
    }
  }
  for (options = 0; options < 32; options++) {
    const size_t n = 1 + test_below(options < 16 ? tested->section : tested->section * 5);
    device_call call = device_random_call(tested->family, device_run, options % 16);
    device_fixture_draw_schedule(fixture);
    if (n > tested->most) continue;
    tested->family->generate(fixture->elements, n + 2);
    device_check(fixture, tested->family, n, &call);
    budget -= (double)n;
  }
  while (budget > 0) {
    const size_t n = test_below(test_below(tested->most) + 1);
    device_call call =
        device_random_call(tested->family, (int)test_below(4), (unsigned)test_below(16));
    device_fixture_draw_schedule(fixture);
    tested->family->generate(fixture->elements, n + 2);
    device_check(fixture, tested->family, n, &call);
    budget -= (double)n + 300.0;
  }
}

// Leaves a workspace as if the next three calls were the last before the tags start again, and full
// of words with the first tag, which must not be taken for those of the call after.
static inline void strategy_near_wrap(scan_workspace *workspace, size_t bytes,
                                      cudaStream_t stream) {
  const size_t count = bytes / 8;
  uint64_t *words = (uint64_t *)test_allocate(count * 8);
  scan_workspace_header header;
  size_t i;
  for (i = 0; i < count; i++) words[i] = (uint64_t)1 << 32 | 0xFFFFFFFFu;
  memset(words, 0, SCAN_WORKSPACE_HEADER_BYTES);
  memset(&header, 0, sizeof header);
  header.call_and_ticket = (uint64_t)(SCAN_TAG_MOST - 3) << 32;
  memcpy(words, &header, sizeof header);
  MUST(cudaStreamSynchronize(stream));
  MUST(cudaMemcpy(workspace->memory, words, count * 8, cudaMemcpyHostToDevice));
  free(words);
}

// The last calls before the tags start again, and the first after.
static inline void strategy_check_wrap(device_fixture *fixture, const strategy_case *tested) {
  const size_t n = tested->section * 20 < tested->most ? tested->section * 20 : tested->most;
  int round, i;
  for (round = 0; round < 4; round++) {
    device_fixture_draw_schedule(fixture);
    device_fixture_provide(fixture, tested->family, n);
    strategy_near_wrap(fixture->workspace, fixture->workspace_bytes, fixture->stream);
    for (i = 0; i < 4; i++) {
      device_call call =
          device_random_call(tested->family, (int)test_below(4), (unsigned)test_below(16));
      /* Those before the first tag leave most words as they are. */
      const size_t elements = i < 3 ? 1 + test_below(tested->section) : n;
      tested->family->generate(fixture->elements, elements + 2);
      device_check(fixture, tested->family, elements, &call);
    }
  }
}

// Bad input is answered before anything is launched or written.
static inline void strategy_check_errors(device_fixture *fixture, const strategy_case *tested) {
  const test_family *family = tested->family;
  const size_t size = family->size;
  const size_t n = tested->section * 2 < tested->most ? tested->section * 2 : tested->most;
  unsigned char *in;
  unsigned char *out;
  scan_workspace *small = NULL;
#if defined(SCAN_TARGET_HOST)
  const uint64_t launches = scan_host_launches();
#endif
  test_case("%s: bad input", family->name);
  device_fixture_provide(fixture, family, n);
  family->generate(fixture->elements, n + 2);
  in = (unsigned char *)test_buffer_place(&fixture->input, 0, n * size, fixture->elements);
  out = (unsigned char *)test_buffer_place(&fixture->output, 0, n * size, NULL);
  CHECK_CODE(family->inclusive(NULL, in, out, n, fixture->stream), cudaErrorInvalidValue);
  CHECK_CODE(family->inclusive(fixture->workspace, NULL, out, n, fixture->stream),
             cudaErrorInvalidValue);
  CHECK_CODE(family->exclusive(fixture->workspace, in, NULL, n, fixture->stream),
             cudaErrorInvalidValue);
  CHECK_CODE(family->reduce(fixture->workspace, in, NULL, n, fixture->stream),
             cudaErrorInvalidValue);
  CHECK_CODE(family->reduce(fixture->workspace, in, in + size, n, fixture->stream),
             cudaErrorInvalidValue);
  CHECK_CODE(
      family->run(fixture->workspace, in, in + size, n - 1, 0, 1, NULL, NULL, fixture->stream),
      cudaErrorInvalidValue);
  CHECK_CODE(family->run(fixture->workspace, in, out, n, 0, 1, out, NULL, fixture->stream),
             cudaErrorInvalidValue);
  CHECK_CODE(family->inclusive(fixture->workspace, in, out, SIZE_MAX, fixture->stream),
             cudaErrorInvalidValue);
  CHECK(family->workspace_bytes(SIZE_MAX) > (size_t)1 << 40, "a workspace for everything is small");
  if (family->alignment > 1) {
    CHECK_CODE(family->inclusive(fixture->workspace, in + 1, out, n - 1, fixture->stream),
               cudaErrorMisalignedAddress);
  }
  MUST(scan_workspace_create(&small, family->workspace_bytes(n) - 8, fixture->stream));
  CHECK_CODE(family->inclusive(small, in, out, n, fixture->stream), cudaErrorLaunchOutOfResources);
  CHECK_CODE(scan_workspace_destroy(small), cudaSuccess);
#if defined(SCAN_TARGET_HOST)
  CHECK(scan_host_launches() == launches, "something was launched");
#endif
  CHECK_SAME("in is untouched", test_buffer_fetch(&fixture->input, "in"), fixture->elements, size,
             n);
  CHECK(test_all_bytes(test_buffer_fetch(&fixture->output, "out"), n * size, test_poison),
        "out was written");
}

// A reduction has the bits of the total, and where that is promised the bits do not depend on who
// comes first; and how many kernels there are. T is one that shows how operands were associated.
static inline void strategy_check_bits(device_fixture *fixture, const strategy_case *tested) {
  const test_family *family = tested->family;
  const size_t size = family->size;
  const size_t n =
      tested->section * 40 + 7 < tested->most ? tested->section * 40 + 7 : tested->most;
  unsigned char *first = (unsigned char *)test_allocate((n + 1) * size);
  unsigned char *in;
  unsigned char *out;
  unsigned char *total;
  int round;
  test_case("%s: bits", family->name);
  family->generate(fixture->elements, n);
  for (round = 0; round < 6; round++) {
    device_fixture_draw_schedule(fixture);
    device_fixture_provide(fixture, family, n);
    in = (unsigned char *)test_buffer_place(&fixture->input, 0, n * size, fixture->elements);
    out = (unsigned char *)test_buffer_place(&fixture->output, 0, n * size, NULL);
    total = (unsigned char *)test_buffer_place(&fixture->total, 0, size, NULL);
#if defined(SCAN_TARGET_HOST)
    {
      const uint64_t launches = scan_host_launches();
      MUST(family->run(fixture->workspace, in, out, n, 0, 0, NULL, total, fixture->stream));
      if (tested->launches != 0)
        CHECK(scan_host_launches() == launches + (uint64_t)tested->launches, "%llu launches",
              (unsigned long long)(scan_host_launches() - launches));
    }
#else
    MUST(family->run(fixture->workspace, in, out, n, 0, 0, NULL, total, fixture->stream));
#endif
    MUST(cudaStreamSynchronize(fixture->stream));
    if (round == 0) {
      memcpy(first, test_buffer_fetch(&fixture->output, "out"), n * size);
      memcpy(first + n * size, test_buffer_fetch(&fixture->total, "total"), size);
    }
    if (!tested->repeatable) continue;
    CHECK_SAME("the bits of the first run", test_buffer_fetch(&fixture->output, "out"), first, size,
               n);
    CHECK_SAME("the bits of its total", test_buffer_fetch(&fixture->total, "total"),
               first + n * size, size, 1);
    total = (unsigned char *)test_buffer_place(&fixture->total, 0, size, NULL);
    MUST(family->reduce(fixture->workspace, in, total, n, fixture->stream));
    MUST(cudaStreamSynchronize(fixture->stream));
    CHECK_SAME("a reduction has the total's bits", test_buffer_fetch(&fixture->total, "total"),
               first + n * size, size, 1);
  }
  free(first);
}

#endif
