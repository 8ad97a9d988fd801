// two_units.h: what the two units of two_units_test offer its main program.
#ifndef SCAN_TESTS_TWO_UNITS_H
#define SCAN_TESTS_TWO_UNITS_H

#include "scan/scan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Each unit stamps scan_int32_t_unite_... for itself, with an operator of its own under the same
 * name. */
cudaError_t unit_a_scan(scan_workspace *workspace, const int32_t *in, int32_t *out, size_t n);
cudaError_t unit_b_scan(scan_workspace *workspace, const int32_t *in, int32_t *out, size_t n);
int32_t unit_a_unite(int32_t earlier, int32_t later);
int32_t unit_b_unite(int32_t earlier, int32_t later);
size_t unit_a_workspace_bytes(size_t n);
size_t unit_b_workspace_bytes(size_t n);

/* Device memory allocated in the one unit and freed in the other. */
cudaError_t unit_a_allocate(void **memory, size_t bytes);
cudaError_t unit_b_free(void *memory);

/* A mistake made in one unit, the error that another one sees pending, and the kernels launched as
 * it counts them. */
cudaError_t unit_a_mistake(void);
cudaError_t unit_b_pending(void);
unsigned long long unit_a_launches(void);
unsigned long long unit_b_launches(void);

#ifdef __cplusplus
}
#endif

#endif
