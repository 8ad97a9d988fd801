/* The CUDA runtime calls that a client of the library needs, under their own names, where there is
   no CUDA.

   Device memory is the program's own. Work is done when the call that asks for it returns, so every
   stream is in order and every event has happened. What is captured is recorded and done by
   cudaGraphLaunch; a capture is of one stream, and of launches, copies and fills alone. The numbers
   of the errors are CUDA's. */
#ifndef SCAN_TARGET_HOST_RUNTIME_H
#define SCAN_TARGET_HOST_RUNTIME_H

#include "scan/target/host_fiber.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

typedef enum {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInvalidDevice = 101,
  cudaErrorNoKernelImageForDevice = 209,
  cudaErrorInvalidResourceHandle = 400,
  cudaErrorNotReady = 600,
  cudaErrorLaunchOutOfResources = 701,
  cudaErrorMisalignedAddress = 716,
  cudaErrorStreamCaptureUnsupported = 900,
  cudaErrorStreamCaptureIsolation = 905
} cudaError_t;

typedef enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4
} cudaMemcpyKind;

typedef enum cudaDeviceAttr {
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
} cudaDeviceAttr;

typedef enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal = 0,
  cudaStreamCaptureModeThreadLocal = 1,
  cudaStreamCaptureModeRelaxed = 2
} cudaStreamCaptureMode;

typedef enum cudaStreamCaptureStatus {
  cudaStreamCaptureStatusNone = 0,
  cudaStreamCaptureStatusActive = 1,
  cudaStreamCaptureStatusInvalidated = 2
} cudaStreamCaptureStatus;

/* Flags of streams, of events and of waiting for one. */
enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1 };
enum { cudaEventDefault = 0, cudaEventBlockingSync = 1, cudaEventDisableTiming = 2 };
enum { cudaEventWaitDefault = 0 };

typedef struct cudaDeviceProp {
  char name[256];
  int multiProcessorCount;
  int major, minor;
  size_t totalGlobalMem;
} cudaDeviceProp;

/* A kernel as the host side knows it. */
typedef struct {
  const char *name;
  void (*enter)(const void *parameters);
} scan_kernel;

/* One piece of work of a stream: a launch, a copy or a fill. */
typedef struct scan_host_node {
  struct scan_host_node *next;
  cudaError_t (*run)(const struct scan_host_node *node); /* does the work now */
  scan_kernel kernel;
  uint32_t grid, block;
  void *to;               /* copy and fill */
  const void *from;       /* copy */
  int value;              /* fill */
  size_t bytes;           /* of shared memory, of the copy or of the fill */
  const void *parameters; /* a launch's; in a graph they follow the node */
  size_t parameters_bytes;
} scan_host_node;

typedef struct {
  scan_host_node *first;
  scan_host_node **last;
  uint64_t capture; /* its number, from 1 on */
} scan_host_graph;

typedef struct {
  scan_host_graph *capturing; /* NULL: work is done at once */
} scan_host_stream;

typedef struct {
  struct timespec time; /* when it was last recorded */
  uint64_t capture;     /* that it was last recorded in; 0: in none */
  bool recorded;
  bool timed; /* not made with cudaEventDisableTiming */
} scan_host_event;

typedef scan_host_stream *cudaStream_t;
typedef scan_host_event *cudaEvent_t;
typedef scan_host_graph *cudaGraph_t;
typedef scan_host_graph *cudaGraphExec_t;
typedef scan_host_node *cudaGraphNode_t;

/* Made by cudaMalloc. */
typedef struct scan_host_allocation {
  struct scan_host_allocation *next;
  void *memory;
  void *whole; /* what malloc gave */
} scan_host_allocation;

enum {
  scan_host_workers_most_ = 64, /* of a launch */
  scan_host_memory_alignment_ = 256,
  scan_host_shared_limit_ = 227 << 10 /* as an sm_90 grants a block */
};

