// runtime_test.cu: what a client asks of the runtime beside scans, of streams, events, memory and
// the device: the host target answers as CUDA does.
#include "tests/test.h"

enum { bytes = 100000, filling = 0x5A };

static unsigned char *fetched;

static void check_filled(const char *what, const void *memory) {
  MUST(cudaMemcpy(fetched, memory, bytes, cudaMemcpyDeviceToHost));
  CHECK(test_all_bytes(fetched, bytes, filling), "%s: not all bytes are set", what);
}

// Until what was asked for is done.
static void poll_stream(cudaStream_t stream) {
  cudaError_t answer;
  do answer = cudaStreamQuery(stream);
  while (answer == cudaErrorNotReady);
  CHECK_CODE(answer, cudaSuccess);
}
static void poll_event(cudaEvent_t event) {
  cudaError_t answer;
  do answer = cudaEventQuery(event);
  while (answer == cudaErrorNotReady);
  CHECK_CODE(answer, cudaSuccess);
}

// Memory that comes and goes on a stream, and a second stream that waits for the first.
static void check_streams(unsigned flags) {
  cudaStream_t first, second;
  cudaEvent_t filled;
  void *memory = NULL, *copied = NULL;
  test_case("streams with flags %u", flags);
  MUST(cudaStreamCreateWithFlags(&first, flags));
  MUST(cudaStreamCreateWithFlags(&second, flags));
  MUST(cudaEventCreateWithFlags(&filled, cudaEventDisableTiming));
  MUST(cudaMallocAsync(&memory, bytes, first));
  MUST(cudaMalloc(&copied, bytes));
  CHECK_CODE(cudaStreamWaitEvent(second, filled, 0), cudaSuccess);  // never recorded
  MUST(cudaMemsetAsync(memory, filling, bytes, first));
  MUST(cudaEventRecord(filled, first));
  MUST(cudaStreamWaitEvent(second, filled, 0));
  MUST(cudaMemcpyAsync(copied, memory, bytes, cudaMemcpyDeviceToDevice, second));
  poll_event(filled);
  poll_stream(second);
  check_filled("a copy on a stream that waited", copied);
  MUST(cudaFreeAsync(memory, second));
  poll_stream(second);
  MUST(cudaFree(copied));
  MUST(cudaEventDestroy(filled));
  MUST(cudaStreamDestroy(first));
  MUST(cudaStreamDestroy(second));
}

static void check_events(void) {
  cudaEvent_t from, to, untimed;
  float milliseconds = -1.0f;
  test_case("events");
  MUST(cudaEventCreateWithFlags(&from, cudaEventDefault));
  MUST(cudaEventCreateWithFlags(&to, cudaEventBlockingSync));
  MUST(cudaEventCreateWithFlags(&untimed, cudaEventBlockingSync | cudaEventDisableTiming));
  CHECK_CODE(cudaEventQuery(from), cudaSuccess);
  MUST(cudaEventRecord(from, 0));
  CHECK_CODE(cudaEventElapsedTime(&milliseconds, from, to), cudaErrorInvalidResourceHandle);
  MUST(cudaEventRecord(to, 0));
  MUST(cudaEventRecord(untimed, 0));
  MUST(cudaEventSynchronize(to));
  MUST(cudaEventSynchronize(untimed));
  MUST(cudaEventElapsedTime(&milliseconds, from, to));
  CHECK(milliseconds >= 0.0f && milliseconds < 60000.0f, "%g ms", (double)milliseconds);
  CHECK_CODE(cudaEventElapsedTime(&milliseconds, from, untimed), cudaErrorInvalidResourceHandle);
  CHECK_CODE(cudaEventElapsedTime(&milliseconds, untimed, to), cudaErrorInvalidResourceHandle);
  MUST(cudaEventDestroy(from));
  MUST(cudaEventDestroy(to));
  MUST(cudaEventDestroy(untimed));
}

