// Times ours, the peers and the copy in turn, and checks what each of them left.
#include <string.h>

#include "bench/bench.h"

enum {
  bench_rounds = 7,        // the median of these counts
  bench_calls_most = 100,  // that are timed together; fewer of long ones
  bench_calls_least = 3,
  bench_contenders_most = 6,
  bench_verify_threads = 1 << 19
};

// What one measurement should last, and a rough speed to tell how many calls that is.
#ifdef SCAN_TARGET_HOST
static const double bench_round_us = 1000.0, bench_bytes_a_us = 100.0;
#else
static const double bench_round_us = 2500.0, bench_bytes_a_us = 3.0e6;
#endif

// One cudaMemcpyAsync moves at most this much: larger ones are slower.
#define BENCH_COPY_BYTES ((size_t)256 << 20)

typedef struct {
  void *memory;
  size_t bytes;
} bench_arena;

// All measurements share these; arenas grow as they must.
static struct {
  cudaStream_t stream;
  bench_timer timer;
  size_t cache_bytes;  // of the device's last cache
  bench_arena in, out, workspace_memory, temporary, ends;
  bench_arena drawing, encoded, keys;  // of segmented rows
  uint64_t *wrong, *wrong_host;
} bench;

// Pairs of arrays that calls take in turn.
typedef struct {
  const bench_row *row;
  unsigned slots, calls;
  size_t stride;             // bytes from one array to the next
  size_t in_lead, out_lead;  // bytes before an array, for those that are not aligned
  scan_workspace *workspace;
  void *seed, *total;
  bench_drawing drawing;  // of segments; zero where there are none
  size_t encoded_stride, keys_stride;
} bench_setting;

// What is timed against each other.
typedef struct {
  cudaError_t (*call)(const bench_setting *setting, const bench_peer *peer, unsigned slot);
  const bench_peer *peer;
  const char *name;
  int is_copy;
  cudaGraphExec_t graph;
  double us[bench_rounds];
} bench_contender;

static void *bench_reserve(bench_arena *arena, size_t bytes) {
  if (bytes > arena->bytes) {
    BENCH_CHECK(cudaFree(arena->memory));
    arena->bytes = 0;
    BENCH_CHECK(cudaMalloc(&arena->memory, bytes));
    arena->bytes = bytes;
  }
  return arena->memory;
}

static void bench_release(bench_arena *arena) {
  BENCH_CHECK(cudaFree(arena->memory));
  arena->memory = NULL;
  arena->bytes = 0;
}

static void *bench_in(const bench_setting *setting, unsigned slot) {
  return SCAN_AT_(bench.in.memory, slot * setting->stride + setting->in_lead);
}
static void *bench_out(const bench_setting *setting, unsigned slot) {
  if (setting->row->work->reduction) return SCAN_AT_(bench.ends.memory, 1024 + slot * 64);
  if (setting->row->work->in_place) return bench_in(setting, slot);
  return SCAN_AT_(bench.out.memory, slot * setting->stride + setting->out_lead);
}

// What tells of the segments; where elements do that themselves, what peers scan.
static void *bench_encoded_at(const bench_setting *setting, unsigned slot) {
  return SCAN_AT_(bench.encoded.memory, slot * setting->encoded_stride);
}
static uint32_t *bench_keys_at(const bench_setting *setting, unsigned slot) {
  return (uint32_t *)SCAN_AT_(bench.keys.memory, slot * setting->keys_stride);
}

static size_t bench_array_bytes(const bench_row *row) { return row->n * row->family->size; }

// Bytes from one array of this many to the next.
static size_t bench_stride(size_t bytes) { return (bytes + 255) / 256 * 256; }

size_t bench_bytes(const bench_row *row) {
  const bench_work *work = row->work;
  return bench_array_bytes(row) * (work->reduction || work->in_place ? 1 : 2);
}

static cudaError_t bench_call_ours(const bench_setting *setting, const bench_peer *peer,
                                   unsigned slot) {
  const bench_row *row = setting->row;
  bench_options options = {row->work->exclusive, row->work->reverse, setting->seed, setting->total,
                           NULL};
  scan_segments segments;
  (void)peer;
  if (row->work->encoding != bench_not_segmented && row->work->encoding != bench_lifted) {
    segments = bench_encoded(row->work->encoding, row->length, &setting->drawing,
                             bench_encoded_at(setting, slot));
    options.segments = &segments;
  }
  if (row->work->reduction)
    return row->family->reduce(setting->workspace, bench_in(setting, slot),
                               bench_out(setting, slot), row->n, bench.stream);
  return row->family->run(setting->workspace, bench_in(setting, slot), bench_out(setting, slot),
                          row->n, &options, bench.stream);
}

