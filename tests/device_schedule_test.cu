// device_schedule_test.cu: device-wide scans with tiny tiles under many schedules: every
// edge of the pipeline in microseconds.
#ifndef SCAN_TUNING_ITEMS
#define SCAN_TUNING_ITEMS 3
#define SCAN_TUNING_ROWS 2
#define SCAN_TUNING_SHORT_TILES 40
#endif
#ifndef SCAN_TUNING_WARPS
#define SCAN_TUNING_WARPS 1
#endif
#include "tests/device_case.h"

#define STAMP(width) \
  TEST_FAMILY(interval_##width, merge_##width, interval_##width##_generate, INTERVAL_POISON_##width)
STAMP(1)
STAMP(3)
STAMP(4)
STAMP(12)
STAMP(16)
STAMP(64)
TEST_FAMILY(permutation_20, compose_20, permutation_20_generate, {{0xFF, 5, 6}})
TEST_FAMILY(affine, compose, affine_generate, {5, 9})

static const test_family *const families[] = {
    &test_family_interval_1_merge_1,        &test_family_interval_3_merge_3,
    &test_family_interval_4_merge_4,        &test_family_interval_12_merge_12,
    &test_family_interval_16_merge_16,      &test_family_interval_64_merge_64,
    &test_family_permutation_20_compose_20, &test_family_affine_compose,
};

enum {
  tile = SCAN_TUNING_ITEMS * SCAN_TUNING_ROWS * 32 * SCAN_TUNING_WARPS,
  batch = tile * 32, /* what a conducting warp takes at once; three of them take turns */
  most_elements = batch * 5,
  streams = 6,
  rounds = 40,
  long_elements = 400000
};

typedef struct occupy_parameters {
  uint32_t *out;
  uint32_t turns;
} occupy_parameters;

// Holds on to a multiprocessor for a while.
SCAN_KERNEL(occupy, occupy_parameters, p) {
  uint32_t state = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t turn;
  for (turn = 0; turn < p.turns; turn++) state = state * 1664525u + 1013904223u;
  p.out[blockIdx.x * blockDim.x + threadIdx.x] = state;
}

// Scans on several streams at once, each with a workspace of its own, behind kernels that hold the
// multiprocessors.
static void check_crowd(void) {
  const test_family *family = &test_family_affine_compose;
  size_t n = (size_t)(long_elements * (TEST_SCALE > 1 ? 1.0 : TEST_SCALE / 8)) + test_below(1000);
  test_buffer in[streams];
  test_buffer out[streams];
  scan_workspace *workspace[streams];
  cudaStream_t stream[streams];
  unsigned char *elements = (unsigned char *)test_allocate((n + 2) * family->size);
  unsigned char *expected = (unsigned char *)test_allocate(n * family->size);
  device_call call;
  TEST_ALIGNAS(16) unsigned char total[64];
  uint32_t *scrap;
  occupy_parameters occupied;
  int k;
  int round;
  test_case("%d streams at once, n=%zu", (int)streams, n);
  memset(&call, 0, sizeof call);
  family->generate(elements, n + 2);
  device_oracle(family, elements, n, &call, expected, total);
  MUST(cudaMalloc((void **)&scrap, 512 * 1024 * sizeof *scrap));
  occupied.out = scrap;
  for (k = 0; k < streams; k++) {
    test_buffer_make(&in[k], n * family->size);
    test_buffer_make(&out[k], n * family->size);
    MUST(cudaStreamCreate(&stream[k]));
    MUST(scan_workspace_create(&workspace[k], family->workspace_bytes(n), stream[k]));
    test_buffer_place(&in[k], 0, n * family->size, elements + family->size);
    test_buffer_place(&out[k], 0, n * family->size, NULL);
  }
  for (round = 0; round < (TEST_SCALE > 1 ? rounds : 2); round++) {
    occupied.turns = TEST_SCALE > 1 ? (uint32_t)test_below(100000) : 10;
    MUST(SCAN_LAUNCH(occupy, TEST_SCALE > 1 ? 512 : 2, TEST_SCALE > 1 ? 1024 : 64, 0,
                     stream[test_below(streams)], occupied));
    for (k = 0; k < streams; k++) {
      CHECK_CODE(family->inclusive(workspace[k], test_buffer_data(&in[k]),
                                   test_buffer_data(&out[k]), n, stream[k]),
                 cudaSuccess);
    }
  }
  MUST(cudaDeviceSynchronize());
  for (k = 0; k < streams; k++) {
    CHECK_SAME("the scan equals the sequential fold", test_buffer_fetch(&out[k], "out"), expected,
               family->size, n);
    test_buffer_free(&in[k]);
    test_buffer_free(&out[k]);
    CHECK_CODE(scan_workspace_destroy(workspace[k]), cudaSuccess);
    MUST(cudaStreamDestroy(stream[k]));
  }
  MUST(cudaFree(scrap));
  free(elements);
  free(expected);
}

int main(void) {
  static device_sizes sizes;
  device_fixture fixture;
  unsigned schedules = (unsigned)(2500 * (TEST_SCALE > 1 ? 1 : TEST_SCALE));
  unsigned schedule;
  size_t i;
  size_t k;
  test_begin("device_schedule_test");
  device_fixture_make(&fixture, (size_t)most_elements * 64 + 64);

  for (k = 0; k < TEST_COUNT(families); k++) {
    device_sizes_make(&sizes, families[k]->size, batch + tile);
    for (i = 0; i < sizes.count; i++) {
      device_call call =
          device_random_call(families[k], (int)test_below(4), (unsigned)test_below(16));
      device_fixture_draw_schedule(&fixture);
      families[k]->generate(fixture.elements, sizes.size[i] + 2);
      device_check(&fixture, families[k], sizes.size[i], &call);
    }
  }
  for (schedule = 0; schedule < schedules; schedule++) {
    const test_family *family = families[test_below(TEST_COUNT(families))];
    device_call call = device_random_call(family, (int)test_below(4), (unsigned)test_below(16));
    size_t n = 1 + test_below(1 + test_below(1 + test_below(most_elements)));
    device_fixture_draw_schedule(&fixture);
    family->generate(fixture.elements, n + 2);
    device_check(&fixture, family, n, &call);
  }
  device_fixture_draw_schedule(&fixture);
  device_fixture_free(&fixture);
  check_crowd();
  return test_end("tiles of %d elements, %u schedules: all is equal to the fold", tile, schedules);
}
