/* The machine, when it is the CPU: the kernels of the CUDA target, compiled as C and run with its
   meaning. Included by target.h alone.

   A block runs on one OS thread, its worker; the threads of the block are fibers of that worker,
   and whoever waits (for a barrier, a shuffle, a signal) lets another fiber run. Which fiber runs
   next, which block starts next, and when a bulk copy lands can be drawn from a seed
   (scan_host_schedule). What a GPU would answer with garbage or a hang ends the program with a line
   that names kernel, block and thread. */
#ifndef SCAN_TARGET_HOST_H
#define SCAN_TARGET_HOST_H

#ifdef __cplusplus
#error "scan: the host target is C11 (gcc -std=c11 -x c), C++ is for nvcc alone"
#endif

#include "scan/target/host_runtime.h"

#include <sched.h>

#define SCAN_TARGET_HOST 1
#define SCAN_KERNELS_ 1

/* Where nothing is optimised, inlining takes time and stack, and gives nothing. */
#ifdef __OPTIMIZE__
#define SCAN_INLINE_ inline __attribute__((always_inline))
#else
#define SCAN_INLINE_ inline
#endif
#define SCAN_DEVICE static SCAN_INLINE_ SCAN_UNUSED_
/* What is called by a pointer: not every level of gcc sees through that, to inline by force. */
#define SCAN_DEVICE_POINTED_ static inline SCAN_UNUSED_
#define SCAN_OPERATOR static inline SCAN_UNUSED_
#define SCAN_LATE_(f, ...) f(__VA_ARGS__) /* nvcc is told otherwise (target/cuda.h) */
#define SCAN_UNROLL_
#define SCAN_ROLL_

#define SCAN_KERNEL(name, Params, p)                                                   \
  static void name(const Params p);                                                    \
  SCAN_HOST_ void name##_enter_(const void *given_) { name(*(const Params *)given_); } \
  SCAN_HOST_ scan_kernel name##_kernel_(void) {                                        \
    scan_kernel kernel = {#name, name##_enter_};                                       \
    return kernel;                                                                     \
  }                                                                                    \
  static void name(const Params p)
#define SCAN_KERNEL_BOUNDED_(threads, name, Params, p) SCAN_KERNEL(name, Params, p)

/* A declared family, and its definition: whoever declares it for the CPU asks, before main, whether
   nvcc has compiled what it is linked with. */
#define SCAN_TARGET_DECLARED_(name)                                   \
  extern const char name##_is_for_cuda __attribute__((weak));         \
  __attribute__((constructor)) static void name##_ask_target_(void) { \
    if (&name##_is_for_cuda != NULL) scan_host_refuse_cuda_(#name);   \
  }
#define SCAN_TARGET_DEFINED_(name)
SCAN_HOST_ void scan_host_refuse_cuda_(const char *name) {
  fprintf(stderr,
          "scan: %s is compiled for CUDA, and a C file that calls it for the CPU: that one needs "
          "-DSCAN_TARGET_CUDA\n",
          name);
  abort();
}

#define SCAN_SHARED_DYNAMIC(T, name) T *name = (T *)scan_host_worker_->shared

#define SCAN_LOADER_WARPS 1u
#ifdef SCAN_TUNING_GROUPS
#define SCAN_GROUPS_MOST SCAN_TUNING_GROUPS
#else
#define SCAN_GROUPS_MOST 2u
#endif
#define SCAN_STORES_IN_FLIGHT 1u

enum {
  scan_host_threads_most_ = 1024,
  scan_host_barriers_ = 16,
  scan_host_copies_most_ = 64,
  scan_host_exchange_words_ = 16,
  scan_host_meetings_ = 16 /* under way in a warp, at most */
};

/* A thread of the block. */
typedef struct {
  scan_host_context context;
  const void *waits_for; /* what it waits for, NULL: it can run */
  const char *waits_at;  /* the same in words, for messages */
  unsigned index;
  unsigned copies_open; /* its bulk stores that still read shared memory */
  uint64_t meetings;    /* with the lanes of its warp, that it came to */
  unsigned barriers;    /* of these, the warp's barrier */
} scan_host_thread;

/* What a lane can wait for in a meeting: a lane by its number, or one of these. */
enum {
  scan_host_all_lanes_ = SCAN_WARP_THREADS,
  scan_host_meeting_over_,
  scan_host_meeting_waits_
};

/* A meeting of the lanes of a warp, who hand each other words. Each lane goes to one after the
   other; a meeting begins when all lanes have left the one before in its place. A bit a lane. */
typedef struct {
  const char *at;                             /* the operation that the lanes meet in */
  uint64_t round;                             /* of the meetings that take turns here */
  uint32_t here;                              /* have come */
  uint32_t gone;                              /* have what they came for */
  uint32_t waiting[scan_host_meeting_waits_]; /* for what */
  uint32_t word[scan_host_exchange_words_][SCAN_WARP_THREADS];
} scan_host_meeting;

typedef struct {
  unsigned arrived;
  unsigned expected;
  unsigned phase; /* how often all have come */
} scan_host_barrier;

typedef struct {
  uint32_t arrivals; /* parity: the phase */
  uint32_t arrived;  /* in the phase under way */
  uint32_t bytes;    /* that have yet to land in it */
} scan_signal;

/* A bulk copy under way. */
typedef struct {
  void *to;
  const void *from;
  uint32_t bytes;
  scan_signal *signal;     /* a load's */
  scan_host_thread *owner; /* a store's */
} scan_host_copy;

/* Behind a block's shared memory: the addresses by which ThreadSanitizer knows the barriers of this
   block and of its warps. Each barrier uses two in turn, since a thread may have come to it again
   while others are yet to leave it. */
typedef struct {
  uint64_t barrier[scan_host_barriers_][2];
  uint64_t warp[scan_host_threads_most_ / SCAN_WARP_THREADS][2];
} scan_host_places;

/* One launch, shared by its workers. */
typedef struct {
  scan_kernel kernel;
  const void *parameters;
  uint32_t grid, block;
  size_t shared_bytes;
  uint64_t seed;
  uint32_t *order;   /* of the blocks; NULL: ascending */
  uint32_t next;     /* block to start, atomic */
  uint32_t running;  /* workers in a block, atomic */
  uint32_t given_up; /* of these, how many gave up when given_up_at words were published */
  uint64_t given_up_at;
  uint64_t published; /* words, atomic */
} scan_host_launch;

