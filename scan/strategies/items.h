/* Coarsening: several items a thread around any block strategy, once for all of them. As on the
   page: each thread scans its own, the strategy scans the threads' last ones, each thread puts what
   comes before in front. Items come from the arrays and go there striped, neighbours by
   neighbouring threads, and are scanned blocked, neighbours in one thread; in between, threads
   exchange them in shared memory. */
#ifndef SCAN_STRATEGIES_ITEMS_H
#define SCAN_STRATEGIES_ITEMS_H

#include "scan/block.h"
#include "scan/strategies/raking.h"

#ifdef SCAN_KERNELS_

/* A block's elements. Thread t holds those that come (t * items)-th and on along the scan: in
   registers, as the client's type, or in shared memory, packed. */
typedef struct {
  scan_block_traits traits;
  uint32_t *xy;     /* the section's */
  uint32_t active;  /* threads with an item */
  void *registers;  /* the thread's items */
  uint32_t *shared; /* the block's items: their exchange, or where they lie; not used where items
                       is 1 */
  uint32_t items;   /* a thread, a constant once inlined */
  uint32_t count;   /* elements of the block, 1 at least */
  uint32_t own;     /* of the thread; only the last thread with any may have fewer than items */
  scan_element sum; /* of the thread's own */
} scan_items;

/* `xy`: the strategy's slots; `shared`: items * threads elements. */
SCAN_DEVICE scan_items scan_items_of(scan_block_traits traits, void *registers, uint32_t *xy,
                                     uint32_t *shared, uint32_t items, uint32_t count) {
  scan_items held;
  memset(&held, 0, sizeof held); /* no word of sum is left open, which gcc minds */
  held.traits = traits;
  held.xy = xy;
  held.active = (count + items - 1) / items;
  held.registers = registers;
  held.shared = shared;
  held.items = items;
  held.count = count;
  held.own = scan_left(count, scan_thread() * items, items);
  return held;
}

SCAN_DEVICE void scan_items_get(scan_element *x, const scan_items *held, uint32_t i,
                                SCAN_OP_PARAMS) {
  if (held->traits & scan_block_in_shared_)
    scan_shared_get(x, held->shared, scan_thread() * held->items + i, SCAN_OP);
  else
    scan_item_get(x, held->registers, i, SCAN_OP);
}
SCAN_DEVICE void scan_items_put(const scan_items *held, uint32_t i, const scan_element *x,
                                SCAN_OP_PARAMS) {
  if (held->traits & scan_block_in_shared_)
    scan_shared_put(held->shared, scan_thread() * held->items + i, x, SCAN_OP);
  else
    scan_item_put(held->registers, i, x, SCAN_OP);
}

/* A thread's part of the exchange: its items from shared memory, where the block's lie in order,
 * into its registers, and back, where others find them. */
SCAN_DEVICE void scan_items_to_blocked(const scan_items *held, SCAN_OP_PARAMS) {
  SCAN_UNROLL_
  for (uint32_t i = 0; i < held->items; i++)
    if (i < held->own) {
      scan_element x;
      scan_shared_get(&x, held->shared, scan_thread() * held->items + i, SCAN_OP);
      scan_item_put(held->registers, i, &x, SCAN_OP);
    }
}
SCAN_DEVICE void scan_items_to_striped(const scan_items *held, SCAN_OP_PARAMS) {
  SCAN_UNROLL_
  for (uint32_t i = 0; i < held->items; i++)
    if (i < held->own) {
      scan_element x;
      scan_item_get(&x, held->registers, i, SCAN_OP);
      scan_shared_put(held->shared, scan_thread() * held->items + i, &x, SCAN_OP);
    }
}

/* With raking a thread scans several items once more, onto what comes before them, and fetches
   nothing else: fewer instructions for each thread, of which raking lives (bench/NOTES.md). */
SCAN_DEVICE bool scan_items_rescanned(const scan_items *held) {
  return (held->traits & scan_block_raked_) != 0 && held->items > 1;
}

