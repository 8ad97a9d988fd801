/* thesis_look_back: the segmented scan of van den Hurk's thesis (2022, section 3.2), a decoupled
   look-back that knows of starts. A section has two slots: its own sum (the thesis's "aggregate
   available", A), if nothing starts in it, and all back to the last start before its end
   ("inclusive prefix available", P). So a section in which a segment starts is in state P at once
   and whoever looks back stops there; no flag is passed on. What comes before goes into the
   elements up to the first start, and a section that begins with one does not look back.

   The thesis scans pairs of an element and a flag inside a block, by shuffles; here any block
   strategy does, by the lifted operator, along the scan. Only elements come and go, neighbours to
   neighbouring threads, and every encoding of the segments is read once, a warp's stretch at a
   time: 2n, and one n more for flags. How the sums are associated depends on who comes first:
   floats are not bitwise repeatable. */
#ifndef SCAN_STRATEGIES_THESIS_LOOK_BACK_H
#define SCAN_STRATEGIES_THESIS_LOOK_BACK_H

#include "scan/strategies/decoupled_look_back.h"

#ifdef SCAN_KERNELS_

#define SCAN_SEGMENTED_STRATEGY_thesis_look_back ~, 1

/* What a stamp binds beside scan_strategy, constant once inlined: two operators, and which word of
   a pair is its head. */
typedef struct {
  scan_combine combine;
  uint32_t size, alignment;
  bool reverse, segmented;
} scan_operator;
typedef struct {
  scan_operator lifted; /* over pairs: starts again at a head, along the scan */
  scan_operator plain;  /* the client's, over elements; the first words of a pair are one */
  uint32_t head;
} scan_lifting;
#define SCAN_OP_OF_(op)                                                             \
  (op).combine, (op).size, (op).alignment, (op).reverse, (op).segmented, (op).size, \
      (op).alignment, (op).size, (op).alignment, (op).size, NULL, NULL

/* Where segments start in the stretch of a warp: its threads' elements. */
typedef struct {
  const uint32_t *bits;
  uint32_t count; /* elements */
} scan_stretch;

/* Words of a warp's bits, and of these and its marks, wherever a 16-byte boundary lies. */
#define SCAN_STRETCH_BITS_(items) SCAN_HEADS_WORDS_((items)*SCAN_WARP_THREADS)
#define SCAN_STRETCH_WORDS_(items) (SCAN_STRETCH_BITS_(items) + (items)*SCAN_WARP_THREADS / 4 + 4)

/* The starts of the warp's stretch, of a section whose first element comes first-th along the scan
 * and that has `left` elements. bits: the block's. */
SCAN_DEVICE scan_stretch scan_stretch_starts(const scan_strategy_call *call, uint32_t *bits,
                                             size_t first, uint32_t left, scan_strategy strategy,
                                             SCAN_OP_PARAMS) {
  const uint32_t most = strategy.items * SCAN_WARP_THREADS;
  const size_t begin = first + scan_warp() * most;
  scan_stretch stretch;
  scan_extent extent = {0, 0, 0, 0, 0, 0, 0, false};
  unsigned char *marks;
  stretch.bits = bits += scan_warp() * SCAN_STRETCH_WORDS_(strategy.items);
  stretch.count = scan_left(left, scan_warp() * most, most);
  if (stretch.count == 0) return stretch;
  marks = (unsigned char *)(bits + SCAN_STRETCH_BITS_(strategy.items));
  marks += -(uintptr_t)marks % 16;
  scan_short_heads(&call->scan, bits, marks, &extent,
                   op_reverse ? call->count - begin - stretch.count : begin, stretch.count, 0,
                   SCAN_OP);
  SCAN_COUNT_(global_reads, scan_lane() != 0 ? 0
                            : call->scan.segments.kind < scan_segments_offsets_
                                ? stretch.count
                                : extent.end - extent.told);
  return stretch;
}

/* Whether the element that comes index-th along the warp's stretch starts a segment. */
SCAN_DEVICE bool scan_stretch_start(const scan_stretch *stretch, uint32_t index, SCAN_OP_PARAMS) {
  return index < stretch->count &&
         scan_bit(stretch->bits, scan_place(index, stretch->count, SCAN_OP));
}

