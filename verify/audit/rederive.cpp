#include "verify/audit/rederive.h"

#include <nlohmann/json.hpp>

#include "ir/files/json_text.h"
#include "ir/known_program.h"
#include "ir/text.h"
#include "ir/text/program_printer.h"
#include "rewrite/kernel/apply.h"
#include "verify/log/format.h"

namespace proviso::verify {

using nlohmann::json;
using rewrite::Step;

namespace {

std::string text_of(const json& object, const char* key) {
    const auto it = object.is_object() ? object.find(key) : object.end();
    return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

// The canonical text of a program, with its content hash.
struct ProgramText {
    std::string text;
    std::string hash;
};

class Walker {
  public:
    Walker(ir::Context& ctx, Bundle& bundle) : ctx_(ctx), bundle_(bundle) {}

    std::optional<Rederived> walk() {
        if (!read_source()) return std::nullopt;
        std::string prev = chain_start();
        ir::Function current = out_.source;
        before_ = text_of_program(current);
        for (std::size_t i = 0; i < bundle_.steps.size(); ++i) {
            const std::optional<Step> step = follow(i, current);
            if (!step) return std::nullopt;
            if (step_line(i, prev, *step, before_.hash, after_.hash, edits_) != bundle_.steps[i]) {
                fail(i, "says something else than what was re-derived");
                return std::nullopt;
            }
            prev = digest(bundle_.steps[i]);
            current = step->after;
            before_ = std::move(after_);
            known_->move_to(current);
            out_.steps.push_back(*step);
        }
        compare_statement();
        return std::move(out_);
    }

  private:
    ProgramText text_of_program(const ir::Function& f) {
        ProgramText out{printer_.print(f), ""};
        out.hash = digest(out.text);
        return out;
    }

    void fail(std::size_t index, std::string what) {
        bundle_.problems.push_back(Problem{kStepsFile, index + 1, std::move(what)});
    }
    void fail_run(std::string what) {
        bundle_.problems.push_back(Problem{kRunFile, 0, std::move(what)});
    }

    bool read_source() {
        const json& predicate = (*bundle_.run)["predicate"];
        const std::string hex = digest_hex(text_of(predicate.value("input", json()), "digest"));
        const auto object = bundle_.objects.find(hex);
        if (object == bundle_.objects.end()) {
            fail_run("names a source program that is not among the objects");
            return false;
        }
        const std::string file = object_name(hex);
        Result<ir::Function> source = ir::parse_function(ctx_, object->second, file);
        if (!source) {
            bundle_.problems.push_back(Problem{file, 0, source.error().message});
            return false;
        }
        if (ir::print(*source) != object->second) {
            bundle_.problems.push_back(Problem{file, 0, "is not in canonical form"});
            return false;
        }
        if (const Status ok = rewrite::check_source(ctx_, *source); !ok) {
            bundle_.problems.push_back(Problem{file, 0, ok.error().message});
            return false;
        }
        out_.source = *source;
        known_.emplace(*source);
        return true;
    }

    std::optional<Step> follow(std::size_t index, const ir::Function& before) {
        const json line = ir::parse_json(bundle_.steps[index]);
        const std::string name = text_of(line, "rule");
        const Result<ir::Site> site = ir::Site::parse(text_of(line, "site"));
        if (!site) {
            fail(index, site.error().message);
            return std::nullopt;
        }
        if (text_of(line, "before") != before_.hash) {
            fail(index, "starts from another program than the one before it gave");
            return std::nullopt;
        }
        const rewrite::Rule* rule = rewrite::find_rule(name);
        const json version = line.value("rule_version", json());
        if (rule != nullptr && version != rule->version()) {
            fail(index, "rule '" + name + "' was of version " + version.dump() +
                            " when the log was made, and is of version " +
                            std::to_string(rule->version()) + " here: make the log again");
            return std::nullopt;
        }
        const json args = line.value("args", json());
        auto applied = rewrite::apply_step(ctx_, *known_, name, *site, args);
        if (const auto* none = std::get_if<rewrite::NotApplied>(&applied)) {
            fail(index, "rule '" + name + "' does not apply: " + none->why.message);
            return std::nullopt;
        }
        const auto& proposal = std::get<rewrite::Proposal>(applied);
        after_ = text_of_program(proposal.after);
        if (text_of(line, "after") != after_.hash) {
            fail(index, "rule '" + name + "' gives another program than the one named");
            return std::nullopt;
        }
        auto edits = logged_edits(line);
        if (!edits || apply_edits(before_.text, *edits) != after_.text) {
            fail(index, "holds edits that do not give the program named");
            return std::nullopt;
        }
        edits_ = *std::move(edits);
        Step step{name, *site, args.dump(), before, proposal.after, {}, proposal.licences};
        if (!match_obligations(index, line, proposal, step)) return std::nullopt;
        return step;
    }

    // The same obligations in the same order; their evidence is only what the log claims.
    bool match_obligations(std::size_t index, const json& line, const rewrite::Proposal& proposal,
                           Step& step) {
        const json logged = line.value("obligations", json());
        if (!logged.is_array() || logged.size() != proposal.obligations.size()) {
            fail(index, "lists " + std::to_string(logged.size()) + " obligations; the rule owes " +
                            std::to_string(proposal.obligations.size()));
            return false;
        }
        for (std::size_t k = 0; k < logged.size(); ++k) {
            const analysis::Obligation& o = proposal.obligations[k];
            const std::string id = analysis::obligation_id(analysis::to_smt(ctx_, o));
            if (text_of(logged[k], "id") != id) {
                fail(index, "obligation " + std::to_string(k + 1) + " is not the one that the " +
                                "rule owes: " + o.purpose.words);
                return false;
            }
            const json evidence = logged[k].value("evidence", json());
            const bool one = evidence.is_array() && evidence.size() == 1;
            step.obligations.push_back(
                rewrite::ProvedObligation{o, id, one ? text_of(evidence[0], "by") : ""});
        }
        return true;
    }

    // What does not follow from the steps, as the statement has it.
    RunClaims claims_of_statement() {
        const json& predicate = (*bundle_.run)["predicate"];
        RunClaims out;
        out.policy = text_of(predicate, "policy");
        const auto schedule = bundle_.objects.find(digest_hex(text_of(predicate, "schedule")));
        if (schedule != bundle_.objects.end()) out.schedule = schedule->second;
        const json& subjects = (*bundle_.run)["subject"];
        for (std::size_t k = 1; k < subjects.size(); ++k) {
            const json hash =
                subjects[k].is_object() ? subjects[k].value("digest", json()) : json();
            out.artefacts[text_of(subjects[k], "name")] = text_of(hash, "sha256");
        }
        const json versions = predicate.value("versions", json::object());
        if (versions.is_object()) {
            for (const auto& [name, version] : versions.items()) {
                if (version.is_string()) out.versions[name] = version.get<std::string>();
            }
        }
        const json certificates = predicate.value("certificates", json::object());
        if (!certificates.is_object()) return out;
        for (const auto& [id, certificate] : certificates.items()) {
            const auto object = bundle_.objects.find(digest_hex(text_of(certificates, id.c_str())));
            if (object != bundle_.objects.end()) {
                out.certificates[digest_hex(id)] = object->second;
            }
        }
        return out;
    }

    void compare_statement() {
        Record& record = out_.record;
        record = make_record(ctx_, out_.source, out_.steps, bundle_.steps, claims_of_statement());
        record.refusals = bundle_.refusals;
        for (const std::string& text : bundle_.refusals) {
            const json line = ir::parse_json(text);
            const std::string id = text_of(line.value("obligation", json::object()), "id");
            const auto object = bundle_.objects.find(digest_hex(id));
            if (object != bundle_.objects.end()) record.objects.insert(*object);
        }
        const json derived = record.statement();
        if (derived == *bundle_.run) return;
        const json differences = json::diff(*bundle_.run, derived);
        for (const json& d : differences) {
            fail_run("is not what was re-derived, at " + d["path"].get<std::string>());
        }
    }

    ir::Context& ctx_;
    Bundle& bundle_;
    Rederived out_;
    ir::ProgramPrinter printer_;
    ProgramText before_;  // of the step at work
    ProgramText after_;
    std::vector<LineEdit> edits_;            // that the log has of it
    std::optional<ir::KnownProgram> known_;  // about the program before the next step
};

}  // namespace

std::optional<Rederived> rederive(ir::Context& ctx, Bundle& bundle) {
    return Walker(ctx, bundle).walk();
}

}  // namespace proviso::verify
