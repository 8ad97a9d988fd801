// fused_test.cu: scans with load and store, of types of many widths: an operator that is defined
// for adjacent runs alone, loads and stores that know what stands at every index.
#include "tests/device_case.h"

// What is drawn anew for every test, on host and device.
static uint64_t salt_on_host;
#if defined(__CUDACC__)
static __device__ uint64_t salt_on_device;
#endif
static void draw_salt(void) {
  salt_on_host = test_random();
#if defined(__CUDACC__)
  MUST(cudaMemcpyToSymbol(salt_on_device, &salt_on_host, sizeof salt_on_host, 0,
                          cudaMemcpyHostToDevice));
#endif
}

// Bits that belong to an index, for a purpose.
SCAN_OPERATOR uint64_t bits_of(size_t index, uint32_t purpose) {
#if defined(__CUDA_ARCH__)
  uint64_t bits = salt_on_device;
#else
  uint64_t bits = salt_on_host;
#endif
  bits += (uint64_t)index * 0x9E3779B97F4A7C15u + purpose * 0xD1B54A32D192ED03u;
  bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
  return bits ^ bits >> 27;
}

// What comes in and goes out: bytes, of an alignment.
#define BYTES(width, alignment)                                                                   \
  typedef struct bytes_##width {                                                                  \
    TEST_ALIGNAS(alignment) uint8_t byte[width];                                                  \
  } bytes_##width;                                                                                \
  SCAN_OPERATOR bytes_##width in_##width(size_t index) {                                          \
    bytes_##width made;                                                                           \
    for (int i = 0; i < width; i++) made.byte[i] = (uint8_t)(bits_of(index, i / 8) >> i % 8 * 8); \
    return made;                                                                                  \
  }                                                                                               \
  /* Nothing but what stands at this index may come in there. */                                  \
  SCAN_OPERATOR void expect_##width(bytes_##width in, size_t index) {                             \
    const bytes_##width wanted = in_##width(index);                                               \
    int same = 1;                                                                                 \
    for (int i = 0; i < width; i++) same &= in.byte[i] == wanted.byte[i];                         \
    if (!same) operator_misused();                                                                \
  }
BYTES(1, 1)
BYTES(2, 2)
BYTES(3, 1)
BYTES(4, 4)
BYTES(8, 8)
BYTES(12, 4)
BYTES(16, 16)
BYTES(20, 1)
BYTES(64, 8)

