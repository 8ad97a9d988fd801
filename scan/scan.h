/* Prefix scans for any element type and any associative operator, stamped by one macro; the only
   header a client includes.

     #include "scan/scan.h"

     SCAN_OPERATOR float add(float earlier, float later) { return earlier + later; }
     SCAN_DEFINE(float, add, 0.0f)

     scan_workspace *workspace;
     scan_workspace_create(&workspace, scan_float_add_workspace_bytes(n), stream);
     scan_float_add_inclusive(workspace, in, out, n, stream);
     scan_workspace_destroy(workspace);

   Compiled by `nvcc -I<root> client.cu`, or where there is no CUDA by
   `gcc -std=c11 -x c -I<root> client.cu -pthread`.


   Device-wide: called from the host, asynchronous on the stream; every pointer is to device memory
   ------------------------------------------------------------------------------------------------
     size_t      <name>_workspace_bytes(size_t n);
     cudaError_t <name>_inclusive(scan_workspace *, const T *in, T *out, size_t n, cudaStream_t);
     cudaError_t <name>_exclusive(scan_workspace *, const T *in, T *out, size_t n, cudaStream_t);
     cudaError_t <name>_reduce   (scan_workspace *, const T *in, T *out, size_t n, cudaStream_t);
     cudaError_t <name>_run      (scan_workspace *, const T *in, T *out, size_t n,
                                  <name>_options, cudaStream_t);

     typedef struct { int exclusive; int reverse; const T *seed; T *total; } <name>_options;
     <name>_options <name>_options_default(void);   all zero: the plain inclusive scan

   With ∘ the operator, its operands always in index order:
     inclusive      out[i] = seed ∘ in[0] ∘ … ∘ in[i]
     exclusive      the same up to in[i-1]; out[0] = seed, or the identity without one
     reverse        out[i] = in[i] ∘ … ∘ in[n-1] ∘ seed; exclusive: from in[i+1] on, and
                    out[n-1] = seed, or the identity
     total          all elements with the seed, for an exclusive scan too
     reduce         out[0] = all elements: the bits of the total of a forward scan (a reverse one
                    joins them from the other end)
   n = 0 is allowed, with NULL arrays: total and reduce are then the seed, or the identity.
   in == out is allowed but in reduce, and so is seed == total.

   A workspace serves any stamped scan, one stream at a time; it needs what the largest of its scans
   asks for. A captured scan is one kernel node, which may be replayed.

   On sm_90 a scan is launched by programmatic dependent launch: its blocks start while the kernel
   before it on the stream ends, and wait for that one before they read or write the client's
   memory; until then they at most bring input nearer, into the second cache. If you launch a
   kernel of your own that way, it must call cudaGridDependencySynchronize, whether it comes before
   or after a scan: later work on the stream relies on that.

   What is returned; nothing is launched or written then:
     cudaErrorInvalidValue           NULL workspace or array (n > 0), NULL out of a reduce; n too
                                     large (its bytes beyond SIZE_MAX, or 2^31 tiles); in and out
                                     share memory in part, or of a reduce at all; seed or total lies
                                     in out, or total in in; seed and total share memory in part
     cudaErrorMisalignedAddress      a pointer that is not aligned as T is
     cudaErrorInvalidDevice          the workspace was made on another device than the current one
     cudaErrorLaunchOutOfResources   the workspace is smaller than <name>_workspace_bytes(n), or the
                                     device grants a block too little shared memory
     what the runtime answers        cudaErrorNoKernelImageForDevice, say: not compiled for it

   The operator is called as op(earlier, later) on elements of the input, the seed and what it made
   of them, and on nothing else: no identity, no padding. It need not commute, nor be defined for
   elements that are not neighbours. How operands are associated depends on n, the size of T and the
   kind of scan alone: a float scan gives the same bits every time and everywhere.


   Segmented, by SCAN_DEFINE_SEGMENTED: each segment is scanned by itself
   ------------------------------------------------------------------------------------------------
     size_t      <name>_segmented_workspace_bytes(size_t n);
     cudaError_t <name>_segmented_inclusive(scan_workspace *, const T *in, scan_segments, T *out,
                                            size_t n, cudaStream_t);      and _exclusive
     cudaError_t <name>_segmented_run      (…, size_t n, <name>_segmented_options, cudaStream_t);
     cudaError_t <name>_segmented_reduce   (scan_workspace *, const T *in, scan_segments, T *out,
                                            size_t n, cudaStream_t);

     scan_segments scan_segments_from_flags(const uint8_t *), _from_flags32(const uint32_t *),
                   _from_bits(const uint32_t *), _from_offsets(const uint32_t *, size_t count),
                   _from_offsets64(const uint64_t *, size_t count), _regular(size_t length)

   The encodings are described in scan/segments.h; the same segments give the same bits, however
   they are told. Every segment begins with the seed, or an exclusive one with the seed or the
   identity; a reverse scan runs each segment from its end. total must be NULL. reduce leaves one
   value a segment in out, of an empty segment the identity; it wants offsets or a regular length.
   Beside what is said above, these return
     cudaErrorInvalidValue           segments that were not made by the functions above; a length of
                                     0; no segments, or NULL, but elements; reduce of flags or bits;
                                     offsets of 32 bits and n beyond what they hold; out shares
                                     memory with the segments' or, of a reduce, with in
     cudaErrorMisalignedAddress      flags or offsets that are not aligned as their type is
   Offsets that do not ascend from 0 to n are not found out: results mean nothing then, but every
   access stays in the arrays.


   Fused, by SCAN_DEFINE_FUSED: what stands before the scan and after it, in the same pass
   ------------------------------------------------------------------------------------------------
   The functions of the first table, but with const In *in and, except in reduce, Out *out; seed,
   total and the result of reduce are of type T. With x[i] = load(in[i], i), and s[i] what the table
   above gives for x: out[i] = store(s[i], in[i], i); total and reduce are never stored. load is
   called at least once for every element of the input and for nothing else, and gives the same each
   time it is called with the same; store is called once for every element, in any order, and not
   by reduce. Each pointer must be aligned as its own type is (In, T or Out), and each array holds n
   of that type. in == out is allowed if In and Out have one size, else it is
   cudaErrorInvalidValue. The widest of the three types takes the place of T where the association
   of operands, the workspace or the largest n are spoken of.


   In device code: called by every lane of a warp, or every thread of a one-dimensional block of
   whole warps
   ------------------------------------------------------------------------------------------------
     T    <name>_warp_{inclusive,exclusive,reduce}(T x);
     T    <name>_block_{inclusive,exclusive,reduce}(T x, <name>_block_scratch *scratch);
     void <name>_block_{inclusive,exclusive}_items(T *items, int count,
                                                   <name>_block_scratch *scratch);
     T    <name>_warp_segmented_inclusive(T x, int head);
     T    <name>_block_segmented_inclusive(T x, int head, <name>_block_segmented_scratch *scratch);

   reduce gives its result to every thread. Thread t holds items t·count to t·count + count - 1, in
   registers if count is a constant; count is the same in all threads. A head that is not 0 starts a
   segment, and the first thread does. scratch is in shared memory, aligned as its type is; the
   functions meet at a barrier once it is read, so that it is free again at once. In kernels that
   fill a multiprocessor the block scans of SCAN_DEFINE_BLOCK_WITH(name, raking, …) are mostly
   faster (strategies/strategies.h). */