/* An OS thread that runs blocks one after another. */
typedef struct scan_host_worker {
  struct scan_host_worker *next_idle;
  scan_host_launch *launch;
  scan_host_context os_thread;
  scan_host_thread threads[scan_host_threads_most_];
  unsigned threads_made;
  scan_host_meeting meetings[scan_host_threads_most_ / SCAN_WARP_THREADS][scan_host_meetings_];
  scan_host_barrier barriers[scan_host_barriers_];
  scan_host_copy copies[scan_host_copies_most_];
  unsigned copies_open;
  unsigned ready[scan_host_threads_most_]; /* ring of threads that can run */
  unsigned ready_first, ready_count;
  unsigned live;      /* threads that have not left */
  unsigned idle;      /* pauses since scan_host_moved_ */
  uint64_t published; /* words, when it began to poll in vain */
  bool polling;
  bool gave_up;
  scan_host_thread *current;
  uint64_t random;
  unsigned starved; /* the warp that is rarely drawn for now */
  void *shared;
} scan_host_worker;

__attribute__((weak)) _Thread_local scan_host_worker *scan_host_worker_ = NULL;

/* The coordinates that a kernel reads, one-dimensional. */
typedef struct {
  unsigned x;
} scan_host_coordinate;
__attribute__((weak)) _Thread_local scan_host_coordinate threadIdx, blockIdx, blockDim, gridDim;

/* Ends the program, naming where it stood. */
SCAN_HOST_SCHEDULER_ __attribute__((noreturn)) void scan_host_abort_(unsigned thread,
                                                                     const char *what) {
  fprintf(stderr, "scan: kernel %s, block %u, thread %u: %s\n",
          scan_host_worker_->launch->kernel.name, blockIdx.x, thread, what);
  fflush(stderr);
  abort();
}

#if SCAN_HOST_ASAN_
SCAN_HOST_SCHEDULER_ void scan_host_died_(void) {
  if (scan_host_worker_ != NULL && scan_host_worker_->launch != NULL)
    fprintf(stderr, "scan: kernel %s, block %u, thread %u: the access reported above\n",
            scan_host_worker_->launch->kernel.name, blockIdx.x, threadIdx.x);
}
#endif

/* ---- who runs next */

