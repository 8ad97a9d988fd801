// errors_test.cu: bad input is a cudaError_t before anything is launched; the client's own pending
// error stays as it is.
#include "tests/operators.h"
#include "tests/rejection.h"

TEST_FAMILY(uint32_t, add_uint32_t, uint32_t_generate, 5)
TEST_FAMILY(interval_32, merge_32, interval_32_generate, INTERVAL_POISON_32)
TEST_FAMILY(interval_3, merge_3, interval_3_generate, INTERVAL_POISON_3)
TEST_FAMILY(matrix, multiply, matrix_generate, {{3, 1, 4, 1}})

static const test_family *const families[] = {
    &test_family_uint32_t_add_uint32_t,
    &test_family_interval_32_merge_32,
    &test_family_interval_3_merge_3,
    &test_family_matrix_multiply,
};

enum {
  elements = 20000
}; /* several tiles: a tile that is alone leaves no trace in the workspace */

// The memory of a case.
static test_buffer arrays; /* in and out are parts of it */
static test_buffer extras; /* seed and total */
static unsigned char *contents;
static scan_workspace *workspace;

static void before_call(void) {
  test_buffer_place(&arrays, 0, arrays.capacity, contents);
  test_buffer_place(&extras, 0, extras.capacity, contents);
}

static void check_untouched(void) {
  CHECK_SAME("in and out are untouched", test_buffer_fetch(&arrays, "arrays"), contents, 1,
             arrays.capacity);
  CHECK_SAME("seed and total are untouched", test_buffer_fetch(&extras, "extras"), contents, 1,
             extras.capacity);
}

// One bad call by each function that takes it, with and without an error of the client's pending.
// in == out is left to the caller to mean. expected_of_reduce: what reduce, which writes one
// element, answers.
static void reject(const test_family *family, const char *what, scan_workspace *space,
                   const void *in, void *out, size_t n, const void *seed, void *total,
                   cudaError_t expected, cudaError_t expected_of_reduce) {
  int function;
  int pending;
  for (function = 0; function < 4; function++) {
    for (pending = 0; pending < 2; pending++) {
      cudaError_t wanted = function == 2 ? expected_of_reduce : expected;
      cudaError_t found;
      rejection before;
      if (function < 3 && (seed != NULL || total != NULL)) continue;
      if (wanted == cudaSuccess) continue;
      test_case("%s function %d: %s%s", family->name, function, what,
                pending ? ", error pending" : "");
      before_call();
      before = rejection_before(workspace, pending != 0);
      switch (function) {
        case 0:
          found = family->inclusive(space, in, out, n, 0);
          break;
        case 1:
          found = family->exclusive(space, in, out, n, 0);
          break;
        case 2:
          found = family->reduce(space, in, out, n, 0);
          break;
        default:
          found = family->run(space, in, out, n, (int)test_below(2), (int)test_below(2), seed,
                              total, 0);
          break;
      }
      rejection_check(before, found, wanted);
      check_untouched();
    }
  }
}

