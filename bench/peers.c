/* Which peers are built in: BENCH_PEERS_TOOLKIT, BENCH_PEERS_NEWEST, neither or both are defined.
 */
#include "bench/peer.h"

#define BENCH_PEERS_DECLARE(release)                         \
  extern const bench_peer_file bench_peer_sums_##release;    \
  extern const bench_peer_file bench_peer_structs_##release; \
  extern const bench_peer_file bench_peer_maxima_##release;  \
  extern const bench_peer_file bench_peer_kinds_##release;   \
  extern const bench_peer_file bench_peer_by_key_##release;
#define BENCH_PEERS_LIST(release)                                                          \
  &bench_peer_sums_##release, &bench_peer_structs_##release, &bench_peer_maxima_##release, \
      &bench_peer_kinds_##release, &bench_peer_by_key_##release,

#ifdef BENCH_PEERS_TOOLKIT
BENCH_PEERS_DECLARE(toolkit)
#endif
#ifdef BENCH_PEERS_NEWEST
BENCH_PEERS_DECLARE(newest)
#endif

const bench_peer_file *const bench_peer_files[] = {
#ifdef BENCH_PEERS_TOOLKIT
    BENCH_PEERS_LIST(toolkit)
#endif
#ifdef BENCH_PEERS_NEWEST
        BENCH_PEERS_LIST(newest)
#endif
            NULL};
