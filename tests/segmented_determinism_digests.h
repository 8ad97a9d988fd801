// segmented_determinism_digests.h: what segmented_determinism_test has to find on every machine,
// one row a width, one column a size.
#ifndef SCAN_TESTS_SEGMENTED_DETERMINISM_DIGESTS_H
#define SCAN_TESTS_SEGMENTED_DETERMINISM_DIGESTS_H

#include <stdint.h>

enum { segmented_determinism_sizes = 5, segmented_determinism_widths = 5 };

static const uint64_t
    segmented_determinism_digests[segmented_determinism_widths][segmented_determinism_sizes] = {
        {0x482466255F995558u, 0x428A6771EF38300Cu, 0x787BA1FFA1C2FE7Eu, 0xDE23C6E877BFA39Eu,
         0x0EB97D128FFD879Cu},  // tree_1
        {0x455199D4F30B4FA1u, 0x53607E02F02D5F7Eu, 0x68473FEF688515A4u, 0x195E82FB189D42C3u,
         0x0000000000000000u},  // tree_4
        {0x840E0A82A5433169u, 0x3D56E619E66B6758u, 0x40D3FC554E4B538Du, 0xC26380B130672697u,
         0x0000000000000000u},  // tree_8
        {0x482E937172F53160u, 0xC5922AD214AC3683u, 0xA0B00C12C8D693B3u, 0x0000000000000000u,
         0x0000000000000000u},  // tree_16
        {0x1EAB7B3BFDB6FA61u, 0xB6767C0DC263DBE2u, 0x11C4663D4041FBAFu, 0x0000000000000000u,
         0x0000000000000000u},  // tree_64
};

#endif
