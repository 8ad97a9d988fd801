// Fused scans from and to 1 to 64 bytes, for the resource test to compile.
#include "scan/scan.h"

#define WORDS(width)                                                                  \
  typedef struct {                                                                    \
    float word[(width) / 4];                                                          \
  } floats_##width;                                                                   \
  SCAN_OPERATOR floats_##width add_##width(floats_##width a, floats_##width b) {      \
    for (int i = 0; i < (width) / 4; i++) b.word[i] += a.word[i];                     \
    return b;                                                                         \
  }                                                                                   \
  SCAN_OPERATOR floats_##width tag_##width(floats_##width x, size_t index) {          \
    x.word[0] += (float)(int32_t)index;                                               \
    return x;                                                                         \
  }                                                                                   \
  SCAN_OPERATOR floats_##width less_##width(floats_##width scanned, floats_##width x, \
                                            size_t index) {                           \
    scanned.word[0] -= x.word[(width) / 4 - 1] + (float)(int32_t)index;               \
    return scanned;                                                                   \
  }
WORDS(4)
WORDS(8)
WORDS(12)
WORDS(16)
WORDS(32)
WORDS(64)

#define ALIKE(width)                                                                            \
  SCAN_DEFINE_FUSED(alike_##width, floats_##width, floats_##width, floats_##width, tag_##width, \
                    add_##width, less_##width, {{0.0f}})
ALIKE(4)
ALIKE(8)
ALIKE(12)
ALIKE(16)
ALIKE(32)
ALIKE(64)

/* Bytes, from and to. */
SCAN_OPERATOR_ADD(uint8_t, add_uint8_t)
SCAN_OPERATOR uint8_t zigzag(uint8_t x, size_t index) {
  (void)index;
  return (uint8_t)(x >> 1 ^ -(x & 1));
}
SCAN_OPERATOR uint8_t mixed(uint8_t scanned, uint8_t x, size_t index) {
  return (uint8_t)(scanned ^ x ^ index);
}
SCAN_DEFINE_FUSED(bytes, uint8_t, uint8_t, uint8_t, zigzag, add_uint8_t, mixed, 0)

/* Places of what is kept; what is scanned wider than both sides; each side narrower, or wider. */
SCAN_OPERATOR_ADD(uint32_t, add_uint32_t)
SCAN_OPERATOR uint32_t is_kept(uint8_t x, size_t index) {
  (void)index;
  return x != 0;
}
SCAN_OPERATOR uint32_t place(uint32_t scanned, uint8_t x, size_t index) {
  (void)index;
  return x != 0 ? scanned : UINT32_MAX;
}
SCAN_DEFINE_FUSED(places, uint8_t, uint32_t, uint32_t, is_kept, add_uint32_t, place, 0)

SCAN_OPERATOR_ADD(double, add_double)
SCAN_OPERATOR double widen(float x, size_t index) {
  (void)index;
  return (double)x;
}
SCAN_OPERATOR float narrow(double scanned, float x, size_t index) {
  return (float)(scanned * (double)index) - x;
}
SCAN_DEFINE_FUSED(doubles, float, double, float, widen, add_double, narrow, 0.0)

SCAN_OPERATOR_MAXIMUM(float, maximum_float)
SCAN_OPERATOR float magnitude(float x, size_t index) {
  (void)index;
  return x < 0.0f ? -x : x;
}
SCAN_OPERATOR uint8_t is_largest(float scanned, float x, size_t index) {
  return magnitude(x, index) >= scanned;
}
SCAN_DEFINE_FUSED(flags, float, float, uint8_t, magnitude, maximum_float, is_largest, 0.0f)

SCAN_OPERATOR floats_16 point(floats_12 x, size_t index) {
  const floats_16 wider = {{x.word[0], x.word[1], x.word[2], (float)index}};
  return wider;
}
SCAN_OPERATOR floats_12 moved(floats_16 scanned, floats_12 x, size_t index) {
  const floats_12 narrower = {{scanned.word[0] - x.word[0], scanned.word[1], scanned.word[2]}};
  (void)index;
  return narrower;
}
SCAN_DEFINE_FUSED(points, floats_12, floats_16, floats_12, point, add_16, moved, {{0.0f}})
