// The element types and operators that are measured, for the library and for its peers alike.
#ifndef BENCH_TYPES_H_
#define BENCH_TYPES_H_

#include <stdint.h>

// Before an operator. The library's own SCAN_OPERATOR would do; but then the peers, which are slow
// to compile, would be compiled anew with every change of the library.
#ifdef __CUDACC__
#define BENCH_OPERATOR static __host__ __device__ __forceinline__ __attribute__((unused))
#else
#define BENCH_OPERATOR static inline __attribute__((unused))
#endif

typedef struct {
  uint8_t x[3];
} bench_b3;
typedef struct {
  float x[3];
} bench_b12;
typedef struct {
  float x[4];
} bench_b16;
typedef struct {
  float x[8];
} bench_b32;
typedef struct {
  float x[16];
} bench_b64;

// x -> a x + b.
typedef struct {
  float a, b;
} bench_affine;

// A value, and whether a segment starts with it.
typedef struct {
  uint32_t flag;
  float value;
} bench_pair;

// Sums of a scalar; integers wrap, in the unsigned type.
#define BENCH_ADD(T, Unsigned, name) \
  BENCH_OPERATOR T name(T earlier, T later) { return (T)((Unsigned)earlier + (Unsigned)later); }

BENCH_ADD(int8_t, uint8_t, bench_add_i8)
BENCH_ADD(int16_t, uint16_t, bench_add_i16)
BENCH_ADD(int32_t, uint32_t, bench_add_i32)
BENCH_ADD(int64_t, uint64_t, bench_add_i64)
BENCH_ADD(float, float, bench_add_f32)
BENCH_ADD(double, double, bench_add_f64)

// Narrow integers as int: nvcc has one instruction for that alone.
#define BENCH_MAX(T, name)                    \
  BENCH_OPERATOR T name(T earlier, T later) { \
    const __typeof__(+earlier) a = earlier;   \
    const __typeof__(+later) b = later;       \
    return (T)(a > b ? a : b);                \
  }

BENCH_MAX(int8_t, bench_max_i8)
BENCH_MAX(int16_t, bench_max_i16)
BENCH_MAX(int32_t, bench_max_i32)
BENCH_MAX(int64_t, bench_max_i64)
BENCH_MAX(float, bench_max_f32)
BENCH_MAX(double, bench_max_f64)

// C has no such type everywhere: the host target goes without.
#ifdef __CUDACC__
#include <cuda_fp16.h>
#define BENCH_HAVE_F16 1
BENCH_OPERATOR __half bench_add_f16(__half earlier, __half later) { return __hadd(earlier, later); }
BENCH_OPERATOR __half bench_max_f16(__half earlier, __half later) {
  return __hgt(earlier, later) ? earlier : later;
}
#else
#define BENCH_HAVE_F16 0
#endif

// Sums of a struct, component by component.
#define BENCH_ADD_COMPONENTS(T, X, count, name)                                  \
  BENCH_OPERATOR T name(T earlier, T later) {                                    \
    T sum;                                                                       \
    for (int i = 0; i < (count); i++) sum.x[i] = (X)(earlier.x[i] + later.x[i]); \
    return sum;                                                                  \
  }

BENCH_ADD_COMPONENTS(bench_b3, uint8_t, 3, bench_add_b3)
BENCH_ADD_COMPONENTS(bench_b12, float, 3, bench_add_b12)
BENCH_ADD_COMPONENTS(bench_b16, float, 4, bench_add_b16)
BENCH_ADD_COMPONENTS(bench_b32, float, 8, bench_add_b32)
BENCH_ADD_COMPONENTS(bench_b64, float, 16, bench_add_b64)

// later after earlier; does not commute.
BENCH_OPERATOR bench_affine bench_compose(bench_affine earlier, bench_affine later) {
  bench_affine composed;
  composed.a = earlier.a * later.a;
  composed.b = later.a * earlier.b + later.b;
  return composed;
}

// Sums that begin anew at each flag.
BENCH_OPERATOR bench_pair bench_add_pair(bench_pair earlier, bench_pair later) {
  bench_pair sum;
  sum.flag = earlier.flag | later.flag;
  sum.value = later.flag ? later.value : earlier.value + later.value;
  return sum;
}

#endif  // BENCH_TYPES_H_