#ifndef SCAN_SCAN_H
#define SCAN_SCAN_H

#define SCAN_VERSION 100 /* major * 10000 + minor * 100 + patch */
#define SCAN_VERSION_STRING "0.1.0"

/* At some levels of optimisation gcc warns of words that a lane reads only where it has written
   them. */
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include "scan/operators.h"
#include "scan/segmented.h"
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#pragma GCC diagnostic pop
#endif

/* SCAN_DEFINE(T, op, identity): the family scan_<T>_<op>_…, private to this translation unit, once
   in it. T: trivially copyable, 1 to 64 bytes, and, as C's types are, made without arguments and
   assigned to (no const members). op: T op(T earlier, T later), a SCAN_OPERATOR, associative; what
   it returns may be wider than T, but not narrower. identity: an initializer of T, any expression
   or {…}; it is what an exclusive scan begins with and what an empty input reduces to. */
#define SCAN_DEFINE(T, op, ...) SCAN_DEFINE_AS(scan_##T##_##op, T, op, __VA_ARGS__)

/* The same under a name of the client's choice, which types of several words need: of unsigned long
   the above would make scan_unsigned and then fail. Names that begin with scan_ or SCAN_ or end in
   _ are the library's. */
#define SCAN_DEFINE_AS(name, T, op, ...)               \
  SCAN_CHECK_("SCAN_DEFINE", name, T, op, __VA_ARGS__) \
  SCAN_STAMP_TYPES_(name, T)                           \
  SCAN_STAMP_OPERATOR_(name, T, op, __VA_ARGS__)       \
  SCAN_STAMP_LEVELS_(name, T)                          \
  SCAN_STAMP_KERNELS_(name, T, false)                  \
  SCAN_STAMP_CALLS_(static SCAN_UNUSED_, name, T, T, T)

