// Names the Highway targets that are not compiled; comes before any Highway header.
#pragma once

#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#endif

// The baseline is scalar with every compiler: emulated vectors compile slowly.
#ifndef HWY_BROKEN_EMU128
#define HWY_BROKEN_EMU128 1
#endif
