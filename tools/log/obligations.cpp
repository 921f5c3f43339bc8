#include "tools/log/obligations.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/layout/layout_obligations.h"
#include "ir/files/json_text.h"
#include "tools/log/open.h"
#include "tools/log/smt_comments.h"
#include "verify/log/format.h"

namespace proviso::tools {

using nlohmann::json;

namespace {

constexpr std::size_t kShortDigits = 12;

ObligationUse use_of(const analysis::Obligation& o, std::string who) {
    ObligationUse out;
    out.who = std::move(who);
    out.purpose = o.purpose.words;
    out.kind = analysis::owed_name(o.purpose.kind);
    if (o.purpose.site) out.site = o.purpose.site->str();
    if (o.purpose.buffer != nullptr) out.buffer = o.purpose.buffer->name;
    out.obligation = &o;
    return out;
}

}  // namespace

LoggedObligations::LoggedObligations(ir::Context& ctx, const verify::Bundle& log,
                                     const verify::Rederived& again)
    : ctx_(ctx), log_(log) {
    for (std::size_t k = 0; k < again.steps.size(); ++k) {
        const rewrite::Step& step = again.steps[k];
        for (const rewrite::ProvedObligation& o : step.obligations) {
            ObligationUse use = use_of(o.obligation, step_title(k + 1, step_of(log, k + 1)));
            use.step = k + 1;
            use.verdict = "PROVED by " + o.by;
            uses_[o.id].push_back(std::move(use));
        }
    }
    const auto brought = analysis::brought_obligations(ctx, again.source);
    for (const auto& [buffer, o] : brought) layouts_.push_back(o);
    for (std::size_t k = 0; k < layouts_.size(); ++k) {
        ObligationUse use = use_of(layouts_[k], "layout of " + brought[k].buffer);
        use.verdict = "PROVED before the first step";
        uses_[analysis::obligation_id(analysis::to_smt(ctx, layouts_[k]))].push_back(
            std::move(use));
    }
    add_refusals();
}

void LoggedObligations::add_refusals() {
    for (std::size_t k = 0; k < log_.refusals.size(); ++k) {
        const json line = ir::parse_json(log_.refusals[k]);
        const json failed = line.value("obligation", json());
        const std::string id = text_in(failed, "id");
        if (log_.objects.count(verify::digest_hex(id)) == 0) continue;
        ObligationUse use;
        use.who = "refusal " + std::to_string(k + 1) + ": " + text_in(line, "rule") + " at " +
                  text_in(line, "site");
        use.purpose = text_in(failed, "purpose");
        use.verdict = text_in(failed, "verdict");
        if (const std::string why = text_in(failed, "why"); !why.empty()) {
            use.verdict += " (" + why + ")";
        }
        use.kind = text_in(failed, "kind");
        use.site = text_in(failed, "site");
        use.buffer = text_in(failed, "buffer");
        for (const json& value : failed.value("model", json::array())) {
            use.model.emplace_back(text_in(value, "name"), text_in(value, "value"));
        }
        uses_[id].push_back(std::move(use));
    }
}

Result<std::string> LoggedObligations::find(const std::string& beginning) const {
    const std::string prefix = "sha256:";
    const std::string digits =
        beginning.rfind(prefix, 0) == 0 ? beginning.substr(prefix.size()) : beginning;
    const bool hex = digits.find_first_not_of("0123456789abcdef") == std::string::npos;
    if (!hex || digits.empty()) {
        return error("'" + beginning + "' names no step and no obligation",
                     "a step's number, or the first digits of an obligation's id; `proviso log ls` "
                     "lists them");
    }
    if (digits.size() < kLeastDigits) {
        return error("'" + beginning + "' is too short for an obligation's id",
                     "at least " + std::to_string(kLeastDigits) + " digits of it");
    }
    std::vector<const std::string*> found;
    for (auto it = uses_.lower_bound(prefix + digits); it != uses_.end(); ++it) {
        if (it->first.compare(prefix.size(), digits.size(), digits) != 0) break;
        found.push_back(&it->first);
    }
    if (found.size() == 1) return *found.front();
    if (found.empty()) {
        return error("the log has no obligation " + beginning,
                     "`proviso log ls` lists those that it has");
    }
    Diagnostic many =
        error(beginning + " is the beginning of " + std::to_string(found.size()) + " obligations",
              "more digits of the one that is meant");
    for (std::size_t k = 0; k < std::min(found.size(), kListed); ++k) {
        const ObligationUse& first = uses_.at(*found[k]).front();
        many.notes.push_back(found[k]->substr(0, prefix.size() + kShortDigits) + " " +
                             first.purpose + " (" + first.who + ")");
    }
    if (found.size() > kListed) {
        many.notes.push_back("and " + std::to_string(found.size() - kListed) + " more");
    }
    return many;
}

std::string LoggedObligations::certificate(const std::string& id) const {
    const json list = (*log_.run)["predicate"].value("certificates", json());
    const auto found = log_.objects.find(verify::digest_hex(text_in(list, id.c_str())));
    return found == log_.objects.end() ? "" : found->second;
}

std::string LoggedObligations::commented(const std::string& id) const {
    const std::vector<ObligationUse>& owed = uses(id);
    std::vector<std::string> who;
    for (const ObligationUse& use : owed) who.push_back("owed by " + use.who);
    const auto known = std::find_if(owed.begin(), owed.end(), [](const ObligationUse& use) {
        return use.obligation != nullptr;
    });
    if (known != owed.end()) return commented_smt(ctx_, *known->obligation, who);
    return commented_smt(log_.objects.at(verify::digest_hex(id)), owed.front().purpose, who);
}

}  // namespace proviso::tools
