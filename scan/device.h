/* Device-wide scans as the host calls them: checks, the cut of the input, the launch. */
#ifndef SCAN_DEVICE_H
#define SCAN_DEVICE_H

#include "scan/tile.h"
#include "scan/tuning.h"
#include "scan/workspace.h"

#ifdef SCAN_KERNELS_

/* Bytes and alignment of a type. */
typedef struct {
  uint32_t size;
  uint32_t alignment;
} scan_layout;
SCAN_HOST_ scan_layout scan_layout_of(uint32_t size, uint32_t alignment) {
  const scan_layout layout = {size, alignment};
  return layout;
}

/* What a stamp binds on the host side: kernels, and the types of what comes in, of what is scanned,
 * seed and total among it, and of what goes out; all one but in a fused scan. */
typedef struct {
  scan_kernel forward;
  scan_kernel reverse;
  scan_layout in, element, out;
  bool segmented;
  bool fused;
} scan_family;

/* Bytes of the widest of them. */
#define SCAN_WIDEST_(in, element, out) SCAN_GREATER_(SCAN_GREATER_(in, element), out)
SCAN_HOST_ uint32_t scan_family_widest(const scan_family *family) {
  return SCAN_WIDEST_(family->in.size, family->element.size, family->out.size);
}

/* A call before it is checked. Pointers are to elements of the family's types in device memory. */
typedef struct {
  const void *in;
  void *out;
  const void *seed;
  void *total;
  size_t n;
  bool exclusive;
  bool reverse;
  bool reduction;                /* in a segmented scan a value a segment, in out; else the total */
  const scan_segments *segments; /* NULL in a plain scan */
} scan_request;

/* What asks for a scan, and for a reduction. */
SCAN_HOST_ scan_request scan_request_of(const void *in, void *out, size_t n, int exclusive,
                                        int reverse, const void *seed, void *total) {
  const scan_request request = {in, out, seed, total, n, exclusive != 0, reverse != 0, false, NULL};
  return request;
}
SCAN_HOST_ scan_request scan_request_of_reduction(const void *in, void *total, size_t n) {
  const scan_request request = {in, NULL, NULL, total, n, false, false, true, NULL};
  return request;
}

/* Elements that the call leaves in out. */
SCAN_HOST_ size_t scan_device_results_(const scan_request *request) {
  if (!request->reduction) return request->n;
  return request->segments != NULL ? request->segments->count : 0;
}

/* Bytes of a workspace that serves n elements, the widest of `size` bytes, and any fewer. */
SCAN_HOST_ size_t scan_device_workspace_bytes(size_t size, size_t n) {
  if (n > SIZE_MAX / size) n = SIZE_MAX / size;
  return (size_t)(SCAN_WORKSPACE_HEADER_BYTES +
                  8 * (SCAN_STATUS_WORDS_(size) * scan_tuning_slots_most(size, n) +
                       SCAN_ENTRY_WORDS_(scan_tuning_cut(size, n).tiles)));
}

SCAN_HOST_ bool scan_device_aligned_(const void *pointer, uint32_t alignment) {
  return (uintptr_t)pointer % alignment == 0;
}

/* Whether two pieces of memory share a byte. */
SCAN_HOST_ bool scan_device_overlap_(const void *a, size_t a_bytes, const void *b, size_t b_bytes) {
  return a_bytes != 0 && b_bytes != 0 && (uintptr_t)a < (uintptr_t)b + b_bytes &&
         (uintptr_t)b < (uintptr_t)a + a_bytes;
}