/* The one state of the program, however many units include this. */
typedef struct {
  pthread_mutex_t lock;
  scan_host_allocation *allocations;
  struct scan_host_worker *idle_workers;
  uint64_t launches;
  uint64_t captures;
  uint64_t schedule_seed;   /* 0: plain order */
  unsigned workers;         /* OS threads; 0: one a processor */
  unsigned multiprocessors; /* 0: as many as workers */
  bool configured;          /* the environment was read */
} scan_host_state_type;

__attribute__((weak)) scan_host_state_type scan_host_state_ = {
    PTHREAD_MUTEX_INITIALIZER, NULL, NULL, 0, 0, 0, 0, 0, false};
__attribute__((weak)) _Thread_local cudaError_t scan_host_last_error_ = cudaSuccess;

/* Remembers an error as CUDA does: until cudaGetLastError takes it. */
SCAN_HOST_ cudaError_t scan_host_error_(cudaError_t error) {
  if (error != cudaSuccess) scan_host_last_error_ = error;
  return error;
}

/* A number of the environment, 0 where it has none; what is no number from 0 to `most` ends the
   program. */
SCAN_HOST_ uint64_t scan_host_environment_(const char *name, uint64_t most) {
  const char *text = getenv(name);
  char *end;
  unsigned long long number;
  if (text == NULL) return 0;
  errno = 0;
  number = strtoull(text, &end, 0);
  if (text[0] < '0' || text[0] > '9' || *end != 0 || errno != 0 || number > most) {
    fprintf(stderr, "scan: %s=%s: not a number from 0 to %llu\n", name, text,
            (unsigned long long)most);
    abort();
  }
  return number;
}

/* Chooses how kernels are run from now on: seed 0 runs fibers, blocks and bulk copies in plain
   order, any other in an order drawn from it; workers is the number of OS threads and
   multiprocessors what the device says it has; 0 gives the default. */
SCAN_HOST_ void scan_host_schedule(uint64_t seed, unsigned workers, unsigned multiprocessors) {
  pthread_mutex_lock(&scan_host_state_.lock);
  scan_host_state_.schedule_seed = seed;
  scan_host_state_.workers = workers;
  scan_host_state_.multiprocessors = multiprocessors;
  scan_host_state_.configured = true;
  pthread_mutex_unlock(&scan_host_state_.lock);
}

/* The schedule in force, the environment's until scan_host_schedule is called. */
SCAN_HOST_ void scan_host_configuration_(uint64_t *seed, unsigned *workers,
                                         unsigned *multiprocessors) {
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  pthread_mutex_lock(&scan_host_state_.lock);
  if (!scan_host_state_.configured) {
    scan_host_state_.schedule_seed = scan_host_environment_("SCAN_HOST_SEED", UINT64_MAX);
    scan_host_state_.workers =
        (unsigned)scan_host_environment_("SCAN_HOST_WORKERS", scan_host_workers_most_);
    scan_host_state_.multiprocessors =
        (unsigned)scan_host_environment_("SCAN_HOST_MULTIPROCESSORS", 65536);
    scan_host_state_.configured = true;
  }
  *seed = scan_host_state_.schedule_seed;
  *workers = scan_host_state_.workers;
  *multiprocessors = scan_host_state_.multiprocessors;
  pthread_mutex_unlock(&scan_host_state_.lock);
  if (*workers == 0) *workers = processors > 0 ? (unsigned)processors : 1;
  if (*multiprocessors == 0) *multiprocessors = *workers;
}

/* Kernels launched so far in the program. */
SCAN_HOST_ uint64_t scan_host_launches(void) {
  uint64_t launches;
  pthread_mutex_lock(&scan_host_state_.lock);
  launches = scan_host_state_.launches;
  pthread_mutex_unlock(&scan_host_state_.lock);
  return launches;
}

/* ---- errors */

SCAN_HOST_ cudaError_t cudaGetLastError(void) {
  const cudaError_t error = scan_host_last_error_;
  scan_host_last_error_ = cudaSuccess;
  return error;
}
SCAN_HOST_ cudaError_t cudaPeekAtLastError(void) { return scan_host_last_error_; }

