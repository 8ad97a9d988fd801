/* Ready operators: one macro each stamps an operator function for a type whose C operator does the
 * work. */
#ifndef SCAN_OPERATORS_H
#define SCAN_OPERATORS_H

#include "scan/target/target.h"

#ifdef SCAN_KERNELS_

/* Each stamps `T name(T earlier, T later)`. Names that CUDA or C++ has taken (max, min, and, or,
   xor) will not do. Sums and products of integers of up to 64 bits wrap, signed ones too: a scan
   forms sums that the client's own loop never forms. Identities, to be given to SCAN_DEFINE: 0 for
   add, or and xor; 1 for multiply; all bits set for and; the type's largest value (floats:
   INFINITY) for minimum, its smallest (-INFINITY) for maximum; for the CPU include <math.h> and
   <limits.h> for these, which nvcc brings by itself. Minimum and maximum of floats are not
   associative where a NaN is among them. */
#define SCAN_OPERATOR_ADD(T, name) SCAN_OPERATOR_STAMP_(T, name, SCAN_OPERATOR_WRAPPED_(T, +))
#define SCAN_OPERATOR_MULTIPLY(T, name) SCAN_OPERATOR_STAMP_(T, name, SCAN_OPERATOR_WRAPPED_(T, *))
#define SCAN_OPERATOR_MINIMUM(T, name) SCAN_OPERATOR_CHOICE_(T, name, <)
#define SCAN_OPERATOR_MAXIMUM(T, name) SCAN_OPERATOR_CHOICE_(T, name, >)
#define SCAN_OPERATOR_AND(T, name) SCAN_OPERATOR_STAMP_(T, name, earlier &later)
#define SCAN_OPERATOR_OR(T, name) SCAN_OPERATOR_STAMP_(T, name, earlier | later)
#define SCAN_OPERATOR_XOR(T, name) SCAN_OPERATOR_STAMP_(T, name, earlier ^ later)

/* Integers of up to 64 bits are computed without sign, where overflow is defined; a half tells them
 * from floats. */
#define SCAN_OPERATOR_WRAPPED_(T, sign)                     \
  (sizeof(T) > sizeof(unsigned long long) || (T)0.5 != (T)0 \
       ? (T)(earlier sign later)                            \
       : (T)((unsigned long long)earlier sign(unsigned long long) later))

/* Narrow integers are compared and chosen as int: nvcc has one instruction for that alone. An
 * operator of one's own does well to do likewise. */
#define SCAN_OPERATOR_CHOICE_(T, name, sign) \
  SCAN_OPERATOR T name(T earlier, T later) { \
    const __typeof__(+earlier) a = earlier;  \
    const __typeof__(+later) b = later;      \
    return (T)(a sign b ? a : b);            \
  }

#define SCAN_OPERATOR_STAMP_(T, name, expression) \
  SCAN_OPERATOR T name(T earlier, T later) { return (T)(expression); }

#endif /* SCAN_KERNELS_ */

#endif
