// operators_test.cu: the ready operators, for every built-in type, on the host side and in a scan on the device.
#include "tests/operators.h"

// What an operator is to give, in the widest type of its kind; results are converted back to the element's type.
#define SIGNED(X, T) X(T, int64_t)
#define REFERENCE_ADD(Wide, a, b) (T_of)((uint64_t)(Wide)(a) + (uint64_t)(Wide)(b))

#define OPERATORS(T)                      \
  SCAN_OPERATOR_ADD(T, add_##T)           \
  SCAN_OPERATOR_MULTIPLY(T, multiply_##T) \
  SCAN_OPERATOR_MINIMUM(T, minimum_##T)   \
  SCAN_OPERATOR_MAXIMUM(T, maximum_##T)
#define BIT_OPERATORS(T)        \
  SCAN_OPERATOR_AND(T, and_##T) \
  SCAN_OPERATOR_OR(T, or_##T)   \
  SCAN_OPERATOR_XOR(T, xor_##T)