SCAN_HOST_SCHEDULER_ uint64_t
scan_host_random_(scan_host_worker *worker) { /* splitmix64 (Steele, Lea, Flood 2014) */
  uint64_t z = worker->random += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

SCAN_HOST_SCHEDULER_ void scan_host_make_ready_(scan_host_worker *worker, unsigned thread) {
  unsigned last = worker->ready_first + worker->ready_count++;
  if (last >= scan_host_threads_most_) last -= scan_host_threads_most_;
  worker->ready[last] = thread;
}

/* Lets the lanes go on, of the warp that begins with thread `first`, that are in `lanes`: before
   all others, so that what the warp works with stays in the cache. */
SCAN_HOST_SCHEDULER_ void scan_host_wake_lanes_(scan_host_worker *worker, unsigned first,
                                                uint32_t lanes) {
  worker->ready_count += (unsigned)__builtin_popcount(lanes);
  while (lanes != 0) {
    const unsigned lane = SCAN_WARP_THREADS - 1 - (unsigned)__builtin_clz(lanes);
    lanes ^= 1u << lane;
    worker->threads[first + lane].waits_for = NULL;
    if (worker->ready_first == 0) worker->ready_first = scan_host_threads_most_;
    worker->ready[--worker->ready_first] = first + lane;
  }
}

/* The worker did something else than wait for other blocks: lanes that meet and wait on do not
   count. */
SCAN_HOST_SCHEDULER_ void scan_host_moved_(scan_host_worker *worker) {
  worker->idle = 0;
  worker->polling = false;
}

/* Lets the threads go on, of `count` from `first`, that wait for `what`. */
SCAN_HOST_SCHEDULER_ void scan_host_wake_(scan_host_worker *worker, const void *what,
                                          unsigned first, unsigned count) {
  unsigned i;
  for (i = first; i < first + count; i++)
    if (worker->threads[i].waits_for == what) {
      worker->threads[i].waits_for = NULL;
      scan_host_make_ready_(worker, i);
    }
}

/* A signal's phase ends when its arrival has come and its bytes have landed. */
SCAN_HOST_SCHEDULER_ void scan_host_signal_moved_(scan_host_worker *worker, scan_signal *signal) {
  if (signal->arrived == 0 || signal->bytes != 0) return;
  signal->arrived = 0;
  signal->arrivals++;
  scan_host_moved_(worker);
  scan_host_wake_(worker, signal, 0, worker->launch->block);
}

/* Moves 16-byte words as the copy engine does: for ThreadSanitizer it is no thread of the program.
 */
SCAN_HOST_SCHEDULER_ void scan_host_move_(void *to, const void *from, uint32_t bytes) {
#if SCAN_HOST_TSAN_
  uint32_t i;
  for (i = 0; i < bytes / 8; i++)
    ((volatile uint64_t *)to)[i] = ((const volatile uint64_t *)from)[i];
#else
  memcpy(to, from, bytes);
#endif
}

/* Lands one bulk copy. */
SCAN_HOST_SCHEDULER_ void scan_host_land_(scan_host_worker *worker, unsigned which) {
  const scan_host_copy copy = worker->copies[which];
  unsigned i;
  worker->copies_open--;
  for (i = which; i < worker->copies_open; i++) worker->copies[i] = worker->copies[i + 1];
  scan_host_move_(copy.to, copy.from, copy.bytes);
  if (copy.signal != NULL) {
    scan_host_release_(copy.signal);
    copy.signal->bytes -= copy.bytes;
    scan_host_signal_moved_(worker, copy.signal);
  } else {
    copy.owner->copies_open--;
  }
}

/* Why lanes are missing, for messages, where the last warp never had them all. */
SCAN_HOST_SCHEDULER_ const char *scan_host_reason_(const scan_host_worker *worker) {
  return worker->launch->block % SCAN_WARP_THREADS != 0
             ? "; blocks are whole warps, a multiple of 32 threads"
             : "";
}

/* Nothing can run any more: says who waits for what that will not come. */
SCAN_HOST_SCHEDULER_ void scan_host_stuck_(scan_host_worker *worker) {
  unsigned i;
  char text[256];
  for (i = 0; i < worker->launch->block; i++)
    if (worker->threads[i].waits_for != NULL) {
      snprintf(text, sizeof text,
               "waits at %s for threads that never come (%u of %u threads have left the kernel)%s",
               worker->threads[i].waits_at, worker->launch->block - worker->live,
               worker->launch->block, scan_host_reason_(worker));
      scan_host_abort_(i, text);
    }
}

/* Takes the thread that runs next; where none can, bulk copies land until one can. */
SCAN_HOST_SCHEDULER_ scan_host_thread *scan_host_next_(scan_host_worker *worker) {
  unsigned thread;
  const bool drawn = worker->launch->seed != 0;
  if (drawn && worker->copies_open != 0 && scan_host_random_(worker) % 64 == 0)
    scan_host_land_(worker, (unsigned)(scan_host_random_(worker) % worker->copies_open));
  while (worker->ready_count == 0) {
    if (worker->copies_open == 0) scan_host_stuck_(worker);
    scan_host_land_(worker,
                    drawn ? (unsigned)(scan_host_random_(worker) % worker->copies_open) : 0);
  }
  if (drawn) { /* the drawn one changes places with the first */
    unsigned place, draws = 0;
    /* One warp at a time hardly gets to run: what others may overtake shows. */
    if (scan_host_random_(worker) % 256 == 0)
      worker->starved =
          (unsigned)(scan_host_random_(worker) %
                     ((worker->launch->block + SCAN_WARP_THREADS - 1) / SCAN_WARP_THREADS));
    do {
      place = worker->ready_first + (unsigned)(scan_host_random_(worker) % worker->ready_count);
      if (place >= scan_host_threads_most_) place -= scan_host_threads_most_;
    } while (worker->ready[place] / SCAN_WARP_THREADS == worker->starved && ++draws < 8);
    thread = worker->ready[place];
    worker->ready[place] = worker->ready[worker->ready_first];
  } else {
    thread = worker->ready[worker->ready_first];
  }
  if (++worker->ready_first == scan_host_threads_most_) worker->ready_first = 0;
  worker->ready_count--;
  return &worker->threads[thread];
}

/* Leaves the current thread and runs the next. */
SCAN_HOST_SCHEDULER_ void scan_host_run_next_(scan_host_worker *worker) {
  scan_host_thread *from = worker->current;
  scan_host_thread *to = scan_host_next_(worker);
  if (to == from) return;
  worker->current = to;
  threadIdx.x = to->index;
  scan_host_switch_context_(&from->context, &to->context, &worker->os_thread);
}

/* The current thread waits until scan_host_wake_ names `what`. */
SCAN_HOST_SCHEDULER_ void scan_host_wait_(const void *what, const char *at) {
  scan_host_worker *worker = scan_host_worker_;
  worker->current->waits_for = what;
  worker->current->waits_at = at;
  scan_host_run_next_(worker);
}

/* A fiber as its thread of one block. The next block may come by another OS thread, and within a
   function compilers take a _Thread_local to stay where it is: so a call of its own, in which none
   is named after the switch. */
SCAN_HOST_SCHEDULER_ __attribute__((noinline)) void scan_host_take_part_(scan_host_worker *worker) {
  scan_host_acquire_(worker->launch);
  worker->launch->kernel.enter(worker->launch->parameters);
  scan_host_release_(worker);
  if (--worker->live != 0) {
    scan_host_run_next_(worker);
  } else {
    scan_host_thread *last = worker->current;
    while (worker->copies_open != 0) scan_host_land_(worker, 0);
    scan_host_switch_context_(&last->context, &worker->os_thread, &worker->os_thread);
  }
}

/* The life of a fiber: one kernel after another as the same thread of its worker. */
SCAN_HOST_SCHEDULER_ void scan_host_live_(void) {
  scan_host_worker *worker = scan_host_worker_;
#if SCAN_HOST_ASAN_
  scan_host_arrived_(&worker->current->context, &worker->os_thread);
#endif
  for (;;) scan_host_take_part_(worker);
}

/* ---- launching */

/* At the end of a block: ends the program if some lanes of a warp met more often than others. The
   lanes that a warp of fewer than 32 threads lacks never come. */
SCAN_HOST_SCHEDULER_ void scan_host_all_met_(const scan_host_worker *worker) {
  const scan_host_thread *threads = worker->threads;
  unsigned i;
  char text[160];
  for (i = 1; i < scan_host_threads_most_ &&
              i / SCAN_WARP_THREADS * SCAN_WARP_THREADS < worker->launch->block;
       i++)
    if (i % SCAN_WARP_THREADS != 0 && threads[i].meetings != threads[i - 1].meetings) {
      snprintf(text, sizeof text, "met lanes of its warp that have left the kernel%s",
               scan_host_reason_(worker));
      scan_host_abort_(threads[i].meetings > threads[i - 1].meetings ? i : i - 1, text);
    }
}

SCAN_HOST_SCHEDULER_ const scan_host_places *scan_host_places_(const scan_host_worker *worker) {
  return (const scan_host_places *)SCAN_AT_CONST_(worker->shared,
                                                  (worker->launch->shared_bytes + 127) / 128 * 128);
}

/* Runs one block from start to end. For ThreadSanitizer the OS thread learns nothing of what the
   block did, so that its next block begins after the launch alone, and not after this one. */
SCAN_HOST_SCHEDULER_ void scan_host_run_block_(scan_host_worker *worker, uint32_t index) {
  scan_host_launch *launch = worker->launch;
  const size_t bytes = (launch->shared_bytes + 127) / 128 * 128 + sizeof(scan_host_places);
  unsigned i;
  blockIdx.x = index;
  worker->shared = aligned_alloc(128, bytes);
  if (worker->shared == NULL) scan_host_abort_(0, "no memory for the block's shared memory");
  memset(worker->shared, 0xa5, launch->shared_bytes); /* what a block finds there is not zero */
#if SCAN_HOST_ASAN_
  __asan_poison_memory_region(SCAN_AT_(worker->shared, launch->shared_bytes),
                              bytes - launch->shared_bytes);
#endif
  memset(worker->barriers, 0, sizeof worker->barriers);
  worker->ready_first = worker->ready_count = worker->copies_open = 0;
  worker->live = launch->block;
  for (i = 0; i < launch->block; i++) {
    worker->threads[i].waits_for = NULL;
    worker->threads[i].copies_open = 0;
    scan_host_make_ready_(worker, i);
  }
  worker->current = scan_host_next_(worker);
  threadIdx.x = worker->current->index;
  scan_host_release_(launch);
  scan_host_switch_context_(&worker->os_thread, &worker->current->context, &worker->os_thread);
  scan_host_all_met_(worker);
  scan_host_moved_(worker);
  scan_host_free_(worker->shared);
}

/* An OS thread's part of a launch: blocks, until none is left. */
SCAN_HOST_SCHEDULER_ void *scan_host_work_(void *argument) {
  scan_host_worker *worker = (scan_host_worker *)argument;
  scan_host_worker *outer = scan_host_worker_;
  scan_host_launch *launch = worker->launch;
  uint32_t ticket;
  scan_host_worker_ = worker;
  blockDim.x = launch->block;
  gridDim.x = launch->grid;
  worker->idle = 0;
  worker->polling = worker->gave_up = false;
  worker->os_thread.os_stack = NULL;
#if SCAN_HOST_TSAN_
  worker->os_thread.tsan_fiber = __tsan_get_current_fiber();
#endif
  __atomic_fetch_add(&launch->running, 1, __ATOMIC_RELAXED);
  while ((ticket = __atomic_fetch_add(&launch->next, 1, __ATOMIC_RELAXED)) < launch->grid) {
    const uint32_t block = launch->order != NULL ? launch->order[ticket] : ticket;
    worker->random = launch->seed + block * 0x9e3779b9u;
    scan_host_run_block_(worker, block);
  }
  scan_host_acquire_(worker);
  __atomic_fetch_sub(&launch->running, 1, __ATOMIC_RELEASE); /* after all that it published */
  scan_host_worker_ = outer;
  return NULL;
}

/* A worker with fibers for a block, an idle one or a new one. NULL: no memory. */
SCAN_HOST_ scan_host_worker *scan_host_hire_(unsigned threads) {
  scan_host_worker *worker;
  pthread_mutex_lock(&scan_host_state_.lock);
  worker = scan_host_state_.idle_workers;
  if (worker != NULL) scan_host_state_.idle_workers = worker->next_idle;
  pthread_mutex_unlock(&scan_host_state_.lock);
  if (worker == NULL) worker = (scan_host_worker *)calloc(1, sizeof *worker);
  if (worker == NULL) return NULL;
  while (worker->threads_made < threads) {
    scan_host_thread *thread = &worker->threads[worker->threads_made];
    if (!scan_host_context_create_(&thread->context, scan_host_live_)) break;
    thread->index = worker->threads_made++;
  }
  return worker;
}

SCAN_HOST_ void scan_host_dismiss_(scan_host_worker *worker) {
  pthread_mutex_lock(&scan_host_state_.lock);
  worker->launch = NULL;
  worker->next_idle = scan_host_state_.idle_workers;
  scan_host_state_.idle_workers = worker;
  pthread_mutex_unlock(&scan_host_state_.lock);
}

/* The order in which blocks start, drawn from the seed. NULL for the plain order. */
SCAN_HOST_ uint32_t *scan_host_order_(uint64_t seed, uint32_t grid) {
  uint32_t *order = seed != 0 ? (uint32_t *)malloc(grid * sizeof *order) : NULL;
  uint32_t i;
  if (order == NULL) return NULL;
  for (i = 0; i < grid; i++) { /* order[0 … i] is a permutation of 0 … i (Fisher, Yates) */
    uint32_t place;
    seed = seed * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX generator */
    place = (uint32_t)((seed >> 33) % (i + 1));
    order[i] = order[place];
    order[place] = i;
  }
  return order;
}

/* Runs a launch to its end. */
SCAN_HOST_ cudaError_t scan_host_run_launch_(const scan_host_node *node) {
  scan_host_worker *hired[scan_host_workers_most_];
  pthread_t os_threads[scan_host_workers_most_];
  scan_host_launch launch;
  unsigned workers, multiprocessors, count, started, i;
  if (node->grid == 0 || node->block == 0 || node->block > scan_host_threads_most_)
    return cudaErrorInvalidConfiguration;
  if (node->bytes > scan_host_shared_limit_) return cudaErrorInvalidValue;
  memset(&launch, 0, sizeof launch);
  launch.kernel = node->kernel;
  launch.parameters = node->parameters;
  launch.grid = node->grid;
  launch.block = node->block;
  launch.shared_bytes = node->bytes;
  scan_host_configuration_(&launch.seed, &workers, &multiprocessors);
  if (workers > scan_host_workers_most_) workers = scan_host_workers_most_;
  if (workers > launch.grid) workers = launch.grid;
#if SCAN_HOST_ASAN_
  __sanitizer_set_death_callback(scan_host_died_);
#endif
  for (count = 0; count < workers; count++) {
    hired[count] = scan_host_hire_(launch.block);
    if (hired[count] == NULL) break;
    if (hired[count]->threads_made < launch.block) {
      scan_host_dismiss_(hired[count]);
      break;
    }
    hired[count]->launch = &launch;
  }
  if (count == 0) return cudaErrorMemoryAllocation;
  launch.order = scan_host_order_(launch.seed, launch.grid);
  /* The calling thread is the first worker. Fewer than asked for serve too. */
  for (started = 1; started < count; started++)
    if (pthread_create(&os_threads[started], NULL, scan_host_work_, hired[started]) != 0) break;
  scan_host_work_(hired[0]);
  for (i = 1; i < started; i++) pthread_join(os_threads[i], NULL);
  for (i = 0; i < count; i++) scan_host_dismiss_(hired[i]);
  free(launch.order);
  pthread_mutex_lock(&scan_host_state_.lock);
  scan_host_state_.launches++;
  pthread_mutex_unlock(&scan_host_state_.lock);
  return cudaSuccess;
}

SCAN_HOST_ uintptr_t scan_kernel_key(scan_kernel kernel) { return (uintptr_t)kernel.enter; }
SCAN_HOST_ cudaError_t scan_kernel_prepare(scan_kernel kernel, int device,
                                           scan_kernel_traits *traits) {
  (void)kernel;
  (void)device;
  traits->shared_limit = scan_host_shared_limit_;
  traits->loader_warps = SCAN_LOADER_WARPS;
  traits->groups_most = SCAN_GROUPS_MOST;
  traits->early = false;
  return cudaSuccess;
}

SCAN_HOST_ cudaError_t scan_launch(scan_kernel kernel, uint32_t grid, uint32_t block,
                                   size_t shared_bytes, cudaStream_t stream, const void *parameters,
                                   size_t parameters_bytes) {
  scan_host_node node;
  memset(&node, 0, sizeof node);
  node.run = scan_host_run_launch_;
  node.kernel = kernel;
  node.grid = grid;
  node.block = block;
  node.bytes = shared_bytes;
  node.parameters = parameters;
  node.parameters_bytes = parameters_bytes;
  return scan_host_submit_(stream, &node);
}
SCAN_HOST_ cudaError_t scan_launch_prepared(scan_kernel kernel, bool early, uint32_t grid,
                                            uint32_t block, size_t shared_bytes,
                                            cudaStream_t stream, const void *parameters,
                                            size_t parameters_bytes) {
  (void)early;
  return scan_launch(kernel, grid, block, shared_bytes, stream, parameters, parameters_bytes);
}

SCAN_HOST_ cudaError_t scan_stream_capture(uint64_t *capture, cudaStream_t stream) {
  *capture = scan_host_capture_(stream);
  return cudaSuccess;
}

/* ---- what a kernel calls; the contracts stand in cuda.h */

SCAN_DEVICE uint32_t scan_thread(void) { return threadIdx.x; }
SCAN_DEVICE uint32_t scan_threads(void) { return blockDim.x; }
SCAN_DEVICE uint32_t scan_threads_early(void) { return scan_threads(); }
SCAN_DEVICE uint32_t scan_blocks(void) { return gridDim.x; }

/* Waits until `expected` threads stand at the barrier. */
SCAN_HOST_SCHEDULER_ void scan_host_barrier_(uint32_t id, uint32_t expected, const char *at) {
  scan_host_worker *worker = scan_host_worker_;
  scan_host_barrier *barrier;
  const void *place;
  if (id >= scan_host_barriers_ || expected == 0 || expected > worker->launch->block)
    scan_host_abort_(threadIdx.x, "barrier number or thread count out of range");
  barrier = &worker->barriers[id];
  if (barrier->arrived != 0 && barrier->expected != expected)
    scan_host_abort_(threadIdx.x, "threads meet at one barrier with different counts");
  barrier->expected = expected;
  place = &scan_host_places_(worker)->barrier[id][barrier->phase % 2];
  scan_host_release_(place);
  if (++barrier->arrived == expected) {
    barrier->arrived = 0;
    barrier->phase++;
    scan_host_moved_(worker);
    scan_host_wake_(worker, barrier, 0, worker->launch->block);
  } else {
    scan_host_wait_(barrier, at);
  }
  scan_host_acquire_(place);
}

/* The current thread waits for `what` of a meeting. */
SCAN_HOST_SCHEDULER_ void scan_host_await_(scan_host_meeting *meeting, const char *at,
                                           uint32_t what) {
  meeting->waiting[what] |= 1u << threadIdx.x % SCAN_WARP_THREADS;
  scan_host_wait_(meeting, at);
}

/* Ends the waiting for `what` of a meeting. */
SCAN_HOST_SCHEDULER_INLINE_ void scan_host_came_(scan_host_worker *worker,
                                                 scan_host_meeting *meeting, uint32_t what) {
  const uint32_t lanes = meeting->waiting[what];
  meeting->waiting[what] = 0;
  if (lanes != 0)
    scan_host_wake_lanes_(worker, threadIdx.x - threadIdx.x % SCAN_WARP_THREADS, lanes);
}

/* Ends the program: lanes of a warp stand at different operations. */
SCAN_HOST_SCHEDULER_ __attribute__((noreturn, noinline)) void scan_host_astray_(
    const char *at, const char *others_at) {
  char text[160];
  snprintf(text, sizeof text, "stands at %s while other lanes of its warp stand at %s", at,
           others_at);
  scan_host_abort_(threadIdx.x, text);
}

/* The lanes of the warp meet in `at`, each with its words: returns when lane `whom` has come, or
   all have. In the plain order a lane waits for nobody else: it may be some meetings ahead, which
   saves most of the switches. In a drawn one it waits for all. */
SCAN_HOST_SCHEDULER_INLINE_ scan_host_meeting *scan_host_meet_(const char *at, const uint32_t *word,
                                                               uint32_t words, uint32_t whom) {
  enum { now_and_then = 256 };
  scan_host_worker *worker = scan_host_worker_;
  const unsigned lane = threadIdx.x % SCAN_WARP_THREADS;
  const uint64_t number = worker->current->meetings++;
  scan_host_meeting *meeting =
      &worker->meetings[threadIdx.x / SCAN_WARP_THREADS][number % scan_host_meetings_];
  uint32_t i;
  /* The others of the block get to run even if this warp polls without a pause. */
  if (number % now_and_then == 0) {
    scan_host_make_ready_(worker, threadIdx.x);
    scan_host_run_next_(worker);
  }
  while (meeting->round != number / scan_host_meetings_)
    scan_host_await_(meeting, at, scan_host_meeting_over_);
  if (meeting->here == 0) meeting->at = at;
  if (meeting->at != at && strcmp(meeting->at, at) != 0) scan_host_astray_(at, meeting->at);
  for (i = 0; i < words; i++) meeting->word[i][lane] = word[i];
  meeting->here |= 1u << lane;
  scan_host_came_(worker, meeting, lane);
  if (meeting->here == UINT32_MAX)
    scan_host_came_(worker, meeting, scan_host_all_lanes_);
  else if (whom == scan_host_all_lanes_ || worker->launch->seed != 0)
    scan_host_await_(meeting, at, scan_host_all_lanes_);
  else if ((meeting->here >> whom & 1) == 0)
    scan_host_await_(meeting, at, whom);
  return meeting;
}

/* The current thread has what it came for. */
SCAN_HOST_SCHEDULER_ void scan_host_part_(scan_host_meeting *meeting) {
  meeting->gone |= 1u << threadIdx.x % SCAN_WARP_THREADS;
  if (meeting->gone != UINT32_MAX) return;
  meeting->here = meeting->gone = 0;
  meeting->round++;
  scan_host_came_(scan_host_worker_, meeting, scan_host_meeting_over_);
}

/* The lanes meet, and each takes the words of one. */
SCAN_HOST_SCHEDULER_ void scan_host_exchange_(const char *at, uint32_t *word, uint32_t words,
                                              uint32_t source) {
  scan_host_meeting *meeting = scan_host_meet_(at, word, words, source);
  uint32_t i;
  for (i = 0; i < words; i++) word[i] = meeting->word[i][source];
  scan_host_part_(meeting);
}

SCAN_DEVICE void scan_grid_release(uint32_t settled) { (void)settled; }
SCAN_DEVICE void scan_grid_wait(uint32_t count, const void *address, const void *other) {
  (void)count;
  (void)address;
  (void)other;
}

SCAN_DEVICE void scan_block_barrier(void) {
  scan_host_barrier_(0, blockDim.x, "the block's barrier");
}
SCAN_DEVICE void scan_group_barrier(uint32_t id, uint32_t threads) {
  scan_host_barrier_(id, threads, "a group's barrier");
}
/* The lanes of the warp wait for each other in `at`, each with a word, and the first one's is
 * returned. What a lane did before it comes before what the others do after it. */
SCAN_HOST_SCHEDULER_ uint32_t scan_host_warp_barrier_(const char *at, uint32_t word) {
  const scan_host_worker *worker = scan_host_worker_;
  const void *place = &scan_host_places_(worker)
                           ->warp[threadIdx.x / SCAN_WARP_THREADS][worker->current->barriers++ % 2];
  scan_host_meeting *meeting;
  uint32_t first;
  scan_host_release_(place);
  meeting = scan_host_meet_(at, &word, 1, scan_host_all_lanes_);
  first = meeting->word[0][0];
  scan_host_part_(meeting);
  scan_host_acquire_(place);
  return first;
}
SCAN_DEVICE void scan_warp_barrier(void) { (void)scan_host_warp_barrier_("the warp's barrier", 0); }

/* The names that a client's kernel uses. */
SCAN_DEVICE void __syncthreads(void) { scan_block_barrier(); }
SCAN_DEVICE void __syncwarp(void) { scan_warp_barrier(); }

/* By way of words of its own: the address of the caller's words goes nowhere, so that they stay in
   registers. */
SCAN_DEVICE void scan_host_shuffle_(const char *at, uint32_t *word, uint32_t words,
                                    uint32_t source) {
  uint32_t own[scan_host_exchange_words_];
  uint32_t i;
  for (i = 0; i < words; i++) own[i] = word[i];
  scan_host_exchange_(at, own, words, source);
  for (i = 0; i < words; i++) word[i] = own[i];
}
SCAN_DEVICE void scan_shuffle_up(uint32_t *word, uint32_t words, uint32_t delta) {
  const uint32_t lane = threadIdx.x % SCAN_WARP_THREADS;
  scan_host_shuffle_("a shuffle up", word, words, lane >= delta ? lane - delta : lane);
}
SCAN_DEVICE void scan_shuffle_down(uint32_t *word, uint32_t words, uint32_t delta) {
  const uint32_t lane = threadIdx.x % SCAN_WARP_THREADS;
  scan_host_shuffle_("a shuffle down", word, words,
                     lane + delta < SCAN_WARP_THREADS ? lane + delta : lane);
}
SCAN_DEVICE void scan_shuffle_from(uint32_t *word, uint32_t words, uint32_t source) {
  scan_host_shuffle_("a shuffle", word, words, source);
}
SCAN_DEVICE void scan_shuffle_within(uint32_t *word, uint32_t words, uint32_t source,
                                     uint32_t part) {
  scan_host_shuffle_("a shuffle", word, words,
                     (threadIdx.x % SCAN_WARP_THREADS & ~(part - 1)) + source);
}
/* A barrier, though of what came before a GPU orders only the reads that x is from: there is no way
 * to tell ThreadSanitizer of these alone. */
SCAN_DEVICE uint32_t scan_uniform(uint32_t x) {
  const uint32_t first = scan_host_warp_barrier_("a value in common", x);
  if (first != x) scan_host_abort_(threadIdx.x, "a value that lanes should have in common is not");
  return x;
}
SCAN_DEVICE uint32_t scan_uniform_alone(uint32_t x) { return x; }
SCAN_HOST_SCHEDULER_ uint32_t scan_ballot(bool predicate) {
  const uint32_t mine = (uint32_t)predicate << threadIdx.x % SCAN_WARP_THREADS;
  scan_host_meeting *meeting = scan_host_meet_("a ballot", &mine, 1, scan_host_all_lanes_);
  uint32_t bits = 0;
  uint32_t lane;
  for (lane = 0; lane < SCAN_WARP_THREADS; lane++) bits |= meeting->word[0][lane];
  scan_host_part_(meeting);
  return bits;
}

SCAN_DEVICE uint32_t scan_lowest_bit(uint32_t bits) { return (uint32_t)__builtin_ctz(bits); }
SCAN_DEVICE uint32_t scan_bits_set(uint32_t bits) { return (uint32_t)__builtin_popcount(bits); }
SCAN_DEVICE uint32_t scan_highest_bit(uint32_t bits) { return 31 - (uint32_t)__builtin_clz(bits); }

SCAN_DEVICE uint32_t scan_reverse_bits(uint32_t bits) {
  uint32_t by;
  bits = __builtin_bswap32(bits);
  for (by = 4; by != 0; by /= 2) { /* halves of 8, 4 and 2 bits change places */
    const uint32_t low = by == 4 ? 0x0f0f0f0fu : by == 2 ? 0x33333333u : 0x55555555u;
    bits = (bits >> by & low) | (bits & low) << by;
  }
  return bits;
}

/* For nvcc's sake alone. */
SCAN_DEVICE void scan_word_settle(uint32_t *word) { (void)word; }
SCAN_DEVICE uint32_t scan_word_early(uint32_t word) { return word; }
SCAN_DEVICE void *scan_memory_early(void *memory, ptrdiff_t offset) {
  return (void *)((uintptr_t)memory + (uintptr_t)offset);
}
SCAN_DEVICE uint32_t *scan_shared_early(uint32_t *shared) { return shared; }
#define SCAN_ASSUME_(condition) ((void)0)

SCAN_DEVICE uint32_t scan_dot(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t sum = c;
  for (uint32_t i = 0; i < 32; i += 8) sum += (a >> i & 0xff) * (b >> i & 0xff);
  return sum;
}
SCAN_DEVICE uint32_t scan_multiply_add(uint32_t a, uint32_t b, uint32_t c) { return a * b + c; }
SCAN_DEVICE uint64_t scan_multiply_high(uint64_t a, uint64_t b) {
  const uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX);
  const uint64_t middle = (a >> 32) * (b & UINT32_MAX) + (low >> 32);
  const uint64_t other = (a & UINT32_MAX) * (b >> 32) + (middle & UINT32_MAX);
  return (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
}
SCAN_DEVICE uint32_t scan_funnel(uint32_t low, uint32_t high, uint32_t bits) {
  return (uint32_t)(((uint64_t)high << 32 | low) >> bits);
}

/* On a GPU that faults. */
SCAN_DEVICE void scan_host_aligned_(const void *vector) {
  if ((uintptr_t)vector % 16 != 0) scan_host_abort_(threadIdx.x, "a misaligned 16-byte access");
}
SCAN_DEVICE void scan_vector_load(uint32_t word[4], const void *from) {
  scan_host_aligned_(from);
  memcpy(word, from, 16);
}
/* Where others may write bytes that the caller has no use for: no race for ThreadSanitizer to
 * report, so it is kept out, as of the scheduler. */
SCAN_HOST_SCHEDULER_ uint32_t scan_word_load_around(const uint32_t *from) { return *from; }
SCAN_DEVICE void scan_vector_load_around(uint32_t word[4], const void *from) {
  scan_host_aligned_(from);
  for (uint32_t i = 0; i < 4; i++) word[i] = scan_word_load_around((const uint32_t *)from + i);
}
SCAN_DEVICE void scan_vector_store(void *to, const uint32_t word[4]) {
  scan_host_aligned_(to);
  memcpy(to, word, 16);
}
SCAN_DEVICE void scan_vector_bring(void *shared, const void *global, uint32_t bytes) {
  scan_host_aligned_(shared);
  scan_host_aligned_(global);
  memset(shared, 0, 16);
  memcpy(shared, global, bytes);
}
SCAN_DEVICE void scan_word_bring(uint32_t *shared, const uint32_t *global) { *shared = *global; }
SCAN_DEVICE void scan_vectors_brought(void) {}

SCAN_DEVICE void scan_bit_set(uint32_t *shared, uint32_t bit, bool multiplies) {
  (void)multiplies;
  (void)__atomic_fetch_or(&shared[bit / 32], 1u << bit % 32, __ATOMIC_RELAXED);
}
SCAN_DEVICE void scan_byte_set(uint8_t *shared) { __atomic_store_n(shared, 1, __ATOMIC_RELAXED); }

SCAN_DEVICE void scan_memory_left(const void *memory) { scan_host_release_(memory); }
SCAN_DEVICE void scan_memory_taken(const void *memory) { scan_host_acquire_(memory); }

SCAN_DEVICE uint64_t scan_word_read(const uint64_t *word) {
  return __atomic_load_n(word, __ATOMIC_RELAXED);
}
SCAN_DEVICE void scan_word_write(uint64_t *word, uint64_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELAXED);
  __atomic_fetch_add(&scan_host_worker_->launch->published, 1, __ATOMIC_RELAXED);
  scan_host_moved_(scan_host_worker_);
}
SCAN_DEVICE uint64_t scan_word_poll(uint64_t *word) { return scan_word_read(word); }
SCAN_DEVICE void scan_word_pair_read(uint64_t pair[2], const uint64_t *word) {
  pair[0] = scan_word_read(word);
  pair[1] = scan_word_read(word + 1);
}
SCAN_DEVICE void scan_word_pair_write(uint64_t *word, const uint64_t pair[2]) {
  scan_word_write(word, pair[0]);
  scan_word_write(word + 1, pair[1]);
}
SCAN_DEVICE void scan_word_prefetch(const uint64_t *word) { (void)scan_word_read(word); }
SCAN_DEVICE void scan_counter_write(uint32_t *counter, uint32_t value) {
  __atomic_store_n(counter, value, __ATOMIC_RELAXED);
}
SCAN_DEVICE uint64_t scan_counter_add(uint64_t *counter, uint64_t more) {
  return __atomic_fetch_add(counter, more, __ATOMIC_RELAXED);
}
SCAN_DEVICE uint32_t scan_counter_take_ordered(uint32_t *counter) {
  return __atomic_fetch_add(counter, 1, __ATOMIC_ACQ_REL);
}