/* values, pairs: the thread's items, in registers. identity: a pair. */
SCAN_DEVICE void scan_thesis_look_back(const scan_strategy_call *call, scan_strategy_shared *shared,
                                       void *values, void *pairs, const scan_element *identity,
                                       scan_strategy strategy, SCAN_BLOCK_PARAMS, scan_lifting by) {
  const scan_ticket ticket = scan_strategy_enter(call, shared);
  const scan_status status = scan_strategy_status(call, ticket.tag, SCAN_OP_OF_(by.plain));
  const size_t first = (size_t)ticket.tile * scan_section_most(strategy);
  const bool ends = ticket.tile + 1 == call->scan.short_tiles;
  const bool seeded = call->scan.seed != NULL;
  const uint32_t own = scan_lane() * strategy.items; /* the thread's first, along the stretch */
  uint32_t *xy = (uint32_t *)SCAN_AT_(shared, SCAN_STRATEGY_HEAD_BYTES);
  uint32_t *exchange = xy + strategy.slots * scan_element_words(SCAN_OP_OF_(by.lifted));
  uint32_t *bits = exchange + (strategy.items > 1 ? scan_section_most(strategy) : 0) *
                                  scan_element_words(SCAN_OP_OF_(by.lifted));
  scan_strategy moving = strategy; /* of values, in the memory of pairs, at other times */
  scan_items moved, held;
  scan_stretch stretch;
  scan_element start; /* what each segment begins with, of an exclusive scan */
  uint32_t slot;
  moving.traits &= ~(scan_block_traits)scan_block_in_shared_;
  moving.slots = 0;
  moved = scan_section_load(call, shared, values, first, ticket.tag, moving, SCAN_OP_OF_(by.plain));
  stretch = scan_stretch_starts(call, bits, first, moved.count, strategy, SCAN_OP_OF_(by.plain));
  scan_element_copy(&start, identity, SCAN_OP_OF_(by.lifted));
  if (seeded) scan_call_seed(&start, &call->scan, SCAN_OP_OF_(by.plain));
  scan_section_barrier();

  /* Elements and whether they start a segment: pairs. The seed comes before each that does. */
  held = scan_items_of(strategy.traits, pairs, xy, exchange, strategy.items, moved.count);
  SCAN_UNROLL_
  for (uint32_t i = 0; i < block_items; i++)
    if (i < held.own) {
      const bool starts = scan_stretch_start(&stretch, own + i, SCAN_OP_OF_(by.plain));
      scan_element x;
      scan_element_clear(&x, SCAN_OP_OF_(by.lifted));
      scan_item_get(&x, values, i, SCAN_OP_OF_(by.plain));
      if (starts && seeded) scan_prepend(&x, &start, SCAN_OP_OF_(by.plain));
      x.word[by.head] = starts;
      scan_items_put(&held, i, &x, SCAN_OP_OF_(by.lifted));
    }
  slot = scan_items_up(&held, SCAN_BLOCK, SCAN_OP_OF_(by.lifted));

  if (scan_warp() == 0) {
    const bool begins = scan_stretch_start(&stretch, 0, SCAN_OP_OF_(by.plain));
    bool known; /* all back to the last start: state P */
    scan_element total;
    scan_element_clear(&total, SCAN_OP_OF_(by.lifted));
    if (scan_thread() == 0) scan_shared_get(&total, held.xy, slot, SCAN_OP_OF_(by.lifted));
    known = scan_ballot(total.word[by.head] != 0) != 0;
    if (scan_thread() == 0 && !ends) {
      SCAN_COUNT_(status_writes, 1);
      scan_publish(known ? status.prefixes : status.aggregates, ticket.tile, &total, false,
                   ticket.tag, SCAN_OP_OF_(by.plain));
    }
    if (scan_thread() == 0) shared->any_prefix = !begins;
    if (!begins) {
      scan_element before;
      scan_look_back_sections(&before, ticket.tile, status, SCAN_OP_OF_(by.plain));
      if (scan_thread() == 0) {
        scan_element_copy(&shared->prefix, &before, SCAN_OP_OF_(by.plain));
        shared->prefix.word[by.head] = 0;
        if (!known && !ends) {
          scan_prepend(&total, &before, SCAN_OP_OF_(by.plain));
          SCAN_COUNT_(status_writes, 1);
          scan_publish(status.prefixes, ticket.tile, &total, false, ticket.tag,
                       SCAN_OP_OF_(by.plain));
        }
      }
    }
  }

  /* The lifted operator leaves alone what has a start before it. */
  scan_section_barrier();
  scan_items_down(&held, shared->any_prefix, &shared->prefix, call->scan.exclusive, identity,
                  SCAN_BLOCK, SCAN_OP_OF_(by.lifted));
  SCAN_UNROLL_
  for (uint32_t i = 0; i < block_items; i++)
    if (i < held.own) {
      scan_element x;
      scan_items_get(&x, &held, i, SCAN_OP_OF_(by.lifted));
      if (call->scan.exclusive && scan_stretch_start(&stretch, own + i, SCAN_OP_OF_(by.plain)))
        scan_element_copy(&x, &start, SCAN_OP_OF_(by.plain));
      scan_item_put(values, i, &x, SCAN_OP_OF_(by.plain));
    }
  scan_section_barrier();
  scan_section_store(call, &moved, first, ticket.tag, moving, SCAN_OP_OF_(by.plain));
  scan_strategy_leave(call, ticket);
}

#define scan_thesis_look_back_slots scan_strategy_slots_each_two
#define scan_thesis_look_back_launch scan_strategy_launch_sections

#endif /* SCAN_KERNELS_ */

#endif