/* The errors of scan.h's table that need no look at the device's code. */
SCAN_HOST_ cudaError_t scan_device_check_(const scan_family *family,
                                          const scan_workspace *workspace,
                                          const scan_request *request) {
  const size_t size = family->element.size;
  const size_t widest = scan_family_widest(family);
  const size_t results = scan_device_results_(request);
  const size_t bytes = request->n * family->in.size;
  const size_t out_bytes = results * family->out.size;
  const bool in_place =
      request->in == request->out && !request->reduction && family->in.size == family->out.size;
  int device;
  cudaError_t error;
  if (workspace == NULL) return cudaErrorInvalidValue;
  if (request->n > SIZE_MAX / widest || results > SIZE_MAX / widest) return cudaErrorInvalidValue;
  if (request->n != 0 && request->in == NULL) return cudaErrorInvalidValue;
  if (results != 0 && request->out == NULL) return cudaErrorInvalidValue;
  if (request->reduction && request->segments == NULL && request->total == NULL)
    return cudaErrorInvalidValue;
  if (bytes > UINTPTR_MAX - (uintptr_t)request->in ||
      out_bytes > UINTPTR_MAX - (uintptr_t)request->out)
    return cudaErrorInvalidValue;
  if (!scan_device_aligned_(request->in, family->in.alignment) ||
      !scan_device_aligned_(request->out, family->out.alignment) ||
      !scan_device_aligned_(request->seed, family->element.alignment) ||
      !scan_device_aligned_(request->total, family->element.alignment))
    return cudaErrorMisalignedAddress;
  if (!in_place && scan_device_overlap_(request->in, bytes, request->out, out_bytes))
    return cudaErrorInvalidValue;
  if (request->seed != NULL && scan_device_overlap_(request->seed, size, request->out, out_bytes))
    return cudaErrorInvalidValue;
  if (request->total != NULL &&
      (scan_device_overlap_(request->total, size, request->out, out_bytes) ||
       scan_device_overlap_(request->total, size, request->in, bytes)))
    return cudaErrorInvalidValue;
  if (request->seed != NULL && request->total != NULL && request->seed != request->total &&
      scan_device_overlap_(request->seed, size, request->total, size))
    return cudaErrorInvalidValue;
  error = cudaGetDevice(&device);
  if (error != cudaSuccess) return error;
  if (device != workspace->device) return cudaErrorInvalidDevice;
  /* Tickets are 32 bits, and each block takes one that is no tile's. */
  if (scan_tuning_cut(widest, request->n).tiles > INT32_MAX) return cudaErrorInvalidValue;
  if (scan_device_workspace_bytes(widest, request->n) > workspace->bytes)
    return cudaErrorLaunchOutOfResources;
  return cudaSuccess;
}

/* The traits of a kernel: asked of the runtime, and remembered in the workspace until another
 * kernel takes the place there. */
SCAN_HOST_ cudaError_t scan_device_traits_(scan_workspace *workspace, scan_kernel kernel,
                                           const scan_kernel_traits **traits) {
  const uintptr_t key = scan_kernel_key(kernel);
  const uint32_t slot = (uint32_t)((key >> 4 ^ key >> 12) % SCAN_WORKSPACE_KERNELS_);
  *traits = &workspace->kernels[slot].traits;
  if (workspace->kernels[slot].key != key) {
    const cudaError_t error =
        scan_kernel_prepare(kernel, workspace->device, &workspace->kernels[slot].traits);
    workspace->kernels[slot].key = error == cudaSuccess ? key : 0;
    return error;
  }
  return cudaSuccess;
}

/* A request that was checked, as kernels see it, but for how it is cut. */
SCAN_HOST_ scan_call scan_call_of(const scan_request *request, const scan_workspace *workspace) {
  scan_call call;
  memset(&call, 0, sizeof call);
  /* Of an empty input nothing is read, but C knows no offsets from NULL. */
  call.in = request->n != 0 ? request->in : workspace->memory;
  call.out = request->out;
  call.like = request->out;
  call.seed = request->seed;
  call.total = request->total;
  call.workspace = workspace->memory;
  call.words = (workspace->bytes - SCAN_WORKSPACE_HEADER_BYTES) / 8;
  call.n = request->n;
  call.exclusive = request->exclusive;
  if (request->segments != NULL) {
    call.gathers = request->reduction;
    if (call.gathers) call.like = (void *)(uintptr_t)request->in;
    call.segments = *request->segments;
    if (request->n != 0) call.entries_an_element = (float)call.segments.count / (float)request->n;
  }
  return call;
}

/* What a launch takes. */
typedef struct {
  uint32_t grid;
  uint32_t block;
  size_t shared_bytes;
} scan_device_launch_;

/* Whether chunks of short tiles are whole words in an array: side by side from there on, in a
 * reverse scan up to there. */