#define SCAN_HOST_ERRORS_(X)                                                                     \
  X(cudaSuccess, "no error")                                                                     \
  X(cudaErrorInvalidValue, "invalid argument")                                                   \
  X(cudaErrorMemoryAllocation, "out of memory")                                                  \
  X(cudaErrorInvalidConfiguration, "invalid configuration argument")                             \
  X(cudaErrorInvalidDevice, "invalid device ordinal")                                            \
  X(cudaErrorNoKernelImageForDevice, "no kernel image is available for execution on the device") \
  X(cudaErrorInvalidResourceHandle, "invalid resource handle")                                   \
  X(cudaErrorNotReady, "device not ready")                                                       \
  X(cudaErrorLaunchOutOfResources, "too many resources requested for launch")                    \
  X(cudaErrorMisalignedAddress, "misaligned address")                                            \
  X(cudaErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing")       \
  X(cudaErrorStreamCaptureIsolation, "dependency created on uncaptured work in another stream")
#define SCAN_HOST_ERROR_TEXT_(error, text) \
  case error:                              \
    return text;
#define SCAN_HOST_ERROR_NAME_(error, text) \
  case error:                              \
    return #error;
SCAN_HOST_ const char *cudaGetErrorString(cudaError_t error) {
  switch (error) { SCAN_HOST_ERRORS_(SCAN_HOST_ERROR_TEXT_) }
  return "unrecognized error code";
}
SCAN_HOST_ const char *cudaGetErrorName(cudaError_t error) {
  switch (error) { SCAN_HOST_ERRORS_(SCAN_HOST_ERROR_NAME_) }
  return "unrecognized error code";
}

/* ---- the device */

SCAN_HOST_ cudaError_t cudaGetDeviceCount(int *count) {
  *count = 1;
  return cudaSuccess;
}
SCAN_HOST_ cudaError_t cudaGetDevice(int *device) {
  *device = 0;
  return cudaSuccess;
}
SCAN_HOST_ cudaError_t cudaSetDevice(int device) {
  return scan_host_error_(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
SCAN_HOST_ cudaError_t cudaDeviceSynchronize(void) { return cudaSuccess; }

SCAN_HOST_ cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
  uint64_t seed;
  unsigned workers, multiprocessors;
  if (device != 0) return scan_host_error_(cudaErrorInvalidDevice);
  scan_host_configuration_(&seed, &workers, &multiprocessors);
  switch (attribute) {
    case cudaDevAttrMultiProcessorCount:
      *value = (int)multiprocessors;
      return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = scan_host_shared_limit_;
      return cudaSuccess;
    case cudaDevAttrComputeCapabilityMajor: /* an sm_90's, as the shared memory */
      *value = 9;
      return cudaSuccess;
    case cudaDevAttrComputeCapabilityMinor:
      *value = 0;
      return cudaSuccess;
  }
  return scan_host_error_(cudaErrorInvalidValue);
}

SCAN_HOST_ cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device) {
  const long pages = sysconf(_SC_PHYS_PAGES);
  if (properties == NULL) return scan_host_error_(cudaErrorInvalidValue);
  memset(properties, 0, sizeof *properties);
  snprintf(properties->name, sizeof properties->name, "host processor");
  properties->totalGlobalMem = pages > 0 ? (size_t)pages * (size_t)sysconf(_SC_PAGESIZE) : 0;
  (void)cudaDeviceGetAttribute(&properties->major, cudaDevAttrComputeCapabilityMajor, device);
  (void)cudaDeviceGetAttribute(&properties->minor, cudaDevAttrComputeCapabilityMinor, device);
  return cudaDeviceGetAttribute(&properties->multiProcessorCount, cudaDevAttrMultiProcessorCount,
                                device);
}

/* ---- memory */

SCAN_HOST_ cudaError_t cudaMalloc(void **memory, size_t bytes) {
  scan_host_allocation *allocation;
  unsigned char *whole;
  size_t lead;
  if (memory == NULL) return scan_host_error_(cudaErrorInvalidValue);
  *memory = NULL;
  if (bytes == 0) return cudaSuccess;
  if (bytes > SIZE_MAX / 2) return scan_host_error_(cudaErrorMemoryAllocation);
  allocation = (scan_host_allocation *)malloc(sizeof *allocation);
  whole = (unsigned char *)malloc(bytes + scan_host_memory_alignment_);
  if (allocation == NULL || whole == NULL) {
    free(allocation);
    free(whole);
    return scan_host_error_(cudaErrorMemoryAllocation);
  }
  lead = scan_host_memory_alignment_ - (uintptr_t)whole % scan_host_memory_alignment_;
  allocation->memory = whole + lead;
  allocation->whole = whole;
#if SCAN_HOST_ASAN_ /* only the bytes asked for may be touched, and they are not zero */
  memset(whole, 0xa5, bytes + scan_host_memory_alignment_);
  __asan_poison_memory_region(whole, lead);
  __asan_poison_memory_region(whole + lead + bytes, scan_host_memory_alignment_ - lead);
#endif
  pthread_mutex_lock(&scan_host_state_.lock);
  allocation->next = scan_host_state_.allocations;
  scan_host_state_.allocations = allocation;
  pthread_mutex_unlock(&scan_host_state_.lock);
  *memory = allocation->memory;
  return cudaSuccess;
}

SCAN_HOST_ cudaError_t cudaFree(void *memory) {
  scan_host_allocation **link = &scan_host_state_.allocations;
  scan_host_allocation *found = NULL;
  if (memory == NULL) return cudaSuccess;
  pthread_mutex_lock(&scan_host_state_.lock);
  while (*link != NULL && (*link)->memory != memory) link = &(*link)->next;
  if (*link != NULL) {
    found = *link;
    *link = found->next;
  }
  pthread_mutex_unlock(&scan_host_state_.lock);
  if (found == NULL) return scan_host_error_(cudaErrorInvalidValue);
  free(found->whole);
  free(found);
  return cudaSuccess;
}

SCAN_HOST_ cudaError_t cudaMallocHost(void **memory, size_t bytes) {
  return cudaMalloc(memory, bytes);
}
SCAN_HOST_ cudaError_t cudaFreeHost(void *memory) { return cudaFree(memory); }

SCAN_HOST_ cudaError_t scan_host_run_copy_(const scan_host_node *node) {
  memmove(node->to, node->from, node->bytes);
  return cudaSuccess;
}
SCAN_HOST_ cudaError_t scan_host_run_fill_(const scan_host_node *node) {
  memset(node->to, node->value, node->bytes);
  return cudaSuccess;
}

/* The capture that a stream is in; 0: none. */
SCAN_HOST_ uint64_t scan_host_capture_(cudaStream_t stream) {
  return stream != NULL && stream->capturing != NULL ? stream->capturing->capture : 0;
}

/* Does a node's work now, or records it where the stream is being captured. */
SCAN_HOST_ cudaError_t scan_host_submit_(cudaStream_t stream, const scan_host_node *node) {
  scan_host_node *recorded;
  if (scan_host_capture_(stream) == 0) return scan_host_error_(node->run(node));
  recorded = (scan_host_node *)malloc(sizeof *recorded + node->parameters_bytes);
  if (recorded == NULL) return scan_host_error_(cudaErrorMemoryAllocation);
  *recorded = *node;
  recorded->next = NULL;
  if (node->parameters_bytes != 0) {
    recorded->parameters = recorded + 1;
    memcpy(recorded + 1, node->parameters, node->parameters_bytes);
  }
  *stream->capturing->last = recorded;
  stream->capturing->last = &recorded->next;
  return cudaSuccess;
}

SCAN_HOST_ cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                                       cudaMemcpyKind kind, cudaStream_t stream) {
  scan_host_node node;
  (void)kind;
  if (bytes == 0) return cudaSuccess;
  if (to == NULL || from == NULL) return scan_host_error_(cudaErrorInvalidValue);
  memset(&node, 0, sizeof node);
  node.run = scan_host_run_copy_;
  node.to = to;
  node.from = from;
  node.bytes = bytes;
  return scan_host_submit_(stream, &node);
}
SCAN_HOST_ cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  return cudaMemcpyAsync(to, from, bytes, kind, NULL);
}
SCAN_HOST_ cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream) {
  scan_host_node node;
  if (bytes == 0) return cudaSuccess;
  if (to == NULL) return scan_host_error_(cudaErrorInvalidValue);
  memset(&node, 0, sizeof node);
  node.run = scan_host_run_fill_;
  node.to = to;
  node.value = value;
  node.bytes = bytes;
  return scan_host_submit_(stream, &node);
}
SCAN_HOST_ cudaError_t cudaMemset(void *to, int value, size_t bytes) {
  return cudaMemsetAsync(to, value, bytes, NULL);
}

