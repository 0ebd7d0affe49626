// The published attention entries, compared as method.md 3.4 to 3.7 with its defects corrected.
#pragma once

#include "reference_entry.h"

namespace synperf::test {

void check_fa2(const json& entry, const json& spec);      ///< FlashInfer's FA2, ragged and paged
void check_fa3(const json& entry, const json& spec);      ///< FlashAttention-3
void check_ck(const json& entry, const json& spec);       ///< composable kernel
void check_cutlass(const json& entry, const json& spec);  ///< data-centre Blackwell

}  // namespace synperf::test
