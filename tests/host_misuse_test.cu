// host_misuse_test.cu: on the host target, misuse that a GPU answers with garbage ends the program
// and names kernel, block, thread.
#define _XOPEN_SOURCE 700  // setenv under -std=c11
#include "tests/operators.h"

#include <signal.h>
#include <sys/wait.h>

SCAN_DEFINE(uint32_t, add_uint32_t, 0)
SCAN_DEFINE(uint64_t, add_uint64_t, 0)

typedef struct misuse_parameters {
  uint32_t *out;
} misuse_parameters;

typedef struct misuse_shared {
  scan_uint32_t_add_uint32_t_block_scratch scratch;
} misuse_shared;

enum { blocks = 2, threads = 96, uneven_threads = 90 };

// In each kernel it is block 1 that errs.
SCAN_KERNEL(half_a_warp_scans, misuse_parameters, p) {
  if (blockIdx.x == 0 || threadIdx.x % 32 < 16) {
    p.out[threadIdx.x] = scan_uint32_t_add_uint32_t_warp_inclusive(threadIdx.x);
  }
}
SCAN_KERNEL(half_a_warp_reduces, misuse_parameters, p) {
  uint32_t x = threadIdx.x;
  if (blockIdx.x == 0 || threadIdx.x % 2 == 0) x = scan_uint32_t_add_uint32_t_warp_reduce(x);
  __syncthreads();
  p.out[threadIdx.x] = x;
}
SCAN_KERNEL(lanes_in_different_places, misuse_parameters, p) {
  if (blockIdx.x == 0 || threadIdx.x % 32 != 7) {
    p.out[threadIdx.x] = scan_uint32_t_add_uint32_t_warp_inclusive(1);
  } else {
    __syncwarp();
  }
}
SCAN_KERNEL(barrier_in_one_branch, misuse_parameters, p) {
  if (blockIdx.x == 0 || threadIdx.x < 64) __syncthreads();
  p.out[threadIdx.x] = 1;
}
SCAN_KERNEL(thread_leaves_early, misuse_parameters, p) {
  SCAN_SHARED_DYNAMIC(misuse_shared, shared);
  if (blockIdx.x == 1 && threadIdx.x == 70) return;
  p.out[threadIdx.x] = scan_uint32_t_add_uint32_t_block_inclusive(1, &shared->scratch);
}
SCAN_KERNEL(one_warp_scans_the_block, misuse_parameters, p) {
  SCAN_SHARED_DYNAMIC(misuse_shared, shared);
  if (blockIdx.x == 0 || threadIdx.x < 32) {
    p.out[threadIdx.x] = scan_uint32_t_add_uint32_t_block_reduce(1, &shared->scratch);
  }
}
SCAN_KERNEL(writes_past_its_array, misuse_parameters, p) {
  __syncthreads();
  p.out[threadIdx.x + (blockIdx.x == 1 && threadIdx.x == 33 ? threads : 0)] = 1;
  __syncthreads();
}
SCAN_KERNEL(reads_before_its_array, misuse_parameters, p) {
  const uint32_t *from = p.out - (blockIdx.x == 1 && threadIdx.x == 34 ? 1 : 0);
  __syncthreads();
  p.out[threadIdx.x] = *from;
}
SCAN_KERNEL(writes_past_shared_memory, misuse_parameters, p) {
  SCAN_SHARED_DYNAMIC(misuse_shared, shared);
  if (blockIdx.x == 1 && threadIdx.x == 35) {
    *((volatile unsigned char *)shared + sizeof *shared) = 1;
  }
  p.out[threadIdx.x] = 1;
}
// In blocks of uneven_threads.
SCAN_KERNEL(scans_an_uneven_warp, misuse_parameters, p) {
  p.out[threadIdx.x] = scan_uint32_t_add_uint32_t_warp_inclusive(1);
}
SCAN_KERNEL(scans_an_uneven_block, misuse_parameters, p) {
  SCAN_SHARED_DYNAMIC(misuse_shared, shared);
  p.out[threadIdx.x] = scan_uint32_t_add_uint32_t_block_inclusive(1, &shared->scratch);
}
// What a GPU answers with an error of its own: 16 bytes at a time that are not aligned so.
SCAN_KERNEL(loads_a_misaligned_vector, misuse_parameters, p) {
  uint32_t vector[4];
  scan_vector_load(vector, p.out + (blockIdx.x == 1 && threadIdx.x == 36 ? 1 : 0));
  p.out[threadIdx.x] = vector[0];
}
// Races of threads that wait for nothing, so that any schedule runs one after the other.
SCAN_KERNEL(threads_write_one_word, misuse_parameters, p) { p.out[0] = threadIdx.x; }
SCAN_KERNEL(reads_what_another_wrote, misuse_parameters, p) {
  SCAN_SHARED_DYNAMIC(uint32_t, shared);
  shared[threadIdx.x] = threadIdx.x;
  p.out[threadIdx.x] = shared[threads - 1 - threadIdx.x];
}
SCAN_KERNEL(blocks_write_one_array, misuse_parameters, p) {
  p.out[(threadIdx.x + blockIdx.x) % threads] = threadIdx.x;
}
// And of threads that meet before and after.
SCAN_KERNEL(reads_between_barriers, misuse_parameters, p) {
  SCAN_SHARED_DYNAMIC(uint32_t, shared);
  uint32_t x;
  shared[threadIdx.x] = 0;
  __syncthreads();
  shared[threadIdx.x] = threadIdx.x;
  x = shared[threads - 1 - threadIdx.x];
  __syncthreads();
  if (blockIdx.x == 0) p.out[threadIdx.x] = x;
}
SCAN_KERNEL(reads_between_warp_barriers, misuse_parameters, p) {
  SCAN_SHARED_DYNAMIC(uint32_t, shared);
  uint32_t x;
  shared[threadIdx.x] = 0;
  __syncwarp();
  shared[threadIdx.x] = threadIdx.x;
  x = shared[threadIdx.x ^ 16];
  __syncwarp();
  if (blockIdx.x == 0) p.out[threadIdx.x] = x;
}