/* ---- streams, events, graphs */

SCAN_HOST_ cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  if (stream == NULL || flags > cudaStreamNonBlocking)
    return scan_host_error_(cudaErrorInvalidValue);
  *stream = (cudaStream_t)calloc(1, sizeof **stream);
  return scan_host_error_(*stream != NULL ? cudaSuccess : cudaErrorMemoryAllocation);
}
SCAN_HOST_ cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}
SCAN_HOST_ cudaError_t cudaGraphDestroy(cudaGraph_t graph);
SCAN_HOST_ cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (stream != NULL && stream->capturing != NULL) (void)cudaGraphDestroy(stream->capturing);
  free(stream);
  return cudaSuccess;
}
SCAN_HOST_ cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return scan_host_error_(scan_host_capture_(stream) != 0 ? cudaErrorStreamCaptureUnsupported
                                                          : cudaSuccess);
}
SCAN_HOST_ cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return cudaStreamSynchronize(stream);
}
SCAN_HOST_ cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status) {
  if (status == NULL) return scan_host_error_(cudaErrorInvalidValue);
  *status =
      scan_host_capture_(stream) != 0 ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}

/* In a capture CUDA would make nodes of these; here they are refused there. */
SCAN_HOST_ cudaError_t cudaMallocAsync(void **memory, size_t bytes, cudaStream_t stream) {
  const cudaError_t error = cudaStreamSynchronize(stream);
  return error != cudaSuccess ? error : cudaMalloc(memory, bytes);
}
SCAN_HOST_ cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream) {
  const cudaError_t error = cudaStreamSynchronize(stream);
  return error != cudaSuccess ? error : cudaFree(memory);
}

