/* What device-wide strategies have in common: the call as a kernel sees it, how a block takes its
   section, and the host's side: checks and launches.

   Sums that one block leaves for another, or one kernel for the next, are status words as those of
   lookback.h: each bears the tag of its call. So a strategy may use the same words as any other
   stamped scan: what it leaves has the tag of a call that is over, and is never taken for valid.
   All kernels of a call share one tag; the last of them takes the tickets, and so ends the call. A
   strategy that leaves no sums takes no tickets. */
#ifndef SCAN_STRATEGIES_FAMILY_H
#define SCAN_STRATEGIES_FAMILY_H

#include "scan/segmented.h"
#include "scan/strategies/items.h"

#ifdef SCAN_KERNELS_

/* Shared memory of a block, at most: what every device grants without being asked. */
#define SCAN_STRATEGY_SHARED_BYTES_MOST (48u << 10)

/* A kernel's parameter. scan.tiles is 0 and scan.short_tiles the sections of the input, so that
   each block takes one ticket. The workspace holds as many elements as the strategy's slots say. */
typedef struct {
  scan_call scan;
  size_t count;  /* elements of this level; of level 0 the client's n */
  size_t source; /* slot of the first, above level 0 */
  size_t sums;   /* slot of the first of this level's sums, one a section */
  bool upper;    /* above level 0: elements are in the workspace */
  bool last;     /* of the call's kernels */
} scan_strategy_call;

/* What a block's threads have in common, at the start of shared memory; xy and items follow. */
typedef struct {
  scan_ticket ticket;
  bool any_prefix;
  scan_element prefix;
} scan_strategy_shared;
#define SCAN_STRATEGY_HEAD_BYTES ((sizeof(scan_strategy_shared) + 15) / 16 * 16)

/* What a stamp binds, constant once inlined. */
typedef struct {
  scan_block_traits traits; /* of the block strategy */
  uint32_t threads;
  uint32_t items;
  uint32_t slots; /* of xy */
} scan_strategy;

/* The parameters of a kernel's work, as SCAN_STRATEGY_KERNEL_ gives them (strategies.h). items: the
   thread's, in registers. */
#define SCAN_STRATEGY_PARAMS                                                              \
  SCAN_UNUSED_ const scan_strategy_call *call, SCAN_UNUSED_ scan_strategy_shared *shared, \
      SCAN_UNUSED_ void *items, SCAN_UNUSED_ const scan_element *identity,                \
      SCAN_UNUSED_ scan_strategy strategy, SCAN_BLOCK_PARAMS, SCAN_OP_PARAMS

/* Elements of a section. */
SCAN_DEVICE uint32_t scan_section_most(scan_strategy strategy) {
  return strategy.threads * strategy.items;
}

/* The words of a call: a section's aggregate and its prefix. */
SCAN_DEVICE scan_status scan_strategy_status(const scan_strategy_call *call, uint32_t tag,
                                             SCAN_OP_PARAMS) {
  scan_status status;
  memset(&status, 0, sizeof status);
  status.aggregates.words = (uint64_t *)SCAN_AT_(call->scan.workspace, SCAN_WORKSPACE_HEADER_BYTES);
  status.aggregates.count = call->scan.short_tiles;
  status.prefixes = status.aggregates;
  status.prefixes.words += status.aggregates.count * SCAN_STATUS_WORDS_(op_size);
  status.tag = tag;
  return status;
}

/* The block's section, the tag of the call: in all threads. In the last kernel sections are taken
   by ticket, so what a block waits for is with a block that runs (promise 7). */
SCAN_DEVICE scan_ticket scan_strategy_enter(const scan_strategy_call *call,
                                            scan_strategy_shared *shared) {
  uint32_t settled = 0;
  if (scan_thread() == 0) {
    if (call->last) {
      shared->ticket = scan_take(&call->scan, &settled);
    } else {
      const scan_workspace_header *header = (const scan_workspace_header *)call->scan.workspace;
      shared->ticket.tile = blockIdx.x;
      shared->ticket.tag = (uint32_t)(scan_word_read(&header->call_and_ticket) >> 32) + 1;
    }
  }
  scan_section_barrier();
  if (scan_thread() == 0 && call->last) scan_grid_release(settled);
  return shared->ticket;
}

