/* host_partials: a kernel scans each section and leaves its sum, the host scans the sums, a kernel
   adds what comes before each section. The lecture's global scan, version 1. The call waits for the
   stream twice, so it cannot be captured: that is cudaErrorStreamCaptureUnsupported. The host needs
   memory for the sums: cudaErrorMemoryAllocation without. */
#ifndef SCAN_STRATEGIES_HOST_PARTIALS_H
#define SCAN_STRATEGIES_HOST_PARTIALS_H

#include "scan/strategies/hierarchical.h"

#ifdef SCAN_KERNELS_

#define SCAN_DEVICE_STRATEGY_host_partials ~, 1
#define SCAN_STRATEGY_KERNELS_host_partials(name, T, op) \
  SCAN_STRATEGY_KERNELS_AND_HOST_(name, T, scan_hierarchical_scan, scan_hierarchical_propagate)

#define scan_host_partials_slots scan_strategy_slot_each

/* Scans `count` sums, status words of an element each, in place; *last ends as the last. The other
 * half of each word is its tag and stays. */
SCAN_HOST_ void scan_host_partials_scan(const scan_strategy_family *family, uint64_t *sums,
                                        size_t count, bool reverse, scan_element *last) {
  const uint32_t words = (family->family.element.size + 3) / 4;
  const uint32_t stride = SCAN_STATUS_WORDS_(family->family.element.size);
  size_t slot;
  uint32_t i;
  /* Invariant: *last is the sums before `slot`, and so is what lies just before it. */
  for (slot = 0; slot < count; slot++) {
    uint64_t *word = sums + slot * stride;
    scan_element own, both;
    for (i = 0; i < words; i++) own.word[i] = (uint32_t)word[i];
    if (slot == 0) {
      *last = own;
      continue;
    }
    if (reverse)
      family->combine(&both, &own, last);
    else
      family->combine(&both, last, &own);
    *last = both;
    for (i = 0; i < words; i++) word[i] = word[i] >> 32 << 32 | both.word[i];
  }
}

/* The first kernel leaves the sums; the second adds what comes before each section, or of a
   reduction, on one block, only ends the call. */
SCAN_HOST_ cudaError_t scan_host_partials_launch(const scan_strategy_family *family,
                                                 scan_strategy_call *call, bool reverse,
                                                 cudaStream_t stream) {
  const size_t sections = call->scan.short_tiles;
  const size_t bytes = 8 * SCAN_STATUS_WORDS_(family->family.element.size) * sections;
  void *words = SCAN_AT_(call->scan.workspace, SCAN_WORKSPACE_HEADER_BYTES);
  void *total = call->scan.total;
  scan_element last;
  uint64_t *sums;
  uint64_t capture;
  cudaError_t error = scan_stream_capture(&capture, stream);
  if (error != cudaSuccess) return error;
  if (capture != 0) return cudaErrorStreamCaptureUnsupported;
  sums = (uint64_t *)malloc(bytes);
  if (sums == NULL) return cudaErrorMemoryAllocation;
  call->scan.total = NULL;
  error = scan_strategy_launch(family, 0, reverse, call, sections, stream);
  if (error == cudaSuccess)
    error = cudaMemcpyAsync(sums, words, bytes, cudaMemcpyDeviceToHost, stream);
  if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
  if (error == cudaSuccess) {
    scan_host_partials_scan(family, sums, sections, reverse, &last);
    if (call->scan.out != NULL)
      error = cudaMemcpyAsync(words, sums, bytes, cudaMemcpyHostToDevice, stream);
  }
  if (error == cudaSuccess && total != NULL)
    error =
        cudaMemcpyAsync(total, &last, family->family.element.size, cudaMemcpyHostToDevice, stream);
  call->last = true;
  call->scan.in = call->scan.out;
  if (error == cudaSuccess)
    error = scan_strategy_launch(family, 1, reverse, call, call->scan.out != NULL ? sections : 1,
                                 stream);
  if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
  free(sums);
  return error;
}

#endif /* SCAN_KERNELS_ */

#endif