// The host's memory that the runtime gives, to the device and back.
static void check_host_memory(void) {
  void *to = NULL, *from = NULL, *memory = NULL;
  test_case("memory of the host");
  MUST(cudaMallocHost(&to, bytes));
  MUST(cudaMallocHost(&from, bytes));
  MUST(cudaMalloc(&memory, bytes));
  memset(to, filling, bytes);
  memset(from, 0, bytes);
  MUST(cudaMemcpyAsync(memory, to, bytes, cudaMemcpyHostToDevice, 0));
  MUST(cudaMemcpyAsync(from, memory, bytes, cudaMemcpyDeviceToHost, 0));
  MUST(cudaStreamSynchronize(0));
  CHECK(test_all_bytes((const unsigned char *)from, bytes, filling), "it came back otherwise");
  MUST(cudaFree(memory));
  MUST(cudaFreeHost(to));
  MUST(cudaFreeHost(from));
  CHECK_CODE(cudaFreeHost(NULL), cudaSuccess);
}

static int attribute_of(cudaDeviceAttr attribute) {
  int value = -1;
  MUST(cudaDeviceGetAttribute(&value, attribute, 0));
  return value;
}

// A device that a client's program may run on, told alike in both ways.
static void check_device(void) {
  cudaDeviceProp properties;
  test_case("the device");
  MUST(cudaGetDeviceProperties(&properties, 0));
  CHECK(properties.name[0] != 0, "it has no name");
  CHECK(properties.multiProcessorCount >= 1 &&
            properties.multiProcessorCount == attribute_of(cudaDevAttrMultiProcessorCount),
        "%d multiprocessors", properties.multiProcessorCount);
  CHECK(properties.major * 10 + properties.minor >= 75 &&
            properties.major == attribute_of(cudaDevAttrComputeCapabilityMajor) &&
            properties.minor == attribute_of(cudaDevAttrComputeCapabilityMinor),
        "compute capability %d.%d", properties.major, properties.minor);
  CHECK(properties.totalGlobalMem > (size_t)64 << 20, "%zu bytes of memory",
        properties.totalGlobalMem);
  CHECK(attribute_of(cudaDevAttrMaxSharedMemoryPerBlockOptin) >= 64 << 10,
        "too little shared memory");
  CHECK_CODE(cudaGetDeviceProperties(&properties, 4096), cudaErrorInvalidDevice);
  (void)cudaGetLastError();
}

static void check_bad_flags(void) {
  cudaStream_t stream;
  cudaEvent_t event;
  test_case("flags that there are none of");
  CHECK_CODE(cudaStreamCreateWithFlags(&stream, 64), cudaErrorInvalidValue);
  CHECK_CODE(cudaStreamCreateWithFlags(NULL, cudaStreamDefault), cudaErrorInvalidValue);
  CHECK_CODE(cudaEventCreateWithFlags(&event, 64), cudaErrorInvalidValue);
  CHECK_CODE(cudaEventCreateWithFlags(NULL, cudaEventDefault), cudaErrorInvalidValue);
  MUST(cudaEventCreate(&event));
  CHECK_CODE(cudaStreamWaitEvent(0, event, 64), cudaErrorInvalidValue);
  MUST(cudaEventDestroy(event));
}

static cudaStreamCaptureStatus status_of(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusInvalidated;
  MUST(cudaStreamIsCapturing(stream, &status));
  return status;
}

static void begin(cudaStream_t stream) {
  MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
}

// Ends a capture that CUDA calls invalid after a call that it refused.
static void drop(cudaStream_t stream) {
  cudaGraph_t graph = NULL;
  (void)cudaStreamEndCapture(stream, &graph);
  if (graph != NULL) MUST(cudaGraphDestroy(graph));
}

