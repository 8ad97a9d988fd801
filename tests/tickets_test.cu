// tickets_test.cu: how the blocks of a call take its tiles, one by one or in pairs: each tile is
// one block's, which takes them in order, and each block has a last ticket of its own.
#include "tests/test.h"

enum { tiles_most = 500, blocks_most = 40 };

typedef struct {
  scan_call call;
  uint64_t *taken; /* how often each tile was, then how often each last ticket */
  uint64_t *descents;
} tickets_parameters;

// A loader that loads nothing.
SCAN_KERNEL(take_tickets, tickets_parameters, p) {
  SCAN_SHARED_DYNAMIC(scan_pipeline, pipeline);
  if (threadIdx.x == 0) {
    uint32_t settled, next, before = 0;
    bool first = true;
    pipeline->ticket = scan_take(&p.call, &settled);
    while ((next = scan_tile_take(&p.call, pipeline, first, &settled)) != SCAN_NO_TILE) {
      scan_counter_add(&p.taken[next], 1);
      if (!first && next <= before) scan_counter_add(p.descents, 1);
      before = next;
      first = false;
    }
    scan_counter_add(&p.taken[pipeline->ticket.tile], 1);
  }
}

static void check_tickets(test_buffer *workspace, uint64_t *header, uint32_t call) {
  const unsigned blocks = 1 + (unsigned)test_below(blocks_most);
  static uint64_t once[tiles_most + blocks_most];
  const uint64_t after = (uint64_t)(call + 1) << 32;
  const uint64_t none = 0;
  test_buffer taken, descents;
  tickets_parameters p;
  memset(&p, 0, sizeof p);
  p.call.tiles = 1 + (uint32_t)test_below(tiles_most);
  if (test_below(4) != 0) p.call.pairs = (uint32_t)test_below(p.call.tiles / 2 + 1);
  p.call.short_tiles = 1;
  p.call.workspace = header;
  test_case("tiles=%u pairs=%u blocks=%u", (unsigned)p.call.tiles, (unsigned)p.call.pairs, blocks);
  const size_t count = p.call.tiles + blocks;
  memset(once, 0, sizeof once);
  test_buffer_make(&taken, count * sizeof *once);
  p.taken = (uint64_t *)test_buffer_place(&taken, 0, count * sizeof *once, once);
  test_buffer_make(&descents, sizeof none);
  p.descents = (uint64_t *)test_buffer_place(&descents, 0, sizeof none, &none);
  CHECK_CODE(SCAN_LAUNCH(take_tickets, blocks, 32, sizeof(scan_pipeline), 0, p), cudaSuccess);
  MUST(cudaDeviceSynchronize());
  for (size_t i = 0; i < count; i++) once[i] = 1;
  CHECK_SAME("times taken", test_buffer_fetch(&taken, "times taken"), once, sizeof *once, count);
  CHECK_SAME("descents", test_buffer_fetch(&descents, "descents"), &none, sizeof none, 1);
  CHECK_SAME("calls and tickets", test_buffer_fetch(workspace, "header"), &after, sizeof after, 1);
  test_buffer_free(&descents);
  test_buffer_free(&taken);
}

int main(void) {
  static const scan_workspace_header zero = {0, 0};
  test_buffer workspace;
  uint64_t *header;
  test_begin("tickets_test");
  test_buffer_make(&workspace, sizeof zero);
  header = (uint64_t *)test_buffer_place(&workspace, 0, sizeof zero, &zero);
  for (uint32_t call = 0; call < 400; call++) {
#ifdef SCAN_TARGET_HOST
    scan_host_schedule(call % 2 ? test_random() | 1u : 0, 1 + (unsigned)test_below(3), 0);
#endif
    check_tickets(&workspace, header, call);
  }
  test_buffer_free(&workspace);
  return test_end("up to %d tiles, singly and in pairs, by up to %d blocks: each is taken once",
                  (int)tiles_most, (int)blocks_most);
}