static misuse_parameters parameters;

#define LAUNCH(kernel) LAUNCH_OF(threads, kernel)
#define LAUNCH_OF(threads, kernel)                                                    \
  static void launch_##kernel(void) {                                                 \
    MUST(SCAN_LAUNCH(kernel, blocks, threads, sizeof(misuse_shared), 0, parameters)); \
  }
LAUNCH(half_a_warp_scans)
LAUNCH(half_a_warp_reduces)
LAUNCH(lanes_in_different_places)
LAUNCH(barrier_in_one_branch)
LAUNCH(thread_leaves_early)
LAUNCH(one_warp_scans_the_block)
LAUNCH_OF(uneven_threads, scans_an_uneven_warp)
LAUNCH_OF(uneven_threads, scans_an_uneven_block)
LAUNCH(loads_a_misaligned_vector)
#if defined(TEST_THREAD_SANITIZER)
LAUNCH(threads_write_one_word)
LAUNCH(reads_what_another_wrote)
LAUNCH(blocks_write_one_array)
LAUNCH(reads_between_barriers)
LAUNCH(reads_between_warp_barriers)
#endif
#if defined(TEST_ADDRESS_SANITIZER)
LAUNCH(writes_past_its_array)
LAUNCH(reads_before_its_array)
LAUNCH(writes_past_shared_memory)

// A scan whose output is shorter than the client says.
static void scan_past_the_output(void) {
  enum { elements = 3000 };
  scan_workspace *workspace;
  uint64_t *in;
  uint64_t *out;
  MUST(cudaMalloc((void **)&in, elements * sizeof *in));
  MUST(cudaMalloc((void **)&out, (elements - 1) * sizeof *out));
  MUST(cudaMemset(in, 1, elements * sizeof *in));
  MUST(scan_workspace_create(&workspace, scan_uint64_t_add_uint64_t_workspace_bytes(elements), 0));
  (void)scan_uint64_t_add_uint64_t_inclusive(workspace, in, out, elements, 0);
}
#endif

// A workspace that somebody wrote to: tile 0 was never taken, so its aggregate never comes.
static void wait_for_ever(void) {
  enum { elements = 100000 };
  scan_workspace *workspace;
  scan_workspace_header *header;
  uint64_t *in;
  MUST(cudaMalloc((void **)&in, elements * sizeof *in));
  MUST(cudaMemset(in, 1, elements * sizeof *in));
  MUST(scan_workspace_create(&workspace, scan_uint64_t_add_uint64_t_workspace_bytes(elements), 0));
  header = (scan_workspace_header *)workspace->memory;
  header->call_and_ticket = 1;
  (void)scan_uint64_t_add_uint64_t_inclusive(workspace, in, in, elements, 0);
}

static void misspell_the_seed(void) {
  (void)setenv("SCAN_HOST_SEED", "7th", 1);
  scan_host_state_.configured = false;
  launch_barrier_in_one_branch();
}

typedef struct misuse {
  const char *name;
  void (*commit)(void);
  const char *expected[3]; /* each is in what the program says as it ends */
} misuse;

