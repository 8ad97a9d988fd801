// large_test.cu: a scan of more than 2^32 elements of one byte, where the device has the memory; a
// smaller one elsewhere.
//
// Element i is the interval from position(i) to position(i + 1), so the scan is known in closed
// form, and an operand that is missing, doubled or out of place shows. Both arrays are made and
// checked on the device.
#include "tests/operators.h"

TEST_FAMILY(interval_1, merge_1, interval_1_generate, INTERVAL_POISON_1)

// The same, fused: elements that come in and go out bear a mark of their index.
SCAN_OPERATOR interval_1 mark(interval_1 x, size_t index) {
  x.ends = (uint8_t)(x.ends ^ (index >> 32) * 0x55 ^ index >> 20 ^ index);
  return x;
}
SCAN_OPERATOR interval_1 mark_again(interval_1 scanned, interval_1 x, size_t index) {
  (void)x;
  return mark(scanned, index);
}
SCAN_DEFINE_FUSED(marked, interval_1, interval_1, interval_1, mark, merge_1, mark_again,
                  INTERVAL_POISON_1)

enum { grid = 4096, block = 256 };

typedef struct large_parameters {
  interval_1 *elements;
  uint64_t n;
  uint64_t seed;
  uint64_t *wrong;       /* how many each thread found */
  uint64_t *first_wrong; /* the lowest of them */
  int reverse;
  int fused;
} large_parameters;

SCAN_OPERATOR uint64_t position(uint64_t i, uint64_t seed) {
  uint64_t bits = (i + seed) * 0x9E3779B97F4A7C15u;
  bits = (bits ^ (bits >> 32)) * 0xD6E8FEB86659FD93u;
  return (bits >> 32) % 15;
}

SCAN_KERNEL(make_elements, large_parameters, p) {
  uint64_t i;
  for (i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < p.n;
       i += (uint64_t)gridDim.x * blockDim.x) {
    const interval_1 element = interval_1_make(position(i, p.seed), position(i + 1, p.seed));
    p.elements[i] = p.fused ? mark(element, (size_t)i) : element;
  }
}

SCAN_KERNEL(check_elements, large_parameters, p) {
  uint64_t thread = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
  uint64_t wrong = 0;
  uint64_t first_wrong = p.n;
  uint64_t i;
  for (i = thread; i < p.n; i += (uint64_t)gridDim.x * blockDim.x) {
    interval_1 expected = p.reverse ? interval_1_make(position(i, p.seed), position(p.n, p.seed))
                                    : interval_1_make(position(0, p.seed), position(i + 1, p.seed));
    if (p.fused) expected = mark(expected, (size_t)i);
    if (p.elements[i].ends != expected.ends) {
      if (wrong == 0) first_wrong = i;
      wrong++;
    }
  }
  p.wrong[thread] = wrong;
  p.first_wrong[thread] = first_wrong;
}

// Allocates in and out of n bytes; false where there is no room.
static int allocate(uint64_t n, void **in, void **out) {
  if (cudaMalloc(in, n + 64) == cudaSuccess) {
    if (cudaMalloc(out, n + 64) == cudaSuccess) return 1;
    MUST(cudaFree(*in));
  }
  (void)cudaGetLastError();
  return 0;
}

int main(void) {
  const test_family *family = &test_family_interval_1_merge_1;
  uint64_t n = TEST_SCALE > 1 ? ((uint64_t)1 << 32) + 70001 : (uint64_t)(5000011 * TEST_SCALE);
  unsigned blocks = TEST_SCALE > 1 ? grid : 2;
  size_t threads = (size_t)blocks * block;
  uint64_t *counts = (uint64_t *)test_allocate(2 * threads * sizeof *counts);
  void *in;
  void *out;
  void *total;
  uint64_t *device_counts;
  scan_workspace *workspace = NULL;
  large_parameters parameters;
  int form;
  test_begin("large_test");
  if (!allocate(n, &in, &out)) {
    n = 5000011;
    if (!allocate(n, &in, &out)) return EXIT_FAILURE;
  }
  MUST(cudaMalloc(&total, 64));
  MUST(cudaMalloc((void **)&device_counts, 2 * threads * sizeof *counts));
  MUST(scan_workspace_create(&workspace, family->workspace_bytes((size_t)n), 0));
  memset(&parameters, 0, sizeof parameters);
  parameters.n = n;
  parameters.seed = test_random();
  parameters.wrong = device_counts;
  parameters.first_wrong = device_counts + threads;
  for (form = 0; form < 4; form++) {
    const int reverse = form & 1;
    uint64_t wrong = 0;
    uint64_t first_wrong = n;
    size_t i;
    uint8_t found_total = 0;
    uint8_t expected_total;
    marked_options options = marked_options_default();
    test_case("n=%llu%s%s", (unsigned long long)n, reverse ? " reverse" : "",
              form >> 1 ? " fused" : "");
    parameters.fused = form >> 1;
    parameters.elements = (interval_1 *)in + 1;
    MUST(SCAN_LAUNCH(make_elements, blocks, block, 0, 0, parameters));
    MUST(cudaMemset(out, test_poison, (size_t)n + 64));
    MUST(cudaMemset(total, test_poison, 64));
    options.reverse = reverse;
    options.total = (interval_1 *)total;
    CHECK_CODE(parameters.fused
                   ? marked_run(workspace, (interval_1 *)in + 1, (interval_1 *)out + 3, (size_t)n,
                                options, 0)
                   : family->run(workspace, (interval_1 *)in + 1, (interval_1 *)out + 3, (size_t)n,
                                 0, reverse, NULL, total, 0),
               cudaSuccess);
    parameters.elements = (interval_1 *)out + 3;
    parameters.reverse = reverse;
    MUST(SCAN_LAUNCH(check_elements, blocks, block, 0, 0, parameters));
    MUST(cudaDeviceSynchronize());
    MUST(cudaMemcpy(counts, device_counts, 2 * threads * sizeof *counts, cudaMemcpyDeviceToHost));
    for (i = 0; i < threads; i++) {
      wrong += counts[i];
      if (counts[threads + i] < first_wrong) first_wrong = counts[threads + i];
    }
    CHECK(wrong == 0, "%llu are wrong, the first of them %llu", (unsigned long long)wrong,
          (unsigned long long)first_wrong);
    MUST(cudaMemcpy(&found_total, total, 1, cudaMemcpyDeviceToHost));
    expected_total =
        interval_1_make(position(0, parameters.seed), position(n, parameters.seed)).ends;
    CHECK(found_total == expected_total, "the total is %02x, expected %02x", found_total,
          expected_total);
  }
  CHECK_NO_MISUSES_SINCE(0);
  MUST(cudaFree(in));
  MUST(cudaFree(out));
  MUST(cudaFree(total));
  MUST(cudaFree(device_counts));
  CHECK_CODE(scan_workspace_destroy(workspace), cudaSuccess);
  free(counts);
  return test_end("forward and reverse scan of %llu elements of one byte, plain and fused",
                  (unsigned long long)n);
}
