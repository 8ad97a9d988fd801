// device_algebra_test.cu: device-wide scans of non-commutative algebra: matrices, affine maps, parentheses, strings.
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
  device_fixture fixture;
  size_t i;
  test_begin("device_algebra_test");
  device_fixture_make(&fixture, (size_t)(6.0 * 1024 * 1024 * TEST_SCALE));
  for (i = 0; i < TEST_COUNT(families); i++) {
    device_family_test(&fixture, families[i], (size_t)(1500000 * TEST_SCALE), 8.0e6 * TEST_SCALE);
  }
  device_fixture_free(&fixture);
  return test_end("matrix product, affine composition, bicyclic monoid and concatenation: all is equal to the fold");
}
