/* The machine, when it is a CUDA device: sm_75 and up; from sm_90 on with bulk copies. Included by
 * target.h alone. */
#ifndef SCAN_TARGET_CUDA_H
#define SCAN_TARGET_CUDA_H

#include "scan/target/common.h"

#include <cuda_runtime_api.h>

/* A kernel as the host side knows it. */
typedef struct {
  const void *function;
} scan_kernel;

/* Warps that load a tile: a bulk copy is started by one thread, vector loads want many threads. */
#define SCAN_LOADER_WARPS_(bulk) ((bulk) ? 1u : 2u)
/* Groups that scan in turn: without bulk copies a second one gains nothing (sm_80), or loads and
   stores take its registers (sm_75). */
#define SCAN_GROUPS_MOST_(bulk) ((bulk) ? 2u : 1u)

/* A declared family, and its definition, which says whom it is for (target/host.h). */
#define SCAN_TARGET_DECLARED_(name)
#define SCAN_TARGET_DEFINED_(name)            \
  SCAN_EXTERN_ const char name##_is_for_cuda; \
  const char name##_is_for_cuda = 1;

/* Tells a kernel from every other; never 0. */
SCAN_HOST_ uintptr_t scan_kernel_key(scan_kernel kernel) { return (uintptr_t)kernel.function; }

/* Grants a kernel dynamic shared memory beyond what it has without asking. By way of the driver:
   cudaFuncSetAttribute would take a pending error of the client's away. */
SCAN_HOST_ cudaError_t scan_kernel_grant_(scan_kernel kernel, size_t shared_bytes) {
  typedef int (*set_attribute_function)(cudaFunction_t, int, int);
  set_attribute_function set_attribute;
  void *entry = NULL;
  cudaFunction_t function;
  enum cudaDriverEntryPointQueryResult found;
  cudaError_t error = cudaGetFuncBySymbol(&function, kernel.function);
  if (error != cudaSuccess) return error;
  error = cudaGetDriverEntryPointByVersion("cuFuncSetAttribute", &entry, 9000, cudaEnableDefault,
                                           &found);
  if (error != cudaSuccess) return error;
  if (entry == NULL || shared_bytes > (size_t)INT32_MAX) return cudaErrorInvalidValue;
  memcpy(&set_attribute, &entry, sizeof entry);
  /* The driver's attributes and errors bear the numbers of the runtime's; cuda.h, which names them,
   * takes longer to compile than this file. */
  return (cudaError_t)set_attribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    (int)shared_bytes);
}

/* Reads the traits of a kernel and lifts its limit of dynamic shared memory to all that the device
 * grants. */
SCAN_HOST_ cudaError_t scan_kernel_prepare(scan_kernel kernel, int device,
                                           scan_kernel_traits *traits) {
  /* The first release whose graphs have early launches. */
  const int graphs_early = 12030;
  struct cudaFuncAttributes attributes;
  int limit = 0;
  int driver = 0;
  cudaError_t error = cudaFuncGetAttributes(&attributes, kernel.function);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  if (error == cudaSuccess) error = cudaDriverGetVersion(&driver);
  if (error != cudaSuccess) return error;
  limit -= (int)attributes.sharedSizeBytes;
  traits->shared_limit = (uint32_t)limit;
  traits->loader_warps = SCAN_LOADER_WARPS_(attributes.ptxVersion >= 90);
  traits->groups_most = SCAN_GROUPS_MOST_(attributes.ptxVersion >= 90);
  traits->early = attributes.ptxVersion >= 90 && driver >= graphs_early;
  return scan_kernel_grant_(kernel, traits->shared_limit);
}

/* Launches a kernel whose one parameter is the struct at `parameters`; asynchronous on the stream.
   An early one's blocks may start before what precedes it on the stream is over, so it calls
   scan_grid_wait. */
SCAN_HOST_ cudaError_t scan_launch_prepared(scan_kernel kernel, bool early, uint32_t grid,
                                            uint32_t block, size_t shared_bytes,
                                            cudaStream_t stream, const void *parameters,
                                            size_t parameters_bytes) {
  void *arguments[1];
  cudaLaunchAttribute attribute;
  cudaLaunchConfig_t config;
  (void)parameters_bytes;
  memset(&attribute, 0, sizeof attribute);
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  config.gridDim.x = grid;
  config.blockDim.x = block;
  config.gridDim.y = config.gridDim.z = config.blockDim.y = config.blockDim.z = 1;
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = early ? 1 : 0;
  memcpy(arguments, &parameters, sizeof arguments);
  return cudaLaunchKernelExC(&config, kernel.function, arguments);
}

/* The same for a client's kernel, which asks for more than the default shared memory by the launch
 * itself. It is granted all that there is: another thread may launch it with less. */
