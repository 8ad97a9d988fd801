// expect: SCAN_DEFINE_BLOCK_WITH: no block strategy brent; there are: sequential
// expect: sequential, naive, hillis_steele, kogge_stone, kogge_stone_exclusive, brent_kung,
// expect: blelloch, blelloch_injected, three_phase, warps_then_bases,
// expect: warps_then_bases_shared, raking
// A block strategy that is not there, at block level.
#include "scan/strategies/strategies.h"

SCAN_OPERATOR float add(float earlier, float later) { return earlier + later; }

#ifdef CORRECT
SCAN_DEFINE_BLOCK_WITH(sums, brent_kung, 1, float, add, 0.0f)
#else
SCAN_DEFINE_BLOCK_WITH(sums, brent, 1, float, add, 0.0f)
#endif

int main(void) { return 0; }
