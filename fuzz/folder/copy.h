// A campaign's folder added to another one; and a case of it run once more.
#pragma once

#include <string>
#include <vector>

#include "fuzz/folder/kinds.h"

namespace proviso::fuzz {

// Journal and findings of `from`, a folder of the same campaign. It may be in use, and so may
// `folder`. What `from` has that is not as it was written is left out and named; every line of its
// journal that fits is added once, to a new file.
Result<std::vector<std::string>> add_campaign_folder(const std::string& folder,
                                                     const std::string& from);

struct CaseAgain {
    bool reproduced = false;  // a finding with the same cause
    std::string text;         // what is seen now
};
// In a process of its own, since it may end it. `folder`: of the campaign; a guided one gives the
// case the guide that it had.
Result<CaseAgain> run_case_again(const CampaignKind& kind, const CampaignSettings& settings,
                                 const CampaignFinding& finding, const std::string& proviso,
                                 const std::string& folder);

}  // namespace proviso::fuzz