SCAN_HOST_ cudaError_t scan_launch(scan_kernel kernel, uint32_t grid, uint32_t block,
                                   size_t shared_bytes, cudaStream_t stream, const void *parameters,
                                   size_t parameters_bytes) {
  const size_t granted_without_asking = 48u << 10;
  if (shared_bytes > granted_without_asking) {
    scan_kernel_traits traits;
    int device;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess) error = scan_kernel_prepare(kernel, device, &traits);
    if (error != cudaSuccess) return error;
  }
  return scan_launch_prepared(kernel, false, grid, block, shared_bytes, stream, parameters,
                              parameters_bytes);
}

/* From here on only what nvcc compiles: a C client of a CUDA build has neither kernels nor
 * operators. */
#ifdef __CUDACC__
#define SCAN_KERNELS_ 1

/* The number of the capture that the stream is in, 0: of none. */
SCAN_HOST_ cudaError_t scan_stream_capture(uint64_t *capture, cudaStream_t stream) {
  cudaStreamCaptureStatus status;
  unsigned long long id = 0;
  const cudaError_t error = cudaStreamGetCaptureInfo(stream, &status, &id);
  *capture = error == cudaSuccess && status == cudaStreamCaptureStatusActive ? id + 1 : 0;
  return error;
}

/* With -G nothing is known after inlining, and all that is inlined stays: minutes of ptxas, and
 * nothing for a debugger to step into. */
#ifdef __CUDACC_DEBUG__
#define SCAN_INLINE_ inline
#define SCAN_LATE_(f, ...) f(__VA_ARGS__)
#else
#define SCAN_INLINE_ __forceinline__
/* Calls f, a large function, with SCAN_OP last. nvcc inlines what a function calls before it
 * inlines the function: all of it, whatever the operator needs, copied anew from caller to caller.
 * f it finds in the kernel alone, where it knows the operator and leaves the rest away; op_size is
 * 64 at most, so f is what is called (bench/NOTES.md). */
#define SCAN_LATE_(f, ...) ((__typeof__(&f))((uintptr_t)&f + op_size / 128))(__VA_ARGS__)
#endif
#define SCAN_DEVICE static __device__ SCAN_INLINE_ SCAN_UNUSED_
#define SCAN_DEVICE_POINTED_ SCAN_DEVICE
#define SCAN_OPERATOR static __host__ __device__ SCAN_INLINE_ SCAN_UNUSED_
#define SCAN_UNROLL_ _Pragma("unroll")
#define SCAN_ROLL_ _Pragma("unroll 1")

#define SCAN_KERNEL_STAMP_(bounds, name, Params, p)                     \
  static __global__ void bounds name(const __grid_constant__ Params p); \
  SCAN_HOST_ scan_kernel name##_kernel_(void) {                         \
    scan_kernel kernel = {(const void *)name};                          \
    return kernel;                                                      \
  }                                                                     \
  static __global__ void bounds name(const __grid_constant__ Params p)
#define SCAN_KERNEL_BOUNDED_(threads, name, Params, p) \
  SCAN_KERNEL_STAMP_(SCAN_UNUSED_ __launch_bounds__(threads, 1), name, Params, p)
/* A client may launch as many threads as a block can have. */
#define SCAN_KERNEL(name, Params, p) SCAN_KERNEL_BOUNDED_(1024, name, Params, p)

#define SCAN_SHARED_DYNAMIC(T, name)                             \
  extern __shared__ __align__(128) unsigned char scan_shared_[]; \
  T *name = (T *)(void *)scan_shared_

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 750
#error "scan: the CUDA target needs sm_75 or newer (nvcc -arch=sm_75)"
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define SCAN_BULK_ 1
#else
#define SCAN_BULK_ 0
#endif
/* Whether there are barriers in shared memory, copies of up to 16 bytes that arrive at them, and
   policies of the second cache. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define SCAN_ASYNC_ 1
#else
#define SCAN_ASYNC_ 0
#endif

#define SCAN_LOADER_WARPS SCAN_LOADER_WARPS_(SCAN_BULK_)
#define SCAN_GROUPS_MOST SCAN_GROUPS_MOST_(SCAN_BULK_)
/* Stores that may still read shared memory while the next tile is under way. */
#define SCAN_STORES_IN_FLIGHT (SCAN_BULK_ ? 1u : 0u)

/* The thread's number in its block, and how many threads that has. */
SCAN_DEVICE uint32_t scan_thread(void) { return threadIdx.x; }
SCAN_DEVICE uint32_t scan_threads(void) { return blockDim.x; }
/* The same, and what depends on it alone may be worked out ahead of a loop: nvcc asks for the other
   anew in each turn, and knows more of it. */
