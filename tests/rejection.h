// What shows that a call that is rejected, or has nothing to do, did nothing but answer: nothing
// was launched, and an error of the client's that was pending still is.
#ifndef SCAN_TESTS_REJECTION_H
#define SCAN_TESTS_REJECTION_H

#include "tests/test.h"

// Leaves an error pending, as a client's own mistake does.
static inline cudaError_t rejection_leave_error(void) {
  const cudaError_t left =
      test_below(2) == 0 ? cudaSetDevice(99) : cudaMemcpy(NULL, NULL, 16, cudaMemcpyDeviceToHost);
  CHECK(left != cudaSuccess, "the mistake went unnoticed");
  CHECK_CODE(cudaPeekAtLastError(), left);
  return left;
}

// That the error is pending yet, or none if it is cudaSuccess; ends it.
static inline void rejection_check_error(cudaError_t left) {
  const cudaError_t pending = cudaPeekAtLastError();
  CHECK(pending == left, "pending is %d, was %d", (int)pending, (int)left);
  (void)cudaGetLastError();
}

typedef struct {
  scan_workspace *workspace;
  uint32_t calls;
#if defined(SCAN_TARGET_HOST)
  uint64_t launches;
#endif
  cudaError_t left;
} rejection;

// Before a call with this workspace or another, with an error of the client's pending or without.
static inline rejection rejection_before(scan_workspace *workspace, bool pending) {
  rejection before;
  before.workspace = workspace;
  before.calls = test_calls(workspace);
#if defined(SCAN_TARGET_HOST)
  before.launches = scan_host_launches();
#endif
  before.left = pending ? rejection_leave_error() : cudaSuccess;
  return before;
}

// After it: that it answered what is wanted, and no more.
static inline void rejection_check(rejection before, cudaError_t found, cudaError_t wanted) {
  CHECK(found == wanted, "answered %d (%s), expected %d (%s)", (int)found,
        cudaGetErrorString(found), (int)wanted, cudaGetErrorString(wanted));
  rejection_check_error(before.left);
  CHECK(test_calls(before.workspace) == before.calls, "a scan was launched");
#if defined(SCAN_TARGET_HOST)
  CHECK(scan_host_launches() == before.launches, "something was launched");
#endif
}

#endif
