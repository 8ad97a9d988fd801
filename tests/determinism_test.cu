// determinism_test.cu: the bits of a scan depend on n, width and kind alone: not on run, schedule,
// grid, alignment or machine.
//
// The operators are not associative, so every change of the association shows. Their bits are the
// same on every machine: integers; sums of floats, which no compiler may contract; affine maps of
// floats whose scales are powers of two and telescope, so that each product is exact and a
// contracted multiply-add rounds as the two operations do. SCAN_TEST_DIGESTS=1 in the environment
// prints the table of digests to be committed in determinism_digests.h.
#include "tests/device_case.h"
#include "tests/determinism_digests.h"

#define STAMP(width) TEST_FAMILY(tree_##width, graft_##width, tree_##width##_generate, {{1}})
TREE_LIST(STAMP)

SCAN_OPERATOR float add_float(float earlier, float later) { return earlier + later; }
SCAN_OPERATOR double add_double(double earlier, double later) { return earlier + later; }
static void float_sum_generate(void *elements, size_t count) {
  float *out = (float *)elements;
  size_t i;
  for (i = 0; i < count; i++) {
    out[i] = (float)((int64_t)test_below(1u << 24) - (1 << 23)) / (float)(1u << test_below(20));
  }
}
static void double_sum_generate(void *elements, size_t count) {
  double *out = (double *)elements;
  size_t i;
  for (i = 0; i < count; i++) {
    out[i] = (double)((int64_t)test_below((uint64_t)1 << 53) - ((int64_t)1 << 52)) /
             (double)(1u << test_below(30));
  }
}
TEST_FAMILY(float, add_float, float_sum_generate, 0.0f)
TEST_FAMILY(double, add_double, double_sum_generate, 0.0)

typedef struct affine_float {
  float scale;
  float offset;
} affine_float;
SCAN_OPERATOR affine_float compose_float(affine_float earlier, affine_float later) {
  affine_float composed;
  composed.scale = later.scale * earlier.scale;
  composed.offset = later.scale * earlier.offset + later.offset;
  return composed;
}
static void affine_float_generate(void *elements, size_t count) {
  affine_float *out = (affine_float *)elements;
  float here = 1.0f;
  size_t i;
  float_sum_generate(elements, count * 2);
  for (i = 0; i < count; i++) {
    float there = (float)(1u << test_below(7));
    out[i].scale = there / here;
    here = there;
  }
}
TEST_FAMILY(affine_float, compose_float, affine_float_generate, {1.0f, 0.0f})

static const test_family *const families[] = {
    &test_family_tree_1_graft_1,
    &test_family_tree_2_graft_2,
    &test_family_tree_3_graft_3,
    &test_family_tree_4_graft_4,
    &test_family_tree_8_graft_8,
    &test_family_tree_12_graft_12,
    &test_family_tree_16_graft_16,
    &test_family_tree_20_graft_20,
    &test_family_tree_32_graft_32,
    &test_family_tree_64_graft_64,
    &test_family_float_add_float,
    &test_family_double_add_double,
    &test_family_affine_float_compose_float,
};

static const size_t all_sizes[determinism_sizes] = {257, 9973, 200003, 1300021, 6000011};
enum { most_bytes = 25 << 20, forms = 6 };

// The forms whose outputs, one after the other, make the digest.
static device_call form_call(int form) {
  device_call call;
  memset(&call, 0, sizeof call);
  switch (form) {
    case 0:
      call.function = device_reduce;
      break;
    case 1:
      call.function = device_inclusive;
      break;
    case 2:
      call.function = device_exclusive;
      call.exclusive = 1;
      break;
    case 3:
      call.function = device_run;
      call.totalled = 1;
      break;
    case 4:
      call.function = device_run;
      call.exclusive = call.totalled = call.seeded = 1;
      break;
    default:
      call.function = device_run;
      call.reverse = call.totalled = call.seeded = 1;
      break;
  }
  return call;
}

// Runs one call and leaves the outputs in results: n elements, or one for a reduction, then the
// total, or zeros.
static void run_call(device_fixture *fixture, const test_family *family, size_t n,
                     const device_call *call, unsigned char *results) {
  size_t size = family->size;
  size_t out_count = call->function == device_reduce ? 1 : n;
  void *in;
  void *out;
  void *seed = NULL;
  void *total = NULL;
  device_fixture_provide(fixture, family, n);
  in = test_buffer_place(&fixture->input, call->in_shift, n * size, fixture->elements + size);
  out = call->in_place
            ? in
            : test_buffer_place(&fixture->output, call->out_shift, out_count * size, NULL);
  if (call->seeded) {
    seed = test_buffer_place(&fixture->seed, call->seed_shift, size,
                             fixture->elements + (call->reverse ? (n + 1) * size : 0));
  }
  if (call->totalled) total = test_buffer_place(&fixture->total, call->total_shift, size, NULL);
  CHECK_CODE(
      device_dispatch(family, fixture->workspace, in, out, n, call, seed, total, fixture->stream),
      cudaSuccess);
  MUST(cudaStreamSynchronize(fixture->stream));
  memcpy(results, test_buffer_fetch(call->in_place ? &fixture->input : &fixture->output, "out"),
         out_count * size);
  memset(results + out_count * size, 0, size);
  if (call->totalled) {
    memcpy(results + out_count * size, test_buffer_fetch(&fixture->total, "total"), size);
  }
}

