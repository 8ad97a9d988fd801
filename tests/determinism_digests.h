// determinism_digests.h: what determinism_test has to find on every machine, one row a family, one column a size.
#ifndef SCAN_TESTS_DETERMINISM_DIGESTS_H
#define SCAN_TESTS_DETERMINISM_DIGESTS_H

#include <stdint.h>

enum { determinism_sizes = 5, determinism_families = 13 };

static const uint64_t determinism_digests[determinism_families][determinism_sizes] = {
    {0, 0, 0, 0, 0},
};

#endif
