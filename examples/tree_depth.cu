// Depth, preorder number and subtree size of every node of a tree, by one scan of its Euler tour.
//
// The tour enters and leaves every node once, as a document does that is written in nested
// brackets: its running sum of +1 for entering and -1 for leaving is the depth, and the running
// count of nodes entered numbers them. What is numbered between entering a node and leaving it is
// its subtree.
#include "examples/example.h"
#include "scan/scan.h"

typedef struct {
  int32_t depth;
  uint32_t entered;
} progress;

SCAN_OPERATOR progress add(progress earlier, progress later) {
  progress sum;
  sum.depth = earlier.depth + later.depth;
  sum.entered = earlier.entered + later.entered;
  return sum;
}
SCAN_DEFINE(progress, add, {0, 0})

// The nodes of a node's subtree have the preorder numbers first (its own) to past - 1.
typedef struct {
  uint32_t depth, first, past;
} node;

// Step v of the tour enters node v, step ~v leaves it.
typedef struct {
  const int32_t *tour;
  progress *after;  // of each step: first its own part, then all up to it
  node *nodes;
  size_t steps;
} tree;

SCAN_KERNEL(weigh_steps, tree, t) {
  const size_t index = EXAMPLE_INDEX;
  if (index < t.steps) {
    const bool enters = t.tour[index] >= 0;
    t.after[index].depth = enters ? 1 : -1;
    t.after[index].entered = enters;
  }
}

SCAN_KERNEL(read_nodes, tree, t) {
  const size_t index = EXAMPLE_INDEX;
  if (index < t.steps) {
    const int32_t step = t.tour[index];
    if (step >= 0) {
      t.nodes[step].depth = (uint32_t)t.after[index].depth - 1;
      t.nodes[step].first = t.after[index].entered - 1;
    } else {
      t.nodes[~step].past = t.after[index].entered;
    }
  }
}

// The tour of a tree whose node 0 is the root; the children of a node come in rising order.
static int32_t *walk(const uint32_t *parent, uint32_t nodes) {
  const size_t bytes = nodes * sizeof(uint32_t);
  int32_t *tour = (int32_t *)example_allocate(2 * bytes);
  uint32_t *child = (uint32_t *)example_allocate(bytes);  // the first not yet visited, or 0
  uint32_t *sibling = (uint32_t *)example_allocate(bytes);
  size_t step = 0;
  memset(child, 0, bytes);
  for (uint32_t v = nodes - 1; v > 0; v--) {
    sibling[v] = child[parent[v]];
    child[parent[v]] = v;
  }
  tour[step++] = 0;
  for (uint32_t v = 0; step < 2 * (size_t)nodes;) {
    const uint32_t next = child[v];
    if (next != 0) {
      child[v] = sibling[next];
      v = next;
      tour[step++] = (int32_t)v;
    } else {
      tour[step++] = ~(int32_t)v;
      v = parent[v];
    }
  }
  free(child);
  free(sibling);
  return tour;
}

// All nodes of a tree by one scan of its tour; in host memory.
static node *measure(const int32_t *tour, uint32_t nodes) {
  scan_workspace *workspace;
  node *measured;
  tree t;
  t.steps = 2 * (size_t)nodes;
  t.tour = (int32_t *)example_to_device(tour, t.steps * sizeof(int32_t));
  t.after = (progress *)example_device_memory(t.steps * sizeof(progress));
  t.nodes = (node *)example_device_memory(nodes * sizeof(node));
  EXAMPLE_CHECK(scan_workspace_create(&workspace, scan_progress_add_workspace_bytes(t.steps), 0));
  EXAMPLE_LAUNCH_EACH(weigh_steps, t.steps, t);
  EXAMPLE_CHECK(scan_progress_add_inclusive(workspace, t.after, t.after, t.steps, 0));
  EXAMPLE_LAUNCH_EACH(read_nodes, t.steps, t);
  measured = (node *)example_to_host(t.nodes, nodes * sizeof(node));
  EXAMPLE_CHECK(scan_workspace_destroy(workspace));
  EXAMPLE_CHECK(cudaFree((void *)t.tour));
  EXAMPLE_CHECK(cudaFree(t.after));
  EXAMPLE_CHECK(cudaFree(t.nodes));
  return measured;
}

// Compares with what follows from the parents alone, each of which has a smaller number than its
// children; gives the depth of the deepest node.
static uint32_t check(const uint32_t *parent, uint32_t nodes, uint64_t seed) {
  int32_t *tour = walk(parent, nodes);
  node *measured = measure(tour, nodes);
  node *expected = (node *)example_allocate(nodes * sizeof(node));
  uint32_t *size = (uint32_t *)example_allocate(nodes * sizeof(uint32_t)), deepest = 0;
  for (uint32_t v = 0; v < nodes; v++) size[v] = 1;
  for (uint32_t v = nodes - 1; v > 0; v--) size[parent[v]] += size[v];
  // past is the number that the node's next child takes, until the last child has taken its own.
  for (uint32_t v = 0; v < nodes; v++) {
    node *const above = &expected[parent[v]];
    expected[v].depth = v == 0 ? 0 : above->depth + 1;
    expected[v].first = v == 0 ? 0 : above->past;
    expected[v].past = expected[v].first + 1;
    if (v != 0) above->past += size[v];
    deepest = expected[v].depth > deepest ? expected[v].depth : deepest;
  }
  example_compare("tree_depth: depth, first, past of each node", seed, (uint32_t *)measured,
                  (uint32_t *)expected, nodes * sizeof(node) / sizeof(uint32_t));
  free(tour);
  free(measured);
  free(expected);
  free(size);
  return deepest;
}

int main(void) {
  const uint64_t seed = example_seed();
  uint64_t state = seed;
  const uint32_t nodes = 50000 + example_random(&state) % 50000;
  uint32_t *parent = (uint32_t *)example_allocate(nodes * sizeof(uint32_t)), deepest;
  parent[0] = 0;
  // Any earlier node as parent; then one of the last few, which makes the tree deep.
  for (uint32_t v = 1; v < nodes; v++) parent[v] = example_random(&state) % v;
  check(parent, nodes, seed);
  for (uint32_t v = 1; v < nodes; v++) parent[v] = v - 1 - example_random(&state) % (v < 9 ? v : 9);
  deepest = check(parent, nodes, seed);
  // A path, a star, and the root alone.
  for (uint32_t v = 1; v < nodes; v++) parent[v] = v - 1;
  check(parent, nodes, seed);
  for (uint32_t v = 1; v < nodes; v++) parent[v] = 0;
  check(parent, nodes, seed);
  check(parent, 1, seed);
  printf(
      "tree_depth: %lu nodes, down to depth %lu, a bushy tree, a path, a star and a root alone: "
      "all "
      "as from the parents (seed %llu; %s)\n",
      (unsigned long)nodes, (unsigned long)deepest, (unsigned long long)seed, example_device());
  free(parent);
  return EXIT_SUCCESS;
}
