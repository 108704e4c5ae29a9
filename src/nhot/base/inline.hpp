// Forced inlining, for the few small functions of the hot loop that compilers would otherwise call.
// Off under sanitizers, whose checks in every copy would take minutes to compile.
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)  // gcc
#define NHOT_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)  // clang
#define NHOT_SANITIZED
#endif
#endif

#if defined(NHOT_SANITIZED)
#define NHOT_ALWAYS_INLINE inline
#define NHOT_INLINE_LAMBDA
#define NHOT_UNROLL(times)
#elif defined(__GNUC__)
#define NHOT_ALWAYS_INLINE [[gnu::always_inline]] inline
#define NHOT_INLINE_LAMBDA __attribute__((always_inline))
#define NHOT_PRAGMA(text) _Pragma(#text)
/// Unrolls a short loop, so that arrays indexed by its counter stay in registers.
#define NHOT_UNROLL(times) NHOT_PRAGMA(GCC unroll times)
#else
#define NHOT_ALWAYS_INLINE inline
#define NHOT_INLINE_LAMBDA
#define NHOT_UNROLL(times)
#endif
