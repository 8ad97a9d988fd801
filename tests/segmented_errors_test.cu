// segmented_errors_test.cu: bad segments are a cudaError_t before anything is launched; offsets
// that only the device can know to be bad do no harm.
#include "tests/rejection.h"
#include "tests/segmented_case.h"

SEGMENTED_FAMILY(3)
SEGMENTED_FAMILY(4)
SEGMENTED_FAMILY(32)

static const segmented_family *const families[] = {&segmented_family_3, &segmented_family_4,
                                                   &segmented_family_32};

enum {
  elements = 20000, /* several tiles: a tile that is alone leaves no trace in the workspace */
  segments = 300,
  flag_kinds = scan_segments_offsets_
};

// The memory of a case.
static test_buffer arrays; /* in, out and what tells of the segments are parts of it */
static unsigned char *contents;
static unsigned char *in, *out, *told;
static scan_workspace *workspace;

static void before_call(void) {
  in = (unsigned char *)test_buffer_place(&arrays, 0, arrays.capacity, contents);
  out = in + arrays.capacity / 3;
  told = in + arrays.capacity / 3 * 2;
}

enum { by_inclusive, by_exclusive, by_reduce, by_run, functions };

static cudaError_t dispatch(const segmented_family *family, int function, scan_workspace *space,
                            const void *from, scan_segments given, void *to, size_t n) {
  switch (function) {
    case by_inclusive:
      return family->inclusive(space, from, given, to, n, 0);
    case by_exclusive:
      return family->exclusive(space, from, given, to, n, 0);
    case by_reduce:
      return family->reduce(space, from, given, to, n, 0);
    default:
      return family->run(space, from, given, to, n, (int)test_below(2), (int)test_below(2), NULL,
                         0);
  }
}

static void check_untouched(void) {
  CHECK_SAME("all is untouched", test_buffer_fetch(&arrays, "arrays"), contents, 1,
             arrays.capacity);
}

// One bad call by each function, with and without an error of the client's pending. Functions for
// which it is not bad are left out: cudaSuccess.
static void reject(const segmented_family *family, const char *what, scan_workspace *space,
                   const void *from, scan_segments given, void *to, size_t n, cudaError_t expected,
                   cudaError_t expected_of_reduce) {
  int function, pending;
  for (function = 0; function < functions; function++) {
    const cudaError_t wanted = function == by_reduce ? expected_of_reduce : expected;
    for (pending = 0; pending < 2 && wanted != cudaSuccess; pending++) {
      rejection before;
      cudaError_t found;
      test_case("%s function %d kind %u: %s%s", family->name, function, given.kind, what,
                pending ? ", error pending" : "");
      before_call();
      before = rejection_before(workspace, pending != 0);
      found = dispatch(family, function, space, from, given, to, n);
      rejection_check(before, found, wanted);
      check_untouched();
    }
  }
}

// A call that is at the edge of what is allowed, with an error of the client's pending.
static void accept(const segmented_family *family, int function, const char *what, const void *from,
                   scan_segments given, void *to, size_t n) {
  cudaError_t left, found;
  test_case("%s function %d kind %u: %s", family->name, function, given.kind, what);
  before_call();
  left = rejection_leave_error();
  found = dispatch(family, function, workspace, from, given, to, n);
  CHECK(found == cudaSuccess, "answered %d (%s)", (int)found, cudaGetErrorString(found));
  rejection_check_error(left);
  MUST(cudaDeviceSynchronize());
  (void)test_buffer_fetch(&arrays, "arrays");
}

// n elements' worth of the kind.
static size_t told_bytes(uint32_t kind, size_t n) {
  return kind == scan_segments_flags_     ? n
         : kind == scan_segments_flags32_ ? n * 4
         : kind == scan_segments_bits_    ? (n + 31) / 32 * 4
                                          : (size_t)(segments + 1) << SCAN_SEGMENTS_UNIT_LOG_(kind);
}

static scan_segments given_by(uint32_t kind, const void *memory) {
  return scan_segments_make_(kind, memory, kind < flag_kinds ? 0 : segments, 0);
}