static const misuse misuses[] = {
    {"half_a_warp_scans",
     launch_half_a_warp_scans,
     {"kernel half_a_warp_scans", "block 1", "thread"}},
    {"half_a_warp_reduces",
     launch_half_a_warp_reduces,
     {"kernel half_a_warp_reduces", "block 1", "thread"}},
    {"lanes_in_different_places",
     launch_lanes_in_different_places,
     {"kernel lanes_in_different_places", "block 1", "thread"}},
    {"barrier_in_one_branch",
     launch_barrier_in_one_branch,
     {"kernel barrier_in_one_branch", "block 1", "thread"}},
    {"thread_leaves_early",
     launch_thread_leaves_early,
     {"kernel thread_leaves_early", "block 1", "thread"}},
    {"one_warp_scans_the_block",
     launch_one_warp_scans_the_block,
     {"kernel one_warp_scans_the_block", "block 1", "thread"}},
    {"scans_an_uneven_warp",
     launch_scans_an_uneven_warp,
     {"kernel scans_an_uneven_warp", "thread", "whole warps, a multiple of 32"}},
    {"scans_an_uneven_block",
     launch_scans_an_uneven_block,
     {"kernel scans_an_uneven_block", "thread", "whole warps, a multiple of 32"}},
    {"loads_a_misaligned_vector",
     launch_loads_a_misaligned_vector,
     {"kernel loads_a_misaligned_vector", "block 1, thread 36", "misaligned"}},
    {"misspell_the_seed", misspell_the_seed, {"SCAN_HOST_SEED=7th", "not a number", "0 to"}},
    {"wait_for_ever",
     wait_for_ever,
     {"kernel scan_uint64_t_add_uint64_t_forward", "block", "no block will publish"}},
#if defined(TEST_THREAD_SANITIZER)
    {"threads_write_one_word",
     launch_threads_write_one_word,
     {"ThreadSanitizer", "data race", "threads_write_one_word"}},
    {"reads_what_another_wrote",
     launch_reads_what_another_wrote,
     {"ThreadSanitizer", "data race", "reads_what_another_wrote"}},
    {"blocks_write_one_array",
     launch_blocks_write_one_array,
     {"ThreadSanitizer", "data race", "blocks_write_one_array"}},
    {"reads_between_barriers",
     launch_reads_between_barriers,
     {"ThreadSanitizer", "data race", "reads_between_barriers"}},
    {"reads_between_warp_barriers",
     launch_reads_between_warp_barriers,
     {"ThreadSanitizer", "data race", "reads_between_warp_barriers"}},
#endif
#if defined(TEST_ADDRESS_SANITIZER)
    {"writes_past_its_array",
     launch_writes_past_its_array,
     {"AddressSanitizer", "kernel writes_past_its_array", "block 1, thread 33"}},
    {"reads_before_its_array",
     launch_reads_before_its_array,
     {"AddressSanitizer", "kernel reads_before_its_array", "block 1, thread 34"}},
    {"writes_past_shared_memory",
     launch_writes_past_shared_memory,
     {"AddressSanitizer", "kernel writes_past_shared_memory", "block 1, thread 35"}},
    {"scan_past_the_output",
     scan_past_the_output,
     {"AddressSanitizer", "kernel scan_uint64_t_add_uint64_t_forward", "block"}},
#endif
};

// Commits the misuse in a child, and checks how the child ends and what it says.
static void check_misuse(const misuse *misused, uint64_t seed, unsigned workers) {
  char said[16384];
  size_t length = 0;
  int ends[2];
  int status = 0;
  pid_t child;
  size_t k;
  test_case("%s, schedule %llu, %u workers", misused->name, (unsigned long long)seed, workers);
  if (pipe(ends) != 0) exit(EXIT_FAILURE);
  fflush(stdout);
  child = fork();
  if (child < 0) exit(EXIT_FAILURE);
  if (child == 0) {
    (void)close(ends[0]);
    (void)dup2(ends[1], STDERR_FILENO);
    alarm(30);
    scan_host_schedule(seed, workers, 2);
    MUST(cudaMalloc((void **)&parameters.out, threads * sizeof *parameters.out));
    MUST(cudaMemset(parameters.out, 0, threads * sizeof *parameters.out));
    misused->commit();
    _exit(0);
  }
  (void)close(ends[1]);
  for (;;) {
    ssize_t got = read(ends[0], said + length, sizeof said - 1 - length);
    if (got <= 0) break;
    length += (size_t)got;
    if (length == sizeof said - 1) { /* keep the end, which is where the kernel is named */
      memmove(said, said + sizeof said / 2, length - sizeof said / 2);
      length -= sizeof said / 2;
    }
  }
  said[length] = 0;
  (void)close(ends[0]);
  CHECK(waitpid(child, &status, 0) == child, "no child to wait for");
  CHECK(!(WIFEXITED(status) && WEXITSTATUS(status) == 0), "the misuse went unnoticed");
  CHECK(!(WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM), "the misuse hung");
  for (k = 0; k < TEST_COUNT(misused->expected); k++) {
    CHECK(strstr(said, misused->expected[k]) != NULL, "\"%s\" is not in: %s", misused->expected[k],
          said);
  }
}

int main(void) {
  size_t i;
  test_begin("host_misuse_test");
  for (i = 0; i < TEST_COUNT(misuses); i++) {
    check_misuse(&misuses[i], 0, 1);
    check_misuse(&misuses[i], test_random() | 1u, 1);
    check_misuse(&misuses[i], test_random() | 1u, 2);
  }
  return test_end("%u kinds of misuse end the program, naming kernel, block and thread",
                  (unsigned)TEST_COUNT(misuses));
}