/* SCAN_DEFINE_FUSED(name, In, T, Out, load, op, store, identity): the family <name>_… of a scan
   over T whose input is T load(In element, size_t index) and whose output is Out store(T scanned,
   In element, size_t index), both SCAN_OPERATORs: what stands before the scan and after it, without
   an array in between. */
#define SCAN_DEFINE_FUSED(name, In, T, Out, load, op, store, ...) \
  SCAN_CHECK_("SCAN_DEFINE_FUSED", name, T, op, __VA_ARGS__)      \
  SCAN_CHECK_FUSED_(In, Out, load, store)                         \
  SCAN_STAMP_TYPES_(name, T)                                      \
  SCAN_STAMP_OPERATOR_(name, T, op, __VA_ARGS__)                  \
  SCAN_STAMP_ROUTE_(name, In, T, Out, load, store)                \
  SCAN_STAMP_FUSED_KERNELS_(name, In, T, Out)                     \
  SCAN_STAMP_CALLS_(static SCAN_UNUSED_, name, In, T, Out)
/* The name is the client's as it is; so that every macro has its _AS. */
#define SCAN_DEFINE_FUSED_AS SCAN_DEFINE_FUSED

/* SCAN_DEFINE_SEGMENTED(T, op, identity): the family scan_<T>_<op>_segmented_… and the warp and
   block scans with a head flag a thread. Beside SCAN_DEFINE of the same or without it. */
