#include "fuzz/planted/log_edits.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "fuzz/campaign/failure.h"
#include "ir/text.h"
#include "verify/audit/audit.h"
#include "verify/log/certificates.h"
#include "verify/log/format.h"
#include "verify/log/record.h"
#include "verify/log/step_lines.h"

namespace proviso::fuzz {

namespace fs = std::filesystem;
using rewrite::Step;

namespace {

constexpr const char* kProgram = R"(
@T.prim_func
def f(A: T.Buffer((5,), "int32"), B: T.Buffer((5,), "int32")):
    for i in range(5):
        B[i] = A[i] // -3
)";

std::vector<StepGuess> steps() {
    const auto at = [](const char* rule, const char* site, const char* args) {
        return StepGuess{rule, *ir::Site::parse(site), args};
    };
    return {
        at("lower-division", "body/body/value", R"j({"form": "general"})j"),
        at("split", "body", R"j({"factor": "2", "outer": "io", "inner": "ii", "guard": "if"})j"),
        at("relayout", "body",
           R"j({"buffer": "A", "shape": ["6"], "vars": ["x"], "map": ["x + 1"],
                    "physical_vars": ["p"], "inverse": ["p - 1"], "pad": "none"})j")};
}

std::string read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}
void write(const fs::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}
std::string joined(const std::vector<std::string>& lines) {
    std::string out;
    for (const std::string& line : lines) out += line + "\n";
    return out;
}

// A log as verify/log writes it, of steps that need not be what a kernel did.
void write_record(const fs::path& root, const verify::Record& record) {
    fs::create_directories(root);
    write(root / verify::kObjectsFile, verify::pack_objects(record.objects));
    const std::string run = verify::canonical(record.statement()) + "\n";
    write(root / verify::kStepsFile, joined(record.steps));
    write(root / verify::kRefusalsFile, joined(record.refusals));
    write(root / verify::kRunFile, run);
    write(root / verify::kRunDigestFile, verify::digest_hex(verify::digest(run)) + "\n");
}

// Edits that change what the log says, with every hash made to fit.
void forge(const std::string& id, ir::Context& ctx, std::vector<Step>& list) {
    if (id == "log:forged-site") list[0].site = *ir::Site::parse("body");
    if (id == "log:forged-arguments") {
        nlohmann::json args = nlohmann::json::parse(list[1].args);
        args["factor"] = "3";
        list[1].args = args.dump();
    }
    if (id == "log:forged-obligation") list[1].obligations.pop_back();
    if (id == "log:forged-rule") list[2].rule = "flatten";
    if (id == "log:forged-result") {
        list[2].after.body = ctx.pass();
    }
    if (id == "log:forged-step-left-out") list.erase(list.begin() + 1);
    if (id == "log:forged-evidence") list[1].obligations[0].id = list[1].obligations[1].id;
}

// Edits of the files.
void damage(const std::string& id, const fs::path& root, const verify::Record& record) {
    std::vector<std::string> lines = record.steps;
    if (id == "log:drop-line") lines.erase(lines.begin() + 1);
    if (id == "log:drop-last-line") lines.pop_back();
    if (id == "log:swap-lines") std::swap(lines[0], lines[1]);
    if (id == "log:repeat-line") lines.push_back(lines.back());
    if (id == "log:edit-line") lines[1].replace(lines[1].find("split"), 5, "slipt");
    if (lines != record.steps) write(root / verify::kStepsFile, joined(lines));
    verify::Objects objects = record.objects;
    if (id == "log:drop-object") objects.erase(objects.begin());
    if (id == "log:flip-byte") {
        std::string& bytes = objects.begin()->second;
        bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    }
    if (objects != record.objects) {
        write(root / verify::kObjectsFile, verify::pack_objects(objects));
    }
    if (id == "log:edit-statement") {
        std::string run = read(root / verify::kRunFile);
        const std::size_t at = run.find("E1");
        if (at != std::string::npos) run[at + 1] = '2';
        write(root / verify::kRunFile, run);
    }
}

std::string summary(const verify::AuditReport& report) {
    if (!report.problems.empty()) return report.problems[0].str();
    return "the audit ends with code " + std::to_string(report.exit_code());
}

}  // namespace

const std::vector<LogEdit>& log_edits() {
    static const std::vector<LogEdit> list = {
        {"log:drop-line", "a step's line is removed"},
        {"log:drop-last-line", "the last step's line is removed"},
        {"log:swap-lines", "two lines change places"},
        {"log:repeat-line", "a line stands twice"},
        {"log:edit-line", "a word of a line is changed"},
        {"log:drop-object", "an object of the store is removed"},
        {"log:flip-byte", "one bit of an object is flipped"},
        {"log:edit-statement", "the statement claims a better policy"},
        {"log:forged-site", "a step names another site, all hashes fit"},
        {"log:forged-arguments", "a step has other arguments, all hashes fit"},
        {"log:forged-obligation", "an obligation is left out of a step, all hashes fit"},
        {"log:forged-rule", "a step names another rule, all hashes fit"},
        {"log:forged-result", "the last program is another one, all hashes fit"},
        {"log:forged-step-left-out", "a step is left out, all hashes fit"},
        {"log:forged-certificate", "a certificate is another one, all hashes fit"},
        {"log:forged-evidence", "an obligation has another's evidence, all hashes fit"},
    };
    return list;
}

std::optional<std::string> audit_edited_log(const std::string& id) {
    ir::Context ctx;
    analysis::Prover prover(ctx, campaign_prover());
    const Result<ir::Function> source = ir::parse_function(ctx, kProgram, "logged.py");
    PROVISO_CHECK(source.ok(), "the program of the edited logs does not read");
    Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx, *source);
    PROVISO_CHECK(d.ok(), "the program of the edited logs is not well-formed");
    for (const StepGuess& s : steps()) {
        const auto refused = d->apply(s.rule, s.site, nlohmann::json::parse(s.args), prover);
        if (refused) return "the derivation itself: " + refused->diagnostic.message;
    }
    std::vector<Step> list = d->steps();
    forge(id, ctx, list);
    verify::RunClaims claims{"E1", "", {}, {}, verify::find_certificates(ctx, *source, list)};
    PROVISO_CHECK(!claims.certificates.empty(), "no obligation of the edited logs is certified");
    if (id == "log:forged-certificate") {
        claims.certificates.begin()->second = "(certificate 1 (do (false 0)))";
    }
    const verify::Record record =
        verify::make_record(ctx, d->source(), list, verify::step_lines(d->source(), list), claims);
    const fs::path root = fs::temp_directory_path() / ("proviso-log-" + std::to_string(::getpid()));
    fs::remove_all(root);
    write_record(root, record);
    damage(id, root, record);

    verify::AuditOptions options;
    options.policy = "E1";
    options.discharge.use_cvc5 = false;
    options.discharge.check_facts = false;
    options.discharge.jobs = 1;
    options.validate = false;
    ir::Context fresh;
    const verify::AuditReport report = verify::audit(fresh, root.string(), options);
    fs::remove_all(root);
    if (report.exit() == verify::AuditExit::Verified) return std::nullopt;
    return summary(report);
}

}  // namespace proviso::fuzz
