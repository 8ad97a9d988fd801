/* The other algorithms for scans: those of the textbooks and papers, side by side, each a header of
   its own in this folder, stamped for any type and associative operator. What a client includes.

     #include "scan/strategies/strategies.h"

     SCAN_OPERATOR float add(float earlier, float later) { return earlier + later; }
     SCAN_DEFINE_WITH(chained, stream_scan, brent_kung, 4, float, add, 0.0f)

     scan_workspace_create(&workspace, chained_workspace_bytes(n), stream);
     chained_inclusive(workspace, in, out, n, stream);


   SCAN_DEFINE_WITH(name, device, block, items, T, op, identity)
   ------------------------------------------------------------------------------------------------
   The device-wide functions of scan.h under <name>_…, private to this translation unit, with the
   same meaning, errors and workspaces: <name>_workspace_bytes, _inclusive, _exclusive, _reduce,
   _run, _options, _options_default. host_partials waits for the stream, so it can answer
   cudaErrorStreamCaptureUnsupported, too, and without host memory cudaErrorMemoryAllocation. Where
   a strategy is several kernels and a launch behind the first fails, the workspace is to be made
   anew.

     device   sequential, naive, hierarchical, reduce_then_scan, host_partials, stream_scan,
              decoupled_look_back, default
     block    sequential, naive, hillis_steele, kogge_stone, kogge_stone_exclusive, brent_kung,
              blelloch, blelloch_injected, three_phase, warps_then_bases,
              warps_then_bases_shared, raking; none for the device strategies sequential,
              naive and default
     items    elements a thread, a constant: 1, or the coarsening. 2 at least for three_phase,
              1 with none

   _reduce is the scan without its output: the bits of the total.

   SCAN_DEFINE_REDUCE_WITH(name, reduce, items, T, op, identity)
   ------------------------------------------------------------------------------------------------
   <name>_workspace_bytes and <name>_reduce as in scan.h, and <name>_block_reduce as below, by a
   block's tree.

     reduce   host_partials, second_kernel, last_block; atomic for an operator that has a
              SCAN_OPERATOR_ATOMIC_… (reduce_atomic.h)

   SCAN_DEFINE_BLOCK_WITH(name, block, items, T, op, identity)
   ------------------------------------------------------------------------------------------------
   In device code, called by all threads of a one-dimensional block of whole warps, of
   SCAN_STRATEGY_THREADS at most:

     T    <name>_block_{inclusive,exclusive,reduce}(T x, <name>_block_scratch *scratch);
     void <name>_block_{inclusive,exclusive}_items(T *items, int count,
                                                   <name>_block_scratch *scratch);

   as in scan.h; count is `items` at most.

   SCAN_DEFINE_SEGMENTED_WITH(name, segmented, block, items, T, op, identity)
   ------------------------------------------------------------------------------------------------
   <name>_segmented_workspace_bytes, _inclusive, _exclusive, _run, _options, _options_default as in
   scan.h, of segments in any encoding. T: up to 56 bytes.

     segmented   thesis_look_back; default, with block none and items 1, which has all of
                 SCAN_DEFINE_SEGMENTED's

   SCAN_DEFINE_LIFTED_WITH(name, device, block, items, T, op, identity)
   SCAN_DEFINE_BLOCK_LIFTED_WITH(name, block, items, T, op, identity)
   ------------------------------------------------------------------------------------------------
   The type <name>_lifted { T value; uint32_t head; } of SCAN_DEFINE_LIFTED, and over it what
   SCAN_DEFINE_WITH and SCAN_DEFINE_BLOCK_WITH stamp, under <name>_lifted_…: a segmented scan by any
   of these strategies. T: up to 56 bytes.

   SCAN_STRATEGY_THREADS, 256 if it is not defined, is the size of the blocks, a multiple of 32 up
   to 1024. It is read where a macro above stands, so it may differ from one to the next. What a
   block has in shared memory must fit 48 KiB. Where scan.h speaks of 2^31 tiles, for which n is too
   large (cudaErrorInvalidValue), these have 2^31 sections of threads times items elements. What
   cannot be is a compile error; the seven promises of the library hold but for the third and the
   fifth, of which README.md has what each strategy keeps, and the first in the reduction atomic,
   whose operator must commute. */
#ifndef SCAN_STRATEGIES_STRATEGIES_H
#define SCAN_STRATEGIES_STRATEGIES_H