#define SCAN_DEFINE_SEGMENTED(T, op, ...) \
  SCAN_DEFINE_SEGMENTED_AS(scan_##T##_##op, T, op, __VA_ARGS__)
#define SCAN_DEFINE_SEGMENTED_AS(name, T, op, ...)                           \
  SCAN_CHECK_("SCAN_DEFINE_SEGMENTED", name##_segmented, T, op, __VA_ARGS__) \
  SCAN_STAMP_TYPES_(name##_segmented, T)                                     \
  SCAN_STAMP_OPERATOR_(name##_segmented, T, op, __VA_ARGS__)                 \
  SCAN_STAMP_SEGMENTED_LEVELS_(name, T)                                      \
  SCAN_STAMP_KERNELS_(name##_segmented, T, true)                             \
  SCAN_STAMP_SEGMENTED_CALLS_(name##_segmented, T)

/* SCAN_DEFINE_LIFTED(T, op, identity): the type scan_<T>_<op>_lifted { T value; uint32_t head; }, T
   up to 56 bytes, and the plain family scan_<T>_<op>_lifted_… over it, whose operator starts again
   at every element with a head that is not 0. After Schwartz 1980; Blelloch 1990. The identity has
   no head. For forward scans: what a reverse one gives begins at the last head of all. */
#define SCAN_DEFINE_LIFTED(T, op, ...) SCAN_DEFINE_LIFTED_AS(scan_##T##_##op, T, op, __VA_ARGS__)
#define SCAN_DEFINE_LIFTED_AS(name, T, op, ...)     \
  SCAN_CHECK_LIFTED_("SCAN_DEFINE_LIFTED", T)       \
  SCAN_CHECK_OPERATOR_("SCAN_DEFINE_LIFTED", T, op) \
  SCAN_STAMP_LIFTED_(name, T, op, __VA_ARGS__)      \
  SCAN_DEFINE_AS(name##_lifted, name##_lifted, name##_lift_, name##_lifted_start_())

/* SCAN_DECLARE(T, op) in a header: the types and prototypes of the plain family scan_<T>_<op>_…
   that a C11 file can include and call; beside a .cu file that nvcc compiles the C file is compiled
   with -DSCAN_TARGET_CUDA. It comes first and owns the types. SCAN_DEFINE_EXTERN(T, op, identity)
   in one .cu file that includes it: their definition. */
#define SCAN_DECLARE(T, op) SCAN_DECLARE_AS(scan_##T##_##op, T, op)
#define SCAN_DECLARE_AS(name, T, op)                                \
  SCAN_STAMP_TYPES_(name, T)                                        \
  SCAN_STAMP_PROTOTYPES_(name, T)                                   \
  enum { name##_needs_SCAN_DECLARE_before_SCAN_DEFINE_EXTERN = 1 }; \
  SCAN_TARGET_DECLARED_(name)
#define SCAN_DEFINE_EXTERN(T, op, ...) SCAN_DEFINE_EXTERN_AS(scan_##T##_##op, T, op, __VA_ARGS__)
#define SCAN_DEFINE_EXTERN_AS(name, T, op, ...)                                         \
  SCAN_STATIC_ASSERT_(name##_needs_SCAN_DECLARE_before_SCAN_DEFINE_EXTERN, "declared"); \
  SCAN_CHECK_("SCAN_DEFINE_EXTERN", name, T, op, __VA_ARGS__)                           \
  SCAN_STAMP_OPERATOR_(name, T, op, __VA_ARGS__)                                        \
  SCAN_STAMP_LEVELS_(name, T)                                                           \
  SCAN_STAMP_KERNELS_(name, T, false)                                                   \
  SCAN_TARGET_DEFINED_(name)                                                            \
  SCAN_STAMP_CALLS_(SCAN_EXTERN_, name, T, T, T)

/* ---- what the macros above are made of: each binds T, op and identity and forwards to the
 * functions that do the work */

/* Misuse, in one line each, before anything else can go wrong. */
#ifdef __cplusplus
#define SCAN_IS_COPYABLE_(T) __is_trivially_copyable(T)
#define SCAN_IS_OPERATOR_(T, op) (SCAN_RESULT_BYTES_(T, op) != 0)
#else
#define SCAN_IS_COPYABLE_(T) 1
#define SCAN_IS_OPERATOR_(T, op) (sizeof(&op) != 0)
#endif
/* Of what op returns; it is not called. */
#define SCAN_RESULT_BYTES_(T, op) sizeof(op(*(T const *)0, *(T const *)0))
#define SCAN_CHECK_OPERATOR_(macro, T, op)                                            \
  SCAN_STATIC_ASSERT_(SCAN_IS_OPERATOR_(T, op), macro ": " #op " is not a function"); \
  SCAN_STATIC_ASSERT_(SCAN_RESULT_BYTES_(T, op) >= sizeof(T),                         \
                      macro ": what " #op " returns is narrower than " #T);
#define SCAN_CHECK_(macro, name, T, op, ...)                                  \
  struct name##_is_defined_twice_in_this_unit {                               \
    int once;                                                                 \
  };                                                                          \
  SCAN_CHECK_OPERATOR_(macro, T, op)                                          \
  SCAN_STATIC_ASSERT_(sizeof(#__VA_ARGS__) > 1,                               \
                      macro ": the identity is missing (its last argument)"); \
  SCAN_CHECK_TYPE_(macro, T)

#define SCAN_CHECK_TYPE_(macro, T)                                        \
  SCAN_STATIC_ASSERT_(sizeof(T) != 0, macro ": " #T " has no bytes");     \
  SCAN_STATIC_ASSERT_(sizeof(T) <= SCAN_ELEMENT_BYTES_MOST,               \
                      macro ": " #T " is wider than 64 bytes");           \
  SCAN_STATIC_ASSERT_(sizeof(T) % SCAN_ALIGNMENT_(T) == 0,                \
                      macro ": " #T " is aligned to more than its size"); \
  SCAN_STATIC_ASSERT_(SCAN_IS_COPYABLE_(T), macro ": " #T " is not trivially copyable");

#define SCAN_CHECK_FUSED_(In, Out, load, store)                                                \
  SCAN_STATIC_ASSERT_(sizeof(&load) != 0, "SCAN_DEFINE_FUSED: " #load " is not a function");   \
  SCAN_STATIC_ASSERT_(sizeof(&store) != 0, "SCAN_DEFINE_FUSED: " #store " is not a function"); \
  SCAN_CHECK_TYPE_("SCAN_DEFINE_FUSED", In)                                                    \
  SCAN_CHECK_TYPE_("SCAN_DEFINE_FUSED", Out)

#define SCAN_STAMP_TYPES_(name, T)                         \
  typedef struct {                                         \
    int exclusive;                                         \
    int reverse;                                           \
    T const *seed;                                         \
    T *total;                                              \
  } name##_options;                                        \
  SCAN_HOST_ name##_options name##_options_default(void) { \
    name##_options options_;                               \
    memset(&options_, 0, sizeof options_);                 \
    return options_;                                       \
  }

/* The lifted type, operator and identity, and whether there is room for a head. */
#define SCAN_LIFTED_BYTES_MOST_ 56
#define SCAN_CHECK_LIFTED_(macro, T)                        \
  SCAN_STATIC_ASSERT_(sizeof(T) <= SCAN_LIFTED_BYTES_MOST_, \
                      macro ": " #T " is wider than 56 bytes");
#define SCAN_STAMP_LIFTED_(name, T, op, ...)                                               \
  typedef struct {                                                                         \
    T value;                                                                               \
    uint32_t head;                                                                         \
  } name##_lifted;                                                                         \
  SCAN_OPERATOR name##_lifted name##_lift_(name##_lifted earlier_, name##_lifted later_) { \
    if (later_.head == 0) {                                                                \
      later_.value = op(earlier_.value, later_.value);                                     \
      later_.head = earlier_.head;                                                         \
    }                                                                                      \
    return later_;                                                                         \
  }                                                                                        \
  SCAN_OPERATOR name##_lifted name##_lifted_start_(void) {                                 \
    T const value_ = __VA_ARGS__;                                                          \
    name##_lifted identity_;                                                               \
    identity_.value = value_;                                                              \
    identity_.head = 0;                                                                    \
    return identity_;                                                                      \
  }

/* The operator over elements, and the identity as one; SCAN_BIND_: what is bound of them. */
#define SCAN_LAID_OUT_(T) (uint32_t)sizeof(T), (uint32_t)SCAN_ALIGNMENT_(T)
#define SCAN_BIND_OPERATOR_(name, T, reverse, segmented) \
  name##_combine_, SCAN_LAID_OUT_(T), reverse, segmented
#define SCAN_BIND_(name, T, reverse, segmented) \
  SCAN_BIND_OPERATOR_(name, T, reverse, segmented), SCAN_UNFUSED_(T)
#define SCAN_UNFUSED_(T) SCAN_LAID_OUT_(T), SCAN_LAID_OUT_(T), (uint32_t)sizeof(T), NULL, NULL
#define SCAN_BIND_FUSED_(name, In, T, Out, reverse)                                      \
  SCAN_BIND_OPERATOR_(name, T, reverse, false), SCAN_LAID_OUT_(In), SCAN_LAID_OUT_(Out), \
      (uint32_t)name##_widest_, name##_load_, name##_store_
#define SCAN_STAMP_OPERATOR_(name, T, op, ...)                                                \
  SCAN_DEVICE T name##_value_(const scan_element *element_) {                                 \
    T value_;                                                                                 \
    memcpy((void *)&value_, element_, sizeof(T));                                             \
    return value_;                                                                            \
  }                                                                                           \
  SCAN_DEVICE void name##_element_(scan_element *element_, T value_) {                        \
    element_->word[(sizeof(T) - 1) / 4] = 0;                                                  \
    memcpy(element_, (const void *)&value_, sizeof(T));                                       \
  }                                                                                           \
  SCAN_DEVICE_POINTED_ void name##_combine_(scan_element *out_, const scan_element *earlier_, \
                                            const scan_element *later_) {                     \
    name##_element_(out_, op(name##_value_(earlier_), name##_value_(later_)));                \
  }                                                                                           \
  SCAN_DEVICE void name##_identity_(scan_element *out_) {                                     \
    T identity_ = __VA_ARGS__;                                                                \
    name##_element_(out_, identity_);                                                         \
  }

/* load and store over elements. */
#define SCAN_STAMP_ROUTE_(name, In, T, Out, load, store)                                    \
  SCAN_DEVICE void name##_load_(scan_element *x_, const scan_element *in_, size_t index_) { \
    In came_;                                                                               \
    memcpy((void *)&came_, in_, sizeof(In));                                                \
    name##_element_(x_, load(came_, index_));                                               \
  }                                                                                         \
  SCAN_DEVICE void name##_store_(scan_element *out_, const scan_element *scanned_,          \
                                 const scan_element *in_, size_t index_) {                  \
    In came_;                                                                               \
    Out given_;                                                                             \
    memcpy((void *)&came_, in_, sizeof(In));                                                \
    given_ = store(name##_value_(scanned_), came_, index_);                                 \
    out_->word[(sizeof(Out) - 1) / 4] = 0;                                                  \
    memcpy(out_, (const void *)&given_, sizeof(Out));                                       \
  }

/* What is bound comes last. The bound of threads has a name, since a compiler's messages repeat it.
 */
#define SCAN_STAMP_BOUND_(name, widest, segmented)                              \
  enum {                                                                        \
    name##_widest_ = widest,                                                    \
    name##_threads_most_ = SCAN_KERNEL_THREADS_MOST_(name##_widest_, segmented) \
  };
#define SCAN_STAMP_KERNEL_(name, direction, ...)                                     \
  SCAN_KERNEL_BOUNDED_(name##_threads_most_, name##_##direction, scan_call, call_) { \
    scan_element identity_;                                                          \
    name##_identity_(&identity_);                                                    \
    scan_tiles(&call_, &identity_, __VA_ARGS__);                                     \
  }
#define SCAN_STAMP_FAMILY_(name, In, T, Out, segmented, fused)        \
  SCAN_HOST_ scan_family name##_family_(void) {                       \
    const scan_family family_ = {name##_forward_kernel_(),            \
                                 name##_reverse_kernel_(),            \
                                 scan_layout_of(SCAN_LAID_OUT_(In)),  \
                                 scan_layout_of(SCAN_LAID_OUT_(T)),   \
                                 scan_layout_of(SCAN_LAID_OUT_(Out)), \
                                 segmented,                           \
                                 fused};                              \
    return family_;                                                   \
  }
#define SCAN_STAMP_KERNELS_(name, T, segmented)                            \
  SCAN_STAMP_BOUND_(name, sizeof(T), segmented)                            \
  SCAN_STAMP_KERNEL_(name, forward, SCAN_BIND_(name, T, false, segmented)) \
  SCAN_STAMP_KERNEL_(name, reverse, SCAN_BIND_(name, T, true, segmented))  \
  SCAN_STAMP_FAMILY_(name, T, T, T, segmented, false)
#define SCAN_STAMP_FUSED_KERNELS_(name, In, T, Out)                                \
  SCAN_STAMP_BOUND_(name, SCAN_WIDEST_(sizeof(In), sizeof(T), sizeof(Out)), false) \
  SCAN_STAMP_KERNEL_(name, forward, SCAN_BIND_FUSED_(name, In, T, Out, false))     \
  SCAN_STAMP_KERNEL_(name, reverse, SCAN_BIND_FUSED_(name, In, T, Out, true))      \
  SCAN_STAMP_FAMILY_(name, In, T, Out, false, true)

#define SCAN_STAMP_PROTOTYPES_(name, T)                                                          \
  SCAN_EXTERN_ size_t name##_workspace_bytes(size_t n_);                                         \
  SCAN_EXTERN_ cudaError_t name##_run(scan_workspace *workspace_, T const *in_, T *out_,         \
                                      size_t n_, name##_options options_, cudaStream_t stream_); \
  SCAN_EXTERN_ cudaError_t name##_inclusive(scan_workspace *workspace_, T const *in_, T *out_,   \
                                            size_t n_, cudaStream_t stream_);                    \
  SCAN_EXTERN_ cudaError_t name##_exclusive(scan_workspace *workspace_, T const *in_, T *out_,   \
                                            size_t n_, cudaStream_t stream_);                    \
  SCAN_EXTERN_ cudaError_t name##_reduce(scan_workspace *workspace_, T const *in_, T *out_,      \
                                         size_t n_, cudaStream_t stream_);

/* The two kinds of a scan, by <name>_run. */
#define SCAN_STAMP_KINDS_(linkage, name, In, Out)                                            \
  linkage cudaError_t name##_inclusive(scan_workspace *workspace_, In const *in_, Out *out_, \
                                       size_t n_, cudaStream_t stream_) {                    \
    return name##_run(workspace_, in_, out_, n_, name##_options_default(), stream_);         \
  }                                                                                          \
  linkage cudaError_t name##_exclusive(scan_workspace *workspace_, In const *in_, Out *out_, \
                                       size_t n_, cudaStream_t stream_) {                    \
    name##_options options_ = name##_options_default();                                      \
    options_.exclusive = 1;                                                                  \
    return name##_run(workspace_, in_, out_, n_, options_, stream_);                         \
  }

#define SCAN_STAMP_CALLS_(linkage, name, In, T, Out)                                               \
  linkage size_t name##_workspace_bytes(size_t n_) {                                               \
    return scan_device_workspace_bytes(SCAN_WIDEST_(sizeof(In), sizeof(T), sizeof(Out)), n_);      \
  }                                                                                                \
  linkage cudaError_t name##_run(scan_workspace *workspace_, In const *in_, Out *out_, size_t n_,  \
                                 name##_options options_, cudaStream_t stream_) {                  \
    const scan_family family_ = name##_family_();                                                  \
    return scan_device_scan(&family_, workspace_, in_, out_, n_, options_.exclusive,               \
                            options_.reverse, options_.seed, options_.total, stream_);             \
  }                                                                                                \
  SCAN_STAMP_KINDS_(linkage, name, In, Out)                                                        \
  linkage cudaError_t name##_reduce(scan_workspace *workspace_, In const *in_, T *out_, size_t n_, \
                                    cudaStream_t stream_) {                                        \
    const scan_family family_ = name##_family_();                                                  \
    return scan_device_reduce(&family_, workspace_, in_, out_, n_, stream_);                       \
  }

#define SCAN_STAMP_SEGMENTED_KINDS_(name, T)                                                    \
  SCAN_HOST_ cudaError_t name##_inclusive(scan_workspace *workspace_, T const *in_,             \
                                          scan_segments segments_, T *out_, size_t n_,          \
                                          cudaStream_t stream_) {                               \
    return name##_run(workspace_, in_, segments_, out_, n_, name##_options_default(), stream_); \
  }                                                                                             \
  SCAN_HOST_ cudaError_t name##_exclusive(scan_workspace *workspace_, T const *in_,             \
                                          scan_segments segments_, T *out_, size_t n_,          \
                                          cudaStream_t stream_) {                               \
    name##_options options_ = name##_options_default();                                         \
    options_.exclusive = 1;                                                                     \
    return name##_run(workspace_, in_, segments_, out_, n_, options_, stream_);                 \
  }

