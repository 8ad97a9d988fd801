// Quicksort of all pieces at once: in every round one scan partitions each piece around its pivot.
//
// A piece is a run of places that some keys share: at first one piece has all keys. A round splits
// it into the keys below its pivot, those equal to it and those above, which are pieces of the next
// round. How many keys of the piece before a place are below their pivots is the difference of two
// running counts, one at the place and one where the piece begins: one scan serves all pieces.
#include "examples/example.h"
#include "scan/scan.h"

typedef struct {
  uint32_t below, equal;
} counts;

SCAN_OPERATOR counts add(counts earlier, counts later) {
  counts sum;
  sum.below = earlier.below + later.below;
  sum.equal = earlier.equal + later.equal;
  return sum;
}
SCAN_DEFINE(counts, add, {0, 0})

// A key and its piece, the places from begin to end - 1.
typedef struct {
  uint32_t key, begin, end;
} item;

// before has n + 1 elements: what comes before each place, and what there is in all.
typedef struct {
  const item *from;
  item *to;
  counts *before;
  uint32_t n;
} partition;

// The key in the middle of the piece, which splits sorted pieces well, too.
SCAN_DEVICE uint32_t pivot_of(const item *items, item of) {
  return items[of.begin + (of.end - of.begin) / 2].key;
}

SCAN_KERNEL(count_keys, partition, p) {
  const size_t index = EXAMPLE_INDEX;
  if (index < p.n) {
    const item own = p.from[index];
    const uint32_t pivot = pivot_of(p.from, own);
    p.before[index].below = own.key < pivot;
    p.before[index].equal = own.key == pivot;
  }
}

SCAN_KERNEL(move_keys, partition, p) {
  const uint32_t index = (uint32_t)EXAMPLE_INDEX;
  if (index < p.n) {
    item own = p.from[index];
    const uint32_t pivot = pivot_of(p.from, own);
    const counts begin = p.before[own.begin], here = p.before[index], end = p.before[own.end];
    const uint32_t below = here.below - begin.below, equal = here.equal - begin.equal;
    const uint32_t above = index - own.begin - below - equal;
    const uint32_t first_equal = own.begin + (end.below - begin.below);
    const uint32_t first_above = first_equal + (end.equal - begin.equal);
    if (own.key < pivot) {
      own.end = first_equal;
      p.to[own.begin + below] = own;
    } else if (own.key == pivot) {
      own.begin = first_equal;
      own.end = first_above;
      p.to[first_equal + equal] = own;
    } else {
      own.begin = first_above;
      p.to[first_above + above] = own;
    }
  }
}

// Sorts keys in host memory and gives the number of rounds.
static unsigned quicksort(uint32_t *keys, uint32_t n) {
  const size_t bytes = n * sizeof(item);
  item *items = (item *)example_allocate(bytes), *device_items[2];
  partition p;
  scan_workspace *workspace;
  scan_counts_add_options options = scan_counts_add_options_default();
  unsigned rounds = 0;
  for (uint32_t i = 0; i < n; i++) {
    items[i].key = keys[i];
    items[i].begin = 0;
    items[i].end = n;
  }
  device_items[0] = (item *)example_to_device(items, bytes);
  device_items[1] = (item *)example_device_memory(bytes);
  p.before = (counts *)example_device_memory((n + (size_t)1) * sizeof(counts));
  p.n = n;
  EXAMPLE_CHECK(scan_workspace_create(&workspace, scan_counts_add_workspace_bytes(n), 0));
  options.exclusive = 1;
  options.total = p.before + n;
  // The pieces lie in order; once every key equals its pivot, so do the keys.
  for (;; rounds++) {
    counts all;
    p.from = device_items[rounds % 2];
    p.to = device_items[(rounds + 1) % 2];
    EXAMPLE_LAUNCH_EACH(count_keys, n, p);
    EXAMPLE_CHECK(scan_counts_add_run(workspace, p.before, p.before, n, options, 0));
    EXAMPLE_CHECK(cudaMemcpy(&all, p.before + n, sizeof all, cudaMemcpyDeviceToHost));
    if (all.equal == n) break;
    EXAMPLE_LAUNCH_EACH(move_keys, n, p);
  }
  EXAMPLE_CHECK(cudaMemcpy(items, p.from, bytes, cudaMemcpyDeviceToHost));
  for (uint32_t i = 0; i < n; i++) keys[i] = items[i].key;
  EXAMPLE_CHECK(scan_workspace_destroy(workspace));
  EXAMPLE_CHECK(cudaFree(device_items[0]));
  EXAMPLE_CHECK(cudaFree(device_items[1]));
  EXAMPLE_CHECK(cudaFree(p.before));
  free(items);
  return rounds;
}

static int compare_keys(const void *left, const void *right) {
  const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

// Sorts n keys, of at most `different` values, and compares them with what qsort gives.
static unsigned check(uint32_t n, uint32_t different, bool sorted, uint64_t seed) {
  const size_t bytes = n * sizeof(uint32_t);
  uint32_t *keys = (uint32_t *)example_allocate(bytes);
  uint32_t *expected = (uint32_t *)example_allocate(bytes);
  uint64_t state = seed;
  unsigned rounds;
  for (uint32_t i = 0; i < n; i++) keys[i] = example_random(&state) % different;
  memcpy(expected, keys, bytes);
  qsort(expected, n, sizeof(uint32_t), compare_keys);
  if (sorted) memcpy(keys, expected, bytes);
  rounds = quicksort(keys, n);
  example_compare("quicksort", seed, keys, expected, n);
  free(keys);
  free(expected);
  return rounds;
}

int main(void) {
  const uint64_t seed = example_seed();
  uint64_t state = seed;
  const uint32_t n = 20000 + example_random(&state) % 20000;
  const unsigned rounds = check(n, UINT32_MAX, false, seed);
  check(n, UINT32_MAX, true, seed);
  check(n, 3, false, seed);
  check(n, 1, false, seed);
  check(2, UINT32_MAX, false, seed);
  check(1, UINT32_MAX, false, seed);
  check(0, UINT32_MAX, false, seed);
  printf(
      "quicksort: %lu keys in %u rounds; sorted keys, few values, equal keys and no keys, too: all "
      "as by qsort (seed %llu; %s)\n",
      (unsigned long)n, rounds, (unsigned long long)seed, example_device());
  return EXIT_SUCCESS;
}
