// What a person who looks on sees of a campaign that runs: a few lines on a terminal, written anew
// twice a second.
#pragma once

#include <string>

#include "fuzz/folder/findings.h"
#include "fuzz/folder/run.h"

namespace proviso::tools {

// What is on the screen beside what the run tells.
struct ScreenFacts {
    std::size_t causes = 0;
    std::string smallest;  // the cause of the smallest finding; empty: none
    double now = 0;        // seconds since 1970
    double recent = 0;     // cases a second, of all processes, in the last minute
};

// Lines without control characters.
std::string campaign_screen(const fuzz::RunProgress& p, const fuzz::CampaignSettings& settings,
                            const ScreenFacts& facts);

class LiveScreen {
  public:
    LiveScreen(std::string folder, const fuzz::CampaignSettings& settings)
        : folder_(std::move(folder)), settings_(settings) {}

    void show(const fuzz::RunProgress& p);

  private:
    void look(const fuzz::RunProgress& p);

    std::string folder_;
    const fuzz::CampaignSettings& settings_;
    double next_ = 0;
    std::size_t lines_ = 0;  // on the terminal
    ScreenFacts facts_;
    std::size_t chunks_ = SIZE_MAX;  // finished when `facts_` were looked up
};

}  // namespace proviso::tools