#define SCAN_STAMP_SEGMENTED_CALLS_(name, T)                                                      \
  SCAN_HOST_ size_t name##_workspace_bytes(size_t n_) {                                           \
    return scan_device_workspace_bytes(sizeof(T), n_);                                            \
  }                                                                                               \
  SCAN_HOST_ cudaError_t name##_run(scan_workspace *workspace_, T const *in_,                     \
                                    scan_segments segments_, T *out_, size_t n_,                  \
                                    name##_options options_, cudaStream_t stream_) {              \
    const scan_family family_ = name##_family_();                                                 \
    return scan_segmented_run(&family_, workspace_, in_, segments_, out_, n_, options_.exclusive, \
                              options_.reverse, options_.seed, options_.total, false, stream_);   \
  }                                                                                               \
  SCAN_STAMP_SEGMENTED_KINDS_(name, T)                                                            \
  SCAN_HOST_ cudaError_t name##_reduce(scan_workspace *workspace_, T const *in_,                  \
                                       scan_segments segments_, T *out_, size_t n_,               \
                                       cudaStream_t stream_) {                                    \
    const scan_family family_ = name##_family_();                                                 \
    return scan_segmented_run(&family_, workspace_, in_, segments_, out_, n_, 0, 0, NULL, NULL,   \
                              true, stream_);                                                     \
  }