SCAN_DEVICE uint32_t scan_threads_early(void) {
  uint32_t threads;
  asm("mov.u32 %0, %%ntid.x;" : "=r"(threads));
  return threads;
}
SCAN_DEVICE uint32_t scan_blocks(void) { return gridDim.x; }

/* Programmatic dependent launch: a grid that was launched early starts when every block of the one
   before it on the stream has called this, by one thread, or has ended. `settled` is not ~0; where
   an access to memory gave it, that access is over, before sm_90 too: what follows may be early. */
SCAN_DEVICE void scan_grid_release(uint32_t settled) {
#if SCAN_BULK_
  asm volatile(
      "{\n\t.reg .pred done;\n\t"
      "setp.ne.u32 done, %0, 0xffffffff;\n\t"
      "@done griddepcontrol.launch_dependents;\n\t}" ::"r"(settled)
      : "memory");
#else
  asm volatile(
      "{\n\t.reg .pred never;\n\t"
      "setp.eq.u32 never, %0, 0xffffffff;\n\t"
      "@never trap;\n\t}" ::"r"(settled)
      : "memory");
#endif
}
/* Waits until all that precedes the grid on the stream is over, and sees what it wrote. By every
   thread, before its first access to device memory that others write too. Brings what the thread
   has worked out for that, a count below 2^31 and addresses: on these the wait seems to depend, or
   the assembler would put what makes them after it. No address has the upper half 0x80000001: it
   has fewer than 63 bits, or wraps by less than 2^62. */
SCAN_DEVICE void scan_grid_wait(uint32_t count, const void *address, const void *other) {
#if SCAN_BULK_
  asm volatile(
      "{\n\t.reg .pred always;\n\t"
      ".reg .b32 low, high;\n\t"
      "mov.b64 {low, high}, %1;\n\t"
      "setp.ne.u32 always, high, 0x80000001;\n\t"
      "mov.b64 {low, high}, %2;\n\t"
      "setp.ne.and.u32 always, high, 0x80000001, always;\n\t"
      "setp.ne.and.u32 always, %0, 0x80000001, always;\n\t"
      "@always griddepcontrol.wait;\n\t}" ::"r"(count),
      "l"(address), "l"(other)
      : "memory");
#else
  (void)count;
  (void)address;
  (void)other;
#endif
}

/* Waits for all threads of the block; orders their accesses to shared memory. */
SCAN_DEVICE void scan_block_barrier(void) { __syncthreads(); }

/* Waits for the lanes of a warp; orders their accesses to shared memory. */
SCAN_DEVICE void scan_warp_barrier(void) { __syncwarp(); }

/* Waits for `threads` threads (whole warps) of the block at barrier `id`, 1 to 15; orders their
 * shared accesses. */
