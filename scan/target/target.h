/* Chooses the machine that this translation unit is compiled for, and holds the few words both machines share. */
#ifndef SCAN_TARGET_TARGET_H
#define SCAN_TARGET_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
#define SCAN_STATIC_ASSERT_(condition, message) static_assert(condition, message)
#define SCAN_EXTERN_ extern "C"
#define SCAN_ALIGNED_(bytes) alignas(bytes)
#define SCAN_ALIGNMENT_(T) alignof(T)
#else
#define SCAN_STATIC_ASSERT_(condition, message) _Static_assert(condition, message)
#define SCAN_EXTERN_ extern
#define SCAN_ALIGNED_(bytes) _Alignas(bytes)
#define SCAN_ALIGNMENT_(T) _Alignof(T)
#endif

#define SCAN_UNUSED_ __attribute__((unused))

/* Before a function that runs on the host. */
#define SCAN_HOST_ static inline SCAN_UNUSED_

/* A pointer moved by a number of bytes. */
#define SCAN_AT_(pointer, bytes) ((void *)((unsigned char *)(pointer) + (bytes)))
#define SCAN_AT_CONST_(pointer, bytes) ((const void *)((const unsigned char *)(pointer) + (bytes)))

/* Threads that run in step on either machine. */
#define SCAN_WARP_THREADS 32

#if defined(__CUDACC__) || defined(SCAN_TARGET_CUDA)
#include "scan/target/cuda.h"
#else
#include "scan/target/host.h"
#endif

/* A client's own kernel, on either machine: SCAN_KERNEL(name, Params, p) { … } has one parameter, the struct p, which it may
   only read; SCAN_SHARED_DYNAMIC(T, name) in it declares `T *name`, the dynamic shared memory, aligned to 128 bytes.
   SCAN_LAUNCH launches it on `grid` blocks of `block` threads, both one-dimensional, with params an lvalue that is copied, and
   gives a cudaError_t; asynchronous on the stream. In the kernel threadIdx.x, blockIdx.x, blockDim.x, gridDim.x,
   __syncthreads() and __syncwarp() are CUDA's. SCAN_DEVICE stands before a function that kernels call. */
#define SCAN_LAUNCH(name, grid, block, shared_bytes, stream, params) \
  scan_launch(name##_kernel_(), grid, block, shared_bytes, stream, &(params), sizeof(params))

#endif
