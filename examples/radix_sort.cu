// Sorts unsigned 32-bit numbers: a radix sort, least significant digit first, placed by scans.
//
// One pass moves the numbers into the order of one 4-bit digit and keeps the order of those that
// share it, in three steps:
//   count    each tile of numbers counts how many it has of each digit;
//   scan     an exclusive scan over all counts, those of the lowest digit first and within a digit
//            tile by tile, gives the place of each tile's first number of each digit;
//   scatter  within a tile, a block scan over the counts of its threads places every number.
// After eight passes the numbers are sorted by all of their 32 bits.
#include "examples/numbers.h"
#include "scan/scan.h"

enum {
  DIGIT_BITS = 4,
  DIGITS = 1 << DIGIT_BITS,
  THREADS = 128,
  ITEMS = 31,  // of a thread; odd, so that a warp's threads meet different banks of shared memory
  TILE = THREADS * ITEMS
};

// How many numbers of each digit: sixteen counts of 16 bits, four in a word. A tile's counts fit.
typedef struct {
  uint64_t words[DIGITS / 4];
} tally;

SCAN_OPERATOR tally add_tallies(tally earlier, tally later) {
  tally sum;
  for (int i = 0; i < DIGITS / 4; i++) sum.words[i] = earlier.words[i] + later.words[i];
  return sum;
}
SCAN_DEFINE_AS(tallies, tally, add_tallies, {{0, 0, 0, 0}})

SCAN_OPERATOR_ADD(uint32_t, add)
SCAN_DEFINE_AS(places, uint32_t, add, 0)

SCAN_DEVICE unsigned tally_get(const tally *t, unsigned digit) {
  return (unsigned)(t->words[digit / 4] >> (digit % 4 * 16)) & 0xffff;
}

SCAN_DEVICE void tally_count(tally *t, unsigned digit) {
  t->words[digit / 4] += (uint64_t)1 << (digit % 4 * 16);
}

SCAN_DEVICE unsigned digit_of(uint32_t number, unsigned shift) {
  return number >> shift & (DIGITS - 1);
}

// One pass over the numbers. places[digit * tiles + tile] is first a count, then a place in out.
typedef struct {
  const uint32_t *in;
  uint32_t *out, *places;
  uint32_t count, tiles, shift;
} pass;

SCAN_KERNEL(count_digits, pass, p) {
  SCAN_SHARED_DYNAMIC(tallies_block_scratch, scratch);
  const size_t first = (size_t)blockIdx.x * TILE;
  tally mine = {{0, 0, 0, 0}}, all;
  for (unsigned i = threadIdx.x; i < TILE && first + i < p.count; i += THREADS) {
    tally_count(&mine, digit_of(p.in[first + i], p.shift));
  }
  all = tallies_block_reduce(mine, scratch);
  if (threadIdx.x < DIGITS) {
    p.places[(size_t)threadIdx.x * p.tiles + blockIdx.x] = tally_get(&all, threadIdx.x);
  }
}

typedef struct {
  tallies_block_scratch scratch;
  uint32_t places[DIGITS];
  uint32_t numbers[TILE];
} tile_memory;

SCAN_KERNEL(scatter_numbers, pass, p) {
  SCAN_SHARED_DYNAMIC(tile_memory, memory);
  const size_t first = (size_t)blockIdx.x * TILE;
  const unsigned size = p.count - first < TILE ? (unsigned)(p.count - first) : TILE;
  const unsigned begin = threadIdx.x * ITEMS < size ? threadIdx.x * ITEMS : size;
  const unsigned end = begin + ITEMS < size ? begin + ITEMS : size;
  tally mine = {{0, 0, 0, 0}}, before;

  // Neighbouring threads load neighbouring numbers; then each thread owns ITEMS in a row.
  for (unsigned i = threadIdx.x; i < size; i += THREADS) memory->numbers[i] = p.in[first + i];
  if (threadIdx.x < DIGITS) {
    memory->places[threadIdx.x] = p.places[(size_t)threadIdx.x * p.tiles + blockIdx.x];
  }
  __syncthreads();

  // Before a number come its digit's numbers of earlier threads, then those of its own thread.
  for (unsigned i = begin; i < end; i++) {
    tally_count(&mine, digit_of(memory->numbers[i], p.shift));
  }
  before = tallies_block_exclusive(mine, &memory->scratch);
  for (unsigned i = begin; i < end; i++) {
    const unsigned digit = digit_of(memory->numbers[i], p.shift);
    p.out[memory->places[digit] + tally_get(&before, digit)] = memory->numbers[i];
    tally_count(&before, digit);
  }
}