SCAN_DEVICE void scan_group_barrier(uint32_t id, uint32_t threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

/* Each lane receives the words of the lane `delta` below it (above it), or keeps its own where
 * there is none. */
SCAN_DEVICE void scan_shuffle_up(uint32_t *word, uint32_t words, uint32_t delta) {
  SCAN_UNROLL_
  for (uint32_t i = 0; i < words; i++) word[i] = __shfl_up_sync(~0u, word[i], delta);
}
SCAN_DEVICE void scan_shuffle_down(uint32_t *word, uint32_t words, uint32_t delta) {
  SCAN_UNROLL_
  for (uint32_t i = 0; i < words; i++) word[i] = __shfl_down_sync(~0u, word[i], delta);
}
/* Every lane receives the words of lane `source`. */
SCAN_DEVICE void scan_shuffle_from(uint32_t *word, uint32_t words, uint32_t source) {
  SCAN_UNROLL_
  for (uint32_t i = 0; i < words; i++) word[i] = __shfl_sync(~0u, word[i], (int)source);
}
/* Every lane receives the words of the source-th of its `part` lanes, a power of two. */
SCAN_DEVICE void scan_shuffle_within(uint32_t *word, uint32_t words, uint32_t source,
                                     uint32_t part) {
  SCAN_UNROLL_
  for (uint32_t i = 0; i < words; i++) word[i] = __shfl_sync(~0u, word[i], (int)source, (int)part);
}
/* x, which is the same in all lanes: so that the compiler knows. It need not then guard what lanes
   do together against their being apart. The lanes wait for each other, as at every shuffle: what x
   was read from may change once one of them has gone on. */
SCAN_DEVICE uint32_t scan_uniform(uint32_t x) { return __shfl_sync(~0u, x, 0); }
/* The same of what the first lane alone has, and asks for alone. */
SCAN_DEVICE uint32_t scan_uniform_alone(uint32_t x) { return __shfl_sync(1u, x, 0); }
/* Bit i is set where lane i's predicate holds. */
SCAN_DEVICE uint32_t scan_ballot(bool predicate) { return __ballot_sync(~0u, predicate); }
/* The places of the lowest and the highest bit that is set; there is one. */
SCAN_DEVICE uint32_t scan_lowest_bit(uint32_t bits) { return (uint32_t)__ffs((int)bits) - 1; }
SCAN_DEVICE uint32_t scan_bits_set(uint32_t bits) { return (uint32_t)__popc(bits); }
SCAN_DEVICE uint32_t scan_highest_bit(uint32_t bits) { return 31 - (uint32_t)__clz((int)bits); }
SCAN_DEVICE uint32_t scan_reverse_bits(uint32_t bits) { return __brev(bits); }

/* Hides from the compiler how the word came about. At the end of a branch it keeps that a branch,
   which becomes instructions under a predicate: else nvcc works out both sides and selects, of a
   sum even what is added. And of a word that is an integer here and part of a float there, it keeps
   one copy, not two. */
SCAN_DEVICE void scan_word_settle(uint32_t *word) { asm("" : "+r"(*word)); }

/* The word, and the address `offset` bytes from a place in device memory, or from NULL, worked out
   here: nvcc would do that where they are used, behind scan_grid_wait, where it counts. Where that
   does not wait they are not kept for so long. */
SCAN_DEVICE uint32_t scan_word_early(uint32_t word) {
#if SCAN_BULK_
  asm volatile("" : "+r"(word));
#endif
  return word;
}
SCAN_DEVICE void *scan_memory_early(void *memory, ptrdiff_t offset) {
  size_t at = __cvta_generic_to_global(memory) + (size_t)offset;
#if SCAN_BULK_
  asm volatile("" : "+l"(at));
#endif
  return __cvta_global_to_generic(at);
}

/* What nvcc may count on. */
#ifdef __CUDA_ARCH__
#define SCAN_ASSUME_(condition) __builtin_assume(condition)
#else
#define SCAN_ASSUME_(condition) ((void)0)
#endif

/* A place in shared memory, worked out here: nvcc would ask where that begins anew under each
   predicate, which takes a shuffle's time. */
SCAN_DEVICE uint32_t *scan_shared_early(uint32_t *shared) {
  uint32_t at = (uint32_t)__cvta_generic_to_shared(shared);
  asm("" : "+r"(at));
  return (uint32_t *)__cvta_shared_to_generic(at);
}

/* The 32 bits that start `bits` (0 to 31) above bit 0 of the pair high:low. */
SCAN_DEVICE uint32_t scan_funnel(uint32_t low, uint32_t high, uint32_t bits) {
  return __funnelshift_r(low, high, bits);
}

/* c and the sum of the products of the bytes of a with those of b. */
SCAN_DEVICE uint32_t scan_dot(uint32_t a, uint32_t b, uint32_t c) { return __dp4a(a, b, c); }
/* a * b + c, where nvcc would shift and add: by another unit. */
SCAN_DEVICE uint32_t scan_multiply_add(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t sum;
  asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));
  return sum;
}

/* The upper half of a product. */
SCAN_DEVICE uint64_t scan_multiply_high(uint64_t a, uint64_t b) { return __umul64hi(a, b); }

/* 16 bytes from and to shared memory, 16-byte aligned. */
SCAN_DEVICE void scan_vector_load(uint32_t word[4], const void *from) {
  const uint4 vector = *(const uint4 *)from;
  word[0] = vector.x;
  word[1] = vector.y;
  word[2] = vector.z;
  word[3] = vector.w;
}
/* The same, and a word, where others may write those bytes of them that the caller has no use for.
 */
SCAN_DEVICE void scan_vector_load_around(uint32_t word[4], const void *from) {
  scan_vector_load(word, from);
}
SCAN_DEVICE uint32_t scan_word_load_around(const uint32_t *from) { return *from; }
SCAN_DEVICE void scan_vector_store(void *to, const uint32_t word[4]) {
  uint4 vector;
  vector.x = word[0];
  vector.y = word[1];
  vector.z = word[2];
  vector.w = word[3];
  *(uint4 *)to = vector;
}

/* Bring the first `bytes` bytes, 16 at most, of device memory to shared memory, both 16-byte
 * aligned, or a word: they are there, as the calling thread sees it, after scan_vectors_brought.
 * What is next to them in the 16 bytes of shared memory is lost. */
SCAN_DEVICE void scan_vector_bring(void *shared, const void *global, uint32_t bytes) {
#if SCAN_ASYNC_
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(
                   (uint32_t)__cvta_generic_to_shared(shared)),
               "l"(__cvta_generic_to_global(global)), "r"(bytes)
               : "memory");