/* Whether no word will be published any more. A worker gives up when no word was published between
   two of its calls, which lie so far apart that it has polled all that it waits for: then it cannot
   go on unless another publishes. None will when all workers have given up at one count. */
SCAN_HOST_SCHEDULER_ bool scan_host_give_up_(scan_host_worker *worker) {
  scan_host_launch *launch = worker->launch;
  const uint64_t published = __atomic_load_n(&launch->published, __ATOMIC_RELAXED);
  bool all = false;
  if (!worker->polling || worker->published != published) {
    worker->polling = true;
    worker->gave_up = worker->gave_up && worker->published == published;
    worker->published = published;
    return false;
  }
  pthread_mutex_lock(&scan_host_state_.lock);
  if (launch->given_up_at != published) {
    launch->given_up_at = published;
    launch->given_up = 0;
  }
  if (!worker->gave_up) launch->given_up++;
  worker->gave_up = true;
  /* A worker that left meanwhile may have published before. */
  all = launch->given_up == __atomic_load_n(&launch->running, __ATOMIC_ACQUIRE) &&
        published == __atomic_load_n(&launch->published, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&scan_host_state_.lock);
  return all;
}

/* Lets the other threads of the block run, and where they do nothing else for long, other workers.
 */
SCAN_HOST_SCHEDULER_ void scan_spin(void) {
  enum { long_pause = 1 << 10, hopeless = 1 << 17 };
  scan_host_worker *worker = scan_host_worker_;
  scan_host_make_ready_(worker, threadIdx.x);
  if (++worker->idle % long_pause == 0) {
    while (worker->copies_open != 0) scan_host_land_(worker, 0);
    sched_yield();
    if (worker->idle % hopeless == 0 && scan_host_give_up_(worker))
      scan_host_abort_(threadIdx.x, "waits for a word that no block will publish");
  }
  scan_host_run_next_(worker);
}
SCAN_DEVICE void scan_spin_pause(uint32_t nanoseconds) {
  (void)nanoseconds;
  scan_spin();
}
SCAN_DEVICE void scan_delay(uint32_t cycles) { (void)cycles; }

