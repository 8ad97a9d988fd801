/* The workspace: a little device memory in which the blocks of a scan learn of each other, and what
 * the host knows of it. */
#ifndef SCAN_WORKSPACE_H
#define SCAN_WORKSPACE_H

#include "scan/target/target.h"

/* At the start of the device memory; status words follow from SCAN_WORKSPACE_HEADER_BYTES on. All
   zero when made. Between calls only the number of the call differs from that, and the words hold
   what earlier calls left. */
typedef struct {
  uint64_t call_and_ticket; /* calls so far, of which each has the tag call + 1, 1 to SCAN_TAG_MOST,
                               in the high half; tickets taken in this call in the low half */
  uint32_t departures;      /* blocks that have left a call after which the tags start again */
} scan_workspace_header;

/* The bit above tells whether a segment starts in what a word is part of. */
#define SCAN_TAG_MOST 0x7fffffffu

/* Also the alignment of the device memory. */
#define SCAN_WORKSPACE_HEADER_BYTES 128

/* Kernels whose traits a workspace remembers. */
#define SCAN_WORKSPACE_KERNELS_ 16

typedef struct scan_workspace {
  void *memory; /* device memory, header first */
  size_t bytes;
  bool owned;         /* the memory goes with the workspace */
  bool zeroed;        /* a scan that was launched waited for the zeroing: later ones start early */
  uint64_t zeroed_in; /* the capture in which one did so, 0: none. In that capture alone later ones
                         start early, since it may never run */
  int device;
  int multiprocessors;
  struct {
    uintptr_t key; /* of the kernel, 0: none yet */
    scan_kernel_traits traits;
  } kernels[SCAN_WORKSPACE_KERNELS_];
} scan_workspace;

/* Makes a workspace in the client's own device memory, which must be aligned to 128 bytes, outlive
   the workspace, and be left alone meanwhile. It is zeroed on the stream. Errors:
   cudaErrorInvalidValue (NULL, or less than its header), cudaErrorMisalignedAddress,
   cudaErrorMemoryAllocation (no host memory), and what the runtime answers. */
SCAN_HOST_ cudaError_t scan_workspace_place(scan_workspace **workspace, void *memory, size_t bytes,
                                            cudaStream_t stream) {
  scan_workspace *made;
  cudaError_t error;
  if (workspace == NULL) return cudaErrorInvalidValue;
  *workspace = NULL;
  if (memory == NULL || bytes < SCAN_WORKSPACE_HEADER_BYTES) return cudaErrorInvalidValue;
  if ((uintptr_t)memory % SCAN_WORKSPACE_HEADER_BYTES != 0) return cudaErrorMisalignedAddress;
  made = (scan_workspace *)calloc(1, sizeof *made);
  if (made == NULL) return cudaErrorMemoryAllocation;
  made->memory = memory;
  made->bytes = bytes;
  error = cudaGetDevice(&made->device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&made->multiprocessors, cudaDevAttrMultiProcessorCount,
                                   made->device);
  if (error == cudaSuccess) error = cudaMemsetAsync(memory, 0, bytes, stream);
  if (error != cudaSuccess) {
    free(made);
    return error;
  }
  *workspace = made;
  return cudaSuccess;
}

/* Makes a workspace of `bytes` (what the …_workspace_bytes functions say; the largest of several
   serves all) in memory of its own on the current device. The first scan may follow on the same
   stream at once; another stream has to wait for this one. Errors: as scan_workspace_place;
   *workspace is NULL then. */
SCAN_HOST_ cudaError_t scan_workspace_create(scan_workspace **workspace, size_t bytes,
                                             cudaStream_t stream) {
  void *memory = NULL;
  cudaError_t error;
  if (workspace == NULL) return cudaErrorInvalidValue;
  *workspace = NULL;
  if (bytes < SCAN_WORKSPACE_HEADER_BYTES) return cudaErrorInvalidValue;
  error = cudaMalloc(&memory, bytes);
  if (error == cudaSuccess) error = scan_workspace_place(workspace, memory, bytes, stream);
  if (error != cudaSuccess) {
    (void)cudaFree(memory);
    return error;
  }
  (*workspace)->owned = true;
  return cudaSuccess;
}

/* Ends a workspace, once, after all scans that use it are done; memory that scan_workspace_place
   was given stays the client's. NULL is allowed. Returns what cudaFree answers, which may be an
   earlier kernel's error: the workspace is gone all the same. */
SCAN_HOST_ cudaError_t scan_workspace_destroy(scan_workspace *workspace) {
  cudaError_t error = cudaSuccess;
  if (workspace == NULL) return cudaSuccess;
  if (workspace->owned) error = cudaFree(workspace->memory);
  free(workspace);
  return error;
}

#endif