#else
  if (bytes == 16)
    *(uint4 *)shared = *(const uint4 *)global;
  else
    for (uint32_t i = 0; i < bytes; i++) ((uint8_t *)shared)[i] = ((const uint8_t *)global)[i];
#endif
}
SCAN_DEVICE void scan_word_bring(uint32_t *shared, const uint32_t *global) {
#if SCAN_ASYNC_
  asm volatile(
      "cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((uint32_t)__cvta_generic_to_shared(shared)),
      "l"(__cvta_generic_to_global(global))
      : "memory");
#else
  *shared = *global;
#endif
}
SCAN_DEVICE void scan_vectors_brought(void) {
#if SCAN_ASYNC_
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/* A thread has read memory that another may write as soon as it has learned of it, if only by
   words that order nothing (below): the second has to wait for nothing, but ThreadSanitizer, on the
   host target, is told. */
SCAN_DEVICE void scan_memory_left(const void *memory) { (void)memory; }
SCAN_DEVICE void scan_memory_taken(const void *memory) { (void)memory; }

/* Words in device memory that blocks share. Relaxed: a word carries its own validity and orders
   nothing else. They are to stay in the second cache when the client's elements pass through it. */
SCAN_DEVICE size_t scan_global_address_(const void *global) {
  return __cvta_generic_to_global(global);
}
/* An access with the policy to evict last: the number is what createpolicy makes from sm_80 to
   sm_120, there by as many as six instructions at each access. */
#define SCAN_EVICT_LAST_(access, operands) access ".L2::cache_hint" operands ", 0x14f0000000000000;"
#if SCAN_ASYNC_
#define SCAN_WORD_ACCESS_(access, operands) SCAN_EVICT_LAST_(access, operands)
#else
#define SCAN_WORD_ACCESS_(access, operands) access operands ";"
#endif
SCAN_DEVICE uint64_t scan_word_read(const uint64_t *word) {
  uint64_t value;
  asm volatile(SCAN_WORD_ACCESS_("ld.relaxed.gpu.global", ".u64 %0, [%1]")
               : "=l"(value)
               : "l"(scan_global_address_(word))
               : "memory");
  return value;
}
SCAN_DEVICE void scan_word_write(uint64_t *word, uint64_t value) {
  asm volatile(
      SCAN_WORD_ACCESS_("st.relaxed.gpu.global", ".u64 [%0], %1")::"l"(scan_global_address_(word)),
      "l"(value)
      : "memory");
}
/* A look at a word that another block is about to write: an atomic operation that changes nothing
 * is done where the word is at home, where a load may leave a copy on its way, for the write to
 * take back. Relaxed, too, and of the same size as the write: so it cannot undo that. */
SCAN_DEVICE uint64_t scan_word_poll(uint64_t *word) {
  uint64_t value;
  asm volatile("atom.relaxed.gpu.global.or.b64 %0, [%1], 0;"
               : "=l"(value)
               : "l"(scan_global_address_(word))
               : "memory");
  return value;
}
/* Two words in one access, 16-byte aligned; each is valid or not by itself. */
SCAN_DEVICE void scan_word_pair_read(uint64_t pair[2], const uint64_t *word) {
  asm volatile(SCAN_WORD_ACCESS_("ld.relaxed.gpu.global", ".v2.u64 {%0, %1}, [%2]")
               : "=l"(pair[0]), "=l"(pair[1])
               : "l"(scan_global_address_(word))
               : "memory");
}
SCAN_DEVICE void scan_word_pair_write(uint64_t *word, const uint64_t pair[2]) {
  asm volatile(SCAN_WORD_ACCESS_("st.relaxed.gpu.global",
                                 ".v2.u64 [%0], {%1, %2}")::"l"(scan_global_address_(word)),
               "l"(pair[0]), "l"(pair[1])
               : "memory");
}
/* Brings a word nearer, for accesses to come. */
SCAN_DEVICE void scan_word_prefetch(const uint64_t *word) {
#if SCAN_ASYNC_
  asm volatile("prefetch.global.L2::evict_last [%0];" ::"l"(scan_global_address_(word)));
#else
  asm volatile("prefetch.global.L2 [%0];" ::"l"(scan_global_address_(word)));
#endif
}
SCAN_DEVICE void scan_counter_write(uint32_t *counter, uint32_t value) {
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(scan_global_address_(counter)),
               "r"(value)
               : "memory");
}
/* Adds to a counter and returns what it was, relaxed. A thread's second index is 0, which the
   assembler does not know: a constant it would add up over the lanes first, of which there is one
   here, and take about 15 instructions more. */
