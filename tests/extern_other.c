// extern_other.c: a second C11 file that includes the declarations, and calls one of the families.
#include "tests/extern_scans.h"

cudaError_t other_totals(scan_workspace *workspace, const unsigned long long *in,
                         unsigned long long *out, size_t n, unsigned long long *total,
                         cudaStream_t stream);

cudaError_t other_totals(scan_workspace *workspace, const unsigned long long *in,
                         unsigned long long *out, size_t n, unsigned long long *total,
                         cudaStream_t stream) {
  totals_options options = totals_options_default();
  options.exclusive = 1;
  options.total = total;
  return totals_run(workspace, in, out, n, options, stream);
}