static cudaError_t bench_call_peer(const bench_setting *setting, const bench_peer *peer,
                                   unsigned slot) {
  size_t bytes = bench.temporary.bytes;
  const void *in = setting->row->family->peers_scan != NULL ? bench_encoded_at(setting, slot)
                                                            : bench_in(setting, slot);
  void *out = bench_out(setting, slot);
  if (peer->by_key != NULL)
    return peer->by_key(bench.temporary.memory, &bytes, bench_keys_at(setting, slot), in, out,
                        setting->row->n, bench.stream);
  return peer->call(bench.temporary.memory, &bytes, in, out, setting->row->n, bench.stream);
}

// The bytes of a copy: whole vectors. Copies are aligned and never in place. What tells of segments
// is read and not written: half of it is copied.
static size_t bench_copy_bytes(const bench_row *row) {
  return (bench_array_bytes(row) + row->encoding_bytes / 2 + 15) / 16 * 16;
}

static cudaError_t bench_call_copy_engine(const bench_setting *setting, const bench_peer *peer,
                                          unsigned slot) {
  const size_t bytes = bench_copy_bytes(setting->row);
  const void *in = SCAN_AT_(bench.in.memory, slot * setting->stride);
  void *out = SCAN_AT_(bench.out.memory, slot * setting->stride);
  (void)peer;
  for (size_t done = 0; done < bytes; done += BENCH_COPY_BYTES) {
    const size_t piece = bytes - done < BENCH_COPY_BYTES ? bytes - done : BENCH_COPY_BYTES;
    const cudaError_t error = cudaMemcpyAsync(SCAN_AT_(out, done), SCAN_AT_CONST_(in, done), piece,
                                              cudaMemcpyDeviceToDevice, bench.stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

static cudaError_t bench_call_copy_kernel(const bench_setting *setting, const bench_peer *peer,
                                          unsigned slot) {
  (void)peer;
  return bench_copy(SCAN_AT_(bench.in.memory, slot * setting->stride),
                    SCAN_AT_(bench.out.memory, slot * setting->stride),
                    bench_copy_bytes(setting->row), bench.stream);
}

static void bench_add_contender(bench_contender *contenders, unsigned *count, const char *name,
                                cudaError_t (*call)(const bench_setting *, const bench_peer *,
                                                    unsigned),
                                const bench_peer *peer) {
  bench_contender *contender = &contenders[(*count)++];
  memset(contender, 0, sizeof *contender);
  contender->name = name;
  contender->call = call;
  contender->peer = peer;
  contender->is_copy = call == bench_call_copy_engine || call == bench_call_copy_kernel;
}

// The peers of a row: what scans in place or unaligned is a plain inclusive scan to them.
static void bench_add_peers(bench_contender *contenders, unsigned *count, const bench_row *row) {
  const bench_work *work = row->work;
  const char *name = work->in_place || work->unaligned       ? "inclusive_add"
                     : work->encoding != bench_not_segmented ? "segmented_add"
                                                             : work->name;
  for (unsigned i = 0; bench_peer_files[i] != NULL; i++) {
    const bench_peer *peer = bench_peer_files[i]->peers;
    for (; peer->work != NULL; peer++)
      if (strcmp(peer->work, name) == 0 && strcmp(peer->type, row->family->type) == 0 &&
          *count < bench_contenders_most - 2) {
        size_t bytes = 0;
        if (peer->by_key != NULL)
          BENCH_CHECK(peer->by_key(NULL, &bytes, NULL, NULL, NULL, row->n, bench.stream));
        else
          BENCH_CHECK(peer->call(NULL, &bytes, NULL, NULL, row->n, bench.stream));
        bench_reserve(&bench.temporary, bytes);
        bench_add_contender(contenders, count, bench_peer_files[i]->release, bench_call_peer, peer);
      }
  }
}

// All calls of a measurement, one after the other.
static void bench_calls(const bench_setting *setting, const bench_contender *contender) {
  for (unsigned i = 0; i < setting->calls; i++)
    BENCH_CHECK(contender->call(setting, contender->peer, i % setting->slots));
}

static void bench_capture(const bench_setting *setting, bench_contender *contender) {
  bench_capture_begin(bench.stream);
  bench_calls(setting, contender);
  contender->graph = bench_capture_end(bench.stream);
}

static void bench_launch(const bench_setting *setting, const bench_contender *contender) {
  if (setting->row->graph)
    BENCH_CHECK(cudaGraphLaunch(contender->graph, bench.stream));
  else
    bench_calls(setting, contender);
}

static void bench_fill(const bench_setting *setting) {
  const bench_row *row = setting->row;
  for (unsigned slot = 0; slot < setting->slots; slot++)
    BENCH_CHECK(
        row->family->fill(bench_in(setting, slot), row->n, setting->drawing.starts, bench.stream));
}

// Ends the program where a thread of the check has found something.
static void bench_judge(const bench_setting *setting, const bench_contender *contender,
                        size_t threads) {
  const bench_row *row = setting->row;
  BENCH_CHECK(cudaMemcpyAsync(bench.wrong_host, bench.wrong, threads * sizeof *bench.wrong,
                              cudaMemcpyDeviceToHost, bench.stream));
  BENCH_CHECK(cudaStreamSynchronize(bench.stream));
  for (size_t i = 0; i < threads; i++)
    if (bench.wrong_host[i] != UINT64_MAX) {
      fprintf(stderr, "bench: %s%s%s %s of %zu: %s is wrong at %llu\n", row->work->name,
              row->length != NULL ? " " : "", row->length != NULL ? row->length->name : "",
              row->family->type, row->n, contender->name, (unsigned long long)bench.wrong_host[i]);
      exit(EXIT_FAILURE);
    }
}

// Makes the calls of a measurement once more, onto poisoned arrays, and checks every array.
static void bench_verify(const bench_setting *setting, const bench_contender *contender) {
  const bench_row *row = setting->row;
  const bench_family *family = contender->peer != NULL && row->family->peers_scan != NULL
                                   ? row->family->peers_scan
                                   : row->family;
  const size_t blocks_needed = (row->n + BENCH_BLOCK - 1) / BENCH_BLOCK;
  const size_t blocks_most = bench_verify_threads / BENCH_BLOCK / setting->slots;
  const unsigned blocks = (unsigned)(blocks_needed < blocks_most ? blocks_needed : blocks_most);
  bench_verification verification;
  if (row->work->in_place) bench_fill(setting);
  for (unsigned slot = 0; slot < setting->slots; slot++) {
    if (row->work->reduction)
      BENCH_CHECK(cudaMemsetAsync(bench_out(setting, slot), 0xa5, 64, bench.stream));
    else if (contender->is_copy || !row->work->in_place)
      BENCH_CHECK(cudaMemsetAsync(SCAN_AT_(bench.out.memory, slot * setting->stride), 0xa5,
                                  setting->stride, bench.stream));
  }
  if (setting->total != NULL) BENCH_CHECK(cudaMemsetAsync(setting->total, 0xa5, 64, bench.stream));
  if (row->work->in_place && !contender->is_copy) {
    // Each array is scanned once only.
    for (unsigned slot = 0; slot < setting->slots; slot++)
      BENCH_CHECK(contender->call(setting, contender->peer, slot));
  } else {
    bench_launch(setting, contender);
  }

  memset(&verification, 0, sizeof verification);
  verification.n = row->n;
  verification.starts = setting->drawing.starts;
  for (unsigned slot = 0; slot < setting->slots; slot++) {
    verification.wrong = bench.wrong + (size_t)slot * blocks * BENCH_BLOCK;
    verification.out = bench_out(setting, slot);
    if (contender->is_copy) {
      BENCH_CHECK(bench_compare(SCAN_AT_(bench.in.memory, slot * setting->stride),
                                SCAN_AT_(bench.out.memory, slot * setting->stride),
                                bench_copy_bytes(setting->row), verification.wrong, blocks,
                                bench.stream));
      continue;
    }
    verification.options.exclusive = row->work->exclusive;
    verification.options.reverse = row->work->reverse;
    verification.options.seed = setting->seed;
    verification.options.total = setting->total;
    if (row->work->reduction) {
      // The reduction is to be the last element of an inclusive scan, and that one right.
      const bench_options plain = {0, 0, NULL, NULL, NULL};
      verification.out = bench.out.memory;
      verification.options.total = bench_out(setting, slot);
      BENCH_CHECK(row->family->run(setting->workspace, bench_in(setting, slot), bench.out.memory,
                                   row->n, &plain, bench.stream));
    }
    BENCH_CHECK(family->verify(&verification, blocks, bench.stream));
  }
  bench_judge(setting, contender, (size_t)setting->slots * blocks * BENCH_BLOCK);
}

// Draws the segments of a row.
static bench_drawing bench_draw_row(bench_row *row) {
  const size_t words = bench_drawing_words(row->n);
  uint32_t *const drawn = (uint32_t *)malloc(2 * words * sizeof *drawn);
  uint32_t *const memory = (uint32_t *)bench_reserve(&bench.drawing, 2 * words * sizeof *drawn);
  bench_drawing drawing;
  if (drawn == NULL) {
    fprintf(stderr, "bench: out of memory\n");
    exit(EXIT_FAILURE);
  }
  drawing.starts = memory;
  drawing.before = memory + words;
  drawing.n = row->n;
  drawing.count = bench_draw(row->length, row->n, drawn, drawn + words);
  row->encoding_bytes = bench_encoding_bytes(row->work->encoding, row->n, drawing.count);
  BENCH_CHECK(cudaMemcpyAsync(memory, drawn, 2 * words * sizeof *drawn, cudaMemcpyHostToDevice,
                              bench.stream));
  BENCH_CHECK(cudaStreamSynchronize(bench.stream));
  free(drawn);
  return drawing;
}

// What tells of the segments, and what peers take, for every pair of arrays.
static void bench_encode_row(bench_setting *setting) {
  const bench_row *row = setting->row;
  const bench_family *peers_scan = row->family->peers_scan;
  const size_t keys_bytes = bench_encoding_bytes(bench_keys, row->n, setting->drawing.count);
  setting->encoded_stride =
      bench_stride(peers_scan != NULL ? row->n * peers_scan->size : row->encoding_bytes);
  setting->keys_stride = bench_stride(keys_bytes);
  bench_reserve(&bench.encoded, setting->slots * setting->encoded_stride);
  bench_reserve(&bench.keys, setting->slots * setting->keys_stride);
  for (unsigned slot = 0; slot < setting->slots; slot++) {
    BENCH_CHECK(bench_encode(row->work->encoding, &setting->drawing,
                             bench_encoded_at(setting, slot), bench.stream));
    BENCH_CHECK(
        bench_encode(bench_keys, &setting->drawing, bench_keys_at(setting, slot), bench.stream));
    if (peers_scan != NULL)
      BENCH_CHECK(peers_scan->fill(bench_encoded_at(setting, slot), row->n, setting->drawing.starts,
                                   bench.stream));
  }
}

// How many calls, on how many pairs of arrays, and where these lie.
static bench_setting bench_plan(bench_row *row, int warm) {
  const bench_family *family = row->family;
  const double calls = bench_round_us * bench_bytes_a_us / ((double)bench_bytes(row) + 1.0);
  bench_setting setting;
  memset(&setting, 0, sizeof setting);
  setting.row = row;
  setting.calls = calls > bench_calls_most    ? (unsigned)bench_calls_most
                  : calls < bench_calls_least ? (unsigned)bench_calls_least
                                              : (unsigned)calls;
  if (row->work->unaligned) {
    setting.in_lead = family->size;
    setting.out_lead = 2 * family->size;
  }
  if (row->length != NULL) setting.drawing = bench_draw_row(row);
  // Copies may be larger than the arrays.
  setting.stride = bench_stride(bench_copy_bytes(row) + 2 * family->size);
  setting.slots = 1;
  if (!warm) {
    const size_t wanted = 2 * bench.cache_bytes / bench_bytes(row) + 1;
    setting.slots = wanted < setting.calls ? (unsigned)wanted : setting.calls;
  }
  bench_reserve(&bench.in, setting.slots * setting.stride);
  bench_reserve(&bench.out, setting.slots * setting.stride);
  bench_reserve(&bench.ends, 1024 + bench_calls_most * 64);
  if (row->length != NULL) bench_encode_row(&setting);
  if (row->work->seeded) {
    setting.seed = bench.ends.memory;
    BENCH_CHECK(family->fill(setting.seed, 1, NULL, bench.stream));
  }
  if (row->work->total) setting.total = SCAN_AT_(bench.ends.memory, 512);
  BENCH_CHECK(scan_workspace_place(
      &setting.workspace, bench_reserve(&bench.workspace_memory, family->workspace_bytes(row->n)),
      family->workspace_bytes(row->n), bench.stream));
  return setting;
}

void bench_measure(bench_row *row, int warm) {
  bench_contender contenders[bench_contenders_most];
  unsigned count = 0;
  bench_setting setting = bench_plan(row, warm);
  row->cache = bench.cache_bytes != 0 && setting.slots * bench_bytes(row) > 2 * bench.cache_bytes
                   ? "cold"
                   : "warm";
  bench_add_contender(contenders, &count, "scan", bench_call_ours, NULL);
  bench_add_peers(contenders, &count, row);
  if (!row->work->reduction) {
    bench_add_contender(contenders, &count, "memcpy", bench_call_copy_engine, NULL);
    bench_add_contender(contenders, &count, "the copy kernel", bench_call_copy_kernel, NULL);
  }

  bench_fill(&setting);
  for (unsigned c = 0; c < count; c++) {
    BENCH_CHECK(contenders[c].call(&setting, contenders[c].peer, 0));
    if (row->graph) bench_capture(&setting, &contenders[c]);
    bench_launch(&setting, &contenders[c]);
  }
  for (unsigned round = 0; round < bench_rounds; round++)
    for (unsigned c = 0; c < count; c++) {
      // Behind calls of its own: what others leave in the caches, or have still to write back, is
      // not this one's to pay for, nor to gain from.
      bench_launch(&setting, &contenders[c]);
      BENCH_CHECK(cudaStreamSynchronize(bench.stream));
      bench_timer_start(&bench.timer, bench.stream);
      bench_launch(&setting, &contenders[c]);
      contenders[c].us[round] = bench_timer_stop(&bench.timer, bench.stream) / setting.calls;
    }

  for (unsigned c = 0; c < count; c++) {
    const double us = bench_median(contenders[c].us, bench_rounds);
    if (contenders[c].is_copy)
      row->copy_us = bench_shorter(row->copy_us, us);
    else if (contenders[c].peer != NULL)
      row->cub_us = bench_shorter(row->cub_us, us);
    else
      row->ours_us = us;
    bench_verify(&setting, &contenders[c]);
    if (row->graph) BENCH_CHECK(cudaGraphExecDestroy(contenders[c].graph));
  }
  BENCH_CHECK(scan_workspace_destroy(setting.workspace));
}

void bench_measure_begin(void) {
  BENCH_CHECK(cudaStreamCreate(&bench.stream));
  bench_timer_create(&bench.timer);
  BENCH_CHECK(cudaMalloc((void **)&bench.wrong, bench_verify_threads * sizeof *bench.wrong));
  bench.wrong_host = (uint64_t *)malloc(bench_verify_threads * sizeof *bench.wrong_host);
  if (bench.wrong_host == NULL) {
    fprintf(stderr, "bench: out of memory\n");
    exit(EXIT_FAILURE);
  }
#ifndef SCAN_TARGET_HOST
  {
    const size_t bytes = (size_t)256 << 20;
    cudaDeviceProp properties;
    int device;
    BENCH_CHECK(cudaGetDevice(&device));
    BENCH_CHECK(cudaGetDeviceProperties(&properties, device));
    bench.cache_bytes = (size_t)properties.l2CacheSize;
    bench_reserve(&bench.in, bytes);
    bench_reserve(&bench.out, bytes);
    for (unsigned i = 0; i < 1000; i++)
      BENCH_CHECK(bench_copy(bench.in.memory, bench.out.memory, bytes, bench.stream));
    BENCH_CHECK(cudaStreamSynchronize(bench.stream));
  }
#endif
}

void bench_measure_end(void) {
  BENCH_CHECK(cudaStreamSynchronize(bench.stream));
  bench_release(&bench.in);
  bench_release(&bench.out);
  bench_release(&bench.workspace_memory);
  bench_release(&bench.temporary);
  bench_release(&bench.ends);
  bench_release(&bench.drawing);
  bench_release(&bench.encoded);
  bench_release(&bench.keys);
  BENCH_CHECK(cudaFree(bench.wrong));
  free(bench.wrong_host);
  bench_timer_destroy(&bench.timer);
  BENCH_CHECK(cudaStreamDestroy(bench.stream));
}
