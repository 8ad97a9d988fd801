/* What both machines share. */
#ifndef SCAN_TARGET_COMMON_H
#define SCAN_TARGET_COMMON_H

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

#define SCAN_GREATER_(a, b) ((a) > (b) ? (a) : (b))

/* A pointer moved by a number of bytes. */
#define SCAN_AT_(pointer, bytes) ((void *)((unsigned char *)(pointer) + (bytes)))
#define SCAN_AT_CONST_(pointer, bytes) ((const void *)((const unsigned char *)(pointer) + (bytes)))

/* Threads that run in step on either machine. */
#define SCAN_WARP_THREADS 32

/* What the host side must know about the machine code of a kernel on the current device. */
typedef struct {
  uint32_t shared_limit; /* dynamic shared memory that one block may have, bytes */
  uint32_t loader_warps; /* SCAN_LOADER_WARPS as the kernel was compiled */
  uint32_t groups_most;  /* SCAN_GROUPS_MOST as the kernel was compiled */
  bool early;            /* it may be launched early */
} scan_kernel_traits;

#endif
