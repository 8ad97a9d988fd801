/* raking: each thread leaves its element in shared memory, and the first warp scans them all: each
   of its lanes folds a run of neighbours, the lanes scan what their runs come to by shuffles, and
   each puts what comes before in front of what it has folded, or takes a long run's elements once
   more. The other warps do nothing but leave an element and fetch it, so it is the fastest where
   kernels fill a multiprocessor, but a block waits longer for one warp than for all
   (bench/NOTES.md). After Dotsenko et al. 2008, "Fast scan algorithms on graphics processors", and
   CUB's BLOCK_SCAN_RAKING. For N threads, 2N - N/32 + 66 operations in N/32 + 5 steps. */
#ifndef SCAN_STRATEGIES_RAKING_H
#define SCAN_STRATEGIES_RAKING_H

#include "scan/strategies/section.h"
#include "scan/warp.h"

#ifdef SCAN_KERNELS_

#define SCAN_BLOCK_STRATEGY_raking ~, 1
/* Of the threads, of the gaps between them (scan_raking_slot), and the last for a total alone. */
#define SCAN_BLOCK_SLOTS_raking(threads) ((threads) + SCAN_WARP_THREADS + 1)

#define SCAN_RAKING_RUN_MOST 32

/* So that the lanes of a warp go over all threads that a block may have. */
SCAN_DEVICE uint32_t scan_raking_run(const scan_section *section) {
  return section->threads / SCAN_WARP_THREADS;
}

/* A lane accesses its run by groups of elements: single words by four, which are a vector of 16
   bytes, where a run consists of these, wider elements one by one. */
SCAN_DEVICE uint32_t scan_raking_group(const scan_section *section, SCAN_OP_PARAMS) {
  return scan_element_words(SCAN_OP) == 1 && scan_raking_run(section) % 4 == 0 ? 4 : 1;
}
SCAN_DEVICE bool scan_raking_vectors(const scan_section *section, SCAN_OP_PARAMS) {
  return scan_raking_group(section, SCAN_OP) * scan_element_words(SCAN_OP) % 4 == 0;
}

/* The slot of the i-th of a lane's run: the lanes' first groups side by side, then their second
   ones, and so on. So a lane has its groups at fixed distances, and lanes that access their i-th at
   once meet in no bank, but with 32 or 64 bytes each. Nor do threads, whose elements are neighbours
   in a run, if runs are as long as a power of two: after each such row there is a gap as long as
   what those that access at once have of it. */
SCAN_DEVICE uint32_t scan_raking_slot(const scan_section *section, uint32_t lane, uint32_t i,
                                      SCAN_OP_PARAMS) {
  const uint32_t run = scan_raking_run(section);
  const uint32_t group = scan_raking_group(section, SCAN_OP);
  const uint32_t words = scan_element_words(SCAN_OP);
  const uint32_t at_once = SCAN_WARP_THREADS / (words % 4 == 0 ? 4u : words % 2 == 0 ? 2u : 1u);
  const uint32_t row = (SCAN_WARP_THREADS + (at_once > run ? at_once / run : 1)) * group;
  return i / group * row + lane * group + i % group;
}
/* That of thread t. */
SCAN_DEVICE uint32_t scan_raking_slot_of(const scan_section *section, uint32_t t, SCAN_OP_PARAMS) {
  const uint32_t run = scan_raking_run(section);
  return scan_raking_slot(section, t / run, t % run, SCAN_OP);
}
/* The places: of the lane's own i-th, of thread t's. */
SCAN_DEVICE uint32_t *scan_raking_own(const scan_section *section, uint32_t i, SCAN_OP_PARAMS) {
  return section->xy +
         scan_raking_slot(section, scan_lane(), i, SCAN_OP) * scan_element_words(SCAN_OP);
}
SCAN_DEVICE uint32_t *scan_raking_of(const scan_section *section, uint32_t t, SCAN_OP_PARAMS) {
  return scan_shared_early(section->xy +
                           scan_raking_slot_of(section, t, SCAN_OP) * scan_element_words(SCAN_OP));
}

/* The lane's group that begins with its i-th element. */
SCAN_DEVICE void scan_raking_get(scan_element *x, const scan_section *section, uint32_t i,
                                 SCAN_OP_PARAMS) {
  const uint32_t words = scan_element_words(SCAN_OP);
  const uint32_t group = scan_raking_group(section, SCAN_OP);
  const bool vectors = scan_raking_vectors(section, SCAN_OP);
  const uint32_t *from = scan_raking_own(section, i, SCAN_OP);
  uint32_t word[SCAN_ELEMENT_WORDS_MOST];
  SCAN_COUNT_(shared_reads, group);
  SCAN_UNROLL_
  for (uint32_t w = 0; w < group * words; w++) {
    if (!vectors) word[w] = from[w];
    if (vectors && w % 4 == 0) scan_vector_load(&word[w], &from[w]);
  }
  SCAN_UNROLL_
  for (uint32_t w = 0; w < group * words; w++) x[w / words].word[w % words] = word[w];
}
SCAN_DEVICE void scan_raking_put(const scan_section *section, uint32_t i, const scan_element *x,
                                 SCAN_OP_PARAMS) {
  const uint32_t words = scan_element_words(SCAN_OP);
  const uint32_t group = scan_raking_group(section, SCAN_OP);
  const bool vectors = scan_raking_vectors(section, SCAN_OP);
  uint32_t *to = scan_raking_own(section, i, SCAN_OP);
  uint32_t word[SCAN_ELEMENT_WORDS_MOST];
  SCAN_COUNT_(shared_writes, group);
  SCAN_UNROLL_
  for (uint32_t w = 0; w < group * words; w++) word[w] = x[w / words].word[w % words];
  SCAN_UNROLL_
  for (uint32_t w = 0; w < group * words; w++) {
    if (!vectors) to[w] = word[w];
    if (vectors && w % 4 == 0) scan_vector_store(&to[w], &word[w]);
  }
}

