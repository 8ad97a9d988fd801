// What the bench knows of a peer: a table of calls, by work and type. The peers themselves are C++:
// peer_*.cu.
#ifndef BENCH_PEER_H_
#define BENCH_PEER_H_

#include <stddef.h>
#include <stdint.h>

#if defined(__CUDACC__) || defined(SCAN_TARGET_CUDA)
#include <cuda_runtime_api.h>
#else
#include "scan/scan.h"
#endif

// With temporary == NULL only sets *bytes to what the call needs there; else scans or reduces in to
// out, asynchronously.
typedef cudaError_t bench_peer_call(void *temporary, size_t *bytes, const void *in, void *out,
                                    size_t n, cudaStream_t stream);

// The same for segments that are told by keys: neighbours of one segment have the same.
typedef cudaError_t bench_peer_call_by_key(void *temporary, size_t *bytes, const uint32_t *keys,
                                           const void *in, void *out, size_t n,
                                           cudaStream_t stream);

typedef struct {
  const char *work;
  const char *type;
  bench_peer_call *call;
  bench_peer_call_by_key *by_key;  // one of the two is NULL
} bench_peer;

// One file's calls for one release of the peer; the last has work == NULL.
typedef struct {
  const char *release;
  int version;  // as CUB_VERSION counts
  const bench_peer *peers;
} bench_peer_file;

// What was built in, by peers.c; the last is NULL.
#ifdef __cplusplus
extern "C"
#else
extern
#endif
    const bench_peer_file *const bench_peer_files[];

#endif  // BENCH_PEER_H_
