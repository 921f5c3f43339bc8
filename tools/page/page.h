// One page of HTML about a derivation, for a browser without a network: page.html, page.css and the
// scripts beside it, with what is to be shown as JSON. What stands in `head` is readable without
// the scripts; they show the rest.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "ir/result.h"

namespace proviso::tools {

enum class Tone { Good, Bad, Open };  // proved; refuted or broken; not decided

struct PageHead {
    std::string heading;  // of what `body` says: "Theorem"
    std::string title;    // of the page: "audit of scale"
    Tone tone = Tone::Open;
    std::string verdict;  // "VERIFIED at policy E2"
    std::string body;     // HTML: the theorem, and what is wrong
};

// `data` is read at once, `texts` when somebody asks for one of them (tools/page/record.h).
std::string page(const PageHead& head, const nlohmann::json& data, const nlohmann::json& texts);

// "-" is standard output.
Status write_page(const std::string& file, const std::string& html);

}  // namespace proviso::tools
