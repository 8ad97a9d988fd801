// device_permutation_test.cu: device-wide scans of permutations and of operators that keep one
// operand.
#include "tests/device_case.h"

TEST_FAMILY(permutation_3, compose_3, permutation_3_generate, {{0xFF, 0xFF, 0xFF}})
TEST_FAMILY(permutation_12, compose_12, permutation_12_generate, {{0xFF, 1, 2}})
TEST_FAMILY(permutation_20, compose_20, permutation_20_generate, {{0xFF, 5, 6}})
TEST_FAMILY(uint8_t, first_wins_uint8_t, uint8_t_generate, 0x5A)
TEST_FAMILY(uint16_t, last_wins_uint16_t, uint16_t_generate, 0xA55A)
TEST_FAMILY(twelve, first_wins_twelve, twelve_generate, {{1, 2, 3}})
TEST_FAMILY(thirty_two, last_wins_thirty_two, thirty_two_generate, {{1, 2, 3, 4, 5, 6, 7, 8}})

static const test_family *const families[] = {
    &test_family_permutation_3_compose_3,         &test_family_permutation_12_compose_12,
    &test_family_permutation_20_compose_20,       &test_family_uint8_t_first_wins_uint8_t,
    &test_family_uint16_t_last_wins_uint16_t,     &test_family_twelve_first_wins_twelve,
    &test_family_thirty_two_last_wins_thirty_two,
};

int main(void) {
  test_begin("device_permutation_test");
  device_families_test(families, TEST_COUNT(families), 2.0e6);
  return test_end(
      "permutations of 3, 12 and 20 bytes, first-wins and last-wins: all is equal to the fold");
}