SCAN_DEVICE uint64_t scan_counter_add(uint64_t *counter, uint64_t more) {
  uint64_t value;
  asm volatile(
      "{\n\t.reg .u32 none;\n\t.reg .u64 all;\n\t"
      "mov.u32 none, %%tid.y;\n\t"
      "cvt.u64.u32 all, none;\n\t"
      "add.u64 all, all, %2;\n\t"
      "atom.relaxed.gpu.global.add.u64 %0, [%1], all;\n\t}"
      : "=l"(value)
      : "l"(scan_global_address_(counter)), "l"(more)
      : "memory");
  return value;
}
/* Takes the next number of a counter, with release and acquire: pairs with every other
 * scan_counter_take_ordered of the counter. */
SCAN_DEVICE uint32_t scan_counter_take_ordered(uint32_t *counter) {
  uint32_t value;
  asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;"
               : "=r"(value)
               : "l"(scan_global_address_(counter))
               : "memory");
  return value;
}
/* In a loop that waits for another block. */
SCAN_DEVICE void scan_spin(void) {}
/* The same, with a pause of so many nanoseconds, about. */
SCAN_DEVICE void scan_spin_pause(uint32_t nanoseconds) {
  asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds));
}

/* Waits for about so many cycles, for the sake of speed alone. */
SCAN_DEVICE void scan_delay(uint32_t cycles) {
  const uint32_t start = (uint32_t)clock();
  while ((uint32_t)clock() - start < cycles) {
  }
}

SCAN_DEVICE uint32_t scan_shared_address_(const void *shared) {
  return (uint32_t)__cvta_generic_to_shared(shared);
}

/* Sets a bit, bit % 32 of word bit / 32 in shared memory, where other threads set bits, too. Other
   accesses to the words are beyond a barrier. multiplies, a constant: the word's address is a dot
   product, which takes a register: what multiplies has nothing else to do, and what shifts and adds
   is what a warp that sets many bits waits for. */
#define SCAN_BIT_SET_(address)                                                              \
  asm volatile(                                                                             \
      "{\n\t.reg .u32 word;\n\t"                                                            \
      "shr.u32 word, %1, 5;\n\t" address                                                    \
      " word, word, 4, %0;\n\t"                                                             \
      "red.relaxed.cta.shared.or.b32 [word], %2;\n\t}" ::"r"(scan_shared_address_(shared)), \
      "r"(bit), "r"(1u << bit % 32))
SCAN_DEVICE void scan_bit_set(uint32_t *shared, uint32_t bit, bool multiplies) {
  if (multiplies)
    SCAN_BIT_SET_("dp2a.lo.u32.u32");
  else
    SCAN_BIT_SET_("mad.lo.u32");
}
/* Sets a byte of shared memory to 1, as other threads of the warp may do at the same time. */
SCAN_DEVICE void scan_byte_set(uint8_t *shared) { *shared = 1; }

/* A signal: shared memory on which threads wait for one arrival at a time. Arrivals alternate its
   phase between 0 and 1; arrive releases, wait acquires, so what happened before the arrival is
   seen after the wait. */
#if SCAN_ASYNC_
typedef struct {
  SCAN_ALIGNED_(8) uint64_t barrier;
} scan_signal;

SCAN_DEVICE void scan_signal_initialize(scan_signal *signal) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(scan_shared_address_(signal))
               : "memory");
}
/* After the last scan_signal_initialize, by the thread that made them, before the block's barrier:
   that orders them for the block's threads, these fences for bulk copies that complete on them. */
SCAN_DEVICE void scan_signal_initialized(void) {
#if SCAN_BULK_
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}
SCAN_DEVICE void scan_signal_arrive(scan_signal *signal) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(scan_shared_address_(signal))
               : "memory");
}
/* From sm_90 on a thread that waits is suspended, for up to so many ns at a time: a short while, as
 * it would be without that number, takes issue slots from those that work. */
SCAN_DEVICE void scan_signal_wait(scan_signal *signal, uint32_t phase) {
  asm volatile(
      "{\n\t.reg .pred done;\n"
      "wait_%=:\n\t"
#if SCAN_BULK_
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1, 10000000;\n\t"
#else
      "mbarrier.test_wait.parity.shared::cta.b64 done, [%0], %1;\n\t"
#endif
      "@!done bra wait_%=;\n\t}" ::"r"(scan_shared_address_(signal)),
      "r"(phase)
      : "memory");
}
/* Whether it need not wait. Orders nothing: who acts on it waits, too. */
SCAN_DEVICE bool scan_signal_arrived(const scan_signal *signal, uint32_t phase) {
  uint32_t arrived;
  asm volatile(
      "{\n\t.reg .pred done;\n\t"
      "mbarrier.test_wait.parity.shared::cta.b64 done, [%1], %2;\n\t"
      "selp.u32 %0, 1, 0, done;\n\t}"
      : "=r"(arrived)
      : "r"(scan_shared_address_(signal)), "r"(phase)
      : "memory");
  return arrived != 0;
}

