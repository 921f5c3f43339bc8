// What a person who looks on sees of a campaign that runs: a few lines on a terminal, written anew
// twice a second.
#pragma once

#include <string>

#include "fuzz/folder/run.h"

namespace proviso::tools {

// Lines without control characters.
std::string campaign_screen(const fuzz::RunProgress& p, const fuzz::CampaignSettings& settings);

class LiveScreen {
  public:
    explicit LiveScreen(const fuzz::CampaignSettings& settings) : settings_(settings) {}

    void show(const fuzz::RunProgress& p);

  private:
    const fuzz::CampaignSettings& settings_;
    double next_ = 0;
    std::size_t lines_ = 0;  // on the terminal
};

}  // namespace proviso::tools
