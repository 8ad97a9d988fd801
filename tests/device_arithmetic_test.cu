// device_arithmetic_test.cu: device-wide scans of sums, maxima and exclusive-or over the built-in
// types.
#include "tests/device_case.h"

TEST_FAMILY(uint8_t, add_uint8_t, uint8_t_generate, 0x33)
TEST_FAMILY(uint16_t, add_uint16_t, uint16_t_generate, 0x3344)
TEST_FAMILY(uint32_t, add_uint32_t, uint32_t_generate, 0x33445566)
TEST_FAMILY(uint64_t, add_uint64_t, uint64_t_generate, 0x33445566778899AAu)
TEST_FAMILY(int16_t, maximum_int16_t, int16_t_generate, 32767)
TEST_FAMILY(int32_t, maximum_int32_t, int32_t_generate, 2147483647)
TEST_FAMILY(float, maximum_float, float_generate, 1e30f)
TEST_FAMILY(uint32_t, xor_uint32_t, uint32_t_generate, 0x99AABBCC)

static const test_family *const families[] = {
    &test_family_uint8_t_add_uint8_t,     &test_family_uint16_t_add_uint16_t,
    &test_family_uint32_t_add_uint32_t,   &test_family_uint64_t_add_uint64_t,
    &test_family_int16_t_maximum_int16_t, &test_family_int32_t_maximum_int32_t,
    &test_family_float_maximum_float,     &test_family_uint32_t_xor_uint32_t,
};

int main(void) {
  test_begin("device_arithmetic_test");
  device_families_test(families, TEST_COUNT(families), 3.0e6);
  return test_end(
      "add, maximum and xor over integers of 8 to 64 bits and float: all is equal to the fold");
}
