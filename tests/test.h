// test.h: what every test shares: random inputs with a printed seed, checks, guarded device
// buffers, the closing line.
#ifndef SCAN_TESTS_TEST_H
#define SCAN_TESTS_TEST_H

#include "scan/scan.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TEST_ADDRESS_SANITIZER 1
#endif
#if __has_feature(thread_sanitizer)
#define TEST_THREAD_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(TEST_ADDRESS_SANITIZER)
#define TEST_ADDRESS_SANITIZER 1
#endif
#if defined(__SANITIZE_THREAD__) && !defined(TEST_THREAD_SANITIZER)
#define TEST_THREAD_SANITIZER 1
#endif
#ifdef TEST_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif

#ifdef __cplusplus
#define TEST_ALIGNOF(T) alignof(T)
#define TEST_ALIGNAS(bytes) alignas(bytes)
#else
#define TEST_ALIGNOF(T) _Alignof(T)
#define TEST_ALIGNAS(bytes) _Alignas(bytes)
#endif

#define TEST_COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { test_guard_bytes = 256, test_poison = 0xCB, test_guard = 0x9D, test_failures_shown = 10 };

// How much work a test may take on, relative to an optimised build of the host target: a GPU takes
// more, a build under a sanitizer less.
#if defined(SCAN_TARGET_HOST)
#if defined(TEST_THREAD_SANITIZER)
#define TEST_SCALE 0.08
#elif defined(TEST_ADDRESS_SANITIZER) || defined(TEST_SLOW)
#define TEST_SCALE 0.25
#else
#define TEST_SCALE 1.0
#endif
#else
#define TEST_SCALE 4.0
#endif
// Elements of a scan, at most, in a test whose sizes are the same everywhere.
#define TEST_ELEMENTS_MOST (TEST_SCALE < 0.1 ? (size_t)100000 : SIZE_MAX)

typedef struct test_state {
  const char *name;
  uint64_t seed;
  uint64_t random;
  unsigned long long checks;
  unsigned long long cases;
  unsigned failures;
  int terminal;
  clock_t shown;
  char subject[512];
} test_state;

static test_state test;

// The next 64 random bits (splitmix64, Steele, Lea and Flood 2014).
static inline uint64_t test_random(void) {
  uint64_t bits = test.random += 0x9E3779B97F4A7C15u;
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
  return bits ^ (bits >> 31);
}

// A random number below limit; limit is at least 1.
static inline uint64_t test_below(uint64_t limit) { return test_random() % limit; }

static inline void test_random_bytes(void *memory, size_t bytes) {
  unsigned char *at = (unsigned char *)memory;
  while (bytes > 0) {
    uint64_t bits = test_random();
    size_t piece = bytes < sizeof bits ? bytes : sizeof bits;
    memcpy(at, &bits, piece);
    at += piece;
    bytes -= piece;
  }
}

// Starts a test: the seed is SCAN_TEST_SEED where the environment gives one, else a fresh one.
static inline void test_begin(const char *name) {
  const char *given = getenv("SCAN_TEST_SEED");
  char *end = NULL;
  memset(&test, 0, sizeof test);
  test.name = name;
  test.seed = given != NULL ? strtoull(given, &end, 10)
                            : (uint64_t)time(NULL) * 1000003u + (uint64_t)getpid();
  if (given != NULL && (end == given || *end != '\0')) {
    fprintf(stderr, "SCAN_TEST_SEED is not a number: %s\n", given);
    exit(EXIT_FAILURE);
  }
  test.random = test.seed;
  test.terminal = isatty(STDERR_FILENO);
}

// Names the case that the checks from here on belong to, and shows it where somebody watches.
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
static inline void
test_case(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(test.subject, sizeof test.subject, format, arguments);
  va_end(arguments);
  test.cases++;
  if (test.terminal && clock() - test.shown > CLOCKS_PER_SEC / 10) {
    test.shown = clock();
    fprintf(stderr, "\r\033[K%s: %.100s", test.name, test.subject);
  }
}

