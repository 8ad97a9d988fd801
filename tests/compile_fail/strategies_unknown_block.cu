// expect: SCAN_DEFINE_WITH: no block strategy brent; there are: sequential
// expect: sequential, naive, hillis_steele, kogge_stone, kogge_stone_exclusive, brent_kung,
// expect: blelloch, blelloch_injected, three_phase, warps_then_bases,
// expect: warps_then_bases_shared, raking
// A block strategy that is not there, inside a device-wide one.
#include "scan/strategies/strategies.h"

SCAN_OPERATOR float add(float earlier, float later) { return earlier + later; }

#ifdef CORRECT
SCAN_DEFINE_WITH(sums, stream_scan, brent_kung, 2, float, add, 0.0f)
#else
SCAN_DEFINE_WITH(sums, stream_scan, brent, 2, float, add, 0.0f)
#endif

int main(void) { return 0; }
