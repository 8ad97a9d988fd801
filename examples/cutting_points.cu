// Serves requests of unequal length from one supply, all at once: running sums are where to cut.
//
// The inclusive scan gives the end of each section and the exclusive scan its beginning, be it of
// memory, ground or bread. Then nobody has to wait for those before: each section is handed out by
// itself, and the first request that the supply does not cover ends the serving.
#include "examples/example.h"
#include "scan/scan.h"

SCAN_OPERATOR_ADD(uint32_t, add)
SCAN_DEFINE_AS(cuts, uint32_t, add, 0)

// owners has an element for each unit of the supply, the other arrays one for each request.
typedef struct {
  const uint32_t *begins, *ends;
  uint32_t *owners;
  uint32_t requests, supply;
} serving;

SCAN_KERNEL(hand_out, serving, s) {
  const size_t index = EXAMPLE_INDEX;
  if (index < s.requests && s.ends[index] <= s.supply) {
    for (uint32_t i = s.begins[index]; i < s.ends[index]; i++) s.owners[i] = (uint32_t)index;
  }
}

// For each unit of the supply, who gets it, or UINT32_MAX; in host memory.
static uint32_t *serve(const uint32_t *requests, uint32_t count, uint32_t supply) {
  const size_t bytes = count * sizeof(uint32_t);
  uint32_t *wanted = (uint32_t *)example_to_device(requests, bytes), *owners;
  uint32_t *begins = (uint32_t *)example_device_memory(bytes);
  uint32_t *ends = (uint32_t *)example_device_memory(bytes);
  scan_workspace *workspace;
  serving s;
  s.begins = begins;
  s.ends = ends;
  s.owners = (uint32_t *)example_device_memory(supply * sizeof(uint32_t));
  s.requests = count;
  s.supply = supply;
  EXAMPLE_CHECK(scan_workspace_create(&workspace, cuts_workspace_bytes(count), 0));
  EXAMPLE_CHECK(cuts_exclusive(workspace, wanted, begins, count, 0));
  EXAMPLE_CHECK(cuts_inclusive(workspace, wanted, ends, count, 0));
  EXAMPLE_LAUNCH_EACH(hand_out, count, s);
  owners = (uint32_t *)example_to_host(s.owners, supply * sizeof(uint32_t));
  EXAMPLE_CHECK(scan_workspace_destroy(workspace));
  EXAMPLE_CHECK(cudaFree(wanted));
  EXAMPLE_CHECK(cudaFree(begins));
  EXAMPLE_CHECK(cudaFree(ends));
  EXAMPLE_CHECK(cudaFree(s.owners));
  return owners;
}

// Cuts one section after the other, and compares; gives the number of those served.
static uint32_t check(const uint32_t *requests, uint32_t count, uint32_t supply, uint64_t seed) {
  uint32_t *owners = serve(requests, count, supply);
  uint32_t *expected = (uint32_t *)example_allocate(supply * sizeof(uint32_t));
  uint32_t served = 0, cut = 0;
  memset(expected, 0xff, supply * sizeof(uint32_t));
  for (; served < count && requests[served] <= supply - cut; served++) {
    for (uint32_t i = 0; i < requests[served]; i++) expected[cut++] = served;
  }
  example_compare("cutting_points", seed, owners, expected, supply);
  free(owners);
  free(expected);
  return served;
}

int main(void) {
  enum { REQUESTS = 100000 };
  const uint64_t seed = example_seed();
  uint32_t *requests = (uint32_t *)example_allocate(REQUESTS * sizeof(uint32_t));
  uint32_t total = 0, served;
  uint64_t state = seed;
  // Many ask for little, some for nothing and a few for much.
  for (uint32_t i = 0; i < REQUESTS; i++) {
    const uint32_t most = example_random(&state) % 64 == 0 ? 1000 : 4;
    requests[i] = example_random(&state) % most;
    total += requests[i];
  }
  served = check(requests, REQUESTS, total / 2 + example_random(&state) % (total / 2), seed);
  check(requests, REQUESTS, total, seed);
  check(requests, REQUESTS, total + 15, seed);
  check(requests, REQUESTS, 0, seed);
  check(requests, 0, total, seed);
  printf(
      "cutting_points: %lu of %d requests served, then all, with nothing and with something left, "
      "as by one cut after the other (seed %llu; %s)\n",
      (unsigned long)served, REQUESTS, (unsigned long long)seed, example_device());
  free(requests);
  return EXIT_SUCCESS;
}