static void check_rejections(const test_family *family) {
  size_t size = family->size;
  size_t alignment = family->alignment;
  size_t bytes = elements * size;
  unsigned char *base = (unsigned char *)test_buffer_place(&arrays, 0, arrays.capacity, contents);
  unsigned char *extra = (unsigned char *)test_buffer_place(&extras, 0, extras.capacity, contents);
  unsigned char *in = base;
  unsigned char *out = base + arrays.capacity / 2;
  scan_workspace *small = NULL;
  size_t shift;
  const cudaError_t none = cudaSuccess;
  const cudaError_t invalid = cudaErrorInvalidValue;
  const cudaError_t misaligned = cudaErrorMisalignedAddress;

  reject(family, "no workspace", NULL, in, out, elements, NULL, NULL, invalid, invalid);
  reject(family, "no input", workspace, NULL, out, elements, NULL, NULL, invalid, invalid);
  reject(family, "no output", workspace, in, NULL, elements, NULL, NULL, invalid, invalid);
  reject(family, "no reduction's output", workspace, NULL, NULL, 0, NULL, NULL, none, invalid);

  for (shift = 1; shift < alignment; shift++) {
    reject(family, "misaligned input", workspace, in + shift, out, elements, NULL, NULL, misaligned,
           misaligned);
    reject(family, "misaligned output", workspace, in, out + shift, elements, NULL, NULL,
           misaligned, misaligned);
    reject(family, "misaligned seed", workspace, in, out, elements, extra + shift, NULL, misaligned,
           misaligned);
    reject(family, "misaligned total", workspace, in, out, elements, NULL, extra + shift,
           misaligned, misaligned);
  }

  reject(family, "out one element past in", workspace, in, in + size, elements, NULL, NULL, invalid,
         invalid);
  reject(family, "in one element past out", workspace, in + size, in, elements, NULL, NULL, invalid,
         none);
  reject(family, "in's last element is out's first", workspace, in, in + bytes - size, elements,
         NULL, NULL, invalid, invalid);
  reject(family, "out's last element is in's first", workspace, in + bytes - size, in, elements,
         NULL, NULL, invalid, none);
  reject(family, "seed is out's last element", workspace, in, out, elements, out + bytes - size,
         NULL, invalid, invalid);
  reject(family, "total is out's first element", workspace, in, out, elements, NULL, out, invalid,
         invalid);
  reject(family, "total is in's last element", workspace, in, out, elements, NULL,
         in + bytes - size, invalid, invalid);
  if (size > alignment) {
    reject(family, "total's last bytes are seed's", workspace, in, out, elements, extra + alignment,
           extra, invalid, invalid);
    reject(family, "seed's last bytes are total's", workspace, in, out, elements, extra,
           extra + alignment, invalid, invalid);
    reject(family, "out half an element past in", workspace, in, in + alignment, elements, NULL,
           NULL, invalid, invalid);
    reject(family, "the last bytes of in are out's", workspace, in, in + bytes - alignment,
           elements, NULL, NULL, invalid, invalid);
  }

  reject(family, "n * size overflows", workspace, in, out, SIZE_MAX / size + 1, NULL, NULL,
         size > 1 ? invalid : none, size > 1 ? invalid : none);
  reject(family, "n * size overflows to a little", workspace, in, out, SIZE_MAX / size + 2, NULL,
         NULL, invalid, invalid);
  reject(family, "n is SIZE_MAX", workspace, in, out, SIZE_MAX, NULL, NULL, invalid, invalid);
  reject(family, "2^31 tiles and more", workspace, in, in, SIZE_MAX / 4 / size, NULL, NULL, invalid,
         invalid);
  CHECK(family->workspace_bytes(SIZE_MAX) > (size_t)1 << 40, "a workspace for everything is small");

  /* A workspace for few elements does not serve many: the smallest that is refused, and one that is
   * refused by far. */
  MUST(scan_workspace_create(&small, family->workspace_bytes(1), 0));
  if (family->workspace_bytes(elements) > family->workspace_bytes(1)) {
    reject(family, "a workspace too small", small, in, out, elements, NULL, NULL,
           cudaErrorLaunchOutOfResources, cudaErrorLaunchOutOfResources);
  }
  reject(family, "a workspace too small for very many", small, in, in, ((size_t)1 << 40) / size,
         NULL, NULL, cudaErrorLaunchOutOfResources, none);
  CHECK_CODE(scan_workspace_destroy(small), cudaSuccess);
  {
    size_t many = arrays.capacity / size;
    MUST(scan_workspace_create(&small, family->workspace_bytes(many) - 1, 0));
    reject(family, "a workspace one byte short", small, base, base, many, NULL, NULL,
           cudaErrorLaunchOutOfResources, none);
    CHECK_CODE(scan_workspace_destroy(small), cudaSuccess);
  }
}

// Calls that succeed leave the client's error pending, and do not answer with it.
static void check_pending(const test_family *family) {
  int function;
  for (function = 0; function < 4; function++) {
    const uint32_t calls = test_calls(workspace);
    cudaError_t left;
    cudaError_t found;
    unsigned char *in;
    unsigned char *out;
    test_case("%s function %d with an error pending", family->name, function);
    before_call();
    in = (unsigned char *)test_buffer_data(&arrays);
    out = in + arrays.capacity / 2;
    left = rejection_leave_error();
    switch (function) {
      case 0:
        found = family->inclusive(workspace, in, out, elements, 0);
        break;
      case 1:
        found = family->exclusive(workspace, in, out, elements, 0);
        break;
      case 2:
        found = family->reduce(workspace, in, out, elements, 0);
        break;
      default:
        found = family->run(workspace, in, out, elements, 1, 1, NULL, NULL, 0);
        break;
    }
    CHECK(found == cudaSuccess, "answered %d (%s)", (int)found, cudaGetErrorString(found));
    rejection_check_error(left);
    CHECK(test_calls(workspace) == calls + 1, "%u calls", test_calls(workspace) - calls);
  }
  test_case("a workspace made with an error pending");
  {
    scan_workspace *made = NULL;
    cudaError_t left = rejection_leave_error();
    CHECK_CODE(scan_workspace_create(&made, 4096, 0), cudaSuccess);
    CHECK(cudaPeekAtLastError() == left, "pending is %d, was %d", (int)cudaPeekAtLastError(),
          (int)left);
    CHECK_CODE(scan_workspace_destroy(made), cudaSuccess);
    rejection_check_error(left);
  }
}

