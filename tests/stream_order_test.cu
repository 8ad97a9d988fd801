// stream_order_test.cu: on a stream each scan sees all that came before it, another scan's results
// or a client's kernel's, copy's or memset's, although its blocks may start early; directly and in
// a graph.
#include "tests/test.h"

SCAN_OPERATOR_ADD(uint32_t, add32)
SCAN_OPERATOR_ADD(uint8_t, add8)
SCAN_DEFINE(uint32_t, add32, 0)
SCAN_DEFINE(uint8_t, add8, 0)
SCAN_DEFINE_SEGMENTED(uint32_t, add32, 0)

enum {
  most_elements = 2800000,  // of 32 bits: more than short tiles take
  steps_a_round = 40,
  grid = 40,
  block = 128
};

// What the steps of a round work on, on the device and in the oracle.
typedef struct state {
  uint32_t *words[2];
  uint8_t *bytes;  // flags of segments, too
  uint32_t *total;
} state;

enum { scan_words, scan_segments_of, scan_bytes, reduce_words, run_kernel, copy, set, kinds };
typedef struct step {
  int kind;
  size_t n;
  unsigned from, to;  // of the two arrays
  int reverse, exclusive, seeded;
} step;

typedef struct mix_parameters {
  uint32_t *words;
  uint8_t *bytes;
  uint64_t n;
} mix_parameters;

// The client's kernel: new words, and bytes few of which are not 0.
SCAN_OPERATOR uint32_t mixed(uint32_t word, uint64_t i) {
  return (word ^ (uint32_t)i) * 0x9E3779B1u + 1;
}
SCAN_OPERATOR uint8_t flag(uint32_t word) { return word % 37 == 0; }
SCAN_KERNEL(mix, mix_parameters, p) {
  uint64_t i;
  for (i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < p.n;
       i += (uint64_t)gridDim.x * blockDim.x) {
    p.words[i] = mixed(p.words[i], i);
    p.bytes[i] = flag(p.words[i]);
  }
}

// Each kind of scan is used: one short tile, a few, many, the pipeline.
static step draw_step(void) {
  static const size_t sizes[] = {1500, 20000, 300000, most_elements};
  step drawn;
  drawn.kind = (int)test_below(kinds);
  drawn.n = 1 + test_below(sizes[test_below(TEST_COUNT(sizes) - (test_below(3) != 0))]);
  drawn.from = (unsigned)test_below(2);
  drawn.to = (unsigned)test_below(2);
  drawn.reverse = test_below(2) == 0;
  drawn.exclusive = test_below(2) == 0;
  drawn.seeded = test_below(2) == 0;
  return drawn;
}

static void enqueue(const step *s, const state *on, scan_workspace *workspace,
                    cudaStream_t stream) {
  uint32_t *const from = on->words[s->from], *const to = on->words[s->to];
  switch (s->kind) {
    case scan_words: {
      scan_uint32_t_add32_options options = scan_uint32_t_add32_options_default();
      options.exclusive = s->exclusive;
      options.reverse = s->reverse;
      options.seed = s->seeded ? on->total : NULL;
      options.total = on->total;
      CHECK_CODE(scan_uint32_t_add32_run(workspace, from, to, s->n, options, stream), cudaSuccess);
      break;
    }
    case scan_segments_of: {
      scan_uint32_t_add32_segmented_options options =
          scan_uint32_t_add32_segmented_options_default();
      options.reverse = s->reverse;
      options.exclusive = s->exclusive;
      options.seed = s->seeded ? on->total : NULL;
      CHECK_CODE(
          scan_uint32_t_add32_segmented_run(workspace, from, scan_segments_from_flags(on->bytes),
                                            to, s->n, options, stream),
          cudaSuccess);
      break;
    }
    case scan_bytes:
      CHECK_CODE(scan_uint8_t_add8_inclusive(workspace, on->bytes, on->bytes, s->n, stream),
                 cudaSuccess);
      break;
    case reduce_words:
      CHECK_CODE(scan_uint32_t_add32_reduce(workspace, from, on->total, s->n, stream), cudaSuccess);
      break;
    case run_kernel: {
      mix_parameters parameters;
      memset(&parameters, 0, sizeof parameters);
      parameters.words = to;
      parameters.bytes = on->bytes;
      parameters.n = s->n;
      MUST(SCAN_LAUNCH(mix, grid, block, 0, stream, parameters));
      break;
    }
    case copy:
      MUST(cudaMemcpyAsync(on->words[1 - s->from], from, s->n * sizeof *from,
                           cudaMemcpyDeviceToDevice, stream));
      break;
    default:
      MUST(cudaMemsetAsync(to, 1, s->n * sizeof *to, stream));
  }
}

