/* A section: the elements that the threads of a block scan together, one a thread, and what a block
   strategy makes of it. (The chapter of Hwu, Kirk and El Hajj calls it section, too, and XY the
   shared memory in which it lies.) */
#ifndef SCAN_STRATEGIES_SECTION_H
#define SCAN_STRATEGIES_SECTION_H

#include "scan/element.h"
#include "scan/strategies/count.h"

#ifdef SCAN_KERNELS_

/* Only the first `active` threads have an element, 1 at least; a slot without one is never an
   operand. threads: as many as a block may have, a constant once inlined. xy: packed elements in
   shared memory, 16-byte aligned, as many as the strategy's SCAN_BLOCK_SLOTS_ says. */
typedef struct {
  uint32_t *xy;
  uint32_t threads;
  uint32_t active;
  bool folded;    /* nothing is asked for but all elements together */
  uint32_t items; /* that a thread has, of which this is the sum; a constant once inlined */
} scan_section;
SCAN_DEVICE scan_section scan_section_of(uint32_t *xy, uint32_t threads, uint32_t active,
                                         bool folded) {
  const scan_section section = {xy, threads, active, folded, 1};
  return section;
}

/* A strategy's functions. All threads of the block call them, in this order; xy is left as it is
   from one to the next, and each ends with a barrier, but a down that has nothing to do.

   up: takes x of the active threads. Returns the slot that then holds all of them together.
   down: ends the scan. Where `any`, `injected` comes before all.

   Afterwards slot t holds, for thread t, all elements up to its own (inclusive), or those before it
   (exclusive: slot 0 then holds what was injected, or nothing that counts). Threads may bring a
   different section->xy out of up than they brought in. */
typedef uint32_t (*scan_section_up)(scan_section *section, const scan_element *x, SCAN_OP_PARAMS);
typedef void (*scan_section_down)(scan_section *section, bool any, const scan_element *injected,
                                  SCAN_OP_PARAMS);

/* What a function that scans a block's elements is given beside the operator, and as that: the
   strategy's functions, the threads that a block may have, and the items a thread. nvcc inlines
   what an argument names, but not what a field of a struct does (bench/NOTES.md). */
#define SCAN_BLOCK_PARAMS                                                           \
  SCAN_UNUSED_ scan_section_up block_up, SCAN_UNUSED_ scan_section_down block_down, \
      SCAN_UNUSED_ uint32_t block_threads, SCAN_UNUSED_ uint32_t block_items
#define SCAN_BLOCK block_up, block_down, block_threads, block_items

/* The `down` of a strategy whose `up` is all. */
SCAN_DEVICE void scan_section_up_is_all(scan_section *section, bool any,
                                        const scan_element *injected, SCAN_OP_PARAMS) {
  (void)section;
  (void)any;
  (void)injected;
}

/* The `up` where no block strategy is inside, or one that only reduces: nobody calls it. */
SCAN_DEVICE uint32_t scan_section_no_up(scan_section *section, const scan_element *x,
                                        SCAN_OP_PARAMS) {
  (void)section;
  (void)x;
  return 0;
}

/* What else there is to a block strategy, constant once inlined: none of these, or several. */
enum {
  scan_block_exclusive_ = 1,
  scan_block_injects_ = 2,   /* a prefix goes through down, not to each element by itself */
  scan_block_in_shared_ = 4, /* a thread's items stay in shared memory, too (three_phase.h) */
  scan_block_raked_ = 8      /* what is for thread t lies in its scan_raking_slot (raking.h) */
};
typedef uint32_t scan_block_traits;

/* A program that wants to see the states (examples/trace) defines this before the first include. It
   is called by all threads when their elements are in xy and after each step, when xy is settled;
   whoever looks at it must meet the block's other threads before returning. */
#ifndef SCAN_STRATEGY_STEP_
#define SCAN_STRATEGY_STEP_(section) ((void)0)
#endif

/* The ways of strategies to shared memory and to each other. */
SCAN_DEVICE void scan_shared_put(uint32_t *packed, uint32_t slot, const scan_element *x,
                                 SCAN_OP_PARAMS) {
  SCAN_COUNT_(shared_writes, 1);
  scan_packed_put(packed, slot, x, SCAN_OP);
}
SCAN_DEVICE void scan_shared_get(scan_element *x, const uint32_t *packed, uint32_t slot,
                                 SCAN_OP_PARAMS) {
  SCAN_COUNT_(shared_reads, 1);
  scan_packed_get(x, packed, slot, SCAN_OP);
}
SCAN_DEVICE void scan_section_barrier(void) {
  SCAN_COUNT_BLOCK_(barriers, 1);
  scan_block_barrier();
}
/* A state is there. */
SCAN_DEVICE void scan_section_settle(const scan_section *section) {
  scan_section_barrier();
  SCAN_STRATEGY_STEP_(section);
  (void)section;
}
/* Ends a step. */
SCAN_DEVICE void scan_section_step(const scan_section *section) {
  SCAN_COUNT_BLOCK_(steps, 1);
  scan_section_settle(section);
}

/* What holds of a client's block, whose threads all have an element. */
SCAN_DEVICE void scan_section_assume(uint32_t threads) {
  SCAN_ASSUME_(scan_thread() < threads);
  SCAN_ASSUME_(threads % SCAN_WARP_THREADS == 0);
  (void)threads;
}

/* How a strategy begins: each active thread's element lies in the thread's slot. */
SCAN_DEVICE void scan_section_place(const scan_section *section, const scan_element *x,
                                    SCAN_OP_PARAMS) {
  if (scan_thread() < section->active) scan_shared_put(section->xy, scan_thread(), x, SCAN_OP);
  scan_section_settle(section);
}

/* The least power of two that is not below count. */
SCAN_DEVICE uint32_t scan_power_of_two(uint32_t count) {
  uint32_t power = 1;
  while (power < count) power *= 2;
  return power;
}

#endif /* SCAN_KERNELS_ */

#endif