SCAN_DEVICE void scan_signal_initialize(scan_signal *signal) {
  signal->arrivals = signal->arrived = signal->bytes = 0;
}
SCAN_DEVICE void scan_signal_initialized(void) {}

SCAN_HOST_SCHEDULER_ void scan_signal_arrive(scan_signal *signal) {
  scan_host_release_(signal);
  if (signal->arrived != 0) scan_host_abort_(threadIdx.x, "arrives twice at a signal in one phase");
  signal->arrived = 1;
  scan_host_signal_moved_(scan_host_worker_, signal);
}
SCAN_HOST_SCHEDULER_ void scan_signal_wait(scan_signal *signal, uint32_t phase) {
  while (signal->arrivals % 2 == phase) scan_host_wait_(signal, "a signal");
  scan_host_acquire_(signal);
}
SCAN_DEVICE bool scan_signal_arrived(const scan_signal *signal, uint32_t phase) {
  return signal->arrivals % 2 != phase;
}

/* Starts a bulk copy; where too many are under way the oldest lands first. */
SCAN_HOST_SCHEDULER_ void scan_host_copy_(void *to, const void *from, uint32_t bytes,
                                          scan_signal *signal, scan_host_thread *owner) {
  scan_host_worker *worker = scan_host_worker_;
  scan_host_copy *copy;
  if (bytes != 0 && ((uintptr_t)to % 16 != 0 || (uintptr_t)from % 16 != 0 || bytes % 16 != 0))
    scan_host_abort_(threadIdx.x, "a bulk copy is not of aligned 16-byte words");
  if (worker->copies_open == scan_host_copies_most_) scan_host_land_(worker, 0);
  copy = &worker->copies[worker->copies_open++];
  copy->to = to;
  copy->from = from;
  copy->bytes = bytes;
  copy->signal = signal;
  copy->owner = owner;
}

