// expect gcc: 'ad' undeclared
// expect clang: use of undeclared identifier 'ad'
// expect nvcc: identifier "ad" is undefined
// The operator's name is misspelt where the segmented family is stamped.
#include "scan/scan.h"

SCAN_OPERATOR float add(float earlier, float later) { return earlier + later; }

#ifdef CORRECT
SCAN_DEFINE_SEGMENTED(float, add, 0.0f)
#else
SCAN_DEFINE_SEGMENTED(float, ad, 0.0f)
#endif

int main(void) { return 0; }
