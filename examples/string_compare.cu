// Compares two strings in dictionary order: the first position at which they differ decides.
//
// Every position is compared by itself; "the first that is not 0" is an associative operator that
// does not commute, and one reduction finds it. The end of a string counts as less than any byte.
#include "examples/example.h"
#include "scan/scan.h"

SCAN_OPERATOR signed char first_difference(signed char earlier, signed char later) {
  return earlier != 0 ? earlier : later;
}
SCAN_DEFINE_AS(differences, signed char, first_difference, 0)

typedef struct {
  const unsigned char *left, *right;
  size_t left_length, right_length;
  signed char *signs;  // as many as the longer string has bytes
} comparison;

SCAN_KERNEL(compare_bytes, comparison, c) {
  const size_t index = EXAMPLE_INDEX;
  const int left = index < c.left_length ? c.left[index] : -1;
  const int right = index < c.right_length ? c.right[index] : -1;
  if (left >= 0 || right >= 0) c.signs[index] = (signed char)((left > right) - (left < right));
}

// -1, 0 or 1: the left string is less than, equal to or greater than the right one. Host memory.
static int compare(const unsigned char *left, size_t left_length, const unsigned char *right,
                   size_t right_length) {
  const size_t n = left_length > right_length ? left_length : right_length;
  comparison c;
  signed char *device_result, result;
  scan_workspace *workspace;
  c.left = (unsigned char *)example_to_device(left, left_length);
  c.right = (unsigned char *)example_to_device(right, right_length);
  c.left_length = left_length;
  c.right_length = right_length;
  c.signs = (signed char *)example_device_memory(n);
  device_result = (signed char *)example_device_memory(sizeof result);
  EXAMPLE_CHECK(scan_workspace_create(&workspace, differences_workspace_bytes(n), 0));
  EXAMPLE_LAUNCH_EACH(compare_bytes, n, c);
  EXAMPLE_CHECK(differences_reduce(workspace, c.signs, device_result, n, 0));
  EXAMPLE_CHECK(cudaMemcpy(&result, device_result, sizeof result, cudaMemcpyDeviceToHost));
  EXAMPLE_CHECK(scan_workspace_destroy(workspace));
  EXAMPLE_CHECK(cudaFree((void *)c.left));
  EXAMPLE_CHECK(cudaFree((void *)c.right));
  EXAMPLE_CHECK(cudaFree(c.signs));
  EXAMPLE_CHECK(cudaFree(device_result));
  return result;
}

// Compares both ways round, and with what memcmp and the lengths say.
static void check(const unsigned char *left, size_t left_length, const unsigned char *right,
                  size_t right_length, uint64_t seed) {
  const int bytes = memcmp(left, right, left_length < right_length ? left_length : right_length);
  const int lengths = (left_length > right_length) - (left_length < right_length);
  const int expected = bytes != 0 ? (bytes > 0) - (bytes < 0) : lengths;
  const int forth = compare(left, left_length, right, right_length);
  const int back = compare(right, right_length, left, left_length);
  if (forth != expected || back != -expected) {
    fprintf(stderr,
            "string_compare: seed %llu: strings of %zu and %zu bytes: %d and back %d, expected %d "
            "and %d\n",
            (unsigned long long)seed, left_length, right_length, forth, back, expected, -expected);
    exit(EXIT_FAILURE);
  }
}

int main(void) {
  enum { LENGTH = 100000, PAIRS = 20 };
  const uint64_t seed = example_seed();
  unsigned char *left = (unsigned char *)example_allocate(LENGTH);
  unsigned char *right = (unsigned char *)example_allocate(LENGTH);
  uint64_t state = seed;
  for (size_t i = 0; i < LENGTH; i++) left[i] = (unsigned char)example_random(&state);

  // Equal strings, a string and its beginning, and the empty string.
  memcpy(right, left, LENGTH);
  check(left, LENGTH, right, LENGTH, seed);
  check(left, LENGTH, right, example_random(&state) % LENGTH, seed);
  check(left, LENGTH, right, LENGTH - 1, seed);
  check(left, LENGTH, right, 0, seed);
  check(left, 0, right, 0, seed);
  // The last byte alone differs, on either side of the sign bit.
  right[LENGTH - 1] = (unsigned char)(left[LENGTH - 1] ^ 0x80);
  check(left, LENGTH, right, LENGTH, seed);
  // A beginning in common, then whatever comes, in either length.
  for (int pair = 0; pair < PAIRS; pair++) {
    const size_t common = example_random(&state) % LENGTH;
    const size_t rest = example_random(&state) % (LENGTH - common);
    memcpy(right, left, common);
    for (size_t i = common; i < LENGTH; i++) right[i] = (unsigned char)example_random(&state);
    check(left, LENGTH, right, common + rest, seed);
  }
  printf(
      "string_compare: %d pairs of up to %d bytes, and equal strings, beginnings and empty ones, "
      "both ways round as by memcmp (seed %llu; %s)\n",
      PAIRS, LENGTH, (unsigned long long)seed, example_device());
  free(left);
  free(right);
  return EXIT_SUCCESS;
}
