// segmented_determinism_digests.h: what segmented_determinism_test has to find on every machine,
// one row a width, one column a size.
#ifndef SCAN_TESTS_SEGMENTED_DETERMINISM_DIGESTS_H
#define SCAN_TESTS_SEGMENTED_DETERMINISM_DIGESTS_H

#include <stdint.h>

enum { segmented_determinism_sizes = 4, segmented_determinism_widths = 5 };

static const uint64_t
    segmented_determinism_digests[segmented_determinism_widths][segmented_determinism_sizes] = {
        {0x482466255F995558u, 0x98E7E1440A71A6B6u, 0xA61205E0EC35778Cu,
         0xD7DA8A87EC27D449u},  // tree_1
        {0x455199D4F30B4FA1u, 0x927541449F5D1B25u, 0x94921DBCD49AA3B0u,
         0x0DE4C0FAA95C1238u},  // tree_4
        {0xEE2C28D2E67C0C69u, 0xDC106AC5F4A1D54Du, 0x0ABA135ED94D6DCBu,
         0x3E3A2948F47EEC12u},  // tree_8
        {0x843A0083DBCBBD8Du, 0x7362A973C183D4AEu, 0xE342D5787E7DC2E9u,
         0x0000000000000000u},  // tree_16
        {0x9C839AB4F6D0D940u, 0xB949B7F9630D3653u, 0x860ED767937D1B1Cu,
         0x0000000000000000u},  // tree_64
};

#endif
