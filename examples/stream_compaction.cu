// Keeps the numbers of a range, in their order: a scan over flags says where each of them goes.
#include "examples/numbers.h"
#include "scan/scan.h"

SCAN_OPERATOR_ADD(uint32_t, add)
SCAN_DEFINE_AS(places, uint32_t, add, 0)

enum { THREADS = 256 };

// places[i] is first 1 where number i stays, else 0; then how many stay of those before it.
typedef struct {
  const uint32_t *in;
  uint32_t *out, *places;
  uint32_t count, minimum, maximum;
} filter;

SCAN_DEVICE int stays(filter f, size_t index) {
  return f.in[index] >= f.minimum && f.in[index] <= f.maximum;
}

SCAN_KERNEL(flag_numbers, filter, f) {
  const size_t index = (size_t)blockIdx.x * THREADS + threadIdx.x;
  if (index < f.count) f.places[index] = (uint32_t)stays(f, index);
}

SCAN_KERNEL(move_numbers, filter, f) {
  const size_t index = (size_t)blockIdx.x * THREADS + threadIdx.x;
  if (index < f.count && stays(f, index)) f.out[f.places[index]] = f.in[index];
}

// Moves the numbers that stay from f.in to f.out, and their count to *total; all in device memory,
// asynchronous.
static void compact(filter f, uint32_t *total, scan_workspace *workspace, cudaStream_t stream) {
  const unsigned blocks = (unsigned)(((uint64_t)f.count + THREADS - 1) / THREADS);
  places_options options = places_options_default();
  options.exclusive = 1;
  options.total = total;
  if (blocks > 0) EXAMPLE_CHECK(SCAN_LAUNCH(flag_numbers, blocks, THREADS, 0, stream, f));
  EXAMPLE_CHECK(places_run(workspace, f.places, f.places, f.count, options, stream));
  if (blocks > 0) EXAMPLE_CHECK(SCAN_LAUNCH(move_numbers, blocks, THREADS, 0, stream, f));
}

// Keeps the numbers from minimum to maximum, in host memory and in place; gives the milliseconds
// that it took.
static float keep_numbers(numbers *n, uint32_t minimum, uint32_t maximum) {
  const size_t bytes = n->count * sizeof(uint32_t);
  uint32_t *in, *total, kept;
  scan_workspace *workspace;
  cudaStream_t stream;
  cudaEvent_t begin, end;
  float milliseconds = 0.0f;
  filter f;
  EXAMPLE_CHECK(cudaStreamCreate(&stream));
  EXAMPLE_CHECK(cudaEventCreate(&begin));
  EXAMPLE_CHECK(cudaEventCreate(&end));
  EXAMPLE_CHECK(cudaMalloc((void **)&in, bytes));
  EXAMPLE_CHECK(cudaMalloc((void **)&f.out, bytes));
  EXAMPLE_CHECK(cudaMalloc((void **)&f.places, bytes));
  EXAMPLE_CHECK(cudaMalloc((void **)&total, sizeof(uint32_t)));
  EXAMPLE_CHECK(scan_workspace_create(&workspace, places_workspace_bytes(n->count), stream));
  EXAMPLE_CHECK(cudaMemcpyAsync(in, n->values, bytes, cudaMemcpyHostToDevice, stream));
  f.in = in;
  f.count = (uint32_t)n->count;
  f.minimum = minimum;
  f.maximum = maximum;
  EXAMPLE_CHECK(cudaEventRecord(begin, stream));
  compact(f, total, workspace, stream);
  EXAMPLE_CHECK(cudaEventRecord(end, stream));
  EXAMPLE_CHECK(cudaMemcpyAsync(&kept, total, sizeof kept, cudaMemcpyDeviceToHost, stream));
  EXAMPLE_CHECK(cudaStreamSynchronize(stream));
  n->count = kept;
  EXAMPLE_CHECK(cudaMemcpy(n->values, f.out, kept * sizeof(uint32_t), cudaMemcpyDeviceToHost));
  EXAMPLE_CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  EXAMPLE_CHECK(scan_workspace_destroy(workspace));
  EXAMPLE_CHECK(cudaFree(total));
  EXAMPLE_CHECK(cudaFree(f.places));
  EXAMPLE_CHECK(cudaFree(f.out));
  EXAMPLE_CHECK(cudaFree(in));
  EXAMPLE_CHECK(cudaEventDestroy(end));
  EXAMPLE_CHECK(cudaEventDestroy(begin));
  EXAMPLE_CHECK(cudaStreamDestroy(stream));
  return milliseconds;
}