/* At the end of each block of the last kernel: where the tags start again, the words are wiped. */
SCAN_DEVICE void scan_strategy_leave(const scan_strategy_call *call, scan_ticket ticket) {
  if (!call->last || ticket.tag != SCAN_TAG_MOST) return;
  scan_block_barrier();
  if (scan_thread() == 0) scan_wipe(&call->scan);
}

/* The element that comes index-th along the scan of the client's arrays. */
SCAN_DEVICE size_t scan_global_at(const scan_strategy_call *call, size_t index, SCAN_OP_PARAMS) {
  return (op_reverse ? call->scan.n - 1 - index : index) * op_size;
}
SCAN_DEVICE void scan_global_get(scan_element *x, const scan_strategy_call *call, size_t index,
                                 SCAN_OP_PARAMS) {
  SCAN_COUNT_(global_reads, 1);
  scan_element_read(x, SCAN_AT_CONST_(call->scan.in, scan_global_at(call, index, SCAN_OP)),
                    SCAN_OP);
}
SCAN_DEVICE void scan_global_put(const scan_strategy_call *call, size_t index,
                                 const scan_element *x, SCAN_OP_PARAMS) {
  SCAN_COUNT_(global_writes, 1);
  scan_element_write(SCAN_AT_(call->scan.out, scan_global_at(call, index, SCAN_OP)), x, SCAN_OP);
}

/* Sums in the workspace, each by itself: the words of one lie side by side. A get waits for one
 * that is not there yet. */
SCAN_DEVICE scan_slots scan_sum_slot(const scan_strategy_call *call, size_t slot, SCAN_OP_PARAMS) {
  scan_slots one;
  one.words = (uint64_t *)SCAN_AT_(call->scan.workspace, SCAN_WORKSPACE_HEADER_BYTES) +
              slot * SCAN_STATUS_WORDS_(op_size);
  one.count = 1;
  return one;
}
SCAN_DEVICE void scan_sum_get(scan_element *x, const scan_strategy_call *call, size_t slot,
                              uint32_t tag, SCAN_OP_PARAMS) {
  SCAN_COUNT_(status_reads, 1);
  (void)scan_await(x, scan_sum_slot(call, slot, SCAN_OP), 0, false, tag, SCAN_OP);
}
SCAN_DEVICE void scan_sum_put(const scan_strategy_call *call, size_t slot, const scan_element *x,
                              uint32_t tag, SCAN_OP_PARAMS) {
  SCAN_COUNT_(status_writes, 1);
  scan_publish(scan_sum_slot(call, slot, SCAN_OP), 0, x, false, tag, SCAN_OP);
}

/* Element `index` of the call's level. */
SCAN_DEVICE void scan_level_get(scan_element *x, const scan_strategy_call *call, size_t index,
                                uint32_t tag, SCAN_OP_PARAMS) {
  if (call->upper)
    scan_sum_get(x, call, call->source + index, tag, SCAN_OP);
  else
    scan_global_get(x, call, index, SCAN_OP);
}
SCAN_DEVICE void scan_level_put(const scan_strategy_call *call, size_t index, const scan_element *x,
                                uint32_t tag, SCAN_OP_PARAMS) {
  if (call->upper)
    scan_sum_put(call, call->source + index, x, tag, SCAN_OP);
  else
    scan_global_put(call, index, x, SCAN_OP);
}

/* A block's section, of which `first` is the first of the level's elements, in the threads' hands.
   Neighbouring threads read neighbouring elements, which they exchange where a thread has several
   (items.h). items: the thread's, in registers. Called by all threads. */