SCAN_HOST_ cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  if (event == NULL || flags > (cudaEventBlockingSync | cudaEventDisableTiming))
    return scan_host_error_(cudaErrorInvalidValue);
  *event = (cudaEvent_t)calloc(1, sizeof **event);
  if (*event == NULL) return scan_host_error_(cudaErrorMemoryAllocation);
  (*event)->timed = (flags & cudaEventDisableTiming) == 0;
  return cudaSuccess;
}
SCAN_HOST_ cudaError_t cudaEventCreate(cudaEvent_t *event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}
SCAN_HOST_ cudaError_t cudaEventDestroy(cudaEvent_t event) {
  free(event);
  return cudaSuccess;
}
SCAN_HOST_ cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (event == NULL) return scan_host_error_(cudaErrorInvalidResourceHandle);
  event->recorded = true;
  event->capture = scan_host_capture_(stream);
  timespec_get(&event->time, TIME_UTC);
  return cudaSuccess;
}
SCAN_HOST_ cudaError_t cudaEventQuery(cudaEvent_t event) {
  if (event == NULL) return scan_host_error_(cudaErrorInvalidResourceHandle);
  /* One that was recorded in a capture never happens. */
  return scan_host_error_(event->capture != 0 ? cudaErrorInvalidValue : cudaSuccess);
}
SCAN_HOST_ cudaError_t cudaEventSynchronize(cudaEvent_t event) { return cudaEventQuery(event); }
SCAN_HOST_ cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to) {
  cudaError_t error = cudaEventQuery(from);
  if (error == cudaSuccess) error = cudaEventQuery(to);
  if (error != cudaSuccess) return error;
  if (milliseconds == NULL || !from->timed || !to->timed || !from->recorded || !to->recorded)
    return scan_host_error_(cudaErrorInvalidResourceHandle);
  *milliseconds = (float)((double)(to->time.tv_sec - from->time.tv_sec) * 1e3 +
                          (double)(to->time.tv_nsec - from->time.tv_nsec) * 1e-6);
  return cudaSuccess;
}
/* What an event stands for is done, or comes before in the capture that the stream is in. By an
   event of another capture CUDA would take the stream into that; here it is refused. */