#define SCAN_STAMP_SEGMENTED_LEVELS_(name, T)                                                   \
  typedef struct {                                                                              \
    SCAN_ALIGNED_(16) uint32_t totals[SCAN_BLOCK_TOTALS_WORDS_(sizeof(T), true)];               \
  } name##_block_segmented_scratch;                                                             \
  SCAN_DEVICE T name##_warp_segmented_inclusive(T x_, int head_) {                              \
    scan_element element_;                                                                      \
    name##_segmented_element_(&element_, x_);                                                   \
    scan_warp_scan(&element_,                                                                   \
                   scan_starts(head_ != 0, SCAN_BIND_(name##_segmented, T, false, true)), true, \
                   SCAN_BIND_(name##_segmented, T, false, true));                               \
    return name##_segmented_value_(&element_);                                                  \
  }                                                                                             \
  SCAN_DEVICE T name##_block_segmented_inclusive(T x_, int head_,                               \
                                                 name##_block_segmented_scratch *scratch_) {    \
    scan_element element_, before_;                                                             \
    bool any_;                                                                                  \
    name##_segmented_element_(&element_, x_);                                                   \
    scan_block_scan(&element_, head_ != 0, &before_, false, &any_, scratch_->totals,            \
                    SCAN_BIND_(name##_segmented, T, false, true));                              \
    return name##_segmented_value_(&element_);                                                  \
  }

/* The warp and the block level. */
#define SCAN_STAMP_LEVELS_(name, T) \
  SCAN_STAMP_WARP_LEVEL_(name, T)   \
  SCAN_STAMP_BLOCK_LEVEL_(name, T)
#define SCAN_STAMP_WARP_LEVEL_(name, T)                                                         \
  SCAN_DEVICE T name##_warp_inclusive(T x_) {                                                   \
    scan_element element_;                                                                      \
    name##_element_(&element_, x_);                                                             \
    scan_warp_scan_whole(&element_, 0, SCAN_BIND_(name, T, false, false));                      \
    return name##_value_(&element_);                                                            \
  }                                                                                             \
  SCAN_DEVICE T name##_warp_exclusive(T x_) {                                                   \
    scan_element element_;                                                                      \
    name##_element_(&element_, x_);                                                             \
    scan_warp_scan_whole(&element_, 0, SCAN_BIND_(name, T, false, false));                      \
    scan_warp_shift(&element_, SCAN_BIND_(name, T, false, false));                              \
    if (scan_lane() == 0) name##_identity_(&element_);                                          \
    return name##_value_(&element_);                                                            \
  }                                                                                             \
  SCAN_DEVICE T name##_warp_reduce(T x_) {                                                      \
    scan_element element_;                                                                      \
    name##_element_(&element_, x_);                                                             \
    scan_warp_fold_whole(&element_, SCAN_BIND_(name, T, false, false));                         \
    scan_shuffle_from(element_.word, scan_element_words(SCAN_BIND_(name, T, false, false)), 0); \
    return name##_value_(&element_);                                                            \
  }
#define SCAN_STAMP_BLOCK_LEVEL_(name, T)                                             \
  typedef struct {                                                                   \
    SCAN_ALIGNED_(16) uint32_t totals[SCAN_BLOCK_TOTALS_WORDS_(sizeof(T), false)];   \
  } name##_block_scratch;                                                            \
  SCAN_DEVICE void name##_block_inclusive_items(T *items_, int count_,               \
                                                name##_block_scratch *scratch_) {    \
    scan_block_items(items_, (uint32_t)count_, false, NULL, scratch_->totals,        \
                     SCAN_BIND_(name, T, false, false));                             \
  }                                                                                  \
  SCAN_DEVICE void name##_block_exclusive_items(T *items_, int count_,               \
                                                name##_block_scratch *scratch_) {    \
    scan_element identity_;                                                          \
    name##_identity_(&identity_);                                                    \
    scan_block_items(items_, (uint32_t)count_, true, &identity_, scratch_->totals,   \
                     SCAN_BIND_(name, T, false, false));                             \
  }                                                                                  \
  SCAN_DEVICE T name##_block_inclusive(T x_, name##_block_scratch *scratch_) {       \
    name##_block_inclusive_items(&x_, 1, scratch_);                                  \
    return x_;                                                                       \
  }                                                                                  \
  SCAN_DEVICE T name##_block_exclusive(T x_, name##_block_scratch *scratch_) {       \
    name##_block_exclusive_items(&x_, 1, scratch_);                                  \
    return x_;                                                                       \
  }                                                                                  \
  SCAN_DEVICE T name##_block_reduce(T x_, name##_block_scratch *scratch_) {          \
    scan_element element_;                                                           \
    name##_element_(&element_, x_);                                                  \
    scan_block_fold(&element_, scratch_->totals, SCAN_BIND_(name, T, false, false)); \
    return name##_value_(&element_);                                                 \
  }

#endif