SCAN_DEVICE scan_items scan_section_load(const scan_strategy_call *call,
                                         scan_strategy_shared *shared, void *items, size_t first,
                                         uint32_t tag, scan_strategy strategy, SCAN_OP_PARAMS) {
  const size_t left = call->count - first;
  const uint32_t count =
      left < scan_section_most(strategy) ? (uint32_t)left : scan_section_most(strategy);
  uint32_t *xy = (uint32_t *)SCAN_AT_(shared, SCAN_STRATEGY_HEAD_BYTES);
  uint32_t *exchange = xy + strategy.slots * scan_element_words(SCAN_OP);
  const scan_items held =
      scan_items_of(strategy.traits, items, xy, exchange, strategy.items, count);
  SCAN_UNROLL_
  for (uint32_t i = 0; i < strategy.items; i++) {
    const uint32_t index = i * strategy.threads + scan_thread();
    if (index < count) {
      scan_element x;
      scan_level_get(&x, call, first + index, tag, SCAN_OP);
      if (strategy.items == 1)
        scan_item_put(items, 0, &x, SCAN_OP);
      else
        scan_shared_put(exchange, index, &x, SCAN_OP);
    }
  }
  if (strategy.items > 1) {
    scan_section_barrier();
    if (!(strategy.traits & scan_block_in_shared_)) scan_items_to_blocked(&held, SCAN_OP);
  }
  return held;
}
/* Back to where they came from, or to the client's output. */
SCAN_DEVICE void scan_section_store(const scan_strategy_call *call, const scan_items *held,
                                    size_t first, uint32_t tag, scan_strategy strategy,
                                    SCAN_OP_PARAMS) {
  if (strategy.items > 1) {
    if (!(strategy.traits & scan_block_in_shared_)) scan_items_to_striped(held, SCAN_OP);
    scan_section_barrier();
  }
  SCAN_UNROLL_
  for (uint32_t i = 0; i < strategy.items; i++) {
    const uint32_t index = i * strategy.threads + scan_thread();
    if (index < held->count) {
      scan_element x;
      if (strategy.items == 1)
        scan_item_get(&x, held->registers, 0, SCAN_OP);
      else
        scan_shared_get(&x, held->shared, index, SCAN_OP);
      scan_level_put(call, first + index, &x, tag, SCAN_OP);
    }
  }
}

/* The seed, or nothing, where all threads find it after the next barrier. Called by thread 0. */
SCAN_DEVICE void scan_section_seed(const scan_strategy_call *call, scan_strategy_shared *shared,
                                   SCAN_OP_PARAMS) {
  shared->any_prefix = call->scan.seed != NULL;
  if (shared->any_prefix) scan_call_seed(&shared->prefix, &call->scan, SCAN_OP);
}

/* total = what comes before the block's elements, and those. Called by thread 0 between
 * scan_items_up and scan_items_down. */
SCAN_DEVICE void scan_section_through(scan_element *total, const scan_strategy_shared *shared,
                                      const scan_items *held, uint32_t slot, SCAN_OP_PARAMS) {
  scan_shared_get(total, held->xy, slot, SCAN_OP);
  if (shared->any_prefix) scan_prepend(total, &shared->prefix, SCAN_OP);
}

/* The end of a kernel whose block has the prefix in `shared`, or nothing: the rest of the scan, and
 * the elements where they belong; of a reduction nobody reads these. Called by all threads. */
SCAN_DEVICE void scan_section_finish(const scan_strategy_call *call, scan_strategy_shared *shared,
                                     scan_items *held, const scan_element *identity,
                                     scan_ticket ticket, scan_strategy strategy, SCAN_BLOCK_PARAMS,
                                     SCAN_OP_PARAMS) {
  if (call->scan.out != NULL) {
    scan_section_barrier();
    scan_items_down(held, shared->any_prefix, &shared->prefix, call->scan.exclusive && !call->upper,
                    identity, SCAN_BLOCK, SCAN_OP);
    scan_section_store(call, held, (size_t)ticket.tile * scan_section_most(strategy), ticket.tag,
                       strategy, SCAN_OP);
  }
  scan_strategy_leave(call, ticket);
}

/* An empty input: the total is the seed, or the identity. */
SCAN_DEVICE void scan_strategy_empty(const scan_strategy_call *call, const scan_element *identity,
                                     SCAN_OP_PARAMS) {
  scan_element total;
  if (scan_thread() != 0) return;
  scan_element_copy(&total, identity, SCAN_OP);
  if (call->scan.seed != NULL) scan_call_seed(&total, &call->scan, SCAN_OP);
  scan_call_total(&call->scan, &total, SCAN_OP);
}

/* ---- the host's side */

#define SCAN_STRATEGY_KERNELS_MOST 3

/* What a stamp binds on the host side. */
typedef struct scan_strategy_family {
  scan_family family; /* what the checks want; of the kernels, only that of an empty input */
  scan_kernel kernels[2][SCAN_STRATEGY_KERNELS_MOST]; /* forward, reverse */
  size_t (*slots)(size_t sections, size_t section);   /* elements in the workspace */
  /* Launches the kernels; all is checked, and there is an input. */
  cudaError_t (*launch)(const struct scan_strategy_family *family, scan_strategy_call *call,
                        bool reverse, cudaStream_t stream);
  /* The operator on the host, where the strategy works there. */
  void (*combine)(scan_element *out, const scan_element *earlier, const scan_element *later);
  uint32_t threads;
  uint32_t section; /* elements */
  uint32_t shared_bytes;
} scan_strategy_family;

