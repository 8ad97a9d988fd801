/* Segmented scans as the host calls them: what the client tells of its segments, checked. */
#ifndef SCAN_SEGMENTED_H
#define SCAN_SEGMENTED_H

#include "scan/device.h"

#ifdef SCAN_KERNELS_

/* The table of errors in scan.h, as far as it is about segments. */
SCAN_HOST_ cudaError_t scan_segmented_check_(const scan_segments *segments, size_t size,
                                             const scan_request *request) {
  const bool by_ends = segments->kind >= scan_segments_offsets_;
  const size_t unit = (size_t)1 << SCAN_SEGMENTS_UNIT_LOG_(segments->kind);
  const size_t results = scan_device_results_(request);
  const size_t units = segments->kind == scan_segments_bits_
                           ? request->n / 32 + (request->n % 32 != 0)
                       : by_ends ? segments->count + 1
                                 : request->n;
  if (segments->kind < scan_segments_flags_ || segments->kind > scan_segments_regular_)
    return cudaErrorInvalidValue;
  if (request->total != NULL || (request->reduction && !by_ends)) return cudaErrorInvalidValue;
  if (segments->kind == scan_segments_regular_)
    return segments->length == 0 ? cudaErrorInvalidValue : cudaSuccess;
  if (by_ends && segments->count == 0 && request->n != 0) return cudaErrorInvalidValue;
  if (segments->kind == scan_segments_offsets_ && request->n > UINT32_MAX)
    return cudaErrorInvalidValue;
  if (units == 0 || units > (SIZE_MAX - (uintptr_t)segments->memory) / unit)
    return request->n == 0 && results == 0 ? cudaSuccess : cudaErrorInvalidValue;
  if (segments->memory == NULL && (request->n != 0 || results != 0)) return cudaErrorInvalidValue;
  if ((uintptr_t)segments->memory % unit != 0) return cudaErrorMisalignedAddress;
  if (results != 0 && results <= SIZE_MAX / size &&
      scan_device_overlap_(segments->memory, units * unit, request->out, results * size))
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

/* The segments as kernels want them: regular ones counted, with memory that is never read, since
 * kernels form addresses from it. */
SCAN_HOST_ scan_segments scan_segmented_given_(scan_segments segments, const void *in, size_t n) {
  if (segments.kind == scan_segments_regular_ && segments.length != 0) {
    segments.count = n / segments.length + (n % segments.length != 0);
    segments.memory = in;
  }
  return segments;
}

/* Checks and launches, as scan_device_run. out: n elements, or in a reduction one a segment. */
SCAN_HOST_ cudaError_t scan_segmented_run(const scan_family *family, scan_workspace *workspace,
                                          const void *in, scan_segments segments, void *out,
                                          size_t n, int exclusive, int reverse, const void *seed,
                                          void *total, bool reduction, cudaStream_t stream) {
  scan_request request = scan_request_of(in, out, n, exclusive, reverse, seed, total);
  cudaError_t error;
  request.reduction = reduction;
  request.segments = &segments;
  segments = scan_segmented_given_(segments, in, n);
  error = scan_segmented_check_(&segments, family->element.size, &request);
  if (error != cudaSuccess) return error;
  return scan_device_run(family, workspace, &request, stream);
}

#endif /* SCAN_KERNELS_ */

#endif
