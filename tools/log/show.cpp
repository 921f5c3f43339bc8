// proviso show: a step of a proof log, or one of its obligations.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "analysis/certcheck/check.h"
#include "ir/files/json_text.h"
#include "ir/text.h"
#include "tools/log/commands.h"
#include "tools/log/obligations.h"
#include "tools/log/open.h"
#include "tools/log/site_place.h"
#include "tools/log/smt_comments.h"
#include "tools/support/support.h"
#include "tools/support/terminal.h"
#include "tools/support/text_diff.h"
#include "verify/log/format.h"

namespace proviso::tools {

using nlohmann::json;

namespace {

class Show {
  public:
    Show(const ShowOptions& o, ir::Context& ctx, const verify::Bundle& log,
         const verify::Rederived& again)
        : o_(o),
          ctx_(ctx),
          log_(log),
          again_(again),
          obligations_(ctx, log, again),
          color_(use_color(o.color)) {}

    int run() {
        if (const std::size_t step = step_asked_for(); step > 0) {
            if (step > log_.steps.size()) return no_step();
            if (o_.smt2) return bad_input(error("--smt2 is about an obligation"), o_.json);
            return show_step(step);
        }
        if (o_.what.rfind("refusal:", 0) == 0) return show_refusal(o_.what.substr(8));
        const Result<std::string> id = obligations_.find(o_.what);
        if (!id) return bad_input(id.error(), o_.json);
        if (o_.smt2) {
            std::printf("%s", obligations_.commented(*id).c_str());
            return kFine;
        }
        return show_obligation(*id);
    }

  private:
    // 0: none. A number is a step where there is such a one, "step:N" always.
    std::size_t step_asked_for() const {
        const bool named = o_.what.rfind("step:", 0) == 0;
        const auto number = number_in(named ? o_.what.substr(5) : o_.what);
        if (named) return number.value_or(0) == 0 ? log_.steps.size() + 1 : *number;
        if (!number) return 0;
        // Short numbers are no ids, and "0013" is no number of a step.
        if (o_.what.size() < 4) return *number == 0 ? log_.steps.size() + 1 : *number;
        return o_.what[0] != '0' && *number <= log_.steps.size() ? *number : 0;
    }

    int no_step() const {
        const bool named = o_.what.rfind("step:", 0) == 0;
        return bad_input(error("there is no step " + (named ? o_.what.substr(5) : o_.what),
                               log_.steps.empty() ? "the log has no step"
                                                  : "step:N with N from 1 to " +
                                                        std::to_string(log_.steps.size())),
                         o_.json);
    }

    std::string bold(const std::string& text) const {
        return styled(visible(text), Style::Bold, color_);
    }
    static void line(const char* what, const std::string& text) {
        if (!text.empty()) std::printf("  %-11s %s\n", what, visible(text).c_str());
    }
    void heading(const std::string& text) const { std::printf("\n%s\n", bold(text).c_str()); }

    // Where the step acts, in the program before it.
    void print_place(std::size_t step) const {
        const rewrite::Step& s = again_.steps[step - 1];
        const auto place = place_of(ctx_, s.before, s.site);
        if (!place) return;
        heading("program before step " + std::to_string(step) + ", at " + s.site.str() + ":");
        std::printf("%s", visible(shown_place(ir::print(s.before), *place)).c_str());
    }

    int show_step(std::size_t number) const {
        const json step = step_of(log_, number);
        const rewrite::Step& s = again_.steps[number - 1];
        const std::string diff =
            unified_diff(ir::print(s.before), ir::print(s.after),
                         "step " + std::to_string(number - 1), "step " + std::to_string(number));
        if (o_.json) {
            json out = step;
            out["step"] = number;
            out["diff"] = diff;
            print_json(out);
            return kFine;
        }
        std::printf("%s\n", bold(step_title(number, step)).c_str());
        line("rule", s.rule + " of version " + step.value("rule_version", json()).dump());
        line("arguments", step.value("args", json()).dump());
        for (const std::string& licence : s.licences) line("licence", licence);
        line("before", text_in(step, "before"));
        line("after", text_in(step, "after"));
        print_place(number);
        heading(s.obligations.empty() ? "owes nothing" : "obligations:");
        for (const rewrite::ProvedObligation& o : s.obligations) {
            std::printf("  %.19s  %s: %s (PROVED by %s%s)\n", o.id.c_str(),
                        analysis::owed_name(o.obligation.purpose.kind),
                        visible(o.obligation.purpose.words).c_str(), visible(o.by).c_str(),
                        obligations_.certificate(o.id).empty() ? "" : "; certificate");
        }
        heading("changes:");
        std::printf("%s", colored_diff(visible(diff), color_).c_str());
        return kFine;
    }