static void check_capture(void) {
  cudaStream_t stream;
  cudaEvent_t outside, inside;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  size_t nodes = 0;
  void *memory = NULL;
  test_case("a capture");
  MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  MUST(cudaEventCreate(&outside));
  MUST(cudaEventCreate(&inside));
  MUST(cudaMalloc(&memory, bytes));
  MUST(cudaMemset(memory, 0, bytes));
  MUST(cudaEventRecord(outside, stream));
  MUST(cudaStreamSynchronize(stream));

  CHECK(status_of(stream) == cudaStreamCaptureStatusNone, "captured before it began");
  begin(stream);
  CHECK(status_of(stream) == cudaStreamCaptureStatusActive, "not captured though it began");
  MUST(cudaMemsetAsync(memory, filling, bytes, stream));
  MUST(cudaEventRecord(inside, stream));
  MUST(cudaStreamWaitEvent(stream, inside, 0));
  MUST(cudaStreamEndCapture(stream, &graph));
  CHECK(status_of(stream) == cudaStreamCaptureStatusNone, "captured after it ended");
  MUST(cudaGraphGetNodes(graph, NULL, &nodes));
  CHECK(nodes == 1, "%zu nodes", nodes);
  CHECK_CODE(cudaEventQuery(inside), cudaErrorInvalidValue);
  CHECK_CODE(cudaEventSynchronize(inside), cudaErrorInvalidValue);
  MUST(cudaGraphInstantiate(&executable, graph, 0));
  MUST(cudaGraphLaunch(executable, stream));
  poll_stream(stream);
  check_filled("a graph", memory);
  MUST(cudaGraphExecDestroy(executable));
  MUST(cudaGraphDestroy(graph));

  begin(stream);
  CHECK_CODE(cudaStreamQuery(stream), cudaErrorStreamCaptureUnsupported);
  drop(stream);
  begin(stream);
  CHECK_CODE(cudaStreamWaitEvent(stream, outside, 0), cudaErrorStreamCaptureIsolation);
  drop(stream);

  // The event is as good as new once it is recorded again.
  MUST(cudaEventRecord(inside, stream));
  poll_event(inside);
  MUST(cudaStreamWaitEvent(stream, inside, 0));
  (void)cudaGetLastError();
  MUST(cudaFree(memory));
  MUST(cudaEventDestroy(outside));
  MUST(cudaEventDestroy(inside));
  MUST(cudaStreamDestroy(stream));
}

// What CUDA would take into the capture, and the host target does not: it says so.
static void check_refused(void) {
#if defined(SCAN_TARGET_HOST)
  cudaStream_t stream, other;
  cudaEvent_t event;
  void *memory = NULL, *none = NULL;
  test_case("what the host target does not capture");
  MUST(cudaStreamCreate(&stream));
  MUST(cudaStreamCreate(&other));
  MUST(cudaEventCreate(&event));
  MUST(cudaMallocAsync(&memory, bytes, stream));
  begin(stream);
  MUST(cudaEventRecord(event, stream));
  CHECK_CODE(cudaStreamWaitEvent(other, event, 0), cudaErrorStreamCaptureUnsupported);
  CHECK_CODE(cudaMallocAsync(&none, bytes, stream), cudaErrorStreamCaptureUnsupported);
  CHECK_CODE(cudaFreeAsync(memory, stream), cudaErrorStreamCaptureUnsupported);
  drop(stream);
  MUST(cudaFreeAsync(memory, stream));
  CHECK_CODE(cudaFreeAsync(memory, stream), cudaErrorInvalidValue);
  (void)cudaGetLastError();
  MUST(cudaEventDestroy(event));
  MUST(cudaStreamDestroy(stream));
  MUST(cudaStreamDestroy(other));
#endif
}

int main(void) {
  test_begin("runtime_test");
  fetched = (unsigned char *)test_allocate(bytes);
  check_streams(cudaStreamDefault);
  check_streams(cudaStreamNonBlocking);
  check_events();
  check_bad_flags();
  check_host_memory();
  check_device();
  check_capture();
  check_refused();
  free(fetched);
  return test_end("streams, events, memory, captures and the device answer as CUDA's do");
}
