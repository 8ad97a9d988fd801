// Run-length encoding, and back: each run of equal values becomes the value and the run's length.
//
// Encoding: a value unlike the one before it begins a run; the running count of beginnings numbers
// the runs. Decoding: the running sum of the lengths says where each run begins, and the running
// maximum of the run numbers written there spreads each over its run.
#include "examples/example.h"
#include "scan/scan.h"

SCAN_OPERATOR_ADD(uint32_t, add)
SCAN_DEFINE_AS(sums, uint32_t, add, 0)
SCAN_OPERATOR_MAXIMUM(uint32_t, maximum)
SCAN_DEFINE_AS(maxima, uint32_t, maximum, 0)

// n values in runs; scratch has n elements; values, lengths and begins have room for n.
typedef struct {
  const uint32_t *in;
  uint32_t *out, *scratch, *values, *lengths, *begins;
  uint32_t n, runs;
} coding;

SCAN_DEVICE uint32_t begins_run(const coding *c, size_t index) {
  return index == 0 || c->in[index] != c->in[index - 1];
}

SCAN_KERNEL(flag_begins, coding, c) {
  const size_t index = EXAMPLE_INDEX;
  if (index < c.n) c.scratch[index] = begins_run(&c, index);
}

// scratch[index] is the number of runs up to here, this one with them.
SCAN_KERNEL(note_begins, coding, c) {
  const size_t index = EXAMPLE_INDEX;
  if (index < c.n && begins_run(&c, index)) {
    c.values[c.scratch[index] - 1] = c.in[index];
    c.begins[c.scratch[index] - 1] = (uint32_t)index;
  }
}

SCAN_KERNEL(measure_runs, coding, c) {
  const size_t run = EXAMPLE_INDEX;
  if (run < c.runs) {
    c.lengths[run] = (run + 1 < c.runs ? c.begins[run + 1] : c.n) - c.begins[run];
  }
}

SCAN_KERNEL(number_begins, coding, c) {
  const size_t run = EXAMPLE_INDEX;
  if (run < c.runs) c.scratch[c.begins[run]] = (uint32_t)run;
}

SCAN_KERNEL(write_values, coding, c) {
  const size_t index = EXAMPLE_INDEX;
  if (index < c.n) c.out[index] = c.values[c.scratch[index]];
}

// From c->in to c->values, c->lengths and c->runs.
static void encode(coding *c, scan_workspace *workspace) {
  c->runs = 0;
  EXAMPLE_LAUNCH_EACH(flag_begins, c->n, *c);
  EXAMPLE_CHECK(sums_inclusive(workspace, c->scratch, c->scratch, c->n, 0));
  EXAMPLE_LAUNCH_EACH(note_begins, c->n, *c);
  if (c->n > 0) {
    EXAMPLE_CHECK(
        cudaMemcpy(&c->runs, c->scratch + c->n - 1, sizeof c->runs, cudaMemcpyDeviceToHost));
  }
  EXAMPLE_LAUNCH_EACH(measure_runs, c->runs, *c);
}

// From c->values, c->lengths and c->runs to c->out.
static void decode(coding *c, scan_workspace *workspace) {
  EXAMPLE_CHECK(sums_exclusive(workspace, c->lengths, c->begins, c->runs, 0));
  EXAMPLE_CHECK(cudaMemset(c->scratch, 0, c->n * sizeof(uint32_t)));
  EXAMPLE_LAUNCH_EACH(number_begins, c->runs, *c);
  EXAMPLE_CHECK(maxima_inclusive(workspace, c->scratch, c->scratch, c->n, 0));
  EXAMPLE_LAUNCH_EACH(write_values, c->n, *c);
}

// Encodes and decodes n values in runs of up to `longest`; gives the number of runs.
static uint32_t check(uint32_t n, uint32_t longest, uint64_t seed) {
  const size_t bytes = n * sizeof(uint32_t);
  uint32_t *in = (uint32_t *)example_allocate(bytes), *computed, runs = 0;
  uint32_t *values = (uint32_t *)example_allocate(bytes);
  uint32_t *lengths = (uint32_t *)example_allocate(bytes);
  scan_workspace *workspace;
  coding c;
  uint64_t state = seed;
  for (uint32_t i = 0; i < n; runs++) {
    const uint32_t drawn = longest == n ? n : 1 + example_random(&state) % longest;
    lengths[runs] = drawn < n - i ? drawn : n - i;
    // Neighbouring runs differ, and far ones may be alike.
    values[runs] = (runs == 0 ? 0 : values[runs - 1]) + 1 + example_random(&state) % 3;
    values[runs] %= 5;
    for (uint32_t end = i + lengths[runs]; i < end; i++) in[i] = values[runs];
  }
  c.in = (uint32_t *)example_to_device(in, bytes);
  c.out = (uint32_t *)example_device_memory(bytes);
  c.scratch = (uint32_t *)example_device_memory(bytes);
  c.values = (uint32_t *)example_device_memory(bytes);
  c.lengths = (uint32_t *)example_device_memory(bytes);
  c.begins = (uint32_t *)example_device_memory(bytes);
  c.n = n;
  EXAMPLE_CHECK(scan_workspace_create(&workspace, sums_workspace_bytes(n), 0));

  encode(&c, workspace);
  example_compare("run_length, number of runs", seed, &c.runs, &runs, 1);
  computed = (uint32_t *)example_to_host(c.values, bytes);
  example_compare("run_length, values", seed, computed, values, runs);
  free(computed);
  computed = (uint32_t *)example_to_host(c.lengths, bytes);
  example_compare("run_length, lengths", seed, computed, lengths, runs);
  free(computed);
  decode(&c, workspace);
  computed = (uint32_t *)example_to_host(c.out, bytes);
  example_compare("run_length, decoded", seed, computed, in, n);
  free(computed);

  EXAMPLE_CHECK(scan_workspace_destroy(workspace));
  EXAMPLE_CHECK(cudaFree((void *)c.in));
  EXAMPLE_CHECK(cudaFree(c.out));
  EXAMPLE_CHECK(cudaFree(c.scratch));
  EXAMPLE_CHECK(cudaFree(c.values));
  EXAMPLE_CHECK(cudaFree(c.lengths));
  EXAMPLE_CHECK(cudaFree(c.begins));
  free(in);
  free(values);
  free(lengths);
  return runs;
}

int main(void) {
  const uint64_t seed = example_seed();
  uint64_t state = seed;
  const uint32_t n = 100000 + example_random(&state) % 100000;
  const uint32_t runs = check(n, 100, seed);
  check(n, 1, seed);
  check(n, n, seed);
  check(1, 1, seed);
  check(0, 1, seed);
  printf(
      "run_length: %lu values in %lu runs, in as many and in one, encoded as they were made and "
      "decoded again (seed %llu; %s)\n",
      (unsigned long)n, (unsigned long)runs, (unsigned long long)seed, example_device());
  return EXIT_SUCCESS;
}