/* What the threads scan together. */
SCAN_DEVICE scan_section scan_items_section(const scan_items *held, SCAN_BLOCK_PARAMS) {
  scan_section section = scan_section_of(held->xy, block_threads, held->active, false);
  section.items = block_items;
  return section;
}

/* The scan up to where all the block's elements together are known: their slot is returned. N - T
   operations for T threads, and the strategy's for T. */
SCAN_DEVICE uint32_t scan_items_up(scan_items *held, SCAN_BLOCK_PARAMS, SCAN_OP_PARAMS) {
  scan_section section;
  uint32_t total;
  bool any = false;
  SCAN_UNROLL_
  for (uint32_t i = 0; i < block_items; i++)
    if (i < held->own) {
      scan_element x;
      scan_items_get(&x, held, i, SCAN_OP);
      scan_append_first(&held->sum, &any, &x, SCAN_OP);
      if (i != 0 && !scan_items_rescanned(held)) scan_items_put(held, i, &held->sum, SCAN_OP);
    }
  section = scan_items_section(held, SCAN_BLOCK);
  total = block_up(&section, &held->sum, SCAN_OP);
  held->xy = section.xy;
  return total;
}

/* Where the strategy leaves what is for thread t. */
SCAN_DEVICE const uint32_t *scan_items_left_at(const scan_items *held, uint32_t t,
                                               SCAN_BLOCK_PARAMS, SCAN_OP_PARAMS) {
  const scan_section section = scan_items_section(held, SCAN_BLOCK);
  return (held->traits & scan_block_raked_) != 0 ? scan_raking_of(&section, t, SCAN_OP)
                                                 : section.xy + t * scan_element_words(SCAN_OP);
}

/* Scans the thread's items once more, onto `before` if there is `any`; before is used up. */
SCAN_DEVICE void scan_items_rescan(const scan_items *held, scan_element *before, bool any,
                                   bool exclusive, const scan_element *identity, SCAN_BLOCK_PARAMS,
                                   SCAN_OP_PARAMS) {
  scan_element given;
  scan_element_select(&given, any, before, identity, SCAN_OP);
  /* Invariant: before holds all before the i-th, given what an exclusive scan gives there. */
  SCAN_UNROLL_
  for (uint32_t i = 0; i < block_items; i++)
    if (i < held->own) {
      scan_element x;
      scan_items_get(&x, held, i, SCAN_OP);
      if (!exclusive || i + 1 < held->own) scan_append_first(before, &any, &x, SCAN_OP);
      /* Else nvcc keeps the rest both with what comes before it and without. */
      if (i == 0) scan_element_settle(before, SCAN_OP);
      scan_element_select(&x, exclusive, &given, before, SCAN_OP);
      scan_items_put(held, i, &x, SCAN_OP);
      scan_element_copy(&given, before, SCAN_OP);
    }
}

/* The rest of the scan, onto `prefix` where there is one. Of an exclusive scan the first element is
   the prefix, or without one `identity`. (T - 1) (N/T - 1) operations, those of an exclusive
   strategy, and N for a prefix that is not injected; where items are rescanned, N - 1, in an
   exclusive scan N - T - 1, and T for a prefix. Only thread 0 may still read the total. Ends
   without a barrier. */
