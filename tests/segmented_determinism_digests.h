// segmented_determinism_digests.h: what segmented_determinism_test has to find on every machine,
// one row a width, one column a size.
#ifndef SCAN_TESTS_SEGMENTED_DETERMINISM_DIGESTS_H
#define SCAN_TESTS_SEGMENTED_DETERMINISM_DIGESTS_H

#include <stdint.h>

enum { segmented_determinism_sizes = 4, segmented_determinism_widths = 5 };

static const uint64_t
    segmented_determinism_digests[segmented_determinism_widths][segmented_determinism_sizes] = {
        {0x482466255F995558u, 0xB33612B45DB99919u, 0x2D84FD06C2A2893Cu,
         0x83E95A5B7E2A8287u},  // tree_1
        {0x455199D4F30B4FA1u, 0xF7DF2C79B8DB923Du, 0xD8D30C9A109BDC62u,
         0xD01A5F50C1A75EDBu},  // tree_4
        {0xEE2C28D2E67C0C69u, 0xC84BE30DD6B0C544u, 0xAD98A7B570AEAE1Fu,
         0x9C440DDD5D5D0E01u},  // tree_8
        {0x843A0083DBCBBD8Du, 0x7362A973C183D4AEu, 0x3BD634714933EE61u,
         0x0000000000000000u},  // tree_16
        {0x9C839AB4F6D0D940u, 0xB949B7F9630D3653u, 0x860ED767937D1B1Cu,
         0x0000000000000000u},  // tree_64
};

#endif
