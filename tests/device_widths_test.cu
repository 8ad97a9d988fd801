// device_widths_test.cu: device-wide scans of every width from 1 to 64 bytes, those of one
// remainder modulo 4, by an operator that tells which elements came and in which order.
#include "tests/device_case.h"

// An element is a row of units, the widest that divide its width: of each three the first keeps the
// earlier operand's, the second the later one's, and the third adds them.
#if TEST_REMAINDER == 0
typedef uint32_t unit;
#define WIDTHS(X) \
  X(4) X(8) X(12) X(16) X(20) X(24) X(28) X(32) X(36) X(40) X(44) X(48) X(52) X(56) X(60) X(64)
#elif TEST_REMAINDER == 1
typedef uint8_t unit;
#define WIDTHS(X) \
  X(1) X(5) X(9) X(13) X(17) X(21) X(25) X(29) X(33) X(37) X(41) X(45) X(49) X(53) X(57) X(61)
#elif TEST_REMAINDER == 2
typedef uint16_t unit;
#define WIDTHS(X) \
  X(2) X(6) X(10) X(14) X(18) X(22) X(26) X(30) X(34) X(38) X(42) X(46) X(50) X(54) X(58) X(62)
#else
typedef uint8_t unit;
#define WIDTHS(X) \
  X(3) X(7) X(11) X(15) X(19) X(23) X(27) X(31) X(35) X(39) X(43) X(47) X(51) X(55) X(59) X(63)
#endif

#define WIDTH(width)                                                                               \
  typedef struct units_##width {                                                                   \
    unit of[(width) / sizeof(unit)];                                                               \
  } units_##width;                                                                                 \
  SCAN_OPERATOR units_##width mix_##width(units_##width earlier, units_##width later) {            \
    units_##width both = earlier;                                                                  \
    size_t i;                                                                                      \
    for (i = 1; i < (width) / sizeof(unit); i += 3) both.of[i] = later.of[i];                      \
    for (i = 2; i < (width) / sizeof(unit); i += 3) both.of[i] = (unit)(both.of[i] + later.of[i]); \
    return both;                                                                                   \
  }                                                                                                \
  RANDOM_GENERATE(units_##width)                                                                   \
  TEST_FAMILY(units_##width, mix_##width, units_##width##_generate, {{0xA5}})
WIDTHS(WIDTH)

#define FACE(width) &test_family_units_##width##_mix_##width,
static const test_family *const families[] = {WIDTHS(FACE)};

// Random calls at random edges, one in eight of which may be far.
static void check_width(device_fixture *fixture, const test_family *family, size_t limit_bytes) {
  static device_sizes sizes;
  device_fixture_draw_schedule(fixture);
  device_sizes_make(&sizes, family->size, limit_bytes / family->size);
  for (size_t round = 0; round < 96 * TEST_SCALE; round++) {
    const int function = device_inclusive + (int)test_below(4);
    const device_call call = device_random_call(family, function, (unsigned)test_below(16));
    size_t n;
    do n = sizes.size[test_below(sizes.count)];
    while (n > device_far && round % 8 != 0);
    family->generate(fixture->elements, n + 2);
    device_check(fixture, family, n, &call);
  }
}

int main(void) {
  const size_t limit_bytes = 12000000;
  device_fixture fixture;
  test_begin("device_widths_test");
  device_fixture_make(&fixture, limit_bytes + 128);
  for (size_t i = 0; i < TEST_COUNT(families); i++) check_width(&fixture, families[i], limit_bytes);
  device_fixture_free(&fixture);
  return test_end("%u widths, the narrowest %u bytes and the widest %u: all is equal to the fold",
                  (unsigned)TEST_COUNT(families), (unsigned)families[0]->size,
                  (unsigned)families[TEST_COUNT(families) - 1]->size);
}
