/* three_phase: the chapter's section 8.5. A section has several elements a thread and lies in
   shared memory: each thread scans its own there, all scan the threads' last ones by Kogge and
   Stone, each adds what comes before. Elements come and go as neighbours by neighbouring threads,
   through the same memory. (N - T) + (T log2 T - T + 1) + (T - 1) (N/T - 1) operations for T
   threads, a power of two. A coarsened kogge_stone is the same with the elements in registers. */
#ifndef SCAN_STRATEGIES_THREE_PHASE_H
#define SCAN_STRATEGIES_THREE_PHASE_H

#include "scan/strategies/kogge_stone.h"

#ifdef SCAN_KERNELS_

#define SCAN_BLOCK_STRATEGY_three_phase ~, 1, 2 /* items at least */
#define SCAN_BLOCK_SLOTS_three_phase(threads) (threads)

#define SCAN_BLOCK_BY_three_phase scan_kogge_stone_up, scan_section_up_is_all
#define SCAN_BLOCK_IS_three_phase scan_block_in_shared_

#endif /* SCAN_KERNELS_ */

#endif
