/* What a strategy costs: counters that the few helpers through which strategies read, write,
   combine and synchronise feed, in a build of the host target with -DSCAN_COUNT. Elsewhere they are
   nothing.
 */
#ifndef SCAN_STRATEGIES_COUNT_H
#define SCAN_STRATEGIES_COUNT_H

#include "scan/target/target.h"

#if defined(SCAN_COUNT) && defined(SCAN_TARGET_HOST)

typedef struct {
  uint64_t operators;    /* calls of the operator */
  uint64_t steps;        /* of block strategies, summed over blocks */
  uint64_t barriers;     /* of blocks, likewise */
  uint64_t shared_reads; /* elements, between the threads of a block */
  uint64_t shared_writes;
  uint64_t global_reads; /* elements of the client's arrays */
  uint64_t global_writes;
  uint64_t status_reads; /* elements in the workspace; polling counts once */
  uint64_t status_writes;
} scan_counts;

/* One a program, however many units include this. */
__attribute__((weak)) scan_counts scan_counts_;

/* Called while no kernel runs. */
SCAN_HOST_ void scan_counts_reset(void) { memset(&scan_counts_, 0, sizeof scan_counts_); }
SCAN_HOST_ scan_counts scan_counts_read(void) { return scan_counts_; }

#define SCAN_COUNT_(what, by) \
  ((void)__atomic_fetch_add(&scan_counts_.what, (uint64_t)(by), __ATOMIC_RELAXED))

#else
#define SCAN_COUNT_(what, by) ((void)0)
#endif

/* What the threads of a block do together is counted by one of them. */
#define SCAN_COUNT_BLOCK_(what, by) (scan_thread() == 0 ? SCAN_COUNT_(what, by) : (void)0)

#endif
