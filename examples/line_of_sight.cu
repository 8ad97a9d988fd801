// Line of sight: which points along a ray can be seen from its start?
//
// A point is seen if the line to it is steeper than the lines to all points before it: an exclusive
// scan of the steepest line (Blelloch, Prefix Sums and Their Applications, 1990). Slopes are kept
// as fractions of whole numbers, so that the comparison is exact. They are made of the heights, and
// compared with what the scan gives, in the scan itself.
#include "examples/example.h"
#include "scan/scan.h"

// rise / run, run > 0; the identity {-1, 0} is less than all of them.
typedef struct {
  int32_t rise, run;
} slope;

SCAN_OPERATOR bool is_steeper(slope a, slope b) {
  return (int64_t)a.rise * b.run > (int64_t)b.rise * a.run;
}

SCAN_OPERATOR slope steepest(slope earlier, slope later) {
  return is_steeper(later, earlier) ? later : earlier;
}

// The line to a point that lies so high above the eye, at distance index + 1.
SCAN_OPERATOR slope slope_to(int32_t above, size_t index) {
  slope own;
  own.rise = above;
  own.run = (int32_t)index + 1;
  return own;
}

SCAN_OPERATOR uint32_t is_seen(slope before, int32_t above, size_t index) {
  return is_steeper(slope_to(above, index), before);
}
SCAN_DEFINE_FUSED(seen_points, int32_t, slope, uint32_t, slope_to, steepest, is_seen, {-1, 0})

// heights: of the eye, then of the n points at distances 1 ... n. For each of these 1 or 0; all in
// host memory.
static uint32_t *look(const int32_t *heights, uint32_t n) {
  int32_t *above = (int32_t *)example_allocate(n * sizeof(int32_t));
  scan_workspace *workspace;
  int32_t *points;
  uint32_t *seen;
  for (uint32_t i = 0; i < n; i++) above[i] = heights[i + 1] - heights[0];
  points = (int32_t *)example_to_device(above, n * sizeof(int32_t));
  free(above);
  // As wide as a height, so it takes their place.
  EXAMPLE_CHECK(scan_workspace_create(&workspace, seen_points_workspace_bytes(n), 0));
  EXAMPLE_CHECK(seen_points_exclusive(workspace, points, (uint32_t *)points, n, 0));
  seen = (uint32_t *)example_to_host(points, n * sizeof(uint32_t));
  EXAMPLE_CHECK(scan_workspace_destroy(workspace));
  EXAMPLE_CHECK(cudaFree(points));
  return seen;
}

// Compares with a walk along the ray that remembers the point with the steepest line so far; gives
// the number of points seen.
static uint32_t check(const int32_t *heights, uint32_t n, uint64_t seed) {
  uint32_t *seen = look(heights, n), count = 0;
  uint32_t *expected = (uint32_t *)example_allocate(n * sizeof(uint32_t));
  for (uint32_t i = 1, top = 0; i <= n; i++) {
    const int64_t rise = (int64_t)heights[i] - heights[0];
    const int64_t top_rise = (int64_t)heights[top] - heights[0];
    // Does the line of sight over the top pass below point i?
    expected[i - 1] = top == 0 || rise * top > top_rise * i;
    if (expected[i - 1] != 0) top = i;
    count += expected[i - 1];
  }
  example_compare("line_of_sight", seed, seen, expected, n);
  free(seen);
  free(expected);
  return count;
}

int main(void) {
  const uint64_t seed = example_seed();
  uint64_t state = seed;
  const uint32_t n = 100000 + example_random(&state) % 100000;
  int32_t *heights = (int32_t *)example_allocate((n + (size_t)1) * sizeof(int32_t));
  uint32_t seen, flat, bowl;
  // From a tower over rough land that becomes ever steeper.
  heights[0] = 5000;
  for (uint32_t i = 1; i <= n; i++) {
    heights[i] = (int32_t)((uint64_t)i * i >> 16) + (int32_t)(example_random(&state) % 2000);
  }
  seen = check(heights, n, seed);
  // On level ground only the first point is seen: those behind it lie on the same line.
  for (uint32_t i = 0; i <= n; i++) heights[i] = -7;
  flat = check(heights, n, seed);
  // In a bowl every point is seen, and behind its rim none.
  for (uint32_t i = 0; i <= n; i++) heights[i] = (int32_t)(i <= 20000 ? i * i : 0);
  bowl = check(heights, n, seed);
  check(heights, 1, seed);
  check(heights, 0, seed);
  if (flat != 1 || bowl != 20000) {
    fprintf(stderr, "line_of_sight: %lu points of level ground seen and %lu of a bowl\n",
            (unsigned long)flat, (unsigned long)bowl);
    return EXIT_FAILURE;
  }
  printf(
      "line_of_sight: %lu of %lu points of a landscape seen; that, level ground and a bowl as by "
      "walking along (seed %llu; %s)\n",
      (unsigned long)seen, (unsigned long)n, (unsigned long long)seed, example_device());
  free(heights);
  return EXIT_SUCCESS;
}