// Everything that may not matter, drawn anew.
static void vary(device_fixture *fixture, const test_family *family, device_call *call) {
  call->in_place = call->function != device_reduce && test_below(4) == 0;
  call->in_shift = device_random_shift(family->alignment);
  call->out_shift = device_random_shift(family->alignment);
  call->seed_shift = device_random_shift(family->alignment);
  call->total_shift = device_random_shift(family->alignment);
  device_fixture_draw_schedule(fixture);
}

static uint64_t family_digest(device_fixture *fixture, const test_family *family, size_t n,
                              unsigned char *first, unsigned char *again) {
  uint64_t digest = 0;
  uint64_t random = test.random;
  size_t size = family->size;
  int form;
  TEST_ALIGNAS(16) unsigned char reduced[64];
  test.random = 20250101u + n;
  family->generate(fixture->elements, n + 2);
  test.random = random;
  for (form = 0; form < forms; form++) {
    device_call call = form_call(form);
    size_t out_count = call.function == device_reduce ? 1 : n;
    unsigned runs = n <= 10000 ? 6 : n <= 200000 ? 2 : 1;
    unsigned run;
    if (TEST_SCALE > 1) runs *= 4;
    test_case("%s n=%zu form %d", family->name, n, form);
#if defined(SCAN_TARGET_HOST)
    scan_host_schedule(0, 0, 0);
#endif
    run_call(fixture, family, n, &call, first);
    for (run = 0; run < runs; run++) {
      vary(fixture, family, &call);
      run_call(fixture, family, n, &call, again);
      test_case("%s n=%zu form %d run %u%s shifts in %zu out %zu seed %zu total %zu", family->name,
                n, form, run, call.in_place ? " in place" : "", call.in_shift, call.out_shift,
                call.seed_shift, call.total_shift);
      CHECK_SAME("the same bits in every run", again, first, size, out_count + 1);
    }
    if (form == 0) memcpy(reduced, first, size);
    if (call.totalled && !call.seeded) {
      CHECK_SAME("total == reduce, bit for bit", first + out_count * size, reduced, size, 1);
    }
    if (form == 1 && n > 2000) {
      TEST_ALIGNAS(16) unsigned char total[64];
      device_oracle(family, fixture->elements, n, &call, fixture->expected, total);
      CHECK(memcmp(fixture->expected, first, n * size) != 0,
            "the plain fold from left to right gives these bits too: the data shows nothing");
    }
    digest = (digest << 7 | digest >> 57) ^ test_digest(first, (out_count + 1) * size);
  }
  return digest;
}

// Checks the digests on the current device, or shows them, to be committed; *all: all of them in
// one. Returns how many there are.
static unsigned check_digests(bool show, uint64_t *all) {
  device_fixture fixture;
  unsigned char *first = (unsigned char *)test_allocate(most_bytes + 128);
  unsigned char *again = (unsigned char *)test_allocate(most_bytes + 128);
  size_t f;
  size_t s;
  unsigned digests = 0;
  device_fixture_make(&fixture, most_bytes);
  for (f = 0; f < TEST_COUNT(families); f++) {
    if (show) printf("    {");
    for (s = 0; s < determinism_sizes && all_sizes[s] <= TEST_ELEMENTS_MOST; s++) {
      uint64_t digest = 0;
      if (all_sizes[s] * families[f]->size <= most_bytes) {
        digest = family_digest(&fixture, families[f], all_sizes[s], first, again);
        digests++;
      }
      if (show) {
        printf("0x%016llXu%s", (unsigned long long)digest, s + 1 < determinism_sizes ? ", " : "},");
      } else {
        CHECK(digest == determinism_digests[f][s], "digest %016llx, committed %016llx",
              (unsigned long long)digest, (unsigned long long)determinism_digests[f][s]);
      }
      *all = *all * 31 + digest;
    }
    if (show) printf(" /* %s */\n", families[f]->name);
  }
  device_fixture_free(&fixture);
  free(first);
  free(again);
  return digests;
}

int main(void) {
  const bool show = getenv("SCAN_TEST_DIGESTS") != NULL;
  uint64_t all = 0;
  unsigned digests = 0;
  int devices = 0;
  test_begin("determinism_test");
  MUST(cudaGetDeviceCount(&devices));
  for (int device = 0; device < devices; device++) {
    MUST(cudaSetDevice(device));
    all = 0;
    digests = check_digests(show, &all);
  }
  return test_end(
      "%u digests of %u families equal those committed, on each of %d devices, all together "
      "%016llx",
      digests, (unsigned)TEST_COUNT(families), devices, (unsigned long long)all);
}