SCAN_HOST_SCHEDULER_ void scan_host_words_ask_(void *shared, const void *global, uint32_t bytes,
                                               scan_signal *signal) {
  if (bytes == 0) return;
  signal->bytes += bytes;
  scan_host_copy_(shared, global, bytes, signal, NULL);
}
/* Brings nothing nearer, but AddressSanitizer finds out where that is no memory of the client's.
   For ThreadSanitizer it is no read: others may write there. */
SCAN_HOST_SCHEDULER_ void scan_words_prefetch(const void *global, uint32_t bytes) {
  const volatile unsigned char *from = (const volatile unsigned char *)global;
  if (bytes == 0) return;
  (void)from[0];
  (void)from[bytes - 1];
}
SCAN_DEVICE void scan_words_ask(void *shared, const void *global, uint32_t bytes, uint32_t ahead,
                                bool keep, bool arrives, scan_signal *signal, uint32_t thread,
                                uint32_t threads, uint32_t barrier) {
  (void)keep;
  (void)threads;
  (void)barrier;
  if (thread != 0) return;
  signal->bytes += bytes - ahead; /* that are asked for later */
  scan_host_words_ask_(shared, global, ahead, signal);
  if (arrives) scan_signal_arrive(signal);
}
SCAN_DEVICE void scan_words_arrive(scan_signal *signal, uint32_t thread, uint32_t threads,
                                   uint32_t barrier) {
  (void)threads;
  (void)barrier;
  scan_warp_barrier();
  if (thread == 0) scan_signal_arrive(signal);
}
SCAN_DEVICE void scan_words_ask_rest(void *shared, const void *global, uint32_t bytes,
                                     uint32_t ahead, scan_signal *signal, scan_signal *before,
                                     uint32_t phase, uint32_t thread) {
  if (thread != 0) return;
  if (before != NULL) scan_signal_wait(before, phase);
  signal->bytes -= bytes - ahead;
  scan_host_words_ask_(SCAN_AT_(shared, ahead), SCAN_AT_CONST_(global, ahead), bytes - ahead,
                       signal);
}
SCAN_DEVICE void scan_words_give_back(const void *global, uint32_t bytes, uint32_t thread,
                                      uint32_t threads) {
  (void)global;
  (void)bytes;
  (void)thread;
  (void)threads;
}
SCAN_DEVICE void scan_words_written(void) {}

SCAN_HOST_SCHEDULER_ void scan_host_words_store_(void *global, const void *shared, uint32_t bytes) {
  scan_host_thread *owner = scan_host_worker_->current;
  owner->copies_open++; /* a store of no bytes too: the count is of calls */
  scan_host_copy_(global, shared, bytes, NULL, owner);
}
SCAN_DEVICE void scan_words_store(void *global, const void *shared, uint32_t bytes, uint32_t thread,
                                  uint32_t threads, uint32_t barrier) {
  (void)threads;
  (void)barrier;
  if (thread == 0) scan_host_words_store_(global, shared, bytes);
}
/* Lands copies, oldest first, until none of the current thread's stores is under way. */
SCAN_HOST_SCHEDULER_ void scan_words_stored(void) {
  scan_host_worker *worker = scan_host_worker_;
  while (worker->current->copies_open != 0) scan_host_land_(worker, 0);
}

#endif
