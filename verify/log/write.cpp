#include "verify/log/write.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "analysis/prover/prover.h"
#include "ir/text.h"
#include "verify/log/certificates.h"
#include "verify/log/format.h"
#include "verify/log/record.h"
#include "verify/log/step_lines.h"

namespace proviso::verify {

namespace fs = std::filesystem;

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

Status write_file(const fs::path& path, const std::string& bytes) {
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out) return error("cannot write " + path.string());
    return Unit{};
}

// Only what a log consists of may be there before: nothing of the user's is ever deleted.
Status clear(const fs::path& folder) {
    static const std::set<std::string> known = {kRunFile,      kRunDigestFile, kStepsFile,
                                                kRefusalsFile, kTimingFile,    kObjectsFolder};
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed) return error("cannot make " + folder.string() + ": " + failed.message());
    for (const auto& entry : fs::directory_iterator(folder, failed)) {
        if (known.count(entry.path().filename().string()) == 0) {
            return error(folder.string() + " holds " + entry.path().filename().string() +
                             ", which is no part of a proof log",
                         "give an empty or a new folder");
        }
    }
    if (failed) return error("cannot read " + folder.string() + ": " + failed.message());
    for (const std::string& name : known) fs::remove_all(folder / name, failed);
    fs::create_directories(folder / kObjectsFolder, failed);
    if (failed) return error("cannot make " + (folder / kObjectsFolder).string());
    return Unit{};
}

std::string joined(const std::vector<std::string>& lines) {
    std::string out;
    for (const std::string& line : lines) out += line + "\n";
    return out;
}

}  // namespace

Result<LogSummary> write_log(const rewrite::Derivation& derivation, const std::string& folder,
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
    const fs::path root(folder);
    if (const Status ok = clear(root); !ok) return ok.error();
    for (const auto& [hex, bytes] : record.objects) {
        const Status ok = write_file(root / kObjectsFolder / hex, bytes);
        if (!ok) return ok.error();
    }
    const std::string run = canonical(record.statement()) + "\n";
    const std::pair<const char*, std::string> files[] = {
        {kStepsFile, joined(record.steps)},
        {kRefusalsFile, joined(record.refusals)},
        {kRunFile, run},
        {kRunDigestFile, digest_hex(digest(run)) + "\n"},
    };
    for (const auto& [name, bytes] : files) {
        if (const Status ok = write_file(root / name, bytes); !ok) return ok.error();
    }
    return LogSummary{digest(run),           merkle_root(record.steps),
                      record.steps.size(),   record.refusals.size(),
                      record.objects.size(), std::move(without)};
}

}  // namespace proviso::verify