// The memory that tells of the segments.
static void check_memory(const segmented_family *family, uint32_t kind) {
  const cudaError_t none = cudaSuccess;
  const cudaError_t invalid = cudaErrorInvalidValue;
  const size_t unit = (size_t)1 << SCAN_SEGMENTS_UNIT_LOG_(kind);
  const size_t size = family->size;
  const size_t n = elements / 32 * 32; /* whole words of bits */
  const size_t bytes = told_bytes(kind, n);
  const int flags = kind < flag_kinds;
  int function;
  size_t shift;
  reject(family, "no memory", workspace, in, given_by(kind, NULL), out, n, invalid, invalid);
  for (shift = 1; shift < unit; shift++)
    reject(family, "misaligned memory", workspace, in, given_by(kind, told + shift), out, n,
           cudaErrorMisalignedAddress, flags ? invalid : cudaErrorMisalignedAddress);
  reject(family, "out lies where it is told", workspace, in, given_by(kind, out), out, n, invalid,
         invalid);
  reject(family, "in place where it is told", workspace, in, given_by(kind, in), in, n, invalid,
         invalid);
  reject(family, "what is told ends in out", workspace, in, given_by(kind, out - bytes + unit), out,
         n, invalid, invalid);
  reject(family, "what is told begins in out", workspace, in,
         given_by(kind, out + (n * size - 1) / unit * unit), out, n, invalid,
         flags ? invalid : none);
  reject(family, "what is told begins in out", workspace, in,
         given_by(kind, out + (segments * size - 1) / unit * unit), out, n, invalid, invalid);
  for (function = 0; function < functions; function++) {
    const size_t results = function == by_reduce ? (size_t)segments : n;
    if (function == by_reduce && flags) continue;
    accept(family, function, "told right before out", in, given_by(kind, out - bytes), out, n);
    accept(family, function, "told right after out", in,
           given_by(kind, out + (results * size + unit - 1) / unit * unit), out, n);
    accept(family, function, "told in in", in, given_by(kind, in), out, n);
    if (function != by_reduce)
      accept(family, function, "in place", in, given_by(kind, told), in, n);
  }
  if (flags) reject(family, "flags", workspace, in, given_by(kind, told), out, n, none, invalid);
  if (!flags) {
    scan_segments given = given_by(kind, told);
    given.count = 0;
    reject(family, "no segments", workspace, in, given, out, n, invalid, invalid);
    given.count = SIZE_MAX;
    reject(family, "SIZE_MAX segments", workspace, in, given, out, n, invalid, invalid);
    given.count = SIZE_MAX / unit;
    reject(family, "segments beyond all memory", workspace, in, given, out, n, invalid, invalid);
  }
}

// The rest of the request.
static void check_request(const segmented_family *family) {
  const cudaError_t none = cudaSuccess;
  const cudaError_t invalid = cudaErrorInvalidValue;
  const cudaError_t small = cudaErrorLaunchOutOfResources;
  const size_t size = family->size;
  const size_t n = elements;
  const scan_segments good = scan_segments_regular(n / segments);
  const scan_segments offsets = given_by(scan_segments_offsets_, told);
  scan_segments no_kind;
  scan_workspace *space = NULL;
  size_t shift;
  memset(&no_kind, 0, sizeof no_kind);
  reject(family, "zeroed segments", workspace, in, no_kind, out, n, invalid, invalid);
  reject(family, "zeroed segments of nothing", workspace, in, no_kind, out, 0, invalid, invalid);
  no_kind.kind = scan_segments_regular_ + 1;
  no_kind.memory = told;
  no_kind.count = no_kind.length = 1;
  reject(family, "a kind that does not exist", workspace, in, no_kind, out, n, invalid, invalid);
  reject(family, "length 0", workspace, in, scan_segments_regular(0), out, n, invalid, invalid);
  reject(family, "length 0 of nothing", workspace, NULL, scan_segments_regular(0), NULL, 0, invalid,
         invalid);
  reject(family, "n beyond 32-bit offsets", workspace, in, offsets, in, (size_t)UINT32_MAX + 1,
         invalid, invalid);
  reject(family, "no workspace", NULL, in, good, out, n, invalid, invalid);
  reject(family, "no input", workspace, NULL, good, out, n, invalid, invalid);
  reject(family, "no output", workspace, in, good, NULL, n, invalid, invalid);
  for (shift = 1; shift < family->alignment; shift++) {
    reject(family, "misaligned input", workspace, in + shift, good, out, n,
           cudaErrorMisalignedAddress, cudaErrorMisalignedAddress);
    reject(family, "misaligned output", workspace, in, good, out + shift, n,
           cudaErrorMisalignedAddress, cudaErrorMisalignedAddress);
  }
  reject(family, "a reduction in place", workspace, in, good, in, n, none, invalid);
  reject(family, "out one element past in", workspace, in, good, in + size, n, invalid, invalid);
  reject(family, "in one element past out", workspace, in + size, good, in, n, invalid, invalid);
  reject(family, "in's last element is out's first", workspace, in, good, in + (n - 1) * size, n,
         invalid, invalid);
  reject(family, "n * size overflows to a little", workspace, in, good, out, SIZE_MAX / size + 2,
         invalid, invalid);
  MUST(scan_workspace_create(&space, family->workspace_bytes(elements) - 1, 0));
  reject(family, "a workspace one byte short", space, in, good, out, n, small, small);
  reject(family, "a workspace one byte short", space, in, offsets, out, n, small, small);
  CHECK_CODE(scan_workspace_destroy(space), cudaSuccess);
}