SCAN_HOST_ size_t scan_strategy_sections(size_t n, size_t section) {
  return n / section + (n % section != 0);
}

/* As many as scan.h's own scans ask for, at least: so that one check serves both. */
SCAN_HOST_ size_t scan_strategy_workspace_bytes(const scan_strategy_family *family, size_t n) {
  const size_t size = family->family.element.size;
  const size_t least = scan_device_workspace_bytes(size, n);
  const size_t slot_bytes = 8 * SCAN_STATUS_WORDS_(size);
  size_t slots;
  if (n > SIZE_MAX / size) n = SIZE_MAX / size;
  slots = family->slots(scan_strategy_sections(n, family->section), family->section);
  if (slots > (SIZE_MAX - SCAN_WORKSPACE_HEADER_BYTES) / slot_bytes) return SIZE_MAX;
  slots = SCAN_WORKSPACE_HEADER_BYTES + slot_bytes * slots;
  return slots > least ? slots : least;
}

/* One kernel of a call, on `blocks` blocks. */
SCAN_HOST_ cudaError_t scan_strategy_launch(const scan_strategy_family *family, uint32_t which,
                                            bool reverse, const scan_strategy_call *call,
                                            size_t blocks, cudaStream_t stream) {
  return scan_launch(family->kernels[reverse][which], (uint32_t)blocks, family->threads,
                     family->shared_bytes, stream, call, sizeof *call);
}

/* What strategies have in common of slots and launch: a slot a section or two of them; one kernel,
 * a block a section. */
SCAN_HOST_ size_t scan_strategy_slot_each(size_t sections, size_t section) {
  (void)section;
  return sections;
}
SCAN_HOST_ size_t scan_strategy_slots_each_two(size_t sections, size_t section) {
  (void)section;
  return 2 * sections;
}
SCAN_HOST_ cudaError_t scan_strategy_launch_sections(const scan_strategy_family *family,
                                                     scan_strategy_call *call, bool reverse,
                                                     cudaStream_t stream) {
  call->last = true;
  return scan_strategy_launch(family, 0, reverse, call, call->scan.short_tiles, stream);
}

/* Checks and launches. Nothing is launched unless all is well. */
SCAN_HOST_ cudaError_t scan_strategy_run(const scan_strategy_family *family,
                                         scan_workspace *workspace, const scan_request *request,
                                         cudaStream_t stream) {
  const size_t sections = scan_strategy_sections(request->n, family->section);
  scan_strategy_call call;
  cudaError_t error;
  if (sections > INT32_MAX) return cudaErrorInvalidValue;
  error = scan_device_check_(&family->family, workspace, request);
  if (error != cudaSuccess) return error;
  if (scan_strategy_workspace_bytes(family, request->n) > workspace->bytes)
    return cudaErrorLaunchOutOfResources;
  if (request->n == 0 && request->total == NULL) return cudaSuccess;
  memset(&call, 0, sizeof call);
  call.scan = scan_call_of(request, workspace);
  call.scan.short_tiles = (uint32_t)sections;
  call.count = request->n;
  if (request->segments != NULL)
    call.scan.view = scan_view_of(request->segments, request->n,
                                  family->section / family->threads * SCAN_WARP_THREADS);
  if (request->n == 0)
    return scan_launch(family->family.forward, 1, SCAN_WARP_THREADS, 0, stream, &call, sizeof call);
  return family->launch(family, &call, request->reverse, stream);
}

/* The same of a segmented scan. */
SCAN_HOST_ cudaError_t scan_strategy_segmented_run(const scan_strategy_family *family,
                                                   scan_workspace *workspace,
                                                   scan_segments segments, scan_request request,
                                                   cudaStream_t stream) {
  cudaError_t error;
  segments = scan_segmented_given_(segments, request.in, request.n);
  request.segments = &segments;
  error = scan_segmented_check_(&segments, family->family.element.size, &request);
  if (error != cudaSuccess) return error;
  return scan_strategy_run(family, workspace, &request, stream);
}

#endif /* SCAN_KERNELS_ */

#endif
