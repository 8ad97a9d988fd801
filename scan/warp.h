/* Scans and folds across the lanes of a warp. All lanes call; the first `active` of them hold an
 * element, all of them if it is more. */
#ifndef SCAN_WARP_H
#define SCAN_WARP_H

#include "scan/element.h"

#ifdef SCAN_KERNELS_

SCAN_DEVICE uint32_t scan_lane(void) { return scan_thread() % SCAN_WARP_THREADS; }

/* `batches` scans at once: lane l brings element 32 b + l of each batch b, of which the first
   `active` of all are there, and ends with the elements of its batch up to its own. Kogge and Stone
   1973, after Hillis and Steele 1986. */
SCAN_DEVICE void scan_warp_scan_batches(scan_element *x, uint32_t batches, uint32_t active,
                                        scan_operator op) {
  const uint32_t lane = scan_lane();
  /* Invariant: x[b] holds the elements of the `reach` lanes that end here, or of all from lane 0.
   */
  SCAN_UNROLL_
  for (uint32_t reach = 1; reach < SCAN_WARP_THREADS; reach *= 2) {
    SCAN_UNROLL_
    for (uint32_t b = 0; b < batches; b++) {
      scan_element before;
      scan_element_copy(&before, &x[b], op);
      scan_shuffle_up(before.word, scan_element_words(op), reach);
      if (lane >= reach && b * SCAN_WARP_THREADS + lane < active) scan_prepend(&x[b], &before, op);
    }
  }
}

/* Lane i ends with the elements of lanes 0 to i. */
SCAN_DEVICE void scan_warp_scan(scan_element *x, uint32_t active, scan_operator op) {
  scan_warp_scan_batches(x, 1, active, op);
}

/* Lane i receives lane i - 1's element, lane 0 its own. */
SCAN_DEVICE void scan_warp_shift(scan_element *x, scan_operator op) {
  scan_shuffle_up(x->word, scan_element_words(op), 1);
}

/* `batches` folds at once: lane l brings element 32 b + l of each batch b, of which the first
   `active` of all are there; lane 0 ends with the element of each batch that has one. What the
   other lanes end with means nothing. */
SCAN_DEVICE void scan_warp_fold_batches(scan_element *x, uint32_t batches, uint32_t active,
                                        scan_operator op) {
  const uint32_t lane = scan_lane();
  /* Invariant: x[b] holds the elements of the `reach` lanes that start here, or of all up to the
   * batch's last. */
  SCAN_UNROLL_
  for (uint32_t reach = 1; reach < SCAN_WARP_THREADS; reach *= 2) {
    SCAN_UNROLL_
    for (uint32_t b = 0; b < batches; b++) {
      scan_element after;
      scan_element_copy(&after, &x[b], op);
      scan_shuffle_down(after.word, scan_element_words(op), reach);
      if (lane + reach < SCAN_WARP_THREADS && b * SCAN_WARP_THREADS + lane + reach < active)
        scan_append(&x[b], &after, op);
    }
  }
}

/* Lane 0 ends with the elements of all active lanes. */
SCAN_DEVICE void scan_warp_fold(scan_element *x, uint32_t active, scan_operator op) {
  scan_warp_fold_batches(x, 1, active, op);
}

#endif /* SCAN_KERNELS_ */

#endif
