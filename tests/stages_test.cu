// stages_test.cu: scans where a block is granted less shared memory than here, down to the least
// with which the pipeline goes on, and the error below that. Devices differ by it: an sm_75 grants
// 64 KiB, an sm_120 99.
#include "tests/device_case.h"
#include "tests/segmented_case.h"

#define STAMP(width) \
  TEST_FAMILY(interval_##width, merge_##width, interval_##width##_generate, INTERVAL_POISON_##width)
STAMP(4)
STAMP(64)
SEGMENTED_FAMILY(4)
SEGMENTED_FAMILY(20)

#ifdef SCAN_TUNING_ITEMS
#define ROUNDS (1 + (size_t)(60 * TEST_SCALE))
#else
#define ROUNDS (1 + (size_t)(6 * TEST_SCALE))
#endif
enum { tiles_most = 70, granted_apart = 128 };

// From now on the kernels that the workspace knows are granted `bytes`.
static void grant(scan_workspace *workspace, uint32_t bytes) {
  for (size_t i = 0; i < TEST_COUNT(workspace->kernels); i++)
    workspace->kernels[i].traits.shared_limit = bytes;
}

// The traits of a kernel that the workspace knows: they are alike but for what it is granted.
static scan_kernel_traits known_traits(const scan_workspace *workspace) {
  size_t i = 0;
  while (i + 1 < TEST_COUNT(workspace->kernels) && workspace->kernels[i].key == 0) i++;
  return workspace->kernels[i].traits;
}

// The least shared memory with which a scan of n elements is launched on such a device.
static uint32_t least_granted(scan_kernel_traits traits, int multiprocessors, size_t size,
                              uint32_t kind, size_t n) {
  scan_family family;
  scan_device_launch_ launch;
  scan_call call;
  memset(&family, 0, sizeof family);
  family.in.size = family.element.size = family.out.size = (uint32_t)size;
  family.segmented = kind != 0;
  memset(&call, 0, sizeof call);
  call.n = n;
  call.out = &call; /* no reduction */
  call.segments.kind = kind;
  traits.shared_limit = 0;
  do traits.shared_limit += granted_apart;
  while (scan_device_cut_(&call, &launch, &family, false, multiprocessors, &traits) != cudaSuccess);
  return traits.shared_limit;
}

// The least, or what the device grants at most, or something between them.
static uint32_t draw_granted(uint32_t least, uint32_t most) {
  return test_below(2) == 0 ? least : least + (uint32_t)test_below(most - least + 1);
}

// More elements than short tiles take.
static size_t draw_piped(size_t size) {
  return segmented_short_most(size) + 1 + test_below(tiles_most * (size_t)SCAN_TILE_(size));
}

static void check_plain(const test_family *family) {
  const size_t size = family->size;
  const size_t most = segmented_short_most(size) + (tiles_most + 1) * (size_t)SCAN_TILE_(size);
  device_fixture fixture;
  device_fixture_make(&fixture, most * size);
  for (size_t round = 0; round < ROUNDS; round++) {
    device_call call = device_random_call(family, (int)test_below(4), (unsigned)test_below(16));
    const size_t n = draw_piped(size);
    scan_kernel_traits here;
    uint32_t least;
    device_fixture_draw_schedule(&fixture);
    MUST(scan_workspace_destroy(fixture.workspace)); /* a fresh one, which asks the device */
    fixture.workspace = NULL;
    device_fixture_provide(&fixture, family, most);
    family->generate(fixture.elements, n + 2);
    device_check(&fixture, family, 1, &call); /* makes the kernel known */
    here = known_traits(fixture.workspace);
    least = least_granted(here, fixture.workspace->multiprocessors, size, 0, n);
    grant(fixture.workspace, least - granted_apart);
    CHECK_CODE(
        device_dispatch(family, fixture.workspace, test_buffer_data(&fixture.input),
                        test_buffer_data(&fixture.output), n, &call, NULL, NULL, fixture.stream),
        cudaErrorLaunchOutOfResources);
    grant(fixture.workspace, draw_granted(least, here.shared_limit));
    device_check(&fixture, family, n, &call);
  }
  device_fixture_free(&fixture);
}

static void check_segmented(const segmented_family *family) {
  const size_t size = family->size;
  const size_t most = segmented_short_most(size) + (tiles_most + 1) * (size_t)SCAN_TILE_(size);
  const size_t tile = SCAN_TILE_(size);
  segmented_fixture fixture;
  segmented_fixture_make(&fixture, most, most * size);
  for (size_t round = 0; round < ROUNDS; round++) {
    segmented_call call = segmented_random_call(family);
    const size_t n = draw_piped(size);
    scan_kernel_traits here;
    uint32_t least;
    segmented_fixture_provide(&fixture, family);
    segmented_draw_call(&fixture, &call, test_below(6), (int)test_below(segmented_patterns), n,
                        &tile, 1);
    segmented_check(&fixture, family, 1, &call);
    here = known_traits(fixture.workspace);
    least = least_granted(here, fixture.workspace->multiprocessors, size, call.kind, n);
    grant(fixture.workspace, draw_granted(least, here.shared_limit));
    segmented_check(&fixture, family, n, &call);
  }
  segmented_fixture_free(&fixture);
}

int main(void) {
  test_begin("stages_test");
  check_plain(&test_family_interval_4_merge_4);
  check_plain(&test_family_interval_64_merge_64);
  check_segmented(&segmented_family_4);
  check_segmented(&segmented_family_20);
  return test_end(
      "narrow and wide, plain and in segments: with the least shared memory all is equal to the "
      "fold, with less there is an error");
}