// The closing line and the exit status.
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
static inline int
test_end(const char *format, ...) {
  va_list arguments;
  if (test.terminal) fprintf(stderr, "\r\033[K");
  printf("%s: ", test.name);
  if (test.failures > 0) {
    printf("FAILED, %u of %llu checks", test.failures, test.checks);
  } else {
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf(" (%llu cases, %llu checks", test.cases, test.checks);
  }
  printf("%s%llu%s\n", test.failures > 0 ? "; SCAN_TEST_SEED=" : ", seed ",
         (unsigned long long)test.seed, test.failures > 0 ? "" : ")");
  return test.failures > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
static inline void
test_fail(const char *file, int line, const char *condition, const char *format, ...) {
  va_list arguments;
  fprintf(stderr, "%s%s:%d: %s: not so: %s\n  ", test.terminal ? "\r\033[K" : "", file, line,
          test.subject, condition);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fprintf(stderr, "\n");
  test.failures++;
  if (test.failures >= test_failures_shown) {
    exit(test_end("stopped"));
  }
}

// CHECK(condition, format, ...): the format and its arguments say what was found.
#define CHECK(condition, ...)                                                 \
  do {                                                                        \
    test.checks++;                                                            \
    if (!(condition)) test_fail(__FILE__, __LINE__, #condition, __VA_ARGS__); \
  } while (0)

// CHECK_CODE(call, expected): the call returns just this cudaError_t.
#define CHECK_CODE(call, expected)                                                              \
  do {                                                                                          \
    cudaError_t check_found_ = (call);                                                          \
    cudaError_t check_expected_ = (expected);                                                   \
    test.checks++;                                                                              \
    if (check_found_ != check_expected_) {                                                      \
      test_fail(__FILE__, __LINE__, #call " == " #expected, "found %d (%s)", (int)check_found_, \
                cudaGetErrorString(check_found_));                                              \
    }                                                                                           \
  } while (0)

// MUST(call): a call without whose success the test cannot go on.
#define MUST(call)                                                      \
  do {                                                                  \
    cudaError_t must_found_ = (call);                                   \
    test.checks++;                                                      \
    if (must_found_ != cudaSuccess) {                                   \
      test_fail(__FILE__, __LINE__, #call, "%d (%s)", (int)must_found_, \
                cudaGetErrorString(must_found_));                       \
      exit(test_end("stopped"));                                        \
    }                                                                   \
  } while (0)

static inline void *test_allocate(size_t bytes) {
  void *memory = malloc(bytes > 0 ? bytes : 1);
  if (memory == NULL) {
    fprintf(stderr, "%s: no memory for %zu bytes\n", test.name, bytes);
    exit(EXIT_FAILURE);
  }
  return memory;
}

// Device memory between two guards. The data starts `shift` bytes past a 256-byte boundary, so that
// a test chooses its alignment. Under AddressSanitizer the guards may not even be read while a
// kernel runs.
typedef struct test_buffer {
  unsigned char *device;
  unsigned char *mirror;
  size_t capacity;
  size_t shift;
  size_t bytes;
} test_buffer;

enum { test_shift_limit = 64 };

static inline void test_buffer_make(test_buffer *buffer, size_t capacity) {
  size_t all = capacity + 2 * (size_t)test_guard_bytes + test_shift_limit;
  void *device = NULL;
  MUST(cudaMalloc((void **)&device, all));
  buffer->device = (unsigned char *)device;
  buffer->mirror = (unsigned char *)test_allocate(all);
  buffer->capacity = capacity;
  buffer->shift = 0;
  buffer->bytes = 0;
}

static inline size_t test_buffer_span(const test_buffer *buffer) {
  return buffer->bytes + 2 * (size_t)test_guard_bytes + buffer->shift;
}

static inline void test_buffer_forbid_guards(const test_buffer *buffer, int forbid) {
#if defined(TEST_ADDRESS_SANITIZER) && defined(SCAN_TARGET_HOST)
  unsigned char *data = buffer->device + test_guard_bytes + buffer->shift;
  size_t all = buffer->capacity + 2 * (size_t)test_guard_bytes + test_shift_limit;
  if (forbid) {
    ASAN_POISON_MEMORY_REGION(data + buffer->bytes,
                              (size_t)(buffer->device + all - (data + buffer->bytes)));
    ASAN_POISON_MEMORY_REGION(buffer->device, (size_t)(data - buffer->device));
    ASAN_UNPOISON_MEMORY_REGION(data, buffer->bytes);
  } else {
    ASAN_UNPOISON_MEMORY_REGION(buffer->device, all);
  }
#else
  (void)buffer;
  (void)forbid;
#endif
}

static inline void test_buffer_free(test_buffer *buffer) {
  test_buffer_forbid_guards(buffer, 0);
  MUST(cudaFree(buffer->device));
  free(buffer->mirror);
  memset(buffer, 0, sizeof *buffer);
}

static inline void *test_buffer_data(const test_buffer *buffer) {
  return buffer->device + test_guard_bytes + buffer->shift;
}

static inline unsigned char *test_buffer_mirror(const test_buffer *buffer) {
  return buffer->mirror + test_guard_bytes + buffer->shift;
}

// Lays out `bytes` of data between fresh guards: a copy of contents, or poison where contents is
// NULL. Returns the device address of the data.
static inline void *test_buffer_place(test_buffer *buffer, size_t shift, size_t bytes,
                                      const void *contents) {
  if (shift >= test_shift_limit || bytes > buffer->capacity) {
    fprintf(stderr, "%s: a buffer of %zu bytes cannot hold %zu + %zu\n", test.name,
            buffer->capacity, bytes, shift);
    exit(EXIT_FAILURE);
  }
  test_buffer_forbid_guards(buffer, 0);
  buffer->shift = shift;
  buffer->bytes = bytes;
  memset(buffer->mirror, test_guard, test_guard_bytes + shift);
  if (contents != NULL && bytes > 0) {
    memcpy(test_buffer_mirror(buffer), contents, bytes);
  } else {
    memset(test_buffer_mirror(buffer), test_poison, bytes);
  }
  memset(test_buffer_mirror(buffer) + bytes, test_guard, test_guard_bytes);
  MUST(
      cudaMemcpy(buffer->device, buffer->mirror, test_buffer_span(buffer), cudaMemcpyHostToDevice));
  test_buffer_forbid_guards(buffer, 1);
  return test_buffer_data(buffer);
}

static inline int test_all_bytes(const unsigned char *memory, size_t bytes, int value) {
  size_t i;
  for (i = 0; i < bytes; i++) {
    if (memory[i] != value) return 0;
  }
  return 1;
}

// Fetches the data into the mirror, checks the guards, and returns the mirror of the data.
static inline unsigned char *test_buffer_fetch(test_buffer *buffer, const char *what) {
  test_buffer_forbid_guards(buffer, 0);
  MUST(
      cudaMemcpy(buffer->mirror, buffer->device, test_buffer_span(buffer), cudaMemcpyDeviceToHost));
  CHECK(test_all_bytes(buffer->mirror, test_guard_bytes + buffer->shift, test_guard),
        "%s: written before its first byte", what);
  CHECK(test_all_bytes(test_buffer_mirror(buffer) + buffer->bytes, test_guard_bytes, test_guard),
        "%s: written past its last byte", what);
  return test_buffer_mirror(buffer);
}

static inline void test_hex(char *text, size_t capacity, const unsigned char *bytes, size_t count) {
  size_t i;
  size_t at = 0;
  text[0] = 0;
  for (i = 0; i < count && at + 4 < capacity; i++) {
    at += (size_t)snprintf(text + at, capacity - at, "%02x", bytes[i]);
  }
}

// Checks count elements of size bytes for equality, and shows the first that differs.
static inline void test_same(const char *file, int line, const char *what, const void *found,
                             const void *expected, size_t size, size_t count) {
  const unsigned char *f = (const unsigned char *)found;
  const unsigned char *e = (const unsigned char *)expected;
  size_t first;
  size_t wrong = 0;
  size_t last = 0;
  size_t i;
  char found_text[160];
  char expected_text[160];
  test.checks++;
  if (count == 0 || memcmp(f, e, size * count) == 0) return;
  first = count;
  for (i = 0; i < count; i++) {
    if (memcmp(f + i * size, e + i * size, size) != 0) {
      if (first == count) first = i;
      last = i;
      wrong++;
    }
  }
  test_hex(found_text, sizeof found_text, f + first * size, size);
  test_hex(expected_text, sizeof expected_text, e + first * size, size);
  test_fail(file, line, what,
            "%zu of %zu differ, first %zu, last %zu; the first is %s, expected %s", wrong, count,
            first, last, found_text, expected_text);
}

#define CHECK_SAME(what, found, expected, size, count) \
  test_same(__FILE__, __LINE__, what, found, expected, size, count)

// Calls that a workspace has counted; synchronises with the device.
static inline uint32_t test_calls(const scan_workspace *workspace) {
  scan_workspace_header header;
  MUST(cudaDeviceSynchronize());
  MUST(cudaMemcpy(&header, workspace->memory, sizeof header, cudaMemcpyDeviceToHost));
  return (uint32_t)(header.call_and_ticket >> 32);
}

// FNV-1a, 64 bits.
static inline uint64_t test_digest(const void *memory, size_t bytes) {
  const unsigned char *at = (const unsigned char *)memory;
  uint64_t digest = 0xCBF29CE484222325u;
  size_t i;
  for (i = 0; i < bytes; i++) digest = (digest ^ at[i]) * 0x100000001B3u;
  return digest;
}

#endif