SCAN_HOST_ bool scan_device_lie_straight_(const scan_call *call, const void *array, size_t size,
                                          size_t widest, bool reverse) {
  const size_t from = (reverse ? call->rest : call->rest_lowest) * size;
  const uint32_t alignment = SCAN_SHORT_STRAIGHT_(SCAN_SHORT_BYTES_(widest, size));
  return alignment != 0 && ((uintptr_t)array + from) % alignment == 0;
}
/* Where each thread of a short tile has one such or none, they need not meet in shared memory. */
SCAN_HOST_ bool scan_device_straight_(const scan_call *call, const scan_family *family,
                                      bool reverse) {
  const size_t widest = scan_family_widest(family);
  return call->chunks == 1 &&
         (widest <= SCAN_SHORT_STRAIGHT_MOST || call->tiles + call->short_tiles == 1) &&
         scan_device_lie_straight_(call, call->in, family->in.size, widest, reverse) &&
         scan_device_lie_straight_(call, call->like, family->out.size, widest, reverse);
}

/* Tickets of a reduction that are two tiles: neighbours that a block reads one after the other come
   sooner. In a scan tiles would wait for the second. The last tiles, three a block, go singly: so
   all blocks end at once. */
SCAN_HOST_ uint32_t scan_device_pairs_(const scan_call *call, uint32_t blocks) {
  const uint32_t singly = 3 * blocks;
  return call->out == NULL && call->tiles > singly ? (call->tiles - singly) / 2 : 0;
}

/* Tiles that are given back to the second cache at the end: 0 where none are kept there. */
SCAN_HOST_ uint32_t scan_device_kept_(const scan_call *call, const scan_family *family) {
  const size_t size = family->element.size;
  const bool keeps = SCAN_KEEPS_(size, family->segmented, family->fused) && call->out != NULL &&
                     call->n * size >= SCAN_KEPT_BYTES_LEAST;
  return keeps ? (uint32_t)(SCAN_KEPT_BYTES_LAST / (SCAN_TILE_(size) * size)) : 0;
}

/* What short tiles find in a call that is cut, and where its status words lie in the workspace. */
SCAN_HOST_ void scan_device_place_(scan_call *call, const scan_family *family, bool reverse) {
  const size_t slot = SCAN_STATUS_WORDS_(family->element.size);
  call->answers = scan_short_answers(call, scan_device_straight_(call, family, reverse));
  call->rest_in = SCAN_AT_CONST_(call->in, call->rest_lowest * family->in.size);
  if (call->out != NULL && !call->gathers)
    call->rest_out = SCAN_AT_(call->out, call->rest_lowest * family->out.size);
  call->aggregates = (uint64_t *)SCAN_AT_(call->workspace, SCAN_WORKSPACE_HEADER_BYTES);
  call->prefixes = call->aggregates + slot * call->tiles;
  call->entries = call->prefixes + slot * ((size_t)call->tiles + 1);
  call->shorts = call->entries + SCAN_ENTRY_WORDS_(call->tiles);
}

/* Bytes of a tile of a segmented scan that are asked for ahead (heads.h); `each`: tiles of a block,
 * about. */
SCAN_HOST_ uint32_t scan_device_ahead_(const scan_call *call, size_t size, uint32_t each) {
  const uint32_t kind = call->segments.kind;
  const bool brief = each <= SCAN_SEEKERS_(size) + 1;
  uint32_t share = each < SCAN_IN_STEP_TILES ? SCAN_AHEAD_ALL : SCAN_AHEAD_IN_STEP;
  uint64_t told = 0; /* of a tile, by the measure of heads.h */
  if (SCAN_SEGMENTS_OFFSETS_(kind))
    told = call->segments.count / call->tiles * SCAN_SOUGHT_OFFSET;
  else if (SCAN_SEGMENTS_FLAGS_(kind))
    told = (uint64_t)SCAN_TILE_(size) << SCAN_SEGMENTS_UNIT_LOG_(kind);
  if (told >= (brief ? SCAN_SOUGHT_BRIEF : SCAN_SOUGHT_MUCH)) share = SCAN_AHEAD_SOUGHT;
  return (uint32_t)(SCAN_TILE_(size) * size / SCAN_AHEAD_ALL * share);
}

