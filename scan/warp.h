/* Scans and folds across the lanes of a warp. All lanes call; the first ones of them are active,
 * they hold an element. */
#ifndef SCAN_WARP_H
#define SCAN_WARP_H

#include "scan/element.h"

/* Scans that a warp does at once, at most. */
#define SCAN_BATCHES_MOST 3

#ifdef SCAN_KERNELS_

SCAN_DEVICE uint32_t scan_lane(void) { return scan_thread() % SCAN_WARP_THREADS; }
/* The warp in its block. */
SCAN_DEVICE uint32_t scan_warp(void) { return scan_uniform(scan_thread() / SCAN_WARP_THREADS); }

/* Where elements come in segments, `starts` is a mask of the lanes whose elements start one, or
   hold a start: what such a lane holds is what follows its last start, and nothing before joins it.
   In a plain scan it is 0. */
SCAN_DEVICE uint32_t scan_starts(bool starts, SCAN_OP_PARAMS) {
  return op_segmented ? scan_ballot(starts) : 0;
}
/* Those among the lanes up to this one, and before it. */
SCAN_DEVICE uint32_t scan_starts_through(uint32_t starts) {
  return starts & ~0u >> (SCAN_WARP_THREADS - 1 - scan_lane());
}
SCAN_DEVICE uint32_t scan_starts_before(uint32_t starts) {
  return starts & ((1u << scan_lane()) - 1);
}

/* The reaches of a lane that has `lanes` others on one side: the powers of two up to that, added
   up. For a kernel that may scan in a loop: they are worked out ahead of it, and an instruction
   makes predicates of them. Where each step asks for the lane, each turn does so anew, or
   predicates are kept from all else (bench/NOTES.md, "With 58"). */
SCAN_DEVICE uint32_t scan_warp_reaches(uint32_t lanes) {
  uint32_t reaches = lanes != 0 ? (2u << scan_highest_bit(lanes)) - 1 : 0;
  scan_word_settle(&reaches); /* else nvcc asks for the lane after all */
  return reaches;
}

/* `batches` scans at once, each with its own starts: every lane brings an element of each, and ends
   with those of the batch up to its own, back to the last start; only active lanes count, which are
   the first ones, `most` at most. Kogge and Stone 1973, after Hillis and Steele 1986; segments
   after Sengupta, Harris, Garland 2008. */
SCAN_DEVICE void scan_warp_scan_batches(scan_element *x, uint32_t batches, const uint32_t *starts,
                                        uint32_t most, bool active, SCAN_OP_PARAMS) {
  const uint32_t lane = scan_lane();
  /* Where segments start, and at lane 0: from the top bit down of this lane, the lane before it,
   * and so on; all set where this lane joins none. */
  uint32_t bars[SCAN_BATCHES_MOST];
  SCAN_UNROLL_
  for (uint32_t b = 0; b < batches; b++)
    bars[b] = active ? (starts[b] | 1) << (SCAN_WARP_THREADS - 1 - lane) : ~0u;
  /* Invariant: x[b] holds the elements of the `reach` lanes that end here, or of all that join. */
  SCAN_UNROLL_
  for (uint32_t reach = 1; reach < SCAN_WARP_THREADS; reach *= 2) {
    if (reach >= most) break;
    SCAN_UNROLL_
    for (uint32_t b = 0; b < batches; b++) {
      scan_element before;
      scan_element_copy(&before, &x[b], SCAN_OP);
      scan_shuffle_up(before.word, scan_element_words(SCAN_OP), reach);
      /* The lane is enough to ask for without segments. */
      if (op_segmented ? bars[b] < 1u << (SCAN_WARP_THREADS - reach) : active && lane >= reach) {
        scan_prepend(&x[b], &before, SCAN_OP);
        scan_element_settle(&x[b], SCAN_OP);
      }
    }
  }
}

/* Active lane i ends with the elements of lanes 0 to i, back to the last start. */
SCAN_DEVICE void scan_warp_scan(scan_element *x, uint32_t starts, bool active, SCAN_OP_PARAMS) {
  scan_warp_scan_batches(x, 1, &starts, SCAN_WARP_THREADS, active, SCAN_OP);
}

/* The same without starts, in a client's kernel. reaches: a lane's to the lanes before it; one that
   has none, but for lane 0, is not active. */