/* Whether a lane keeps what its run comes to in registers between its two passes. All threads have
   as many as these lanes: for a long run a multiprocessor would have fewer blocks, unless they have
   so many for their items anyway (bench/NOTES.md). */
SCAN_DEVICE bool scan_raking_keeps(const scan_section *section, SCAN_OP_PARAMS) {
  const uint32_t run = scan_raking_run(section);
  return run * scan_element_words(SCAN_OP) <= 16 || run <= section->items;
}

/* Whether the run of a lane is whole. */
SCAN_DEVICE bool scan_raking_whole(const scan_section *section) {
  return (scan_lane() + 1) * scan_raking_run(section) <= section->active;
}

/* What the first warp does. reaches: its lanes' (warp.h). ends: the lane's run is the last that has
   an element; where nothing else is asked for, it leaves all together in `total`. */
SCAN_DEVICE void scan_raking_rake(const scan_section *section, uint32_t reaches, bool ends,
                                  uint32_t *total, SCAN_OP_PARAMS) {
  const uint32_t lane = scan_lane();
  const uint32_t run = scan_raking_run(section);
  const uint32_t group = scan_raking_group(section, SCAN_OP);
  const bool keeps = scan_raking_keeps(section, SCAN_OP);
  const bool whole = scan_raking_whole(section);
  bool any = lane != 0; /* something comes before the run */
  scan_element x[SCAN_RAKING_RUN_MOST], through, before;
  scan_element_clear(&through, SCAN_OP);
  if (whole) {
    /* Invariant: through holds the run's elements before the i-th, and each of these in x those up
     * to its own. */
    SCAN_UNROLL_
    for (uint32_t i = 0; i < run; i++) {
      if (i % group == 0) scan_raking_get(&x[i], section, i, SCAN_OP);
      if (i != 0) scan_prepend(&x[i], &through, SCAN_OP);
      scan_element_copy(&through, &x[i], SCAN_OP);
    }
  }
  scan_warp_barrier();
  scan_warp_scan_reaching(&through, reaches, SCAN_OP);
  scan_element_copy(&before, &through, SCAN_OP);
  scan_warp_shift(&before, SCAN_OP);
  if (whole && !section->folded) {
    /* Invariant: before holds all that comes before the run, or, where x holds the elements by
     * themselves, before the i-th, if there is any. */
    SCAN_UNROLL_
    for (uint32_t i = 0; i < run; i++) {
      if (!keeps && i % group == 0) scan_raking_get(&x[i], section, i, SCAN_OP);
      if (i == run - 1) {
        scan_element_copy(&x[i], &through, SCAN_OP);
      } else if (!keeps) {
        scan_append_first(&before, &any, &x[i], SCAN_OP);
        scan_element_copy(&x[i], &before, SCAN_OP);
      } else if (any) {
        scan_prepend(&x[i], &before, SCAN_OP);
        scan_element_settle(&x[i], SCAN_OP);
      }
      if (i % group == group - 1)
        scan_raking_put(section, i + 1 - group, &x[i + 1 - group], SCAN_OP);
    }
  } else if (!whole && section->active % run != 0) {
    /* The last elements, fewer than a run, one after the other. Invariant: through holds all before
     * the i-th, if there are any. */
    scan_element_copy(&through, &before, SCAN_OP);
    SCAN_ROLL_
    for (uint32_t i = 0; lane * run + i < section->active; i++) {
      uint32_t *at = scan_raking_own(section, i, SCAN_OP);
      scan_shared_get(&before, at, 0, SCAN_OP);
      scan_append_first(&through, &any, &before, SCAN_OP);
      scan_shared_put(at, 0, &through, SCAN_OP);
    }
  }
  if (section->folded && ends) scan_shared_put(total, 0, &through, SCAN_OP);
}

SCAN_DEVICE uint32_t scan_raking_up(scan_section *section, const scan_element *x, SCAN_OP_PARAMS) {
  const uint32_t t = scan_thread();
  uint32_t *own = scan_raking_of(section, t, SCAN_OP);
  const uint32_t last = (section->active - 1) / scan_raking_run(section);
  const uint32_t reaches = scan_warp_reaches(scan_raking_whole(section) ? scan_lane() : 0);
  const uint32_t all = SCAN_BLOCK_SLOTS_raking(section->threads) - 1;
  uint32_t *total = scan_shared_early(section->xy + all * scan_element_words(SCAN_OP));
  if (t < section->active) scan_shared_put(own, 0, x, SCAN_OP);
  scan_section_settle(section);
  if (t < SCAN_WARP_THREADS) scan_raking_rake(section, reaches, t == last, total, SCAN_OP);
  SCAN_COUNT_BLOCK_(steps, scan_raking_run(section) + 4); /* and one that ends here */
  scan_section_step(section);
  return section->folded ? all : scan_raking_slot_of(section, section->active - 1, SCAN_OP);
}
#define SCAN_BLOCK_BY_raking scan_raking_up, scan_section_up_is_all
#define SCAN_BLOCK_IS_raking scan_block_raked_

#endif /* SCAN_KERNELS_ */

#endif
