#include "fuzz/guided/features.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "analysis/purpose.h"
#include "fuzz/campaign/call_options.h"
#include "fuzz/guided/words.h"
#include "ir/children.h"
#include "ir/op.h"

namespace proviso::fuzz {

using namespace ir;

namespace {

constexpr std::size_t kMostOfAReason = 60;

const char* kind_name(const For& loop) {
    static constexpr std::array names = {"serial", "parallel", "vectorized", "unrolled", "bound"};
    const auto k = static_cast<std::size_t>(loop.kind);
    return k < names.size() ? names.at(k) : "other";
}

}  // namespace

std::string reason_of(const std::string& message) {
    std::string out;
    char quote = 0;
    for (std::size_t k = 0; k < message.size() && out.size() < kMostOfAReason; ++k) {
        const char c = message[k];
        if (quote != 0) {
            if (c == quote) quote = 0;
            continue;
        }
        if (c == '\n') break;
        const bool opens = (c == '\'' || c == '"') && (k == 0 || !is_word(message[k - 1]));
        if (opens) {
            quote = c;
            out += '_';
        } else if (!is_word(c)) {
            out += c;
        } else {
            std::size_t end = k;
            while (end < message.size() && is_word(message[end])) ++end;
            const std::string word = message.substr(k, end - k);
            const bool named = word.size() == 1 ||
                               std::any_of(word.begin(), word.end(), is_digit) ||
                               word.find('_') != std::string::npos;
            out += named ? "_" : word;
            k = end - 1;
        }
    }
    return out;
}

void add_steps(Features& to, const std::vector<rewrite::Step>& steps) {
    const std::string* last = nullptr;
    for (const rewrite::Step& step : steps) {
        to.insert("rule:" + step.rule);
        if (last != nullptr) to.insert("rules:" + *last + ">" + step.rule);
        last = &step.rule;
        for (const rewrite::ProvedObligation& o : step.obligations) {
            to.insert("owed:" + step.rule + "/" + analysis::owed_name(o.obligation.purpose.kind) +
                      "/" + o.by);
        }
    }
}

void CallFeatures::options(const std::string& primitive, int line, const char* how) {
    to_.insert("call:" + primitive + "/" + how);
    for (const std::string& option : call_options(schedule_, line)) {
        // A number is not what is new about a call, but for that it is negative.
        std::string plain;
        for (const char c : option) {
            if (!is_digit(c)) {
                plain += c;
            } else if (plain.empty() || plain.back() != '#') {
                plain += '#';
            }
        }
        to_.insert("call:" + primitive + "/" + plain.substr(0, kMostOfAReason) + "/" + how);
    }
}

void CallFeatures::done(const rewrite::ScheduleReport::Done& call) {
    if (call.query) return;
    const bool effect = call.steps + call.inner_steps != 0;
    options(call.primitive, call.line, effect ? "accepted" : "idle");
    if (!effect) return;
    if (!last_.empty()) to_.insert("calls:" + last_ + ">" + call.primitive);
    last_ = call.primitive;
}

void CallFeatures::refused(const rewrite::ScheduleReport& report) {
    const std::string& primitive = report.refused_primitive;
    options(primitive, report.refused_line, "refused");
    to_.insert("refused:" + primitive + "/" + reason_of(report.refusal->diagnostic.message));
    const auto& rejection = report.refusal->rejection;
    if (!rejection || !rejection->failed) return;
    to_.insert("failed:" + primitive + "/" + rejection->rule + "/" +
               analysis::owed_name(rejection->failed->purpose.kind) + "/" +
               analysis::verdict_name(rejection->answer.verdict) + "/" +
               reason_of(rejection->answer.by + rejection->answer.why));
}

void add_compiled(Features& to, const Function& lowered, const std::string& how) {
    to.insert("cpu:" + how);
    const std::string with = how == "O2" ? "cpu:O2 " : "cpu:";
    for_each_stmt(lowered.body, [&](Stmt s) {
        const For* loop = s->as<For>();
        if (loop == nullptr) return;
        to.insert(with + kind_name(*loop));
        for_each_stmt(loop->body, [&](Stmt inner) {
            const For* below = inner->as<For>();
            if (below != nullptr) {
                to.insert(with + kind_name(*below) + " in " + kind_name(*loop));
            }
        });
    });
    for_each_expr(lowered.body, [&](Expr e) {
        for_each_node(e, [&](Expr node) {
            to.insert("cpu:" + std::string(op_info(node->op).name) + " " + node->type.str());
        });
    });
}

void add_oracles(Features& to, const Summary& c) {
    const auto add = [&](std::uint64_t n, const char* name) {
        if (n > 0) to.insert(std::string("asked:") + name);
    };
    add(c.refinement.undecided, "refinement/undecided");
    add(c.adapters.parameters, "adapters/packed");
    add(c.adapters.refused, "adapters/refused");
    add(c.validation.bounded, "validation/bounded");
    add(c.validation.steps - c.validation.bounded, "validation/open");
    add(c.encoder.undecided, "encoder/undecided");
    add(c.monotone.counted, "monotone/counted");
}

}  // namespace proviso::fuzz