#else /* a volatile counter */

typedef struct {
  SCAN_ALIGNED_(8) volatile uint32_t arrivals;
  uint32_t unused;
} scan_signal;

SCAN_DEVICE void scan_signal_initialize(scan_signal *signal) { signal->arrivals = 0; }
SCAN_DEVICE void scan_signal_initialized(void) {}
SCAN_DEVICE void scan_signal_arrive(scan_signal *signal) {
  __threadfence_block(); /* pairs with the fence of scan_signal_wait */
  signal->arrivals = signal->arrivals + 1;
}
SCAN_DEVICE void scan_signal_wait(scan_signal *signal, uint32_t phase) {
  while ((signal->arrivals & 1) == phase) {
  }
  __threadfence_block(); /* pairs with the fence of scan_signal_arrive */
}
SCAN_DEVICE bool scan_signal_arrived(const scan_signal *signal, uint32_t phase) {
  return (signal->arrivals & 1) != phase;
}
#endif

#if SCAN_BULK_
/* Bulk copies take device memory by its generic address, which is the same number: to convert it
   makes kernels longer. */
#define SCAN_WORDS_MOVE_ "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
SCAN_DEVICE void scan_words_move_(void *shared, const void *global, uint32_t bytes, bool keep,
                                  scan_signal *signal) {
  if (bytes != 0 && keep)
    asm volatile(SCAN_EVICT_LAST_(SCAN_WORDS_MOVE_,
                                  " [%0], [%1], %2, [%3]")::"r"(scan_shared_address_(shared)),
                 "l"(global), "r"(bytes), "r"(scan_shared_address_(signal))
                 : "memory");
  else if (bytes != 0)
    asm volatile(SCAN_WORDS_MOVE_ " [%0], [%1], %2, [%3];" ::"r"(scan_shared_address_(shared)),
                 "l"(global), "r"(bytes), "r"(scan_shared_address_(signal))
                 : "memory");
}
/* Moves 16-byte words of device memory into shared memory, both 16-byte aligned, in three steps of
   the `threads` threads of the loader, between which they may store to shared memory, too: asks for
   the first `ahead` of `bytes` bytes, a multiple of 16, which stay in the second cache if they are
   to be kept; arrives at the signal, which ends its phase when all bytes, and what was stored
   before this step, are there, or has done that with the first step (`arrives`); asks for the
   others when `before`, if it is not NULL, has ended `phase`, for which this may wait. */
SCAN_DEVICE void scan_words_ask(void *shared, const void *global, uint32_t bytes, uint32_t ahead,
                                bool keep, bool arrives, scan_signal *signal, uint32_t thread,
                                uint32_t threads, uint32_t barrier) {
  (void)threads;
  (void)barrier;
  if (thread != 0) return;
  if (arrives)
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                     scan_shared_address_(signal)),
                 "r"(bytes)
                 : "memory");
  else /* what releases is scan_words_arrive, later and by this thread */
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(
                     scan_shared_address_(signal)),
                 "r"(bytes)
                 : "memory");
  scan_words_move_(shared, global, ahead, keep, signal);
}
SCAN_DEVICE void scan_words_arrive(scan_signal *signal, uint32_t thread, uint32_t threads,
                                   uint32_t barrier) {
  (void)threads;
  (void)barrier;
  scan_warp_barrier();
  if (thread == 0) scan_signal_arrive(signal);
}
SCAN_DEVICE void scan_words_ask_rest(void *shared, const void *global, uint32_t bytes,
                                     uint32_t ahead, scan_signal *signal, scan_signal *before,
                                     uint32_t phase, uint32_t thread) {
  if (thread != 0) return;
  if (before != NULL) scan_signal_wait(before, phase);
  scan_words_move_(SCAN_AT_(shared, ahead), SCAN_AT_CONST_(global, ahead), bytes - ahead, false,
                   signal);
}
/* Gives back to the second cache the lines, of 128 bytes, that lie wholly in words which were kept.
 * By the `threads` threads of the loader. */
SCAN_DEVICE void scan_words_give_back(const void *global, uint32_t bytes, uint32_t thread,
                                      uint32_t threads) {
  const uint32_t first = (uint32_t)(-(uintptr_t)global % 128);
  SCAN_ROLL_
  for (uint32_t at = first + thread * 128; at + 128 <= bytes; at += threads * 128)
    asm volatile("applypriority.global.L2::evict_normal [%0], 128;" ::"l"(
        scan_global_address_(SCAN_AT_CONST_(global, at))));
}
/* Brings 16-byte words of device memory, 16-byte aligned, into the second cache, for a load to
 * come; others may write there yet. By one thread. */
