// names_test.cu: types, operators, identities, loads and stores with names that the stamps use
// inside, too, and a type that is no single name.
#include "scan/scan.h"
#include "tests/test.h"

enum { identity = 7, value = 5, names_count = 1000 };

typedef struct {
  int number;
} element;
typedef int segments;
typedef int came;

SCAN_OPERATOR element later(element a, element b) { return b.number != 0 ? b : a; }
SCAN_OPERATOR segments out(segments a, segments b) { return a + b; }
SCAN_OPERATOR came earlier(came a, came b) { return a < b ? b : a; }
SCAN_OPERATOR came in(came x, size_t at) { return x + (came)(at % 2); }
SCAN_OPERATOR came scanned(came x, came before, size_t at) { return x + before + (came)(at % 4); }
SCAN_OPERATOR int *x(int *a, int *b) { return b != NULL ? b : a; }

SCAN_DEFINE(element, later, {identity})
SCAN_DEFINE_SEGMENTED(segments, out, value)
SCAN_DEFINE_LIFTED(segments, out, value)
SCAN_DEFINE_FUSED_AS(names_fused, came, came, came, in, earlier, scanned, identity)
SCAN_DEFINE_AS(names_pointer, int *, x, NULL)

// An array of the device and one of the host, in turn for what goes in and what comes out.
static void *device_in, *device_out;
static scan_workspace *workspace;

static void give(const void *from, size_t bytes) {
  MUST(cudaMemcpy(device_in, from, bytes, cudaMemcpyHostToDevice));
  MUST(cudaMemset(device_out, test_poison, names_count * 8));
}

static void compare(const char *what, const void *expected, size_t size, size_t count) {
  void *found = test_allocate(names_count * 8);
  MUST(cudaMemcpy(found, device_out, count * size, cudaMemcpyDeviceToHost));
  CHECK_SAME(what, found, expected, size, count);
  free(found);
}

// The last element before each that is not 0; the first has the identity.
static void check_element(const int32_t *numbers) {
  int32_t expected[names_count];
  size_t i;
  expected[0] = identity;
  expected[1] = numbers[0];
  for (i = 2; i < names_count; i++)
    expected[i] = numbers[i - 1] != 0 ? numbers[i - 1] : expected[i - 1];
  give(numbers, sizeof expected);
  CHECK_CODE(scan_element_later_exclusive(workspace, (element *)device_in, (element *)device_out,
                                          names_count, 0),
             cudaSuccess);
  compare("element", expected, sizeof(element), names_count);
}

// Sums of segments of three, each of which begins with the identity; reductions of none.
static void check_segments(const int32_t *numbers) {
  int32_t expected[names_count];
  segments none = value;
  size_t i;
  for (i = 0; i < names_count; i++)
    expected[i] = i % 3 == 0   ? (int32_t)value
                  : i % 3 == 1 ? numbers[i - 1]
                               : expected[i - 1] + numbers[i - 1];
  give(numbers, sizeof expected);
  CHECK_CODE(scan_segments_out_segmented_exclusive(workspace, (segments *)device_in,
                                                   scan_segments_regular(3), (segments *)device_out,
                                                   names_count, 0),
             cudaSuccess);
  compare("segments", expected, sizeof(segments), names_count);
  {
    const scan_segments_out_lifted lifted = {none, 0};
    CHECK_CODE(scan_segments_out_lifted_reduce(workspace, NULL,
                                               (scan_segments_out_lifted *)device_out, 0, 0),
               cudaSuccess);
    compare("lifted identity", &lifted, sizeof lifted, 1);
  }
}

static void check_fused(const int32_t *numbers) {
  int32_t expected[names_count];
  int32_t most = identity;
  size_t i;
  for (i = 0; i < names_count; i++) {
    expected[i] = most + numbers[i] + (int32_t)(i % 4);
    most = i == 0 ? in(numbers[i], i) : earlier(most, in(numbers[i], i));
  }
  give(numbers, sizeof expected);
  CHECK_CODE(
      names_fused_exclusive(workspace, (came *)device_in, (came *)device_out, names_count, 0),
      cudaSuccess);
  compare("fused", expected, sizeof(came), names_count);
}

// Pointers are compared, not followed.
static void check_pointers(int32_t *numbers) {
  int *pointers[names_count];
  int *expected[names_count];
  size_t i;
  for (i = 0; i < names_count; i++) {
    pointers[i] = i % 4 == 0 ? NULL : &numbers[i];
    expected[i] = i > 0 && pointers[i] == NULL ? expected[i - 1] : pointers[i];
  }
  give(pointers, sizeof pointers);
  CHECK_CODE(names_pointer_inclusive(workspace, (int *const *)device_in, (int **)device_out,
                                     names_count, 0),
             cudaSuccess);
  compare("pointers", expected, sizeof(int *), names_count);
}

int main(void) {
  int32_t numbers[names_count];
  size_t i;
  test_begin("names_test");
  for (i = 0; i < names_count; i++) numbers[i] = (int32_t)test_below(1000) - 300;
  MUST(cudaMalloc(&device_in, names_count * 8));
  MUST(cudaMalloc(&device_out, names_count * 8));
  MUST(scan_workspace_create(&workspace, names_pointer_workspace_bytes(names_count), 0));
  check_element(numbers);
  check_segments(numbers);
  check_fused(numbers);
  check_pointers(numbers);
  MUST(scan_workspace_destroy(workspace));
  MUST(cudaFree(device_in));
  MUST(cudaFree(device_out));
  return test_end("names of the stamps' own as the client's, and a type of two words");
}
