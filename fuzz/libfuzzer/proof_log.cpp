// For libFuzzer: a proof log. Parts of the input with a byte 0 between them are run.json,
// steps.jsonl, refusals.jsonl and objects, of which the first is the source. All hashes are made to
// fit, so that what reads the parts is reached. The audit returns, whatever they are.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ir/context.h"
#include "ir/deep_stack.h"
#include "ir/files/json_text.h"
#include "ir/text.h"
#include "verify/audit/audit.h"
#include "verify/files/object_pack.h"
#include "verify/log/format.h"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using namespace proviso;

std::vector<std::string> split(std::string_view text, char at) {
    std::vector<std::string> out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(at), text.size());
        out.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

void write(const fs::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

// The statement with the hashes of what is there, if it is an object with a predicate.
std::string consistent(const std::string& run, const std::vector<std::string>& steps,
                       const std::vector<std::string>& refusals,
                       const std::vector<std::string>& objects) {
    json statement = ir::parse_json(run);
    if (!statement.is_object() || !statement.value("predicate", json()).is_object()) return run;
    json& predicate = statement["predicate"];
    predicate["steps"] = verify::chain_summary(steps);
    predicate["refusals"] = verify::chain_summary(refusals);
    std::set<std::string> names;
    for (const std::string& object : objects) names.insert(ir::sha256_hex(object));
    predicate["objects"] = names;
    if (!objects.empty() && predicate.value("input", json()).is_object()) {
        predicate["input"]["digest"] = verify::digest(objects.front());
    }
    return verify::canonical(statement) + "\n";
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const fs::path root =
        fs::temp_directory_path() / ("proviso-libfuzzer-" + std::to_string(::getpid()));
    std::vector<std::string> parts = split({reinterpret_cast<const char*>(data), size}, '\0');
    parts.resize(std::max<std::size_t>(parts.size(), 3));
    const std::vector<std::string> objects(parts.begin() + 3, parts.end());
    fs::remove_all(root);
    fs::create_directories(root);
    const std::string run =
        consistent(parts[0], split(parts[1], '\n'), split(parts[2], '\n'), objects);
    write(root / verify::kRunFile, run);
    write(root / verify::kRunDigestFile, ir::sha256_hex(run) + "\n");
    write(root / verify::kStepsFile, parts[1]);
    write(root / verify::kRefusalsFile, parts[2]);
    verify::Objects packed;
    for (const std::string& object : objects) packed[ir::sha256_hex(object)] = object;
    write(root / verify::kObjectsFile, verify::pack_objects(packed));
    verify::AuditOptions options;
    options.validate = false;
    options.discharge.use_z3 = false;
    options.discharge.use_cvc5 = false;
    options.discharge.jobs = 1;
    ir::on_deep_stack([&] {
        ir::Context ctx;
        verify::audit(ctx, root.string(), options).text(true);
    });
    return 0;
}