// A total has no meaning.
static void check_total(void) {
  scan_interval_4_merge_4_segmented_options options =
      scan_interval_4_merge_4_segmented_options_default();
  rejection before;
  test_case("a total");
  before_call();
  options.total = (interval_4 *)(void *)told;
  before = rejection_before(workspace, false);
  rejection_check(before,
                  scan_interval_4_merge_4_segmented_run(
                      workspace, (const interval_4 *)(const void *)in, scan_segments_regular(7),
                      (interval_4 *)(void *)out, elements, options, 0),
                  cudaErrorInvalidValue);
  check_untouched();
}

// Nothing to scan: arrays and memory may be NULL, and nothing is launched but to write the
// identities of empty segments.
static void check_nothing(const segmented_family *family) {
  unsigned char *expected = (unsigned char *)test_allocate(segments * family->size);
  const scan_segments empty[] = {
      scan_segments_from_flags(NULL),        scan_segments_from_flags32(NULL),
      scan_segments_from_bits(NULL),         scan_segments_from_offsets(NULL, 0),
      scan_segments_from_offsets64(NULL, 0), scan_segments_regular(5)};
  uint32_t kind;
  size_t i;
  int function;
  for (i = 0; i < TEST_COUNT(empty); i++)
    for (function = 0; function < functions; function++) {
      const cudaError_t wanted =
          function == by_reduce && empty[i].kind < flag_kinds ? cudaErrorInvalidValue : cudaSuccess;
      rejection before;
      test_case("%s function %d kind %u of nothing", family->name, function, empty[i].kind);
      before_call();
      before = rejection_before(workspace, false);
      rejection_check(before, dispatch(family, function, workspace, NULL, empty[i], NULL, 0),
                      wanted);
      check_untouched();
    }
  for (i = 0; i < segments; i++) family->identity(expected + i * family->size);
  for (kind = scan_segments_offsets_; kind <= scan_segments_offsets64_; kind++) {
    const size_t bytes = told_bytes(kind, 0);
    reject(family, "empty segments without memory", workspace, NULL, given_by(kind, NULL), out, 0,
           cudaSuccess, cudaErrorInvalidValue);
    reject(family, "empty segments without output", workspace, NULL, given_by(kind, told), NULL, 0,
           cudaSuccess, cudaErrorInvalidValue);
    test_case("%s kind %u: empty segments of nothing", family->name, kind);
    before_call();
    MUST(cudaMemset(told, 0, bytes));
    CHECK_CODE(family->inclusive(workspace, NULL, given_by(kind, told), NULL, 0, 0), cudaSuccess);
    CHECK_CODE(family->reduce(workspace, NULL, given_by(kind, told), out, 0, 0), cudaSuccess);
    MUST(cudaDeviceSynchronize());
    (void)test_buffer_fetch(&arrays, "arrays");
    CHECK_SAME("empty segments reduce to the identity", test_buffer_mirror(&arrays) + (out - in),
               expected, family->size, segments);
  }
  free(expected);
}

// Offsets that do not ascend from 0 to n.
enum { bad_random, bad_beyond, bad_descending, bad_first, bad_last, bad_entry, bad_patterns };

static uint64_t bad_offset(int pattern, size_t k, size_t count, size_t n) {
  const uint64_t good = k * n / count;
  switch (pattern) {
    case bad_random:
      return test_random() >> test_below(64);
    case bad_beyond:
      return n + test_below(3) * test_random();
    case bad_descending:
      return n - good;
    case bad_first:
      return k == 0 ? 1 + test_below(2 * n) : good;
    case bad_last:
      return k == count ? test_below(2) * (n + 1 + test_random() % n) : good;
    default:
      return test_below(20) == 0 ? test_below(2 * n) : good;
  }
}