/* Cuts the call into tiles and short tiles and sizes its launch. Set before: call->n, whether there
 * is an out, and what tells of segments. */
SCAN_HOST_ cudaError_t scan_device_cut_(scan_call *call, scan_device_launch_ *launch,
                                        const scan_family *family, bool reverse,
                                        int multiprocessors, const scan_kernel_traits *traits) {
  const size_t size = scan_family_widest(family);
  const bool segmented = family->segmented;
  const scan_cut cut = scan_tuning_cut(size, call->n);
  const size_t warp_bytes = SCAN_SHORT_WARP_BYTES_(size, cut.chunks, segmented);
  const size_t short_bytes = SCAN_SHORT_SCRATCH_BYTES + warp_bytes * cut.warps;
  const uint32_t piece = SCAN_PIECE_BYTES_LEAST_(call->segments.kind);
  size_t stage_bytes = SCAN_STAGE_BYTES_(size, segmented, family->fused);
  size_t fixed, stages;
  uint32_t each; /* tiles of a block, about */
  call->tiles = (uint32_t)cut.tiles;
  call->short_tiles = cut.short_tiles;
  call->chunks = (uint16_t)cut.chunks;
  call->warps = (uint16_t)cut.warps;
  call->warp_bytes = (uint32_t)warp_bytes;
  call->rows = cut.rows;
  call->singles = cut.singles;
  call->rest = (uint32_t)(call->n - (size_t)cut.tiles * SCAN_TILE_(size));
  call->rest_lowest = reverse ? 0 : call->n - call->rest;
  if (segmented && SCAN_SEGMENTS_OFFSETS_(call->segments.kind)) {
    const size_t own = cut.rows != 0 ? SCAN_SHORT_ITEMS_(size) * cut.chunks : 1; /* of a thread */
    call->view = scan_view_of(&call->segments, call->n, (uint32_t)own * SCAN_WARP_THREADS);
  }
  if (call->tiles == 0) {
    /* Where there are more tiles than multiprocessors, shared memory is asked for so that only
     * SCAN_SHORT_AT_ONCE_ fit on one: with room for more, tiles of this call, or of the next that
     * starts early, would crowd on some. */
    const size_t crowding = traits->shared_limit / (SCAN_SHORT_AT_ONCE_(size) + 1);
    launch->grid = cut.short_tiles;
    launch->block = cut.warps * SCAN_WARP_THREADS;
    launch->shared_bytes = short_bytes;
    if (cut.short_tiles > (uint32_t)multiprocessors && launch->shared_bytes <= crowding)
      launch->shared_bytes = crowding + 1;
    return short_bytes <= traits->shared_limit ? cudaSuccess : cudaErrorLaunchOutOfResources;
  }
  /* A block a multiprocessor, which fills its shared memory with stages. */
  launch->grid = (uint32_t)multiprocessors;
  if (launch->grid > call->tiles) launch->grid = call->tiles;
  each = (call->tiles + launch->grid / 2) / launch->grid;
  if (launch->grid < call->short_tiles) launch->grid = call->short_tiles;
  call->pairs = scan_device_pairs_(call, launch->grid);
  call->kept = scan_device_kept_(call, family);
  if (stage_bytes < short_bytes) stage_bytes = short_bytes;
  stage_bytes = (stage_bytes + 127) / 128 * 128;
  fixed = SCAN_PIPELINE_BYTES_(size, segmented) + (segmented ? SCAN_BOARD_BYTES_(size, piece) : 0);
  stages = traits->shared_limit > fixed ? (traits->shared_limit - fixed) / stage_bytes : 0;
  /* Each group that scans has a stage of its own. */
  if (stages < SCAN_SCAN_GROUPS_(size, traits->groups_most)) return cudaErrorLaunchOutOfResources;
  call->stages =
      call->out != NULL ? SCAN_STAGES_MOST_(call->segments.kind, size) : SCAN_STAGES_REDUCTION;
  if (stages < call->stages) call->stages = (uint32_t)stages;
  /* No more than a block has tiles where pieces can use what they leave, but enough for all
   * seekers and a store. */
  if (segmented && SCAN_SEGMENTS_PIECES_(call->segments.kind)) {
    const uint32_t least = SCAN_SEEKERS_(size) + 1;
    const uint32_t enough = each > least ? each : least;
    if (call->stages > enough) call->stages = enough;
  }
  /* With stages that change between groups one could wait for a signal's turn after the next. */
  call->fold_groups = call->out != NULL ? 1 : SCAN_FOLD_GROUPS_MOST_(size, traits->groups_most);
  while (call->stages % call->fold_groups != 0) call->fold_groups--;
  call->stages_at = (uint32_t)SCAN_PIPELINE_BYTES_(size, segmented);
  if (segmented) {
    call->scouts = SCAN_SEGMENTS_OFFSETS_(call->segments.kind) &&
                   call->segments.count >= SCAN_SEEK_NEAR_ && call->segments.count < UINT32_MAX &&
                   call->tiles / launch->grid >= SCAN_SCOUTED_TILES;
    /* What the stages leave goes to the pieces. */
    const size_t left = (traits->shared_limit - fixed - call->stages * stage_bytes) /
                        (SCAN_SEEKERS_(size) * SCAN_PIECES) / 128 * 128;
    call->piece_bytes = (uint32_t)(piece + left);
    if (call->piece_bytes > SCAN_PIECE_BYTES_MOST) call->piece_bytes = SCAN_PIECE_BYTES_MOST;
    call->ahead = scan_device_ahead_(call, size, each);
    call->stages_at += (uint32_t)SCAN_BOARD_BYTES_(size, call->piece_bytes);
  }
  call->stage_bytes = (uint32_t)stage_bytes;
  launch->block = SCAN_KERNEL_WARPS_(size, traits->groups_most, traits->loader_warps, segmented) *
                  SCAN_WARP_THREADS;
  launch->shared_bytes = call->stages_at + call->stages * stage_bytes;
  return cudaSuccess;
}

