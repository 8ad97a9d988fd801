/* blelloch, blelloch_injected: a tree of sums upwards, and downwards what comes before each of its
   nodes. After Blelloch 1990; the lecture's local scan, version 2, the notes' and the page's. The
   listings hand down left + prefix; here the prefix comes first, as it must where the operator does
   not commute. 2N - 2 operations for a power of two, of which log2 N would be on the identity and
   are left out; 2 log2 N steps.

   For other N the tree is that of the next power of two, without what lies beyond the elements: a
   node whose right half is empty is its left half. */
#ifndef SCAN_STRATEGIES_BLELLOCH_H
#define SCAN_STRATEGIES_BLELLOCH_H

#include "scan/strategies/section.h"

#ifdef SCAN_KERNELS_

/* The least power of two that is not below the threads, 1024 at most. */
#define SCAN_BLELLOCH_SLOTS_(threads) \
  ((threads) <= 32    ? 32            \
   : (threads) <= 64  ? 64            \
   : (threads) <= 128 ? 128           \
   : (threads) <= 256 ? 256           \
   : (threads) <= 512 ? 512           \
                      : 1024)

#define SCAN_BLOCK_STRATEGY_blelloch ~, 1
#define SCAN_BLOCK_SLOTS_blelloch(threads) SCAN_BLELLOCH_SLOTS_(threads)
/* With the prefix of a device-wide scan injected at the root, as in the lecture's global scan,
   version 2: one operation more a level, and none for each element. */
#define SCAN_BLOCK_STRATEGY_blelloch_injected ~, 1
#define SCAN_BLOCK_SLOTS_blelloch_injected(threads) SCAN_BLELLOCH_SLOTS_(threads)

/* The node of a thread in the step of this stride: its own slot is its right half's, the last. */
typedef struct {
  uint32_t left, right; /* slots */
  bool any;             /* it has elements */
  bool both;            /* its right half, too */
} scan_blelloch_node;

SCAN_DEVICE scan_blelloch_node scan_blelloch_at(const scan_section *section, uint32_t stride) {
  scan_blelloch_node node;
  node.right = (scan_thread() + 1) * 2 * stride - 1;
  node.left = node.right - stride;
  node.any = scan_thread() * 2 * stride < section->active;
  node.both = node.left + 1 < section->active;
  return node;
}

SCAN_DEVICE uint32_t scan_blelloch_up(scan_section *section, const scan_element *x,
                                      SCAN_OP_PARAMS) {
  const uint32_t slots = scan_power_of_two(section->active);
  scan_section_place(section, x, SCAN_OP);
  /* Each node's slot receives its elements. Invariant: nodes of `stride` slots have them. */
  SCAN_ROLL_
  for (uint32_t stride = 1; stride < slots; stride *= 2) {
    const scan_blelloch_node node = scan_blelloch_at(section, stride);
    if (node.any) {
      scan_element left, both;
      scan_shared_get(&left, section->xy, node.left, SCAN_OP);
      if (node.both) {
        scan_shared_get(&both, section->xy, node.right, SCAN_OP);
        scan_prepend(&both, &left, SCAN_OP);
      } else {
        scan_element_copy(&both, &left, SCAN_OP);
      }
      scan_shared_put(section->xy, node.right, &both, SCAN_OP);
    }
    scan_section_step(section);
  }
  return slots - 1;
}

SCAN_DEVICE void scan_blelloch_down(scan_section *section, bool any, const scan_element *injected,
                                    SCAN_OP_PARAMS) {
  const uint32_t slots = scan_power_of_two(section->active);
  if (slots == 1) {
    if (scan_thread() == 0 && any) scan_shared_put(section->xy, 0, injected, SCAN_OP);
    scan_section_step(section);
  }
  /* Each node's slot receives what comes before it; the root's is what was injected. The nodes at
   * the very left have nothing before them without that, and then their slots mean nothing.
   * Invariant: nodes of more than `stride` slots have theirs. */
  SCAN_ROLL_
  for (uint32_t stride = slots / 2; stride >= 1; stride /= 2) {
    const scan_blelloch_node node = scan_blelloch_at(section, stride);
    if (node.any) {
      const bool preceded = scan_thread() != 0 || any;
      scan_element before, left;
      if (preceded && stride == slots / 2)
        scan_element_copy(&before, injected, SCAN_OP);
      else if (preceded)
        scan_shared_get(&before, section->xy, node.right, SCAN_OP);
      if (node.both) {
        scan_shared_get(&left, section->xy, node.left, SCAN_OP);
        if (preceded) scan_prepend(&left, &before, SCAN_OP);
        scan_shared_put(section->xy, node.right, &left, SCAN_OP);
      }
      if (preceded) scan_shared_put(section->xy, node.left, &before, SCAN_OP);
    }
    scan_section_step(section);
  }
}
#define SCAN_BLOCK_BY_blelloch scan_blelloch_up, scan_blelloch_down
#define SCAN_BLOCK_IS_blelloch scan_block_exclusive_
#define SCAN_BLOCK_BY_blelloch_injected scan_blelloch_up, scan_blelloch_down
#define SCAN_BLOCK_IS_blelloch_injected (scan_block_exclusive_ | scan_block_injects_)

#endif /* SCAN_KERNELS_ */

#endif
