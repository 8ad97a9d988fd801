/* Fibers of the host target: stacks, and the switch from one to another. */
#ifndef SCAN_TARGET_HOST_FIBER_H
#define SCAN_TARGET_HOST_FIBER_H

#include "scan/target/common.h"

#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#define SCAN_HOST_ASAN_ 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SCAN_HOST_ASAN_ 1
#endif
#endif
#ifndef SCAN_HOST_ASAN_
#define SCAN_HOST_ASAN_ 0
#endif

#if defined(__SANITIZE_THREAD__)
#define SCAN_HOST_TSAN_ 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SCAN_HOST_TSAN_ 1
#endif
#endif
#ifndef SCAN_HOST_TSAN_
#define SCAN_HOST_TSAN_ 0
#endif

/* The scheduler's own words belong to one OS thread, whichever fiber runs: ThreadSanitizer, which
   takes fibers for threads, is kept out of them, so that what it reports is a race of the kernel.
 */
#if SCAN_HOST_TSAN_
#define SCAN_HOST_SCHEDULER_ static SCAN_UNUSED_ __attribute__((noinline, no_sanitize_thread))
#else
#define SCAN_HOST_SCHEDULER_ static SCAN_UNUSED_
#endif
/* A part of the scheduler's functions that every exchange between lanes passes. */
#define SCAN_HOST_SCHEDULER_INLINE_ \
  static inline SCAN_UNUSED_ __attribute__((always_inline, no_sanitize_thread))

#if SCAN_HOST_ASAN_
void __sanitizer_start_switch_fiber(void **fake_stack_save, const void *bottom, size_t size);
void __sanitizer_finish_switch_fiber(void *fake_stack_save, const void **bottom_old,
                                     size_t *size_old);
void __sanitizer_set_death_callback(void (*callback)(void));
void __asan_poison_memory_region(void const volatile *address, size_t size);
#endif
#if SCAN_HOST_TSAN_
void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);
void __tsan_acquire(void *address);
void __tsan_release(void *address);
void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);
#endif

/* For ThreadSanitizer: what came before a release of the address is seen after an acquire of it. */
SCAN_HOST_ void scan_host_release_(const void *address) {
#if SCAN_HOST_TSAN_
  __tsan_release((void *)address);
#else
  (void)address;
#endif
}
SCAN_HOST_ void scan_host_acquire_(const void *address) {
#if SCAN_HOST_TSAN_
  __tsan_acquire((void *)address);
#else
  (void)address;
#endif
}
/* Gives memory back whose users are known to be done: no race for ThreadSanitizer. */
SCAN_HOST_ void scan_host_free_(void *memory) {
#if SCAN_HOST_TSAN_
  AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
#endif
  free(memory);
#if SCAN_HOST_TSAN_
  AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
#endif
}

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

/* Where a fiber, or the OS thread that runs fibers, stands while another runs. */
typedef struct {
#if defined(__x86_64__)
  void *stack_pointer;
#else
  ucontext_t context;
#endif
  void *stack;      /* lowest address, NULL for an OS thread */
  void *fake_stack; /* AddressSanitizer's */
  void *tsan_fiber; /* ThreadSanitizer's */
  const void *os_stack;
  size_t os_stack_bytes;
} scan_host_context;

/* A kernel takes up to 10 KiB of a stack, under AddressSanitizer 46; what a build leaves untouched
 * takes no memory. */
enum { scan_host_page_bytes_ = 4096, scan_host_stack_bytes_ = 128 << 10 };

#if defined(__x86_64__)
/* Saves the registers that a call preserves on this stack and goes on where `to` was saved. */
__attribute__((weak, naked, noinline)) void scan_host_switch_stack_(void **save SCAN_UNUSED_,
                                                                    void *to SCAN_UNUSED_);
__attribute__((weak, naked, noinline)) void scan_host_switch_stack_(void **save SCAN_UNUSED_,
                                                                    void *to SCAN_UNUSED_) {
  __asm__(
      "pushq %rbp\n\tpushq %rbx\n\tpushq %r12\n\tpushq %r13\n\tpushq %r14\n\tpushq %r15\n\t"
      "movq %rsp, (%rdi)\n\t"
      "movq %rsi, %rsp\n\t"
      "popq %r15\n\tpopq %r14\n\tpopq %r13\n\tpopq %r12\n\tpopq %rbx\n\tpopq %rbp\n\t"
      "ret");
}
#endif

#if SCAN_HOST_ASAN_
/* Tells AddressSanitizer that this context runs now; the first fiber to run learns from it where
 * the OS thread's stack is. */
SCAN_HOST_SCHEDULER_ void scan_host_arrived_(scan_host_context *here,
                                             scan_host_context *os_thread) {
  const void *bottom;
  size_t bytes;
  __sanitizer_finish_switch_fiber(here->fake_stack, &bottom, &bytes);
  if (here != os_thread && os_thread->os_stack == NULL) {
    os_thread->os_stack = bottom;
    os_thread->os_stack_bytes = bytes;
  }
}
#endif

/* Leaves `from` and goes on in `to`; returns when somebody switches back. Both belong to the worker
 * of `os_thread`. */
SCAN_HOST_SCHEDULER_ void scan_host_switch_context_(scan_host_context *from, scan_host_context *to,
                                                    scan_host_context *os_thread) {
  (void)os_thread;
#if SCAN_HOST_ASAN_
  if (to->stack != NULL)
    __sanitizer_start_switch_fiber(&from->fake_stack, to->stack, scan_host_stack_bytes_);
  else
    __sanitizer_start_switch_fiber(&from->fake_stack, to->os_stack, to->os_stack_bytes);
#endif
#if SCAN_HOST_TSAN_
  __tsan_switch_to_fiber(to->tsan_fiber, 1);
#endif
#if defined(__x86_64__)
  scan_host_switch_stack_(&from->stack_pointer, to->stack_pointer);
#else
  swapcontext(&from->context, &to->context);
#endif
#if SCAN_HOST_ASAN_
  scan_host_arrived_(from, os_thread);
#endif
}

/* Makes a fiber that will start in `enter`, which never returns. False: no memory. */
SCAN_HOST_SCHEDULER_ bool scan_host_context_create_(scan_host_context *context,
                                                    void (*enter)(void)) {
  memset(context, 0, sizeof *context);
  context->stack = aligned_alloc(scan_host_page_bytes_, scan_host_stack_bytes_);
  if (context->stack == NULL) return false;
#if !SCAN_HOST_ASAN_ /* overflowing the stack faults instead of spoiling a neighbour; the leak \
                        checker wants to read it all */
  mprotect(context->stack, scan_host_page_bytes_, PROT_NONE);
#endif
#if SCAN_HOST_TSAN_
  context->tsan_fiber = __tsan_create_fiber(0);
#endif
#if defined(__x86_64__)
  {
    /* Six registers, the address that `ret` takes, and one word so that `enter` finds the stack as
     * after a call. */
    void **top = (void **)SCAN_AT_(context->stack, scan_host_stack_bytes_ - 64);
    memset(top, 0, 64);
    memcpy(&top[6], &enter, sizeof enter);
    context->stack_pointer = top;
  }
#else
  getcontext(&context->context);
  context->context.uc_stack.ss_sp = SCAN_AT_(context->stack, scan_host_page_bytes_);
  context->context.uc_stack.ss_size = scan_host_stack_bytes_ - scan_host_page_bytes_;
  makecontext(&context->context, enter, 0);
#endif
  return true;
}

#endif
