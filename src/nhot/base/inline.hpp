// For the few small functions of the hot loop that compilers would otherwise call.
#pragma once

#if defined(__GNUC__)
#define NHOT_ALWAYS_INLINE [[gnu::always_inline]] inline
#else
#define NHOT_ALWAYS_INLINE inline
#endif
