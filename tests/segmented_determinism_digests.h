// segmented_determinism_digests.h: what segmented_determinism_test has to find on every machine,
// one row a width, one column a size.
#ifndef SCAN_TESTS_SEGMENTED_DETERMINISM_DIGESTS_H
#define SCAN_TESTS_SEGMENTED_DETERMINISM_DIGESTS_H

#include <stdint.h>

enum { segmented_determinism_sizes = 4, segmented_determinism_widths = 5 };

static const uint64_t
    segmented_determinism_digests[segmented_determinism_widths][segmented_determinism_sizes] = {
        {0x482466255F995558u, 0x9FCDFCE00346FA57u, 0x64D6F5FBC0B3E07Fu,
         0x3AEB50F94C449EA0u},  // tree_1
        {0x455199D4F30B4FA1u, 0x5076D45E01970F23u, 0xAE50BD666064C391u,
         0x39B1C000E7AF19CBu},  // tree_4
        {0xEE2C28D2E67C0C69u, 0xABE5A067DDD74ABDu, 0xCC24652FD9F9BD40u,
         0xA999507A61B97968u},  // tree_8
        {0x843A0083DBCBBD8Du, 0xFA09DD56BB7DAE5Eu, 0xDCAEDE1E3ED3FB49u,
         0x0000000000000000u},  // tree_16
        {0x9C839AB4F6D0D940u, 0x38F499A43D43A2FCu, 0x5EC36218B48814A4u,
         0x0000000000000000u},  // tree_64
};

#endif
