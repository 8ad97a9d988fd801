// What every example shares: checked CUDA calls, arrays on the device, a thread an element, made-up
// numbers, comparisons, the name of target and device.
#ifndef EXAMPLES_EXAMPLE_H_
#define EXAMPLES_EXAMPLE_H_

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "scan/scan.h"

// A call that returns cudaError_t; an error ends the program with a line that names the call.
#define EXAMPLE_CHECK(call) example_check((call), #call, __FILE__, __LINE__)

static inline void example_check(cudaError_t error, const char *call, const char *file, int line) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s:%d: %s: %s (%s)\n", file, line, call, cudaGetErrorString(error),
          cudaGetErrorName(error));
  exit(EXIT_FAILURE);
}

// Host memory; nobody here goes on without it. Asking for 0 bytes is fine.
static inline void *example_allocate(size_t bytes) {
  void *memory = malloc(bytes > 0 ? bytes : 1);
  if (memory == NULL) {
    fprintf(stderr, "out of memory: %zu bytes\n", bytes);
    exit(EXIT_FAILURE);
  }
  return memory;
}

// Device memory that holds a copy of host memory; to be freed by cudaFree.
static inline void *example_to_device(const void *host, size_t bytes) {
  void *device;
  EXAMPLE_CHECK(cudaMalloc(&device, bytes));
  EXAMPLE_CHECK(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice));
  return device;
}

// Device memory whose bytes are all 0xff, so that an element that nobody writes shows.
static inline void *example_device_memory(size_t bytes) {
  void *device;
  EXAMPLE_CHECK(cudaMalloc(&device, bytes));
  EXAMPLE_CHECK(cudaMemset(device, 0xff, bytes));
  return device;
}

// Host memory that holds a copy of device memory; to be freed by free.
static inline void *example_to_host(const void *device, size_t bytes) {
  void *host = example_allocate(bytes);
  EXAMPLE_CHECK(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost));
  return host;
}

// A kernel with a thread for each of n elements, and some threads more: EXAMPLE_INDEX is the
// thread's element if it is below n. Nothing is launched where n is 0.
#define EXAMPLE_INDEX ((size_t)blockIdx.x * blockDim.x + threadIdx.x)
#define EXAMPLE_LAUNCH_EACH(kernel, n, params)                                                    \
  do {                                                                                            \
    if ((n) > 0)                                                                                  \
      EXAMPLE_CHECK(SCAN_LAUNCH(kernel, example_blocks(n), EXAMPLE_BLOCK_THREADS, 0, 0, params)); \
  } while (0)

enum { EXAMPLE_BLOCK_THREADS = 256 };

static inline uint32_t example_blocks(size_t n) {
  return (uint32_t)((n + EXAMPLE_BLOCK_THREADS - 1) / EXAMPLE_BLOCK_THREADS);
}

// "host target, <processor>" or "CUDA target, <GPU>", for the line that an example prints.
static inline const char *example_device(void) {
  static char words[320];
  struct cudaDeviceProp properties;
  int device;
  EXAMPLE_CHECK(cudaGetDevice(&device));
  EXAMPLE_CHECK(cudaGetDeviceProperties(&properties, device));
#ifdef SCAN_TARGET_HOST
  snprintf(words, sizeof words, "host target, %s", properties.name);
#else
  snprintf(words, sizeof words, "CUDA target, %s", properties.name);
#endif
  return words;
}

// A seed that is new in every run, or the one that the environment's SCAN_TEST_SEED repeats.
static inline uint64_t example_seed(void) {
  const char *chosen = getenv("SCAN_TEST_SEED");
  struct timespec now;
  if (chosen != NULL) {
    char *end;
    const uint64_t seed = strtoull(chosen, &end, 10);
    if (end != chosen && *end == '\0') return seed;
    fprintf(stderr, "SCAN_TEST_SEED is not a number: %s\n", chosen);
    exit(EXIT_FAILURE);
  }
  timespec_get(&now, TIME_UTC);
  return ((uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec) % 1000000007u;
}

// The next of a sequence of well-mixed numbers (splitmix64, Steele, Lea and Flood 2014).
static inline uint32_t example_random(uint64_t *state) {
  uint64_t mixed = *state += UINT64_C(0x9e3779b97f4a7c15);
  mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
  return (uint32_t)((mixed ^ (mixed >> 31)) >> 32);
}

// Ends the program with a message unless what was computed is what was expected.
static inline void example_compare(const char *what, uint64_t seed, const uint32_t *computed,
                                   const uint32_t *expected, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (computed[i] == expected[i]) continue;
    fprintf(stderr, "%s: seed %llu: element %zu of %zu is %lu, expected %lu\n", what,
            (unsigned long long)seed, i, n, (unsigned long)computed[i], (unsigned long)expected[i]);
    exit(EXIT_FAILURE);
  }
}

#endif  // EXAMPLES_EXAMPLE_H_