    // A step that was not taken, and then the obligation that failed.
    int show_refusal(const std::string& text) const {
        const std::size_t number = number_in(text).value_or(0);
        if (number == 0 || number > log_.refusals.size()) {
            return bad_input(error("there is no refusal:" + text,
                                   "the log has " + std::to_string(log_.refusals.size()) +
                                       " refused steps, which count from 1"),
                             o_.json);
        }
        const json refused = ir::parse_json(log_.refusals[number - 1]);
        const std::string id = text_in(refused.value("obligation", json()), "id");
        const bool has_obligation = log_.objects.count(verify::digest_hex(id)) != 0;
        if (o_.smt2) {
            if (!has_obligation) return bad_input(error("refusal:" + text + " has no obligation"));
            std::printf("%s", obligations_.commented(id).c_str());
            return kFine;
        }
        if (o_.json) {
            json out = refused;
            out["refusal"] = number;
            if (has_obligation) out["shown"] = obligation_json(id);
            print_json(out);
            return kFine;
        }
        std::printf("%s\n", bold("refusal " + text + ": " + text_in(refused, "rule") + " at " +
                                 text_in(refused, "site"))
                                .c_str());
        line("why", text_in(refused, "message"));
        line("hint", text_in(refused, "hint"));
        line("arguments", refused.value("args", json()).dump());
        if (!has_obligation) return kFine;
        std::printf("\n");
        return show_obligation(id);
    }

    json obligation_json(const std::string& id) const {
        json uses = json::array();
        for (const ObligationUse& use : obligations_.uses(id)) {
            json one{{"who", use.who},         {"purpose", use.purpose}, {"kind", use.kind},
                     {"verdict", use.verdict}, {"site", use.site},       {"buffer", use.buffer}};
            if (use.step > 0) one["step"] = use.step;
            for (const auto& [name, value] : use.model) {
                one["model"].push_back({{"name", name}, {"value", value}});
            }
            if (use.obligation != nullptr) one["claim"] = claim_lines(*use.obligation);
            uses.push_back(std::move(one));
        }
        const std::string certificate = obligations_.certificate(id);
        const std::string& text = log_.objects.at(verify::digest_hex(id));
        json out{
            {"id", id}, {"uses", uses}, {"smt2", text}, {"commented", obligations_.commented(id)}};
        if (!certificate.empty()) {
            const auto checked = certcheck::check_certificate(text, certificate);
            out["certificate"] = {{"text", certificate},
                                  {"accepted", checked.accepted},
                                  {"steps", checked.steps},
                                  {"why", checked.why}};
        }
        return out;
    }

    int show_obligation(const std::string& id) const {
        if (o_.json) {
            print_json(obligation_json(id));
            return kFine;
        }
        std::printf("%s\n", bold("obligation " + id).c_str());
        const std::vector<ObligationUse>& uses = obligations_.uses(id);
        line("purpose", uses.front().purpose);
        line("kind", uses.front().kind);
        line("about", uses.front().site);
        line("buffer", uses.front().buffer);
        for (const ObligationUse& use : uses) {
            line("owed by", use.who);
            line("in the log", use.verdict);
        }
        for (const auto& [name, value] : uses.front().model) line("value", name + " = " + value);
        const std::string certificate = obligations_.certificate(id);
        const std::string& text = log_.objects.at(verify::digest_hex(id));
        if (!certificate.empty()) {
            const auto checked = certcheck::check_certificate(text, certificate);
            line("certificate", checked.accepted
                                    ? "of " + std::to_string(checked.steps) + " steps, accepted"
                                    : "rejected: " + checked.why);
        }
        if (uses.front().step > 0) print_place(uses.front().step);
        heading("SMT-LIB 2, with comments:");
        std::printf("%s", obligations_.commented(id).c_str());
        if (!certificate.empty()) {
            heading("certificate:");
            std::printf("%s%s", visible(certificate).c_str(),
                        certificate.back() == '\n' ? "" : "\n");
        }
        return kFine;
    }

    const ShowOptions& o_;
    ir::Context& ctx_;
    const verify::Bundle& log_;
    const verify::Rederived& again_;
    LoggedObligations obligations_;
    bool color_;
};

}  // namespace

int run_show(const ShowOptions& o) {
    Result<verify::Bundle> log = open_log(o.log);
    if (!log) return bad_input(log.error(), o.json);
    ir::Context ctx;
    const Result<verify::Rederived> again = derivation_of(ctx, *log, o.log);
    if (!again) return bad_input(again.error(), o.json);
    return Show(o, ctx, *log, *again).run();
}

}  // namespace proviso::tools