SCAN_DEVICE void scan_warp_scan_reaching(scan_element *x, uint32_t reaches, SCAN_OP_PARAMS) {
  /* A lane that reaches beyond lane 0 receives its own. So any may go on with what it received, and
   * both are put together there: else nvcc copies what an operator reads of x after it has written
   * the like of its result. Doubles it would copy word by word. */
  const bool in_received = op_alignment % 8 != 0;
  SCAN_UNROLL_
  for (uint32_t reach = 1; reach < SCAN_WARP_THREADS; reach *= 2) {
    const bool joins = (reaches & reach) != 0;
    scan_element before;
    scan_element_copy(&before, x, SCAN_OP);
    scan_shuffle_up(before.word, scan_element_words(SCAN_OP), reach);
    if (joins && in_received) {
      scan_append(&before, x, SCAN_OP);
      scan_element_settle(&before, SCAN_OP);
    }
    if (joins && !in_received) {
      scan_prepend(x, &before, SCAN_OP);
      scan_element_settle(x, SCAN_OP);
    }
    if (in_received) scan_element_copy(x, &before, SCAN_OP);
  }
}

/* The same, all lanes active, with starts. */
SCAN_DEVICE void scan_warp_scan_whole(scan_element *x, uint32_t starts, SCAN_OP_PARAMS) {
  if (op_segmented)
    scan_warp_scan(x, starts, true, SCAN_OP);
  else
    scan_warp_scan_reaching(x, scan_warp_reaches(scan_lane()), SCAN_OP);
}

/* Lane i receives lane i - 1's element, lane 0 its own. */
SCAN_DEVICE void scan_warp_shift(scan_element *x, SCAN_OP_PARAMS) {
  scan_shuffle_up(x->word, scan_element_words(SCAN_OP), 1);
}

/* Folds parts of `part` lanes, a power of two: the first lane of each ends with the elements of the
   part's active lanes, `most` at most, from the last start on. What other lanes end with means
   nothing. reaches: those of a lane to the part's active lanes after it, or NULL: asked at each
   step. */
SCAN_DEVICE void scan_warp_fold_parts(scan_element *x, uint32_t part, uint32_t starts,
                                      uint32_t active, uint32_t most, const uint32_t *reaches,
                                      SCAN_OP_PARAMS) {
  const uint32_t lane = scan_lane();
  const uint32_t from_here = scan_left(active, lane, part - lane % part);
  /* Invariant: x holds the elements of the `reach` lanes that start here, or of all up to the
   * part's last. */
  SCAN_UNROLL_
  for (uint32_t reach = 1; reach < part; reach *= 2) {
    scan_element after;
    if (reach >= most) break;
    scan_element_copy(&after, x, SCAN_OP);
    scan_shuffle_down(after.word, scan_element_words(SCAN_OP), reach);
    if (reaches != NULL ? (*reaches & reach) != 0 : from_here > reach) {
      scan_follow(x, &after, (starts >> (lane + reach) & ((1u << reach) - 1)) != 0, SCAN_OP);
      scan_element_settle(x, SCAN_OP);
    }
  }
}

/* Every lane ends with the elements of all active lanes, `most` at most, from the last start on.
   Each step asks whether the most are more than it reaches, unless that is known to nvcc. Where
   there are starts, a scan takes fewer instructions. */
SCAN_DEVICE void scan_warp_fold(scan_element *x, uint32_t starts, uint32_t active, uint32_t most,
                                SCAN_OP_PARAMS) {
  if (op_segmented) {
    scan_warp_scan_batches(x, 1, &starts, most, scan_lane() < active, SCAN_OP);
    scan_shuffle_from(x->word, scan_element_words(SCAN_OP), (active - 1) % SCAN_WARP_THREADS);
  } else {
    scan_warp_fold_parts(x, SCAN_WARP_THREADS, 0, active, most, NULL, SCAN_OP);
    scan_shuffle_from(x->word, scan_element_words(SCAN_OP), 0);
  }
}

/* The first lane ends with the elements of all, without starts, in a client's kernel. */
SCAN_DEVICE void scan_warp_fold_whole(scan_element *x, SCAN_OP_PARAMS) {
  const uint32_t reaches = scan_warp_reaches(SCAN_WARP_THREADS - 1 - scan_lane());
  scan_warp_fold_parts(x, SCAN_WARP_THREADS, 0, SCAN_WARP_THREADS, SCAN_WARP_THREADS, &reaches,
                       SCAN_OP);
}

#endif /* SCAN_KERNELS_ */

#endif