// FUSED(in, width, out): scans of intervals of `width` bytes, which are made of `in` bytes and
// their place, and of which `out` bytes are made that belong to both and to what came in.
#define FUSED(in, width, out)                                                                    \
  SCAN_OPERATOR interval_##width load_##in##_##width##_##out(bytes_##in came, size_t index) {    \
    expect_##in(came, index);                                                                    \
    return interval_##width##_make(bits_of(index, 99) % interval_##width##_limit,                \
                                   bits_of(index + 1, 99) % interval_##width##_limit);           \
  }                                                                                              \
  SCAN_OPERATOR bytes_##out store_##in##_##width##_##out(interval_##width scanned,               \
                                                         bytes_##in came, size_t index) {        \
    const uint64_t bits = (interval_##width##_begin(scanned) * 0x9E3779B97F4A7C15u +             \
                           interval_##width##_end(scanned) + came.byte[(in)-1]) *                \
                          0xBF58476D1CE4E5B9u;                                                   \
    bytes_##out given = in_##out(index + 1);                                                     \
    expect_##in(came, index);                                                                    \
    operator_stores_one();                                                                       \
    for (int i = 0; i < (out); i++) given.byte[i] ^= (uint8_t)(bits >> (i + 4) % 8 * 8);         \
    return given;                                                                                \
  }                                                                                              \
  SCAN_DEFINE_FUSED(fused_##in##_##width##_##out, bytes_##in, interval_##width, bytes_##out,     \
                    load_##in##_##width##_##out, merge_##width, store_##in##_##width##_##out,    \
                    INTERVAL_POISON_##width)                                                     \
  static void fused_##in##_##width##_##out##_load(void *x, const void *in_, size_t index) {      \
    interval_##width loaded;                                                                     \
    bytes_##in came;                                                                             \
    memcpy(&came, in_, sizeof came);                                                             \
    loaded = load_##in##_##width##_##out(came, index);                                           \
    memcpy(x, &loaded, sizeof loaded);                                                           \
  }                                                                                              \
  static void fused_##in##_##width##_##out##_store(void *out_, const void *scanned_,             \
                                                   const void *in_, size_t index) {              \
    interval_##width scanned;                                                                    \
    bytes_##in came;                                                                             \
    bytes_##out given;                                                                           \
    memcpy(&scanned, scanned_, sizeof scanned);                                                  \
    memcpy(&came, in_, sizeof came);                                                             \
    given = store_##in##_##width##_##out(scanned, came, index);                                  \
    memcpy(out_, &given, sizeof given);                                                          \
  }                                                                                              \
  static void fused_##in##_##width##_##out##_generate(void *elements, size_t count) {            \
    unsigned char *at = (unsigned char *)elements;                                               \
    const size_t n = count - 2;                                                                  \
    const interval_##width before = interval_##width##_make(                                     \
        test_below(interval_##width##_limit), bits_of(0, 99) % interval_##width##_limit);        \
    const interval_##width after = interval_##width##_make(                                      \
        bits_of(n, 99) % interval_##width##_limit, test_below(interval_##width##_limit));        \
    memcpy(at, &before, sizeof before);                                                          \
    at += sizeof before;                                                                         \
    for (size_t i = 0; i < n; i++) {                                                             \
      const bytes_##in made = in_##in(i);                                                        \
      memcpy(at + i * sizeof made, &made, sizeof made);                                          \
    }                                                                                            \
    memcpy(at + n * sizeof(bytes_##in), &after, sizeof after);                                   \
  }                                                                                              \
  TEST_FAMILY_FACE(fused_##in##_##width##_##out, fused_##in##_##width##_##out, bytes_##in,       \
                   interval_##width, bytes_##out, merge_##width,                                 \
                   fused_##in##_##width##_##out##_generate, fused_##in##_##width##_##out##_load, \
                   fused_##in##_##width##_##out##_store, INTERVAL_POISON_##width)

// The widest is what comes in, what is scanned, what goes out; two are, or all are alike.
#define LIST_IN(X) X(8, 2, 2) X(16, 1, 8) X(64, 20, 12)
#define LIST_BETWEEN(X) X(1, 8, 4) X(3, 12, 3) X(16, 32, 16) X(2, 64, 1)
#define LIST_OUT(X) X(12, 3, 20) X(1, 1, 64)
#define LIST_TWO(X) X(1, 2, 1) X(4, 4, 1)
#define LIST_ALL(X) X(4, 4, 4) X(3, 3, 3)
#define LIST(X) LIST_IN(X) LIST_BETWEEN(X) LIST_OUT(X) LIST_TWO(X) LIST_ALL(X)
LIST(FUSED)

#define FACE(in, width, out) &test_family_fused_##in##_##width##_##out,
static const test_family *const families[] = {LIST(FACE)};

// Arrays are as large and as aligned as their own types, and may be one if these are as wide.
static void check_errors(void) {
  enum { n = 1000 };
  unsigned char *memory;
  scan_workspace *workspace;
  bytes_4 *in;
  bytes_1 *out;
  interval_4 *ends;
  fused_4_4_1_options options = fused_4_4_1_options_default();
  test_case("bad input of a fused scan");
  MUST(cudaMalloc((void **)&memory, 16 * n));
  MUST(scan_workspace_create(&workspace, fused_4_4_1_workspace_bytes(n), 0));
  in = (bytes_4 *)memory;
  out = (bytes_1 *)(memory + 4 * n);
  ends = (interval_4 *)(memory + 8 * n);
  MUST(cudaMemset(memory, test_poison, 16 * n));
  CHECK_CODE(fused_4_4_1_inclusive(workspace, in, (bytes_1 *)in, n, 0), cudaErrorInvalidValue);
  CHECK_CODE(fused_4_4_1_inclusive(workspace, in, out - 1, n, 0), cudaErrorInvalidValue);
  CHECK_CODE(fused_4_4_1_inclusive(workspace, in, (bytes_1 *)in + 1, n, 0), cudaErrorInvalidValue);
  CHECK_CODE(fused_4_4_1_inclusive(workspace, (bytes_4 *)(memory + 1), out, n - 1, 0),
             cudaErrorMisalignedAddress);
  CHECK_CODE(fused_4_4_1_inclusive(workspace, NULL, out, n, 0), cudaErrorInvalidValue);
  CHECK_CODE(fused_4_4_1_reduce(workspace, in, NULL, n, 0), cudaErrorInvalidValue);
  CHECK_CODE(fused_4_4_1_reduce(workspace, in, (interval_4 *)(memory + 8 * n + 1), n, 0),
             cudaErrorMisalignedAddress);
  options.total = (interval_4 *)(memory + 4 * n - 4);
  CHECK_CODE(fused_4_4_1_run(workspace, in, out, n, options, 0), cudaErrorInvalidValue);
  options.total = (interval_4 *)(memory + 5 * n - 4);
  CHECK_CODE(fused_4_4_1_run(workspace, in, out, n, options, 0), cudaErrorInvalidValue);
  options.total = NULL;
  options.seed = (interval_4 *)(memory + 4 * n);
  CHECK_CODE(fused_4_4_1_run(workspace, in, out, n, options, 0), cudaErrorInvalidValue);
  CHECK_CODE(fused_4_4_1_inclusive(workspace, in, out, SIZE_MAX / 4 + 1, 0), cudaErrorInvalidValue);
  CHECK_CODE(scan_workspace_destroy(workspace), cudaSuccess);
  MUST(scan_workspace_create(&workspace, fused_2_64_1_workspace_bytes(1000000) - 1, 0));
  CHECK_CODE(fused_2_64_1_inclusive(workspace, (bytes_2 *)in, (bytes_1 *)in + 2000000, 1000000, 0),
             cudaErrorLaunchOutOfResources);
  MUST(cudaDeviceSynchronize());
  {
    unsigned char *got = (unsigned char *)test_allocate(16 * n);
    MUST(cudaMemcpy(got, memory, 16 * n, cudaMemcpyDeviceToHost));
    CHECK(test_all_bytes(got, 16 * n, test_poison), "a rejected call has written");
    free(got);
  }
  /* Arrays side by side are well, and so is nothing. */
  draw_salt();
  {
    bytes_4 given[n];
    for (size_t i = 0; i < n; i++) given[i] = in_4(i);
    MUST(cudaMemcpy(in, given, sizeof given, cudaMemcpyHostToDevice));
  }
  CHECK_CODE(fused_4_4_1_inclusive(workspace, in, out, n, 0), cudaSuccess);
  CHECK_CODE(fused_4_4_1_reduce(workspace, in, ends, n, 0), cudaSuccess);
  CHECK_CODE(fused_4_4_1_inclusive(workspace, NULL, NULL, 0, 0), cudaSuccess);
  MUST(cudaDeviceSynchronize());
  CHECK_CODE(scan_workspace_destroy(workspace), cudaSuccess);
  MUST(cudaFree(memory));
}

// Sums of floats that are taken and left as they are: the bits of the plain scan of the widest
// type.
SCAN_OPERATOR float add(float earlier, float later) { return earlier + later; }
SCAN_OPERATOR float as_it_comes(float x, size_t index) {
  (void)index;
  return x;
}
SCAN_OPERATOR float as_it_goes(float scanned, float x, size_t index) {
  (void)x;
  (void)index;
  return scanned;
}
SCAN_DEFINE_AS(plain, float, add, 0.0f)
SCAN_DEFINE_FUSED(through, float, float, float, as_it_comes, add, as_it_goes, 0.0f)

static void check_bits(void) {
  static const size_t sizes[] = {1, 77, 2000, 70000, 300001, 2500001};
  const size_t most = sizes[TEST_SCALE < 1 ? 3 : 5];  // through the pipeline
  float *values = (float *)test_allocate(most * sizeof(float));
  float *results = (float *)test_allocate(2 * most * sizeof(float));
  float *in, *out, *ends;
  float totals[2];
  scan_workspace *workspace;
  for (size_t i = 0; i < most; i++) values[i] = (float)test_below(1 << 20) / 1048576.0f;
  MUST(cudaMalloc((void **)&in, most * sizeof(float)));
  MUST(cudaMalloc((void **)&out, 2 * most * sizeof(float)));
  MUST(cudaMalloc((void **)&ends, sizeof totals));
  MUST(cudaMemcpy(in, values, most * sizeof(float), cudaMemcpyHostToDevice));
  MUST(scan_workspace_create(&workspace, plain_workspace_bytes(most), 0));
  for (size_t k = 0; k < TEST_COUNT(sizes) && sizes[k] <= most; k++) {
    const size_t n = sizes[k];
    for (int form = 0; form < 4; form++) {
      plain_options a = plain_options_default();
      through_options b = through_options_default();
      a.exclusive = b.exclusive = form & 1;
      a.reverse = b.reverse = form >> 1;
      a.total = &ends[0];
      test_case("the bits of %zu floats, form %d", n, form);
      CHECK_CODE(plain_run(workspace, in, out, n, a, 0), cudaSuccess);
      CHECK_CODE(through_run(workspace, in, out + n, n, b, 0), cudaSuccess);
      CHECK_CODE(through_reduce(workspace, in, &ends[1], n, 0), cudaSuccess);
      MUST(cudaDeviceSynchronize());
      MUST(cudaMemcpy(results, out, 2 * n * sizeof(float), cudaMemcpyDeviceToHost));
      MUST(cudaMemcpy(totals, ends, sizeof totals, cudaMemcpyDeviceToHost));
      CHECK_SAME("fused and plain give the same bits", results + n, results, sizeof(float), n);
      if (!a.reverse)
        CHECK_SAME("so do total and reduction", &totals[1], &totals[0], sizeof(float), 1);
    }
  }
  CHECK_CODE(scan_workspace_destroy(workspace), cudaSuccess);
  MUST(cudaFree(ends));
  MUST(cudaFree(out));
  MUST(cudaFree(in));
  free(results);
  free(values);
}

int main(void) {
  test_begin("fused_test");
  draw_salt();
  check_errors();
  check_bits();
  draw_salt();
  device_families_test(families, TEST_COUNT(families), 4.0e5);
  return test_end(
      "%u fused scans from and to 1 to 64 bytes: load and store met what stands at each index, "
      "every element was stored once, the operator met adjacent runs only, all is equal to the "
      "fold, and floats have the bits of a plain scan",
      (unsigned)TEST_COUNT(families));
}