#include "scan/scan.h"
#include "scan/strategies/blelloch.h"
#include "scan/strategies/brent_kung.h"
#include "scan/strategies/decoupled_look_back.h"
#include "scan/strategies/device_reference.h"
#include "scan/strategies/hierarchical.h"
#include "scan/strategies/hillis_steele.h"
#include "scan/strategies/host_partials.h"
#include "scan/strategies/kogge_stone.h"
#include "scan/strategies/raking.h"
#include "scan/strategies/reduce.h"
#include "scan/strategies/reduce_atomic.h"
#include "scan/strategies/reduce_then_scan.h"
#include "scan/strategies/reference.h"
#include "scan/strategies/stream_scan.h"
#include "scan/strategies/thesis_look_back.h"
#include "scan/strategies/three_phase.h"
#include "scan/strategies/warps_then_bases.h"

#ifdef SCAN_KERNELS_

#ifndef SCAN_STRATEGY_THREADS
#define SCAN_STRATEGY_THREADS 256
#endif

#define SCAN_DEFINE_WITH(name, device, block, items, T, op, ...)                                 \
  SCAN_STRATEGY_CHOOSE_(SCAN_PROBE_(SCAN_DEVICE_STRATEGY_##device),                              \
                        SCAN_PROBE_(SCAN_BLOCK_STRATEGY_##block), #device, #block, name, device, \
                        block, items, T, op, __VA_ARGS__)

#define SCAN_DEFINE_REDUCE_WITH(name, reduce, items, T, op, ...)                                   \
  SCAN_REDUCE_CHOOSE_(SCAN_PROBE_(SCAN_REDUCE_STRATEGY_##reduce), #reduce, name, reduce, items, T, \
                      op, __VA_ARGS__)

#define SCAN_DEFINE_BLOCK_WITH(name, block, items, T, op, ...)                                    \
  SCAN_BLOCK_CHOOSE_(SCAN_PROBE_(SCAN_BLOCK_STRATEGY_##block), #block, name, block, items, T, op, \
                     __VA_ARGS__)

#define SCAN_DEFINE_LIFTED_WITH(name, device, block, items, T, op, ...)              \
  SCAN_CHECK_LIFTED_("SCAN_DEFINE_LIFTED_WITH", T)                                   \
  SCAN_CHECK_OPERATOR_("SCAN_DEFINE_LIFTED_WITH", T, op)                             \
  SCAN_STAMP_LIFTED_(name, T, op, __VA_ARGS__)                                       \
  SCAN_DEFINE_WITH(name##_lifted, device, block, items, name##_lifted, name##_lift_, \
                   name##_lifted_start_())

#define SCAN_DEFINE_BLOCK_LIFTED_WITH(name, block, items, T, op, ...)              \
  SCAN_CHECK_LIFTED_("SCAN_DEFINE_BLOCK_LIFTED_WITH", T)                           \
  SCAN_CHECK_OPERATOR_("SCAN_DEFINE_BLOCK_LIFTED_WITH", T, op)                     \
  SCAN_STAMP_LIFTED_(name, T, op, __VA_ARGS__)                                     \
  SCAN_DEFINE_BLOCK_WITH(name##_lifted, block, items, name##_lifted, name##_lift_, \
                         name##_lifted_start_())

#define SCAN_DEFINE_SEGMENTED_WITH(name, segmented, block, items, T, op, ...)                \
  SCAN_SEGMENTED_CHOOSE_(SCAN_PROBE_(SCAN_SEGMENTED_STRATEGY_##segmented),                   \
                         SCAN_PROBE_(SCAN_BLOCK_STRATEGY_##block), #segmented, #block, name, \
                         segmented, block, items, T, op, __VA_ARGS__)

/* ---- what the macros above are made of */

/* The kind of a strategy, the second of what its header defines under its name: 1, of a device
   strategy without a block strategy inside 2, of the library's own 3; 0: there is none. */
#define SCAN_PROBE_(...) SCAN_PROBE_SECOND_(__VA_ARGS__, 0, ~)
#define SCAN_PROBE_SECOND_(first, second, ...) second
#define SCAN_DEVICE_STRATEGY_default ~, 3
#define SCAN_SEGMENTED_STRATEGY_default ~, 3

#define SCAN_STRATEGY_CHOOSE_(device_kind, block_kind, ...) \
  SCAN_STRATEGY_CHOOSE_PASTED_(device_kind, block_kind, __VA_ARGS__)
#define SCAN_STRATEGY_CHOOSE_PASTED_(device_kind, block_kind, ...) \
  SCAN_STRATEGY_CHOSEN_##device_kind##block_kind(__VA_ARGS__)
#define SCAN_SEGMENTED_CHOOSE_(segmented_kind, block_kind, ...) \
  SCAN_SEGMENTED_CHOOSE_PASTED_(segmented_kind, block_kind, __VA_ARGS__)
#define SCAN_SEGMENTED_CHOOSE_PASTED_(segmented_kind, block_kind, ...) \
  SCAN_SEGMENTED_CHOSEN_##segmented_kind##block_kind(__VA_ARGS__)
#define SCAN_REDUCE_CHOOSE_(kind, ...) SCAN_REDUCE_CHOOSE_PASTED_(kind, __VA_ARGS__)
#define SCAN_REDUCE_CHOOSE_PASTED_(kind, ...) SCAN_REDUCE_CHOSEN_##kind(__VA_ARGS__)
#define SCAN_BLOCK_CHOOSE_(kind, ...) SCAN_BLOCK_CHOOSE_PASTED_(kind, __VA_ARGS__)
#define SCAN_BLOCK_CHOOSE_PASTED_(kind, ...) SCAN_BLOCK_CHOSEN_##kind(__VA_ARGS__)

/* What there is, and what there is not: one error, and so that it stays one, another strategy in
 * its place. */
#define SCAN_STRATEGY_CHOSEN_11(device_text, block_text, ...) SCAN_STRATEGY_STAMP_(__VA_ARGS__)
#define SCAN_STRATEGY_CHOSEN_22(device_text, block_text, name, device, block, items, ...) \
  SCAN_STATIC_ASSERT_((items) == 1, "SCAN_DEFINE_WITH: items is 1 for " device_text);     \
  SCAN_STRATEGY_STAMP_(name, device, block, 1, __VA_ARGS__)
#define SCAN_STRATEGY_CHOSEN_32(device_text, block_text, name, device, block, items, T, op, ...) \
  SCAN_STATIC_ASSERT_((items) == 1, "SCAN_DEFINE_WITH: items is 1 for " device_text);            \
  SCAN_CHECK_OPERATOR_("SCAN_DEFINE_WITH", T, op)                                                \
  SCAN_STRATEGY_STAMP_COUNTED_(name, T, op)                                                      \
  SCAN_DEFINE_AS(name, T, name##_op_, __VA_ARGS__)
#define SCAN_STRATEGY_REFUSED_(message, name, device, block, items, T, op, ...) \
  SCAN_STATIC_ASSERT_(0, message);                                              \
  SCAN_DEFINE_AS(name, T, op, __VA_ARGS__)
#define SCAN_STRATEGY_CHOSEN_12(device_text, block_text, ...)                                  \
  SCAN_STRATEGY_REFUSED_("SCAN_DEFINE_WITH: " device_text " needs a block strategy, not none", \
                         __VA_ARGS__)
#define SCAN_STRATEGY_CHOSEN_21(device_text, block_text, ...)             \
  SCAN_STRATEGY_REFUSED_("SCAN_DEFINE_WITH: " device_text                 \
                         " has no block strategy: none, not " block_text, \
                         __VA_ARGS__)
#define SCAN_STRATEGY_CHOSEN_31 SCAN_STRATEGY_CHOSEN_21
#define SCAN_STRATEGY_CHOSEN_01(device_text, block_text, ...)                               \
  SCAN_STRATEGY_REFUSED_("SCAN_DEFINE_WITH: no device strategy " device_text                \
                         "; there are: sequential, naive, hierarchical, reduce_then_scan, " \
                         "host_partials, stream_scan, "                                     \
                         "decoupled_look_back, default",                                    \
                         __VA_ARGS__)
#define SCAN_STRATEGY_CHOSEN_00 SCAN_STRATEGY_CHOSEN_01
#define SCAN_STRATEGY_CHOSEN_02 SCAN_STRATEGY_CHOSEN_01
#define SCAN_NO_BLOCK_STRATEGY_(macro, text)                                                  \
  macro ": no block strategy " text                                                           \
        "; there are: sequential, naive, hillis_steele, kogge_stone, kogge_stone_exclusive, " \
        "brent_kung, blelloch, blelloch_injected, three_phase, warps_then_bases, "            \
        "warps_then_bases_shared, raking"
#define SCAN_STRATEGY_CHOSEN_10(device_text, block_text, ...) \
  SCAN_STRATEGY_REFUSED_(SCAN_NO_BLOCK_STRATEGY_("SCAN_DEFINE_WITH", block_text), __VA_ARGS__)
#define SCAN_STRATEGY_CHOSEN_20 SCAN_STRATEGY_CHOSEN_10
#define SCAN_STRATEGY_CHOSEN_30 SCAN_STRATEGY_CHOSEN_10

#define SCAN_SEGMENTED_CHOSEN_11(segmented_text, block_text, name, ...) \
  SCAN_SEGMENTED_STAMP_(name##_segmented, __VA_ARGS__)
#define SCAN_SEGMENTED_CHOSEN_32(segmented_text, block_text, name, segmented, block, items, T, op, \
                                 ...)                                                              \
  SCAN_STATIC_ASSERT_((items) == 1, "SCAN_DEFINE_SEGMENTED_WITH: items is 1 for default");         \
  SCAN_CHECK_OPERATOR_("SCAN_DEFINE_SEGMENTED_WITH", T, op)                                        \
  SCAN_STRATEGY_STAMP_COUNTED_(name##_segmented, T, op)                                            \
  SCAN_DEFINE_SEGMENTED_AS(name, T, name##_segmented_op_, __VA_ARGS__)
#define SCAN_SEGMENTED_REFUSED_(message, name, segmented, block, items, ...) \
  SCAN_STATIC_ASSERT_(0, message);                                           \
  SCAN_DEFINE_SEGMENTED_AS(name, __VA_ARGS__)
#define SCAN_SEGMENTED_CHOSEN_12(segmented_text, block_text, ...)       \
  SCAN_SEGMENTED_REFUSED_("SCAN_DEFINE_SEGMENTED_WITH: " segmented_text \
                          " needs a block strategy, not none",          \
                          __VA_ARGS__)
#define SCAN_SEGMENTED_CHOSEN_31(segmented_text, block_text, ...)                         \
  SCAN_SEGMENTED_REFUSED_(                                                                \
      "SCAN_DEFINE_SEGMENTED_WITH: default has no block strategy: none, not " block_text, \
      __VA_ARGS__)
#define SCAN_SEGMENTED_CHOSEN_01(segmented_text, block_text, ...)                             \
  SCAN_SEGMENTED_REFUSED_("SCAN_DEFINE_SEGMENTED_WITH: no segmented strategy " segmented_text \
                          "; there are: thesis_look_back, default, and "                      \
                          "SCAN_DEFINE_LIFTED_WITH over any device strategy",                 \
                          __VA_ARGS__)
#define SCAN_SEGMENTED_CHOSEN_00 SCAN_SEGMENTED_CHOSEN_01
#define SCAN_SEGMENTED_CHOSEN_02 SCAN_SEGMENTED_CHOSEN_01
#define SCAN_SEGMENTED_CHOSEN_10(segmented_text, block_text, ...)                            \
  SCAN_SEGMENTED_REFUSED_(SCAN_NO_BLOCK_STRATEGY_("SCAN_DEFINE_SEGMENTED_WITH", block_text), \
                          __VA_ARGS__)
#define SCAN_SEGMENTED_CHOSEN_30 SCAN_SEGMENTED_CHOSEN_10

#define SCAN_REDUCE_CHOSEN_1(text, ...) SCAN_REDUCE_STAMP_(__VA_ARGS__)
#define SCAN_REDUCE_CHOSEN_0(text, name, reduce, ...)                                      \
  SCAN_STATIC_ASSERT_(0, "SCAN_DEFINE_REDUCE_WITH: no strategy " text                      \
                         "; there are: host_partials, second_kernel, last_block, atomic"); \
  SCAN_REDUCE_STAMP_(name, last_block, __VA_ARGS__)

#define SCAN_BLOCK_CHOSEN_1(text, ...) SCAN_BLOCK_STAMP_(__VA_ARGS__)
#define SCAN_BLOCK_CHOSEN_0(text, name, block, ...)                                \
  SCAN_STATIC_ASSERT_(0, SCAN_NO_BLOCK_STRATEGY_("SCAN_DEFINE_BLOCK_WITH", text)); \
  SCAN_BLOCK_STAMP_(name, kogge_stone, __VA_ARGS__)
#define SCAN_BLOCK_CHOSEN_2 SCAN_BLOCK_CHOSEN_0

/* Sizes, and whether they will do. A bad one is replaced, so that no other errors follow its own.
   exchanges: where a thread has several items, they need room in shared memory, too. */
#define SCAN_STRATEGY_THREADS_FIT_ \
  (SCAN_STRATEGY_THREADS >= 32 && SCAN_STRATEGY_THREADS <= 1024 && SCAN_STRATEGY_THREADS % 32 == 0)
#define SCAN_STRATEGY_STAMP_SIZES_(name, T, block, items, exchanges, more_words)                   \
  SCAN_STATIC_ASSERT_(SCAN_STRATEGY_THREADS_FIT_,                                                  \
                      "SCAN_STRATEGY_THREADS is not a multiple of 32 from 32 to 1024");            \
  SCAN_STATIC_ASSERT_((items) >= SCAN_PROBE_ITEMS_(SCAN_BLOCK_STRATEGY_##block),                   \
                      #name ": items is too small: 1 at least, 2 for three_phase");                \
  enum {                                                                                           \
    name##_items_ = (items) >= 1 ? (items) : 1,                                                    \
    name##_threads_ = SCAN_STRATEGY_THREADS_FIT_ ? SCAN_STRATEGY_THREADS : 32,                     \
    name##_slots_ = SCAN_BLOCK_SLOTS_##block(name##_threads_),                                     \
    name##_exchange_ = (exchanges) && name##_items_ > 1 ? name##_items_ * name##_threads_ : 0,     \
    name##_words_ = (int)((sizeof(T) + 3) / 4) * (name##_slots_ + name##_exchange_),               \
    name##_shared_bytes_ = (int)SCAN_STRATEGY_HEAD_BYTES + (name##_words_ + (int)(more_words)) * 4 \
  };                                                                                               \
  SCAN_STATIC_ASSERT_(name##_shared_bytes_ <= SCAN_STRATEGY_SHARED_BYTES_MOST, #name               \
                      ": SCAN_STRATEGY_THREADS and items need more than 48 KiB of shared "         \
                      "memory for " #T);
/* The third of what a block strategy's header defines: items at least, 1 if it is not given. */
#define SCAN_PROBE_ITEMS_(...) SCAN_PROBE_THIRD_(__VA_ARGS__, 1, ~)
#define SCAN_PROBE_THIRD_(first, second, third, ...) third

/* The operator, counted where calls are counted; and that one checked and over elements. macro: the
   name of the client's macro, which errors begin with. */
#define SCAN_STRATEGY_STAMP_COUNTED_(name, T, op)    \
  SCAN_OPERATOR T name##_op_(T earlier_, T later_) { \
    SCAN_COUNT_(operators, 1);                       \
    return op(earlier_, later_);                     \
  }
#define SCAN_STRATEGY_STAMP_OPERATOR_(macro, name, T, op, ...) \
  SCAN_CHECK_(macro, name, T, op, __VA_ARGS__)                 \
  SCAN_STRATEGY_STAMP_COUNTED_(name, T, op)                    \
  SCAN_STAMP_OPERATOR_(name, T, name##_op_, __VA_ARGS__)

/* Block level. A strategy that needs two items a thread at least keeps them in shared memory, and
   its scratch has room for them. */
#define SCAN_BLOCK_STAMP_(name, block, items, T, op, ...)                                        \
  SCAN_STRATEGY_STAMP_OPERATOR_("SCAN_DEFINE_BLOCK_WITH", name, T, op, __VA_ARGS__)              \
  SCAN_STRATEGY_STAMP_SIZES_(name, T, block, items,                                              \
                             SCAN_PROBE_ITEMS_(SCAN_BLOCK_STRATEGY_##block) > 1, 0)              \
  typedef struct {                                                                               \
    SCAN_ALIGNED_(16) uint32_t words[name##_words_];                                             \
  } name##_block_scratch;                                                                        \
  SCAN_DEVICE void name##_block_items_(T *own_, int count_, bool exclusive_,                     \
                                       name##_block_scratch *scratch_) {                         \
    scan_element identity_;                                                                      \
    name##_identity_(&identity_);                                                                \
    scan_items_scan(                                                                             \
        SCAN_BLOCK_IS_##block, own_, exclusive_, &identity_, scratch_->words,                    \
        scratch_->words + name##_slots_ * scan_element_words(SCAN_BIND_(name, T, false, false)), \
        SCAN_BLOCK_BY_##block, name##_threads_, (uint32_t)count_,                                \
        SCAN_BIND_(name, T, false, false));                                                      \
  }                                                                                              \
  SCAN_DEVICE void name##_block_inclusive_items(T *own_, int count_,                             \
                                                name##_block_scratch *scratch_) {                \
    name##_block_items_(own_, count_, false, scratch_);                                          \
  }                                                                                              \
  SCAN_DEVICE void name##_block_exclusive_items(T *own_, int count_,                             \
                                                name##_block_scratch *scratch_) {                \
    name##_block_items_(own_, count_, true, scratch_);                                           \
  }                                                                                              \
  SCAN_DEVICE T name##_block_inclusive(T x_, name##_block_scratch *scratch_) {                   \
    name##_block_items_(&x_, 1, false, scratch_);                                                \
    return x_;                                                                                   \
  }                                                                                              \
  SCAN_DEVICE T name##_block_exclusive(T x_, name##_block_scratch *scratch_) {                   \
    name##_block_items_(&x_, 1, true, scratch_);                                                 \
    return x_;                                                                                   \
  }                                                                                              \
  SCAN_DEVICE T name##_block_reduce(T x_, name##_block_scratch *scratch_) {                      \
    scan_element element_;                                                                       \
    name##_element_(&element_, x_);                                                              \
    scan_items_reduce(&element_, scratch_->words, SCAN_BLOCK_BY_##block, name##_threads_, 1,     \
                      SCAN_BIND_(name, T, false, false));                                        \
    return name##_value_(&element_);                                                             \
  }

/* A kernel, forward and reverse, and how a family holds a strategy's kernels. Items are cleared for
 * compilers that do not see that only loaded ones are used. */
#define SCAN_STRATEGY_KERNEL_(name, T, work, way, reversed)                                 \
  SCAN_KERNEL_BOUNDED_(name##_threads_, name##_##work##_##way, scan_strategy_call, call_) { \
    SCAN_SHARED_DYNAMIC(scan_strategy_shared, shared_);                                     \
    T items_[name##_items_];                                                                \
    scan_element identity_;                                                                 \
    memset((void *)items_, 0, sizeof items_);                                               \
    name##_identity_(&identity_);                                                           \
    work(&call_, shared_, items_, &identity_, name##_strategy_(), name##_up_, name##_down_, \
         name##_threads_, name##_items_, SCAN_BIND_(name, T, reversed, false));             \
  }
#define SCAN_STRATEGY_KERNEL_PAIR_(name, T, work)      \
  SCAN_STRATEGY_KERNEL_(name, T, work, forward, false) \
  SCAN_STRATEGY_KERNEL_(name, T, work, reverse, true)
#define SCAN_STRATEGY_BIND_KERNEL_(name, work, which)             \
  family_->kernels[0][which] = name##_##work##_forward_kernel_(); \
  family_->kernels[1][which] = name##_##work##_reverse_kernel_();
#define SCAN_STRATEGY_ONE_KERNEL_(name, T, first)               \
  SCAN_STRATEGY_KERNEL_PAIR_(name, T, first)                    \
  SCAN_HOST_ void name##_bind_(scan_strategy_family *family_) { \
    SCAN_STRATEGY_BIND_KERNEL_(name, first, 0)                  \
  }
#define SCAN_STRATEGY_TWO_KERNELS_(name, T, first, second) \
  SCAN_STRATEGY_TWO_KERNELS_AND_(name, T, first, second, )
#define SCAN_STRATEGY_TWO_KERNELS_AND_(name, T, first, second, more) \
  SCAN_STRATEGY_KERNEL_PAIR_(name, T, first)                         \
  SCAN_STRATEGY_KERNEL_PAIR_(name, T, second)                        \
  SCAN_HOST_ void name##_bind_(scan_strategy_family *family_) {      \
    SCAN_STRATEGY_BIND_KERNEL_(name, first, 0)                       \
    SCAN_STRATEGY_BIND_KERNEL_(name, second, 1)                      \
    more                                                             \
  }
#define SCAN_STRATEGY_THREE_KERNELS_(name, T, first, second, third) \
  SCAN_STRATEGY_KERNEL_PAIR_(name, T, third)                        \
  SCAN_STRATEGY_TWO_KERNELS_AND_(name, T, first, second, SCAN_STRATEGY_BIND_KERNEL_(name, third, 2))
/* Two kernels and what the host does between them, with the operator. */
#define SCAN_STRATEGY_KERNELS_AND_HOST_(name, T, first, second)                          \
  SCAN_HOST_ void name##_host_combine_(scan_element *out_, const scan_element *earlier_, \
                                       const scan_element *later_) {                     \
    T a_, b_;                                                                            \
    memcpy((void *)&a_, earlier_, sizeof(T));                                            \
    memcpy((void *)&b_, later_, sizeof(T));                                              \
    a_ = name##_op_(a_, b_);                                                             \
    out_->word[(sizeof(T) - 1) / 4] = 0;                                                 \
    memcpy(out_, (const void *)&a_, sizeof(T));                                          \
  }                                                                                      \
  SCAN_STRATEGY_TWO_KERNELS_AND_(name, T, first, second, family_->combine = name##_host_combine_;)

/* What kernels are bound to. */
#define SCAN_STRATEGY_STAMP_STRATEGY_(name, block)                                         \
  SCAN_DEVICE scan_strategy name##_strategy_(void) {                                       \
    const scan_strategy strategy = {SCAN_BLOCK_IS_##block, name##_threads_, name##_items_, \
                                    name##_slots_};                                        \
    return strategy;                                                                       \
  }                                                                                        \
  SCAN_STRATEGY_STAMP_BY_(name, SCAN_BLOCK_BY_##block)
#define SCAN_STRATEGY_STAMP_BY_(...) SCAN_STRATEGY_STAMP_UP_DOWN_(__VA_ARGS__)
#define SCAN_STRATEGY_STAMP_UP_DOWN_(name, up, down)                                               \
  SCAN_DEVICE uint32_t name##_up_(scan_section *section, const scan_element *x_, SCAN_OP_PARAMS) { \
    return up(section, x_, SCAN_OP);                                                               \
  }                                                                                                \
  SCAN_DEVICE void name##_down_(scan_section *section, bool any_, const scan_element *injected,    \
                                SCAN_OP_PARAMS) {                                                  \
    down(section, any_, injected, SCAN_OP);                                                        \
  }

/* What all device-wide families have on the host side. empty: the kernel of an empty input. */
#define SCAN_STRATEGY_STAMP_BINDING_(name, T, empty, slots_of, launch_of) \
  SCAN_HOST_ scan_strategy_family name##_family_(void) {                  \
    scan_strategy_family family_;                                         \
    memset(&family_, 0, sizeof family_);                                  \
    family_.family.forward = empty##_kernel_();                           \
    family_.family.in = family_.family.element = family_.family.out =     \
        scan_layout_of(SCAN_LAID_OUT_(T));                                \
    name##_bind_(&family_);                                               \
    family_.slots = slots_of;                                             \
    family_.launch = launch_of;                                           \
    family_.threads = name##_threads_;                                    \
    family_.section = (uint32_t)name##_threads_ * name##_items_;          \
    family_.shared_bytes = name##_shared_bytes_;                          \
    return family_;                                                       \
  }                                                                       \
  SCAN_HOST_ size_t name##_workspace_bytes(size_t n_) {                   \
    const scan_strategy_family family_ = name##_family_();                \
    return scan_strategy_workspace_bytes(&family_, n_);                   \
  }

/* What those that are not segmented have, too. slots_of and launch_of are the strategy's. */
#define SCAN_STRATEGY_STAMP_REDUCE_(name, T)                                              \
  SCAN_HOST_ cudaError_t name##_reduce(scan_workspace *workspace_, T const *in_, T *out_, \
                                       size_t n_, cudaStream_t stream_) {                 \
    const scan_strategy_family family_ = name##_family_();                                \
    const scan_request request_ = scan_request_of_reduction(in_, out_, n_);               \
    return scan_strategy_run(&family_, workspace_, &request_, stream_);                   \
  }
#define SCAN_STRATEGY_STAMP_FAMILY_(macro, name, T, block, op, kernels, slots_of, launch_of, ...) \
  SCAN_STRATEGY_STAMP_OPERATOR_(macro, name, T, op, __VA_ARGS__)                                  \
  SCAN_KERNEL_BOUNDED_(SCAN_WARP_THREADS, name##_empty, scan_strategy_call, call_) {              \
    scan_element identity_;                                                                       \
    name##_identity_(&identity_);                                                                 \
    scan_strategy_empty(&call_, &identity_, SCAN_BIND_(name, T, false, false));                   \
  }                                                                                               \
  SCAN_STRATEGY_STAMP_STRATEGY_(name, block)                                                      \
  kernels(name, T, op) SCAN_STRATEGY_STAMP_BINDING_(name, T, name##_empty, slots_of, launch_of)   \
      SCAN_STRATEGY_STAMP_REDUCE_(name, T)

#define SCAN_STRATEGY_STAMP_(name, device, block, items, T, op, ...)                              \
  SCAN_STRATEGY_STAMP_SIZES_(name, T, block, items, true, 0)                                      \
  SCAN_STAMP_TYPES_(name, T)                                                                      \
  SCAN_STRATEGY_STAMP_FAMILY_("SCAN_DEFINE_WITH", name, T, block, op,                             \
                              SCAN_STRATEGY_KERNELS_##device, scan_##device##_slots,              \
                              scan_##device##_launch, __VA_ARGS__)                                \
  SCAN_HOST_ cudaError_t name##_run(scan_workspace *workspace_, T const *in_, T *out_, size_t n_, \
                                    name##_options options_, cudaStream_t stream_) {              \
    const scan_strategy_family family_ = name##_family_();                                        \
    const scan_request request_ = scan_request_of(                                                \
        in_, out_, n_, options_.exclusive, options_.reverse, options_.seed, options_.total);      \
    return scan_strategy_run(&family_, workspace_, &request_, stream_);                           \
  }                                                                                               \
  SCAN_STAMP_KINDS_(SCAN_HOST_, name, T, T)

#define SCAN_REDUCE_STAMP_(name, reduce, items, T, op, ...)                             \
  SCAN_STRATEGY_STAMP_SIZES_(name, T, tree_, items, true, 0)                            \
  SCAN_STRATEGY_STAMP_FAMILY_("SCAN_DEFINE_REDUCE_WITH", name, T, tree_, op,            \
                              SCAN_STRATEGY_KERNELS_reduce_##reduce, scan_reduce_slots, \
                              scan_reduce_##reduce##_launch, __VA_ARGS__)               \
  typedef struct {                                                                      \
    uint32_t words[name##_threads_ * ((sizeof(T) + 3) / 4)];                            \
  } name##_block_scratch;                                                               \
  SCAN_DEVICE T name##_block_reduce(T x_, name##_block_scratch *scratch_) {             \
    scan_element element_;                                                              \
    name##_element_(&element_, x_);                                                     \
    scan_tree_reduce(&element_, scratch_->words, SCAN_BIND_(name, T, false, false));    \
    return name##_value_(&element_);                                                    \
  }

/* Segmented. In a block elements are pairs with a head, which the lifted operator joins along the
   scan: in a reverse one a head stands before what lies above it. Values are cleared for compilers
   that do not see that only loaded ones are used. */
#define SCAN_SEGMENTED_KERNEL_(name, T, work, way, reversed)                                       \
  SCAN_KERNEL_BOUNDED_(name##_threads_, name##_##work##_##way, scan_strategy_call, call_) {        \
    SCAN_SHARED_DYNAMIC(scan_strategy_shared, shared_);                                            \
    const scan_lifting by_ = {{SCAN_BIND_OPERATOR_(name##_##way, name##_lifted, reversed, false)}, \
                              {SCAN_BIND_OPERATOR_(name, T, reversed, false)},                     \
                              (uint32_t)(offsetof(name##_lifted, head) / 4)};                      \
    T values_[name##_items_];                                                                      \
    name##_lifted pairs_[name##_items_];                                                           \
    scan_element identity_;                                                                        \
    memset((void *)values_, 0, sizeof values_);                                                    \
    name##_##way##_identity_(&identity_);                                                          \
    work(&call_, shared_, values_, pairs_, &identity_, name##_strategy_(), name##_up_,             \
         name##_down_, name##_threads_, name##_items_, by_);                                       \
  }
#define SCAN_SEGMENTED_KERNELS_(name, T, work)                  \
  SCAN_SEGMENTED_KERNEL_(name, T, work, forward, false)         \
  SCAN_SEGMENTED_KERNEL_(name, T, work, reverse, true)          \
  SCAN_HOST_ void name##_bind_(scan_strategy_family *family_) { \
    SCAN_STRATEGY_BIND_KERNEL_(name, work, 0)                   \
  }
#define SCAN_SEGMENTED_STAMP_(name, segmented, block, items, T, op, ...)                         \
  SCAN_CHECK_LIFTED_("SCAN_DEFINE_SEGMENTED_WITH", T)                                            \
  SCAN_STRATEGY_STAMP_OPERATOR_("SCAN_DEFINE_SEGMENTED_WITH", name, T, op, __VA_ARGS__)          \
  SCAN_STAMP_LIFTED_(name, T, name##_op_, __VA_ARGS__)                                           \
  SCAN_OPERATOR name##_lifted name##_lift_back_(name##_lifted earlier_, name##_lifted later_) {  \
    if (earlier_.head == 0) {                                                                    \
      earlier_.value = name##_op_(earlier_.value, later_.value);                                 \
      earlier_.head = later_.head;                                                               \
    }                                                                                            \
    return earlier_;                                                                             \
  }                                                                                              \
  SCAN_STAMP_OPERATOR_(name##_forward, name##_lifted, name##_lift_, name##_lifted_start_())      \
  SCAN_STAMP_OPERATOR_(name##_reverse, name##_lifted, name##_lift_back_, name##_lifted_start_()) \
  SCAN_STRATEGY_STAMP_SIZES_(name, name##_lifted, block, items, true,                            \
                             name##_threads_ / 32 * SCAN_STRETCH_WORDS_(name##_items_))          \
  SCAN_STRATEGY_STAMP_STRATEGY_(name, block)                                                     \
  SCAN_SEGMENTED_KERNELS_(name, T, scan_##segmented)                                             \
  SCAN_STRATEGY_STAMP_BINDING_(name, T, name##_scan_##segmented##_forward,                       \
                               scan_##segmented##_slots, scan_##segmented##_launch)              \
  SCAN_STAMP_TYPES_(name, T)                                                                     \
  SCAN_HOST_ cudaError_t name##_run(scan_workspace *workspace_, T const *in_,                    \
                                    scan_segments segments_, T *out_, size_t n_,                 \
                                    name##_options options_, cudaStream_t stream_) {             \
    const scan_strategy_family family_ = name##_family_();                                       \
    const scan_request request_ = scan_request_of(                                               \
        in_, out_, n_, options_.exclusive, options_.reverse, options_.seed, options_.total);     \
    return scan_strategy_segmented_run(&family_, workspace_, segments_, request_, stream_);      \
  }                                                                                              \
  SCAN_STAMP_SEGMENTED_KINDS_(name, T)

#endif /* SCAN_KERNELS_ */

#endif
