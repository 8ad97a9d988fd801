// Running balances, declared for C: balance.cu stamps the scan, main.c calls it.
#ifndef EXAMPLES_FROM_C_BALANCE_H_
#define EXAMPLES_FROM_C_BALANCE_H_

#include <stdint.h>

#include "scan/scan.h"

SCAN_DECLARE(int64_t, add)

#endif  // EXAMPLES_FROM_C_BALANCE_H_