// Sorts count numbers in device memory, with as much spare memory beside them.
static void radix_sort(uint32_t *sorted, uint32_t *spare, uint32_t count, cudaStream_t stream) {
  const uint32_t tiles = (uint32_t)(((uint64_t)count + TILE - 1) / TILE);
  const size_t places = (size_t)DIGITS * tiles;
  scan_workspace *workspace;
  pass p;
  if (count == 0) return;
  p.count = count;
  p.tiles = tiles;
  EXAMPLE_CHECK(cudaMalloc((void **)&p.places, places * sizeof(uint32_t)));
  EXAMPLE_CHECK(scan_workspace_create(&workspace, places_workspace_bytes(places), stream));
  // An even number of passes: the last one puts the numbers back where they came from.
  for (p.shift = 0; p.shift < 32; p.shift += DIGIT_BITS) {
    const bool forth = p.shift / DIGIT_BITS % 2 == 0;
    p.in = forth ? sorted : spare;
    p.out = forth ? spare : sorted;
    EXAMPLE_CHECK(
        SCAN_LAUNCH(count_digits, tiles, THREADS, sizeof(tallies_block_scratch), stream, p));
    EXAMPLE_CHECK(places_exclusive(workspace, p.places, p.places, places, stream));
    EXAMPLE_CHECK(SCAN_LAUNCH(scatter_numbers, tiles, THREADS, sizeof(tile_memory), stream, p));
  }
  EXAMPLE_CHECK(cudaStreamSynchronize(stream));
  EXAMPLE_CHECK(scan_workspace_destroy(workspace));
  EXAMPLE_CHECK(cudaFree(p.places));
}

// Sorts numbers in host memory; gives the milliseconds that the sort itself took.
static float sort_numbers(numbers n) {
  const size_t bytes = n.count * sizeof(uint32_t);
  uint32_t *sorted, *spare;
  cudaStream_t stream;
  cudaEvent_t begin, end;
  float milliseconds = 0.0f;
  EXAMPLE_CHECK(cudaStreamCreate(&stream));
  EXAMPLE_CHECK(cudaEventCreate(&begin));
  EXAMPLE_CHECK(cudaEventCreate(&end));
  EXAMPLE_CHECK(cudaMalloc((void **)&sorted, bytes));
  EXAMPLE_CHECK(cudaMalloc((void **)&spare, bytes));
  EXAMPLE_CHECK(cudaMemcpyAsync(sorted, n.values, bytes, cudaMemcpyHostToDevice, stream));
  EXAMPLE_CHECK(cudaEventRecord(begin, stream));
  radix_sort(sorted, spare, (uint32_t)n.count, stream);
  EXAMPLE_CHECK(cudaEventRecord(end, stream));
  EXAMPLE_CHECK(cudaMemcpyAsync(n.values, sorted, bytes, cudaMemcpyDeviceToHost, stream));
  EXAMPLE_CHECK(cudaStreamSynchronize(stream));
  EXAMPLE_CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  EXAMPLE_CHECK(cudaFree(spare));
  EXAMPLE_CHECK(cudaFree(sorted));
  EXAMPLE_CHECK(cudaEventDestroy(end));
  EXAMPLE_CHECK(cudaEventDestroy(begin));
  EXAMPLE_CHECK(cudaStreamDestroy(stream));
  return milliseconds;
}

static void report(size_t count, float milliseconds) {
  fprintf(stderr, "radix_sort: %zu numbers sorted in %.3f ms on %s\n", count, (double)milliseconds,
          example_device());
}

static int compare_numbers(const void *left, const void *right) {
  const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

// Sorts made-up numbers and compares them with what qsort gives.
static void sort_made_up_numbers(void) {
  const uint64_t seed = example_seed();
  const numbers sorted = numbers_make_up(seed), expected = numbers_make_up(seed);
  float milliseconds;
  numbers_show("eight of the made-up numbers", sorted);
  milliseconds = sort_numbers(sorted);
  qsort(expected.values, expected.count, sizeof(uint32_t), compare_numbers);
  example_compare("radix_sort", seed, sorted.values, expected.values, expected.count);
  numbers_show("eight of the sorted numbers", sorted);
  printf("radix_sort: all as sorted by qsort (seed %llu)\n", (unsigned long long)seed);
  report(sorted.count, milliseconds);
  numbers_finish();
  free(sorted.values);
  free(expected.values);
}

static const char usage[] =
    "usage: %s [FILE] [--output FILE]\n"
    "\n"
    "Sorts unsigned 32-bit numbers, one a line, from FILE, or from standard input\n"
    "where FILE is -. Without FILE it sorts a million made-up numbers, checks them and\n"
    "shows a few of them.\n"
    "\n" NUMBERS_OUTPUT_USAGE;

int main(int argc, char **argv) {
  static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
  const char *file, *output = NULL;
  numbers n;
  float milliseconds;
  numbers_hold_streams();
  while (numbers_option(argc, argv, "o:h", options, usage) != -1) output = optarg;
  file = numbers_operand(argc, argv, output);
  if (file == NULL) {
    sort_made_up_numbers();
    return EXIT_SUCCESS;
  }
  numbers_enter_callers_folder();
  n = numbers_read(file);
  milliseconds = sort_numbers(n);
  numbers_write(n, output);
  report(n.count, milliseconds);
  free(n.values);
  return EXIT_SUCCESS;
}