static void report(size_t kept, size_t count, float milliseconds) {
  fprintf(stderr, "stream_compaction: %zu of %zu numbers kept in %.3f ms on %s\n", kept, count,
          (double)milliseconds, example_device());
}

// Keeps some of a million made-up numbers and compares them with what one loop keeps.
static int keep_made_up_numbers(uint32_t minimum, uint32_t maximum) {
  const uint64_t seed = example_seed();
  const numbers all = numbers_make_up(seed);
  numbers kept = numbers_make_up(seed);
  const float milliseconds = keep_numbers(&kept, minimum, maximum);
  size_t expected = 0;
  for (size_t i = 0; i < all.count; i++) {
    if (all.values[i] < minimum || all.values[i] > maximum) continue;
    if (expected >= kept.count || kept.values[expected] != all.values[i]) {
      fprintf(stderr, "stream_compaction: seed %llu: kept number %zu is not %lu\n",
              (unsigned long long)seed, expected, (unsigned long)all.values[i]);
      return EXIT_FAILURE;
    }
    expected++;
  }
  if (kept.count != expected) {
    fprintf(stderr, "stream_compaction: seed %llu: %zu numbers kept, expected %zu\n",
            (unsigned long long)seed, kept.count, expected);
    return EXIT_FAILURE;
  }
  numbers_show("eight of the made-up numbers", all);
  numbers_show("eight of the kept numbers", kept);
  printf("stream_compaction: all as kept by one loop (seed %llu)\n", (unsigned long long)seed);
  report(kept.count, all.count, milliseconds);
  numbers_finish();
  free(all.values);
  free(kept.values);
  return EXIT_SUCCESS;
}

// The number of an option that must be given.
static uint32_t bound(const char *program, const char *option, const char *text) {
  uint32_t value = 0;
  const char *wrong;
  if (text == NULL) {
    fprintf(stderr, "%s: %s is missing\n", program, option);
    numbers_refuse_usage(program);
  }
  wrong = number_parse(text, strlen(text), &value);
  if (wrong != NULL) {
    fprintf(stderr, "%s: %s %s: %s\n", program, option, text, wrong);
    numbers_refuse_usage(program);
  }
  return value;
}

static const char usage[] =
    "usage: %s [FILE] --min A --max B [--output FILE]\n"
    "\n"
    "Keeps the unsigned 32-bit numbers from A to B, both inclusive, in their order; none\n"
    "where A is above B. They come one a line from FILE, or from standard input where\n"
    "FILE is -. Without FILE it takes a million made-up numbers, checks which it keeps and\n"
    "shows a few of them.\n"
    "\n"
    "      --min A        the least number to keep\n"
    "      --max B        the greatest number to keep\n" NUMBERS_OUTPUT_USAGE;

int main(int argc, char **argv) {
  static const struct option options[] = {{"min", required_argument, NULL, 'a'},
                                          {"max", required_argument, NULL, 'b'},
                                          {"output", required_argument, NULL, 'o'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
  const char *file, *output = NULL, *min = NULL, *max = NULL;
  uint32_t minimum, maximum;
  numbers n;
  size_t count;
  float milliseconds;
  numbers_hold_streams();
  for (int option; (option = numbers_option(argc, argv, "o:h", options, usage)) != -1;) {
    if (option == 'a') min = optarg;
    if (option == 'b') max = optarg;
    if (option == 'o') output = optarg;
  }
  file = numbers_operand(argc, argv, output);
  minimum = bound(argv[0], "--min", min);
  maximum = bound(argv[0], "--max", max);
  if (file == NULL) return keep_made_up_numbers(minimum, maximum);
  numbers_enter_callers_folder();
  n = numbers_read(file);
  count = n.count;
  milliseconds = keep_numbers(&n, minimum, maximum);
  numbers_write(n, output);
  report(n.count, count, milliseconds);
  free(n.values);
  return EXIT_SUCCESS;
}