SCAN_HOST_ cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  if (event == NULL) return scan_host_error_(cudaErrorInvalidResourceHandle);
  if (flags != cudaEventWaitDefault) return scan_host_error_(cudaErrorInvalidValue);
  if (!event->recorded || event->capture == scan_host_capture_(stream)) return cudaSuccess;
  return scan_host_error_(event->capture == 0 ? cudaErrorStreamCaptureIsolation
                                              : cudaErrorStreamCaptureUnsupported);
}

SCAN_HOST_ cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  scan_host_graph *graph;
  (void)mode;
  if (stream == NULL || stream->capturing != NULL)
    return scan_host_error_(cudaErrorStreamCaptureUnsupported);
  graph = (scan_host_graph *)calloc(1, sizeof *graph);
  if (graph == NULL) return scan_host_error_(cudaErrorMemoryAllocation);
  graph->last = &graph->first;
  pthread_mutex_lock(&scan_host_state_.lock);
  graph->capture = ++scan_host_state_.captures;
  pthread_mutex_unlock(&scan_host_state_.lock);
  stream->capturing = graph;
  return cudaSuccess;
}
SCAN_HOST_ cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
  if (stream == NULL || stream->capturing == NULL || graph == NULL)
    return scan_host_error_(cudaErrorInvalidValue);
  *graph = stream->capturing;
  stream->capturing = NULL;
  return cudaSuccess;
}
/* Writes up to *count nodes, or with nodes == NULL none, and sets *count to how many there are. */
SCAN_HOST_ cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  size_t found = 0;
  scan_host_node *node;
  if (graph == NULL || count == NULL) return scan_host_error_(cudaErrorInvalidValue);
  for (node = graph->first; node != NULL; node = node->next, found++)
    if (nodes != NULL && found < *count) nodes[found] = node;
  *count = found;
  return cudaSuccess;
}
SCAN_HOST_ cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  scan_host_node *node;
  scan_host_node *next;
  if (graph == NULL) return scan_host_error_(cudaErrorInvalidValue);
  for (node = graph->first; node != NULL; node = next) {
    next = node->next;
    free(node);
  }
  free(graph);
  return cudaSuccess;
}
SCAN_HOST_ cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) {
  return cudaGraphDestroy(graph);
}
/* An executable graph is a copy: the graph may be destroyed before it. */
SCAN_HOST_ cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                            unsigned long long flags) {
  scan_host_stream recorder;
  const scan_host_node *node;
  cudaError_t error;
  (void)flags;
  if (executable == NULL || graph == NULL) return scan_host_error_(cudaErrorInvalidValue);
  recorder.capturing = NULL;
  error = cudaStreamBeginCapture(&recorder, cudaStreamCaptureModeRelaxed);
  for (node = graph->first; error == cudaSuccess && node != NULL; node = node->next)
    error = scan_host_submit_(&recorder, node);
  if (error != cudaSuccess && recorder.capturing != NULL) {
    (void)cudaGraphDestroy(recorder.capturing);
    recorder.capturing = NULL;
  }
  *executable = recorder.capturing;
  return error;
}
SCAN_HOST_ cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  const scan_host_node *node;
  cudaError_t error = cudaStreamSynchronize(stream); /* as CUDA: not while it is being captured */
  if (executable == NULL) return scan_host_error_(cudaErrorInvalidResourceHandle);
  for (node = executable->first; error == cudaSuccess && node != NULL; node = node->next)
    error = scan_host_submit_(stream, node);
  return error;
}

#endif
