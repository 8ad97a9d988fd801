// workspace_test.cu: workspaces made, placed and reused; stale words; the wrap of the call number;
// captured calls.
#ifndef SCAN_TUNING_ITEMS
#define SCAN_TUNING_ITEMS 3
#define SCAN_TUNING_ROWS 1
#define SCAN_TUNING_WARPS 1
#define SCAN_TUNING_SHORT_TILES 20
#endif
#include "tests/device_case.h"

#define STAMP(width) \
  TEST_FAMILY(interval_##width, merge_##width, interval_##width##_generate, INTERVAL_POISON_##width)
STAMP(1)
STAMP(3)
STAMP(4)
STAMP(16)
STAMP(64)
TEST_FAMILY(affine, compose, affine_generate, {5, 9})
TEST_FAMILY(uint64_t, add_uint64_t, uint64_t_generate, 77)
TEST_FAMILY(twelve, first_wins_twelve, twelve_generate, {{1, 2, 3}})

/* Stamped for the capture alone, so that its first call ever is a captured one. */
TEST_FAMILY(uint32_t, add_uint32_t, uint32_t_generate, 7)

static const test_family *const families[] = {
    &test_family_interval_1_merge_1,    &test_family_interval_3_merge_3,
    &test_family_interval_4_merge_4,    &test_family_interval_16_merge_16,
    &test_family_interval_64_merge_64,  &test_family_affine_compose,
    &test_family_uint64_t_add_uint64_t, &test_family_twelve_first_wins_twelve,
};

enum {
  most_elements = 4000,
  header_bytes = 128,
  tile = SCAN_TUNING_ITEMS * 32 * SCAN_SHORT_WARPS_MOST /* more is more than one tile */
};

static const uint32_t last_call = SCAN_TAG_MOST - 1;

static device_fixture fixture;
static uint64_t *words; /* a copy of the workspace's memory, header first */
static size_t word_count;

static scan_workspace_header *header(void) { return (scan_workspace_header *)(void *)words; }

static uint32_t header_call(void) { return (uint32_t)(header()->call_and_ticket >> 32); }

static void header_set_call(uint32_t call) { header()->call_and_ticket = (uint64_t)call << 32; }

static void fetch_workspace(void) {
  MUST(cudaMemcpy(words, fixture.workspace->memory, word_count * sizeof *words,
                  cudaMemcpyDeviceToHost));
}

static void store_workspace(void) {
  MUST(cudaMemcpy(fixture.workspace->memory, words, word_count * sizeof *words,
                  cudaMemcpyHostToDevice));
}

static const test_family *draw_family(void) { return families[test_below(TEST_COUNT(families))]; }

static void draw_schedule(void) {
#if defined(SCAN_TARGET_HOST)
  scan_host_schedule(test_below(4) == 0 ? 0 : test_random(), 1 + (unsigned)test_below(3),
                     1 + (unsigned)test_below(9));
#endif
}

static void check_call(const test_family *family, size_t n) {
  device_call call = device_random_call(family, (int)test_below(4), (unsigned)test_below(16));
  draw_schedule();
  family->generate(fixture.elements, n + 2);
  device_check(&fixture, family, n, &call);
}

// A workspace for every family at most_elements.
static void provide(void) {
  size_t bytes = 0;
  size_t i;
  if (fixture.workspace != NULL) CHECK_CODE(scan_workspace_destroy(fixture.workspace), cudaSuccess);
  for (i = 0; i < TEST_COUNT(families); i++) {
    size_t needed = families[i]->workspace_bytes(most_elements);
    if (needed > bytes) bytes = needed;
  }
  bytes = (bytes + 7) / 8 * 8;
  fixture.workspace = NULL;
  draw_schedule();
  MUST(scan_workspace_create(&fixture.workspace, bytes, fixture.stream));
  MUST(cudaStreamSynchronize(fixture.stream));
  fixture.workspace_bytes = bytes;
  free(words);
  word_count = bytes / 8;
  words = (uint64_t *)test_allocate(bytes);
}

static void check_making(void) {
  const test_family *family = &test_family_affine_compose;
  size_t bytes = family->workspace_bytes(most_elements);
  scan_workspace *workspace = NULL;
  unsigned char *memory;
  unsigned char *mirror;
  size_t i;
  test_case("making and ending workspaces");
  CHECK_CODE(scan_workspace_destroy(NULL), cudaSuccess);
  CHECK_CODE(scan_workspace_create(NULL, bytes, fixture.stream), cudaErrorInvalidValue);
  CHECK_CODE(scan_workspace_place(&workspace, NULL, bytes, fixture.stream), cudaErrorInvalidValue);

  /* Placed between guards, in memory that is not zero: used, ended, and the memory is the client's
   * again. */
  MUST(cudaMalloc((void **)&memory, bytes + 512));
  MUST(cudaMemset(memory, test_guard, bytes + 512));
  CHECK_CODE(scan_workspace_place(NULL, memory + 256, bytes, fixture.stream),
             cudaErrorInvalidValue);
  for (i = 1; i < 128; i += i < 16 ? 1 : 16) {
    CHECK_CODE(scan_workspace_place(&workspace, memory + 256 + i, bytes, fixture.stream),
               cudaErrorMisalignedAddress);
    CHECK(workspace == NULL, "a rejected workspace is %p", (void *)workspace);
  }
  MUST(scan_workspace_place(&workspace, memory + 256, bytes, fixture.stream));
  fixture.workspace = workspace;
  fixture.workspace_bytes = bytes;
  for (i = 0; i < 20; i++) check_call(family, 1 + test_below(most_elements));
  CHECK(fixture.workspace == workspace, "a workspace of workspace_bytes(%d) does not serve less",
        (int)most_elements);
  CHECK_CODE(scan_workspace_destroy(workspace), cudaSuccess);
  fixture.workspace = NULL;
  mirror = (unsigned char *)test_allocate(bytes + 512);
  MUST(cudaMemcpy(mirror, memory, bytes + 512, cudaMemcpyDeviceToHost));
  CHECK(test_all_bytes(mirror, 256, test_guard), "written before the placed workspace");
  CHECK(test_all_bytes(mirror + 256 + bytes, 256, test_guard), "written past the placed workspace");
  free(mirror);
  CHECK_CODE(cudaFree(memory), cudaSuccess);
}

static void check_bytes(void) {
  size_t i;
  for (i = 0; i < TEST_COUNT(families); i++) {
    size_t before = families[i]->workspace_bytes(0);
    size_t n = 0;
    test_case("%s_workspace_bytes", families[i]->name);
    while (n < (size_t)1 << 36) {
      size_t bytes;
      n += 1 + test_below(n / 3 + 40);
      bytes = families[i]->workspace_bytes(n);
      CHECK(bytes >= before, "workspace_bytes(%zu) is %zu, less than for fewer elements, %zu", n,
            bytes, before);
      before = bytes;
    }
  }
}

static void check_reuse(unsigned rounds) {
  unsigned round;
  uint32_t call;
  provide();
  fetch_workspace();
  call = header_call();
  for (round = 0; round < rounds; round++) {
    size_t n = 1 + test_below(1 + test_below(most_elements));
    const test_family *family = draw_family();
    check_call(family, n);
    fetch_workspace();
    call += scan_tuning_slots_most(family->size, n) > 1; /* a tile that is alone does without */
    CHECK(header_call() == call, "the call number is %u after call %u", header_call(), call);
    CHECK((uint32_t)header()->call_and_ticket == 0 && header()->departures == 0,
          "a call left ticket %u, departures %u behind", (unsigned)header()->call_and_ticket,
          header()->departures);
    call = header_call();
  }
}

// A tag that no word of the next call may bear, of the kind that a careless scan takes for one.
static uint32_t stale_tag(uint32_t call) {
  uint32_t tag = call + 1;
  switch (test_below(6)) {
    case 0:
      return call; /* the call before */
    case 1:
      return 0;
    case 2:
      return call ^ ((uint32_t)1 << test_below(32)) ^ 1u;
    case 3:
      return ~tag;
    case 4:
      return (uint32_t)test_below(call > 0 ? call : 1);
    default:
      return (uint32_t)test_random();
  }
}

// Before each call, words that look like those of other calls and layouts, with values of every
// kind.
static void check_stale_words(unsigned rounds) {
  unsigned round;
  for (round = 0; round < rounds; round++) {
    const test_family *family = draw_family();
    size_t n = tile + 1 + test_below(most_elements - tile);
    uint32_t call;
    size_t i;
    if (round % 50 == 0) provide();
    fetch_workspace();
    call = test_below(4) == 0 ? (uint32_t)test_below(last_call) : header_call();
    header_set_call(call);
    for (i = header_bytes / 8; i < word_count; i++) {
      uint32_t tag = stale_tag(call);
      /* Values that are the next call's tag: a word read at the wrong half, or in another layout,
       * looks valid. */
      uint32_t value = test_below(2) == 0 ? call + 1 : (uint32_t)test_random();
      if (tag == call + 1) tag--;
      words[i] = (uint64_t)tag << 32 | value;
    }
    store_workspace();
    check_call(family, n);
    fetch_workspace();
    CHECK(header_call() == call + 1, "the call number is %u after call %u", header_call(), call);
  }
}

// Client data that holds the tags of this call and the next ones in every 32-bit half: what it
// leaves in the workspace must not pass as valid later, whatever layout reads it.
static void check_adversarial_data(unsigned rounds) {
  const test_family *family = &test_family_twelve_first_wins_twelve;
  unsigned round;
  size_t i;
  provide();
  for (round = 0; round < rounds; round++) {
    device_call call = device_random_call(family, (int)test_below(4), (unsigned)test_below(16));
    uint32_t *part = (uint32_t *)(void *)fixture.elements;
    fetch_workspace();
    for (i = 0; i < ((size_t)most_elements + 2) * 3; i++) {
      part[i] = header_call() + (uint32_t)test_below(4);
    }
    device_check(&fixture, family, most_elements, &call);
    check_call(draw_family(), 1 + test_below(most_elements));
  }
}

// Calls across the wrap of the call number, with words planted that bear the tags that come after
// it.
static void check_wrap(unsigned rounds) {
  unsigned round;
  for (round = 0; round < rounds; round++) {
    unsigned until = (unsigned)test_below(4);
    unsigned calls = until + 1 + 4;
    uint64_t tag = 1 + test_below(4); /* of one of the calls past the wrap */
    unsigned done;
    uint32_t call = last_call - until;
    size_t i;
    provide();
    fetch_workspace();
    header_set_call(call);
    for (i = header_bytes / 8; i < word_count; i++) {
      words[i] = tag << 32 | (uint32_t)test_random();
    }
    store_workspace();
    for (done = 0; done < calls; done++) {
      /* Small until past the wrap, so that only clearing, not use, removes what was planted further
       * on. */
      size_t n = tile + 1 + test_below(done <= until ? 400 : most_elements - tile);
      check_call(draw_family(), n);
      fetch_workspace();
      CHECK(header_call() < SCAN_TAG_MOST, "the next tag would be none");
      if (done == until) {
        CHECK(test_all_bytes((const unsigned char *)words + header_bytes,
                             fixture.workspace_bytes - header_bytes, 0),
              "a word of an earlier call outlived the wrap");
      }
      CHECK(done < until || header_call() < 100, "call number %u, %u calls past its wrap",
            header_call(), done - until);
    }
  }
}

// A captured call is one node, and a thousand replays of it do what a thousand calls do.
static void check_capture(const test_family *family, size_t n, unsigned replays) {
  size_t size = family->size;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaGraphNode_t node;
  size_t nodes = 0;
  unsigned capture, replay;
  device_call call;
  TEST_ALIGNAS(16) unsigned char total[64];
  void *data;
  void *total_out;
  memset(&call, 0, sizeof call);
  test_case("%s captured, n=%zu, %u replays", family->name, n, replays);
#if defined(SCAN_TARGET_HOST)
  scan_host_schedule(0, 2, 5);
#endif
  family->generate(fixture.elements, n + 2);
  data = test_buffer_place(&fixture.input, 0, n * size, fixture.elements + size);
  total_out = test_buffer_place(&fixture.total, 0, size, NULL);
  /* Twice: what an earlier capture zeroed, if it ever ran, a later one does not know. */
  for (capture = 0; capture < 2; capture++) {
    const uint64_t earlier = fixture.workspace->zeroed_in;
    if (capture != 0) MUST(cudaGraphDestroy(graph));
    MUST(cudaStreamBeginCapture(fixture.stream, cudaStreamCaptureModeThreadLocal));
    CHECK_CODE(family->run(fixture.workspace, data, data, n, 0, 0, NULL, total_out, fixture.stream),
               cudaSuccess);
    MUST(cudaStreamEndCapture(fixture.stream, &graph));
    CHECK(fixture.workspace->zeroed_in != earlier && !fixture.workspace->zeroed,
          "a captured scan, which may never run, lets another start early");
  }
  MUST(cudaGraphGetNodes(graph, NULL, &nodes));
  CHECK(nodes == 1, "%zu nodes", nodes);
  if (nodes == 1) {
    MUST(cudaGraphGetNodes(graph, &node, &nodes));
#if !defined(SCAN_TARGET_HOST)
    {
      cudaGraphNodeType type;
      MUST(cudaGraphNodeGetType(node, &type));
      CHECK(type == cudaGraphNodeTypeKernel, "the node has type %d", (int)type);
    }
#endif
  }
  CHECK_SAME("nothing has run yet", test_buffer_fetch(&fixture.input, "data"),
             fixture.elements + size, size, n);
  MUST(cudaGraphInstantiate(&executable, graph, 0));
  MUST(cudaGraphDestroy(graph));
  /* A graph is not launched into a capture. */
  graph = NULL;
  MUST(cudaStreamBeginCapture(fixture.stream, cudaStreamCaptureModeThreadLocal));
  CHECK_CODE(cudaGraphLaunch(executable, fixture.stream), cudaErrorStreamCaptureUnsupported);
  (void)cudaStreamEndCapture(fixture.stream, &graph);
  (void)cudaGetLastError();
  if (graph != NULL) MUST(cudaGraphDestroy(graph));
  for (replay = 0; replay < replays; replay++) {
    MUST(cudaGraphLaunch(executable, fixture.stream));
    device_oracle(family, fixture.elements, n, &call, fixture.expected, total);
    memcpy(fixture.elements + size, fixture.expected, n * size);
  }
  MUST(cudaStreamSynchronize(fixture.stream));
  CHECK_SAME("all replays of the scan in place", test_buffer_fetch(&fixture.input, "data"),
             fixture.expected, size, n);
  CHECK_SAME("the last replay's total", test_buffer_fetch(&fixture.total, "total"), total, size, 1);
  MUST(cudaGraphExecDestroy(executable));
}

int main(void) {
  unsigned rounds = TEST_SCALE > 1 ? 1000 : (unsigned)(500 * TEST_SCALE);
  unsigned replays = TEST_SCALE < 1 ? 100 : 1000;
  test_begin("workspace_test");
  device_fixture_make(&fixture, ((size_t)most_elements + 2) * 64);
  provide();
  check_capture(&test_family_uint32_t_add_uint32_t, 1999, replays);
  CHECK_CODE(scan_workspace_destroy(fixture.workspace), cudaSuccess);
  fixture.workspace = NULL;
  check_making();
  check_bytes();
  check_reuse(rounds);
  check_stale_words(rounds);
  check_adversarial_data(rounds / 4);
  check_wrap(rounds / 10);
  provide();
  check_capture(&test_family_affine_compose, 577, replays);
  check_call(&test_family_affine_compose, 1000);
  device_fixture_free(&fixture);
  free(words);
  return test_end(
      "one workspace served all types and sizes, among stale words, over the wrap of its call "
      "number, and %u replays of graphs of one node",
      2 * replays);
}