SCAN_DEVICE void scan_words_prefetch(const void *global, uint32_t bytes) {
  if (bytes != 0)
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(scan_global_address_(global)),
                 "r"(bytes));
}
/* Called by each thread that stored to shared memory what scan_words_store is to move, before the
 * barrier between them. */
SCAN_DEVICE void scan_words_written(void) {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
/* Moves 16-byte words of shared memory to device memory, both 16-byte aligned. Called by the group
   that stores a tile; up to SCAN_STORES_IN_FLIGHT calls' words may still be read from shared memory
   until its thread 0 has called scan_words_stored. */
SCAN_DEVICE void scan_words_store(void *global, const void *shared, uint32_t bytes, uint32_t thread,
                                  uint32_t threads, uint32_t barrier) {
  (void)threads;
  (void)barrier;
  if (thread != 0) return;
  if (bytes != 0)
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(global),
                 "r"(scan_shared_address_(shared)), "r"(bytes)
                 : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
/* Waits until no scan_words_store of the calling thread reads shared memory any more, as a block
   must before it ends. What they move is in device memory when the grid is over. */
SCAN_DEVICE void scan_words_stored(void) {
  asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

#else
/* By vectors, whose loads are asynchronous from sm_80 on. */
SCAN_DEVICE void scan_words_arrive(scan_signal *signal, uint32_t thread, uint32_t threads,
                                   uint32_t barrier) {
#if SCAN_ASYNC_ /* the signal's phase waits for this thread's copies as well */
  asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%0];" ::"r"(scan_shared_address_(signal))
               : "memory");
#endif
  scan_group_barrier(barrier, threads);
  if (thread == 0) scan_signal_arrive(signal);
}
SCAN_DEVICE void scan_words_ask(void *shared, const void *global, uint32_t bytes, uint32_t ahead,
                                bool keep, bool arrives, scan_signal *signal, uint32_t thread,
                                uint32_t threads, uint32_t barrier) {
  const uint32_t vectors = bytes / 16;
  (void)ahead;
  (void)keep;
#if SCAN_ASYNC_
  /* Past the first cache, which would take time to hold what nobody reads again. */
  for (uint32_t i = thread; i < vectors; i += threads)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                     scan_shared_address_((const uint4 *)shared + i)),
                 "l"(scan_global_address_((const uint4 *)global + i))
                 : "memory");
#else
  /* Loads in flight a thread: a warp that is alone has other things to remember. */
  const uint32_t together = threads > SCAN_WARP_THREADS ? 8 : 4;
  for (uint32_t first = thread; first < vectors; first += threads * together) {
    uint4 vector[8];
    SCAN_UNROLL_
    for (uint32_t i = 0; i < together; i++)
      if (first + i * threads < vectors) vector[i] = ((const uint4 *)global)[first + i * threads];
    SCAN_UNROLL_
    for (uint32_t i = 0; i < together; i++)
      if (first + i * threads < vectors) ((uint4 *)shared)[first + i * threads] = vector[i];
  }
#endif
  if (arrives) scan_words_arrive(signal, thread, threads, barrier);
}
/* Nothing is left to ask for: more at a time is no slower here. */
SCAN_DEVICE void scan_words_ask_rest(void *shared, const void *global, uint32_t bytes,
                                     uint32_t ahead, scan_signal *signal, scan_signal *before,
                                     uint32_t phase, uint32_t thread) {
  (void)shared;
  (void)global;
  (void)bytes;
  (void)ahead;
  (void)signal;
  (void)before;
  (void)phase;
  (void)thread;
}
SCAN_DEVICE void scan_words_give_back(const void *global, uint32_t bytes, uint32_t thread,
                                      uint32_t threads) {
  (void)global;
  (void)bytes;
  (void)thread;
  (void)threads;
}
SCAN_DEVICE void scan_words_prefetch(const void *global, uint32_t bytes) {
  (void)global;
  (void)bytes;
}
SCAN_DEVICE void scan_words_written(void) {}
SCAN_DEVICE void scan_words_store(void *global, const void *shared, uint32_t bytes, uint32_t thread,
                                  uint32_t threads, uint32_t barrier) {
  for (uint32_t i = thread; i < bytes / 16; i += threads)
    ((uint4 *)global)[i] = ((const uint4 *)shared)[i];
  scan_group_barrier(barrier, threads);
}
SCAN_DEVICE void scan_words_stored(void) {}
#endif

#endif /* __CUDACC__ */

#endif
