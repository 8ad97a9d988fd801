/* Chooses the machine that this translation unit is compiled for. */
#ifndef SCAN_TARGET_TARGET_H
#define SCAN_TARGET_TARGET_H

#include "scan/target/common.h"

#if defined(__CUDACC__) || defined(SCAN_TARGET_CUDA)
#include "scan/target/cuda.h"
#else
#include "scan/target/host.h"
#endif

/* A client's own kernel, on either machine: SCAN_KERNEL(name, Params, p) { … } has one parameter,
   the struct p, which it may only read; SCAN_SHARED_DYNAMIC(T, name) in it declares `T *name`, the
   dynamic shared memory, aligned to 128 bytes. SCAN_LAUNCH launches it on `grid` blocks of `block`
   threads, both one-dimensional, with params an lvalue that is copied, and gives a cudaError_t;
   asynchronous on the stream. In the kernel threadIdx.x, blockIdx.x, blockDim.x, gridDim.x,
   __syncthreads() and __syncwarp() are CUDA's; on the CPU all threads of the block, or of the warp,
   come to them, none having returned, and a thread's stack has 128 KiB. SCAN_DEVICE stands before a
   function that kernels call, SCAN_OPERATOR before one that the host calls, too: an operator, or a
   fused scan's load or store. Both are private to the unit and may go unused. */
#define SCAN_LAUNCH(name, grid, block, shared_bytes, stream, params) \
  scan_launch(name##_kernel_(), grid, block, shared_bytes, stream, &(params), sizeof(params))

#endif
