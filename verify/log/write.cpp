#include "verify/log/write.h"

#include <nlohmann/json.hpp>

#include "analysis/prover/prover.h"
#include "ir/text.h"
#include "verify/log/certificates.h"
#include "verify/log/format.h"
#include "verify/log/record.h"
#include "verify/log/step_lines.h"
#include "verify/log/write_files.h"
#include "verify/sign/signatures.h"

namespace proviso::verify {

using nlohmann::json;
using rewrite::Rejection;

namespace {

json model_of(const analysis::Answer& answer) {
    json out = json::array();
    for (const analysis::ModelValue& v : answer.model) {
        out.push_back(
            json{{"name", v.name}, {"value", v.value == nullptr ? "indet" : ir::print(v.value)}});
    }
    return out;
}

// One line of refusals.jsonl.
std::string refusal_line(std::size_t seq, const std::string& prev, const Rejection& no) {
    json out{{"v", kLogVersion},
             {"seq", seq},
             {"prev", prev},
             {"rule", no.rule},
             {"site", no.site.str()},
             {"args", logged_arguments(no.args)},
             {"message", no.diagnostic.message},
             {"hint", no.diagnostic.hint}};
    if (no.failed) {
        out["obligation"] = purpose_json(no.failed->purpose);
        out["obligation"].update({{"id", no.failed_id},
                                  {"verdict", analysis::verdict_name(no.answer.verdict)},
                                  {"why", no.answer.why},
                                  {"model", model_of(no.answer)}});
    }
    return canonical(out);
}

void add_refusals(ir::Context& ctx, const std::vector<Rejection>& rejections, Record& record) {
    std::string prev = chain_start();
    for (const Rejection& no : rejections) {
        if (no.failed) keep(record.objects, analysis::to_smt(ctx, *no.failed).text);
        record.refusals.push_back(refusal_line(record.refusals.size(), prev, no));
        prev = digest(record.refusals.back());
    }
}

std::string joined(const std::vector<std::string>& lines) {
    std::string out;
    for (const std::string& line : lines) out += line + "\n";
    return out;
}

}  // namespace

Result<LogSummary> write_log(const rewrite::Derivation& derivation, const std::string& path,
                             const LogOptions& options) {
    if (policy_grade(options.policy) == 0) {
        return error("no policy '" + options.policy + "'",
                     "E1 (one solver), E2 (two solvers) or E3 (a certificate), +v: and validated");
    }
    RunClaims claims{options.policy, options.schedule, options.artefacts, {}};
    std::vector<std::string> without;
    if (options.certificates) {
        claims.certificates = find_certificates(derivation.context(), derivation.source(),
                                                derivation.steps(), &without);
    }
    if (options.solver_versions) {
        claims.versions = {{"z3", analysis::z3_version()}, {"cvc5", analysis::cvc5_version()}};
    }
    Record record = make_record(derivation.context(), derivation.source(), derivation.steps(),
                                step_lines(derivation.source(), derivation.steps()), claims);
    add_refusals(derivation.context(), derivation.rejections(), record);
    const std::string run = canonical(record.statement()) + "\n";
    std::map<std::string, std::string> files = {
        {kStepsFile, joined(record.steps)},
        {kRefusalsFile, joined(record.refusals)},
        {kObjectsFile, pack_objects(record.objects)},
        {kRunFile, run},
        {kRunDigestFile, digest_hex(digest(run)) + "\n"},
    };
    if (options.key != nullptr) {
        const Result<std::string> envelope = with_signature("", run, *options.key);
        if (!envelope) return envelope.error();
        files[kEnvelopeFile] = *envelope;
    }
    if (const Status ok = write_log_files(path, files); !ok) return ok.error();
    return LogSummary{digest(run),           merkle_root(record.steps),
                      record.steps.size(),   record.refusals.size(),
                      record.objects.size(), std::move(without)};
}

}  // namespace proviso::verify