// The same one element after the other.
static void follow(const step *s, const state *on) {
  uint32_t *const from = on->words[s->from], *const to = on->words[s->to];
  uint32_t sum = s->seeded ? *on->total : 0;
  uint8_t byte = 0;
  size_t k;
  for (k = 0; k < s->n; k++) {
    const size_t i = s->reverse ? s->n - 1 - k : k;
    const uint32_t word = from[i];
    const int starts =
        s->reverse ? i + 1 == s->n || on->bytes[i + 1] != 0 : i == 0 || on->bytes[i] != 0;
    if (s->kind == scan_segments_of && starts) sum = s->seeded ? *on->total : 0;
    switch (s->kind) {
      case scan_segments_of:
      case scan_words:
        to[i] = s->exclusive ? sum : sum + word;
        sum += word;
        break;
      case scan_bytes:
        byte = (uint8_t)(byte + on->bytes[k]);
        on->bytes[k] = byte;
        break;
      case reduce_words:
        sum = k == 0 ? word : sum + word;
        break;
      case run_kernel:
        to[k] = mixed(to[k], k);
        on->bytes[k] = flag(to[k]);
        break;
      case copy:
        on->words[1 - s->from][i] = word;
        break;
      default:
        to[i] = 0x01010101;
    }
  }
  if (s->kind == scan_words || s->kind == reduce_words) *on->total = sum;
}

static void check(const state *on, const state *expected, void *fetched) {
  static const char *const names[2] = {"the first array", "the second array"};
  unsigned i;
  for (i = 0; i < 2; i++) {
    MUST(cudaMemcpy(fetched, on->words[i], most_elements * sizeof(uint32_t),
                    cudaMemcpyDeviceToHost));
    CHECK_SAME(names[i], fetched, expected->words[i], sizeof(uint32_t), most_elements);
  }
  MUST(cudaMemcpy(fetched, on->bytes, most_elements, cudaMemcpyDeviceToHost));
  CHECK_SAME("the bytes", fetched, expected->bytes, 1, most_elements);
  MUST(cudaMemcpy(fetched, on->total, sizeof(uint32_t), cudaMemcpyDeviceToHost));
  CHECK_SAME("the total", fetched, expected->total, sizeof(uint32_t), 1);
}

int main(void) {
  const unsigned rounds = TEST_SCALE > 1 ? 25 : TEST_SCALE < 1 ? 1 : 4;
  const size_t words_bytes = most_elements * sizeof(uint32_t);
  state on, expected;
  void *fetched = test_allocate(words_bytes);
  step steps[steps_a_round];
  scan_workspace *workspace = NULL;
  cudaStream_t stream;
  unsigned round, i;
  test_begin("stream_order_test");
  MUST(cudaStreamCreate(&stream));
  for (i = 0; i < 2; i++) {
    MUST(cudaMalloc((void **)&on.words[i], words_bytes));
    expected.words[i] = (uint32_t *)test_allocate(words_bytes);
    test_random_bytes(expected.words[i], words_bytes);
    MUST(cudaMemcpy(on.words[i], expected.words[i], words_bytes, cudaMemcpyHostToDevice));
  }
  MUST(cudaMalloc((void **)&on.bytes, most_elements));
  expected.bytes = (uint8_t *)test_allocate(most_elements);
  memset(expected.bytes, 0, most_elements);
  MUST(cudaMemcpy(on.bytes, expected.bytes, most_elements, cudaMemcpyHostToDevice));
  MUST(cudaMalloc((void **)&on.total, sizeof(uint32_t)));
  expected.total = (uint32_t *)test_allocate(sizeof(uint32_t));
  test_random_bytes(expected.total, sizeof(uint32_t));
  MUST(cudaMemcpy(on.total, expected.total, sizeof(uint32_t), cudaMemcpyHostToDevice));
  MUST(scan_workspace_create(&workspace,
                             scan_uint32_t_add32_segmented_workspace_bytes(most_elements), stream));

  for (round = 0; round < rounds; round++) {
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    unsigned replay;
    for (i = 0; i < steps_a_round; i++) steps[i] = draw_step();
    test_case("round %u, directly", round);
    for (i = 0; i < steps_a_round; i++) enqueue(&steps[i], &on, workspace, stream);
    for (i = 0; i < steps_a_round; i++) follow(&steps[i], &expected);
    MUST(cudaStreamSynchronize(stream));
    check(&on, &expected, fetched);

    test_case("round %u, as a graph", round);
    MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (i = 0; i < steps_a_round; i++) enqueue(&steps[i], &on, workspace, stream);
    MUST(cudaStreamEndCapture(stream, &graph));
    MUST(cudaGraphInstantiate(&executable, graph, 0));
    MUST(cudaGraphDestroy(graph));
    for (replay = 0; replay < 2; replay++) {
      MUST(cudaGraphLaunch(executable, stream));
      for (i = 0; i < steps_a_round; i++) follow(&steps[i], &expected);
    }
    MUST(cudaStreamSynchronize(stream));
    check(&on, &expected, fetched);
    MUST(cudaGraphExecDestroy(executable));
  }

  for (i = 0; i < 2; i++) {
    MUST(cudaFree(on.words[i]));
    free(expected.words[i]);
  }
  MUST(cudaFree(on.bytes));
  MUST(cudaFree(on.total));
  MUST(cudaStreamDestroy(stream));
  CHECK_CODE(scan_workspace_destroy(workspace), cudaSuccess);
  free(expected.bytes);
  free(expected.total);
  free(fetched);
  return test_end(
      "%u rounds of %d scans, kernels, copies and memsets, thrice each: each saw all "
      "that came before",
      rounds, steps_a_round);
}