// Nothing to scan: arrays may be NULL; total and reduction are the seed, or the identity.
static void check_nothing(const test_family *family) {
  size_t size = family->size;
  TEST_ALIGNAS(16) unsigned char identity[64];
  unsigned char *extra;
  int seeded;
  int form;
  family->identity(identity);
  test_case("%s of nothing", family->name);
  before_call();
  CHECK_CODE(family->inclusive(workspace, NULL, NULL, 0, 0), cudaSuccess);
  CHECK_CODE(family->exclusive(workspace, NULL, NULL, 0, 0), cudaSuccess);
  CHECK_CODE(family->run(workspace, NULL, NULL, 0, 0, 0, NULL, NULL, 0), cudaSuccess);
  MUST(cudaDeviceSynchronize());
  CHECK_SAME("arrays are untouched", test_buffer_fetch(&arrays, "arrays"), contents, 1,
             arrays.capacity);
  before_call();
  extra = (unsigned char *)test_buffer_data(&extras);
  CHECK_CODE(family->reduce(workspace, NULL, extra, 0, 0), cudaSuccess);
  MUST(cudaDeviceSynchronize());
  CHECK_SAME("the reduction of nothing is the identity", test_buffer_fetch(&extras, "extras"),
             identity, size, 1);
  for (seeded = 0; seeded < 2; seeded++) {
    for (form = 0; form < 4; form++) {
      /* An empty array shares no byte with what lies around it. */
      unsigned char *empty;
      before_call();
      extra = (unsigned char *)test_buffer_data(&extras);
      empty = size > family->alignment ? extra + 64 * seeded + family->alignment : NULL;
      CHECK_CODE(family->run(workspace, empty, empty, 0, form & 1, form >> 1,
                             seeded ? extra + 64 : NULL, extra, 0),
                 cudaSuccess);
      MUST(cudaDeviceSynchronize());
      CHECK_SAME("the total of nothing is the seed, or the identity",
                 test_buffer_fetch(&extras, "extras"), seeded ? contents + 64 : identity, size, 1);
      CHECK_SAME("what lies beyond the total", test_buffer_mirror(&extras) + size, contents + size,
                 1, extras.capacity - size);
    }
  }
}

// A workspace made on one device does not serve on another.
static void check_other_device(void) {
  const test_family *family = &test_family_uint32_t_add_uint32_t;
  scan_workspace *other = NULL;
  int devices = 0;
  MUST(cudaGetDeviceCount(&devices));
  if (devices < 2) return;
  MUST(cudaSetDevice(1));
  MUST(scan_workspace_create(&other, family->workspace_bytes(elements), 0));
  MUST(cudaDeviceSynchronize());
  MUST(cudaSetDevice(0));
  {
    unsigned char *in = (unsigned char *)test_buffer_data(&arrays);
    reject(family, "a workspace of another device", other, in, in + arrays.capacity / 2, elements,
           NULL, NULL, cudaErrorInvalidDevice, cudaErrorInvalidDevice);
  }
  CHECK_CODE(scan_workspace_destroy(other), cudaSuccess);
}

int main(void) {
  size_t i;
  test_begin("errors_test");
  test_buffer_make(&arrays, 2 * elements * 64);
  test_buffer_make(&extras, 256);
  contents = (unsigned char *)test_allocate(arrays.capacity);
  test_random_bytes(contents, arrays.capacity);
  MUST(scan_workspace_create(&workspace, 1 << 20, 0));
  for (i = 0; i < TEST_COUNT(families); i++) {
    check_rejections(families[i]);
    check_pending(families[i]);
    check_nothing(families[i]);
  }
  check_other_device();
  CHECK_CODE(scan_workspace_destroy(workspace), cudaSuccess);
  test_buffer_free(&arrays);
  test_buffer_free(&extras);
  free(contents);
  return test_end(
      "bad input gave its error, launched nothing and wrote nothing, and no pending error was "
      "lost");
}
