// segmented_determinism_digests.h: what segmented_determinism_test has to find on every machine,
// one row a width, one column a size.
#ifndef SCAN_TESTS_SEGMENTED_DETERMINISM_DIGESTS_H
#define SCAN_TESTS_SEGMENTED_DETERMINISM_DIGESTS_H

#include <stdint.h>

enum { segmented_determinism_sizes = 4, segmented_determinism_widths = 5 };

static const uint64_t
    segmented_determinism_digests[segmented_determinism_widths][segmented_determinism_sizes] = {
        {0x482466255F995558u, 0x028469384CA27A1Eu, 0xFCFEDBF8FB0827E0u,
         0xD6BDCF18FE187D92u},  // tree_1
        {0x455199D4F30B4FA1u, 0x0154BD9DB642251Eu, 0x3E3F55DBDE4117ECu,
         0x103B9C02242599C0u},  // tree_4
        {0x840E0A82A5433169u, 0x6B3E391B778FF5E2u, 0xFA06F064B302A1F1u,
         0x9C440DDD5D5D0E01u},  // tree_8
        {0x482E937172F53160u, 0xD05D771516CBB3C9u, 0x14F44D892EC23BB0u,
         0x0000000000000000u},  // tree_16
        {0x057CF4CE5CE2C480u, 0x502AD53ACC264CACu, 0x860ED767937D1B1Cu,
         0x0000000000000000u},  // tree_64
};

#endif