SCAN_DEVICE void scan_items_down(scan_items *held, bool prefixed, const scan_element *prefix,
                                 bool exclusive, const scan_element *identity, SCAN_BLOCK_PARAMS,
                                 SCAN_OP_PARAMS) {
  const uint32_t t = scan_thread();
  const bool injected = (held->traits & scan_block_injects_) != 0 && prefixed;
  const bool rescanned = scan_items_rescanned(held);
  const bool wanted =
      exclusive || (held->traits & scan_block_exclusive_) != 0 || rescanned || held->own > 1;
  scan_section section = scan_items_section(held, SCAN_BLOCK);
  const uint32_t *own_at = scan_items_left_at(held, t, SCAN_BLOCK, SCAN_OP);
  const uint32_t *before_at = scan_items_left_at(held, t != 0 ? t - 1 : 0, SCAN_BLOCK, SCAN_OP);
  scan_element before, x;
  bool any = t != 0;
  block_down(&section, injected, prefix, SCAN_OP);
  if (held->own == 0) return;
  /* What comes before the thread's own. */
  scan_element_clear(&before, SCAN_OP);
  if (held->traits & scan_block_exclusive_) {
    any = any || injected;
    if (any) scan_shared_get(&before, own_at, 0, SCAN_OP);
  } else if ((any || rescanned) && wanted) {
    scan_shared_get(&before, before_at, 0, SCAN_OP);
  }
  if (prefixed && !injected && wanted) scan_prepend_first(&before, &any, prefix, SCAN_OP);
  if (rescanned) {
    scan_items_rescan(held, &before, any, exclusive, identity, SCAN_BLOCK, SCAN_OP);
    return;
  }
  if (exclusive) {
    SCAN_UNROLL_
    for (uint32_t i = block_items - 1; i > 0; i--)
      if (i < held->own) {
        scan_items_get(&x, held, i - 1, SCAN_OP);
        if (any) scan_prepend(&x, &before, SCAN_OP);
        scan_items_put(held, i, &x, SCAN_OP);
      }
    scan_element_select(&x, any, &before, identity, SCAN_OP);
    scan_items_put(held, 0, &x, SCAN_OP);
    return;
  }
  if (any) {
    SCAN_UNROLL_
    for (uint32_t i = 0; i < block_items; i++)
      if (i + 1 < held->own) {
        scan_items_get(&x, held, i, SCAN_OP);
        scan_prepend(&x, &before, SCAN_OP);
        scan_items_put(held, i, &x, SCAN_OP);
      }
  }
  /* The last, which a strategy that is not exclusive has. */
  if (held->traits & scan_block_exclusive_) {
    scan_element_copy(&x, &held->sum, SCAN_OP);
    if (any) scan_prepend(&x, &before, SCAN_OP);
  } else {
    scan_shared_get(&x, own_at, 0, SCAN_OP);
    if (prefixed) scan_prepend(&x, prefix, SCAN_OP);
  }
  SCAN_UNROLL_
  for (uint32_t i = 0; i < block_items; i++)
    if (i + 1 == held->own) scan_items_put(held, i, &x, SCAN_OP);
}

/* A whole scan, all threads with all their items, at block level. */
SCAN_DEVICE void scan_items_scan(scan_block_traits traits, void *items, bool exclusive,
                                 const scan_element *identity, uint32_t *xy, uint32_t *shared,
                                 SCAN_BLOCK_PARAMS, SCAN_OP_PARAMS) {
  scan_items held =
      scan_items_of(traits, items, xy, shared, block_items, scan_threads() * block_items);
  scan_section_assume(scan_threads());
  held.active = scan_threads();
  held.own = block_items; /* which nvcc does not see */
  if (traits & scan_block_in_shared_) scan_items_to_striped(&held, SCAN_OP);
  (void)scan_items_up(&held, SCAN_BLOCK, SCAN_OP);
  scan_items_down(&held, false, identity, exclusive, identity, SCAN_BLOCK, SCAN_OP);
  if (traits & scan_block_in_shared_) scan_items_to_blocked(&held, SCAN_OP);
  scan_section_barrier();
}

/* x = all threads' x, in every thread: the bits of the scan's last. */
SCAN_DEVICE void scan_items_reduce(scan_element *x, uint32_t *xy, SCAN_BLOCK_PARAMS,
                                   SCAN_OP_PARAMS) {
  scan_section section = scan_section_of(xy, block_threads, scan_threads(), true);
  uint32_t total;
  scan_section_assume(scan_threads());
  total = block_up(&section, x, SCAN_OP);
  scan_shared_get(x, section.xy, total, SCAN_OP);
  scan_section_barrier();
}

#endif /* SCAN_KERNELS_ */

#endif