/* Checks and launches. Nothing is launched unless all is well. */
SCAN_HOST_ cudaError_t scan_device_run(const scan_family *family, scan_workspace *workspace,
                                       const scan_request *request, cudaStream_t stream) {
  const scan_kernel kernel = request->reverse ? family->reverse : family->forward;
  const scan_kernel_traits *traits;
  scan_device_launch_ launch;
  uint64_t capture = 0; /* asked for until the workspace is known to be zeroed */
  bool early;
  const size_t results = scan_device_results_(request);
  cudaError_t error = scan_device_check_(family, workspace, request);
  if (error != cudaSuccess) return error;
  if (results == 0 && request->total == NULL) return cudaSuccess;
  error = scan_device_traits_(workspace, kernel, &traits);
  if (error != cudaSuccess) return error;
  scan_call call = scan_call_of(request, workspace);
  error = scan_device_cut_(&call, &launch, family, request->reverse, workspace->multiprocessors,
                           traits);
  if (error != cudaSuccess) return error;
  scan_device_place_(&call, family, request->reverse);
  if (!workspace->zeroed) error = scan_stream_capture(&capture, stream);
  if (error != cudaSuccess) return error;
  early = workspace->zeroed || (capture != 0 && capture == workspace->zeroed_in);
  error = scan_launch_prepared(kernel, traits->early && early, launch.grid, launch.block,
                               launch.shared_bytes, stream, &call, sizeof call);
  if (error != cudaSuccess) return error;
  if (capture == 0)
    workspace->zeroed = true;
  else
    workspace->zeroed_in = capture;
  return cudaSuccess;
}

/* The two kinds of call that a stamp makes. */
SCAN_HOST_ cudaError_t scan_device_scan(const scan_family *family, scan_workspace *workspace,
                                        const void *in, void *out, size_t n, int exclusive,
                                        int reverse, const void *seed, void *total,
                                        cudaStream_t stream) {
  const scan_request request = scan_request_of(in, out, n, exclusive, reverse, seed, total);
  return scan_device_run(family, workspace, &request, stream);
}
SCAN_HOST_ cudaError_t scan_device_reduce(const scan_family *family, scan_workspace *workspace,
                                          const void *in, void *total, size_t n,
                                          cudaStream_t stream) {
  const scan_request request = scan_request_of_reduction(in, total, n);
  return scan_device_run(family, workspace, &request, stream);
}

#endif /* SCAN_KERNELS_ */

#endif
