// extern_scans.h: families that extern_scans.cu defines and that C11 files call.
#ifndef SCAN_TESTS_EXTERN_SCANS_H
#define SCAN_TESTS_EXTERN_SCANS_H

#include "scan/scan.h"

typedef struct line {
  uint32_t slope;
  uint32_t start;
} line;

SCAN_DECLARE(line, follow)
SCAN_DECLARE_AS(totals, unsigned long long, sum_up)

#endif
