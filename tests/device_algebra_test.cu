// device_algebra_test.cu: device-wide scans of non-commutative algebra: matrices, affine maps,
// parentheses, strings.
#include "tests/device_case.h"

TEST_FAMILY(matrix, multiply, matrix_generate, {{3, 1, 4, 1}})
TEST_FAMILY(affine, compose, affine_generate, {5, 9})
TEST_FAMILY(bicyclic, match, bicyclic_generate, {2, 6})
TEST_FAMILY(word, concatenate, word_generate, {5, 3})

static const test_family *const families[] = {
    &test_family_matrix_multiply,
    &test_family_affine_compose,
    &test_family_bicyclic_match,
    &test_family_word_concatenate,
};

int main(void) {
  test_begin("device_algebra_test");
  device_families_test(families, TEST_COUNT(families), 6.0e6);
  return test_end(
      "matrix product, affine composition, bicyclic monoid and concatenation: all is equal to the "
      "fold");
}