// A call with bad offsets ends, in bounds, which AddressSanitizer or compute-sanitizer sees since
// they have memory of their own; the workspace serves as before.
static void check_bad_offsets(segmented_fixture *fixture, const segmented_family *family,
                              int pattern, size_t n) {
  segmented_call call = segmented_random_call(family);
  const size_t size = family->size;
  const size_t count = 1 + test_below(test_below(2) == 0 ? 50 : n + n / 2);
  const int reduces = (int)test_below(2);
  const int wide = (int)test_below(2);
  const size_t unit = wide ? 8 : 4;
  const size_t bytes = (count + 1) * unit;
  const size_t shift = call.told_shift / unit * unit;
  const void *offsets = wide ? (const void *)fixture->ends : fixture->encoded;
  void *after = test_allocate(bytes);
  scan_segments given;
  unsigned char *memory, *told;
  void *to;
  size_t k;
  for (k = 0; k <= count; k++) {
    fixture->ends[k] = bad_offset(pattern, k, count, n);
    ((uint32_t *)fixture->encoded)[k] = (uint32_t)fixture->ends[k];
  }
  for (k = 0; k < n; k++) family->make(fixture->elements + k * size, 1, 1);
  MUST(cudaMalloc((void **)&memory, shift + bytes));
  told = memory + shift;
  MUST(cudaMemcpy(told, offsets, bytes, cudaMemcpyHostToDevice));
  given = wide ? scan_segments_from_offsets64((const uint64_t *)(const void *)told, count)
               : scan_segments_from_offsets((const uint32_t *)(const void *)told, count);
  test_case("%s n=%zu, %zu bad offsets of %d bits, pattern %d%s%s", family->name, n, count,
            wide ? 64 : 32, pattern, reduces ? ", reduction" : "", call.reverse ? ", reverse" : "");
  to = test_buffer_place(&fixture->input, call.in_shift, n * size, fixture->elements);
  if (reduces) {
    const void *from = to;
    to = test_buffer_place(&fixture->output, call.out_shift, count * size, NULL);
    CHECK_CODE(family->reduce(fixture->workspace, from, given, to, n, fixture->stream),
               cudaSuccess);
  } else {
    const void *from = to;
    to = test_buffer_place(&fixture->output, call.out_shift, n * size, NULL);
    CHECK_CODE(family->run(fixture->workspace, from, given, to, n, call.exclusive, call.reverse,
                           NULL, fixture->stream),
               cudaSuccess);
  }
  MUST(cudaStreamSynchronize(fixture->stream));
  CHECK_SAME("the input is as it was", test_buffer_fetch(&fixture->input, "in"), fixture->elements,
             size, n);
  (void)test_buffer_fetch(&fixture->output, "out");
  MUST(cudaMemcpy(after, told, bytes, cudaMemcpyDeviceToHost));
  CHECK_SAME("the offsets are as they were", after, offsets, 1, bytes);
  MUST(cudaFree(memory));
  free(after);
}

int main(void) {
  const size_t most = 400000; /* wide elements come to the pipeline, and in tiny tiles all */
  segmented_fixture fixture;
  size_t i;
  uint32_t kind;
  int pattern;
  test_begin("segmented_errors_test");
  test_buffer_make(&arrays, (size_t)3 * 2 * elements * 32);
  contents = (unsigned char *)test_allocate(arrays.capacity);
  test_random_bytes(contents, arrays.capacity);
  MUST(scan_workspace_create(&workspace, 1 << 20, 0));
  before_call();
  check_total();
  for (i = 0; i < TEST_COUNT(families); i++) {
    check_request(families[i]);
    check_nothing(families[i]);
    for (kind = scan_segments_flags_; kind <= scan_segments_offsets64_; kind++)
      check_memory(families[i], kind);
  }
  CHECK_CODE(scan_workspace_destroy(workspace), cudaSuccess);
  test_buffer_free(&arrays);
  free(contents);
  segmented_fixture_make(&fixture, most, most * 64);
  for (i = 0; i < TEST_COUNT(families); i++) {
    segmented_fixture_provide(&fixture, families[i]);
    for (pattern = 0; pattern < bad_patterns; pattern++) {
      const size_t sizes[] = {1 + test_below(40), 1 + test_below(5000),
                              1 + test_below((size_t)(most * (TEST_SCALE < 1 ? 0.3 : 1)))};
      size_t s;
      for (s = 0; s < TEST_COUNT(sizes); s++) {
        unsigned round;
        for (round = 0; round < 4; round++)
          check_bad_offsets(&fixture, families[i], pattern, sizes[s]);
      }
      segmented_family_test(&fixture, families[i], 1.0);
    }
  }
  segmented_fixture_free(&fixture);
  return test_end(
      "bad segments gave their error, launched nothing and wrote nothing; bad offsets did no harm");
}
