#include "fuzz/folder/journal.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "ir/files/json_text.h"
#include "ir/text.h"

namespace proviso::fuzz {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kDigestDigits = 16;

std::string line_digest(const CampaignSettings& settings, const std::string& text) {
    return ir::sha256_hex(settings.id() + text).substr(0, kDigestDigits);
}

void flatten(const json& nested, const std::string& above, Counts& out) {
    for (const auto& [name, value] : nested.items()) {
        const std::string path = above.empty() ? name : above + "/" + name;
        if (value.is_object()) flatten(value, path, out);
        if (value.is_number_unsigned() && value != 0) out[path] += value.get<std::uint64_t>();
    }
}

}  // namespace

Counts counts_of(const json& nested) {
    Counts out;
    flatten(json::parse(nested.dump()), "", out);  // every count is unsigned then
    return out;
}

void add_counts(Counts& to, const Counts& from) {
    for (const auto& [name, n] : from) to[name] += n;
}

json ReachedCase::json() const {
    return {{"case", number}, {"pair", pair}, {"features", features}};
}

std::vector<ReachedCase> reached_from(const json& list) {
    std::vector<ReachedCase> out;
    for (const nlohmann::json& r : list) {
        ReachedCase& one = out.emplace_back();
        r.at("case").get_to(one.number);
        r.at("pair").get_to(one.pair);
        r.at("features").get_to(one.features);
    }
    return out;
}

json FinishedChunk::json() const {
    nlohmann::json out = {{"chunk", chunk},     {"cases", cases},     {"counts", counts},
                          {"seconds", seconds}, {"slowest", slowest}, {"findings", findings},
                          {"ended", ended},     {"host", host},       {"build", build}};
    if (given.empty()) return out;
    out["given"] = given;
    out["reached"] = json::array();
    for (const ReachedCase& r : reached) out["reached"].push_back(r.json());
    return out;
}

std::string FinishedChunk::digest() const {
    nlohmann::json repeats = {{"cases", cases}, {"counts", counts}, {"findings", findings}};
    const nlohmann::json all = this->json();
    if (all.contains("given")) repeats["guided"] = {all["given"], all["reached"]};
    const auto replaced = json::error_handler_t::replace;
    return ir::sha256_hex(repeats.dump(-1, ' ', false, replaced));
}

std::string journal_line(const CampaignSettings& settings, const FinishedChunk& chunk) {
    const auto replaced = json::error_handler_t::replace;
    const std::string text = chunk.json().dump(-1, ' ', false, replaced);
    return line_digest(settings, text) + " " + text + "\n";
}

std::optional<FinishedChunk> read_journal_line(const CampaignSettings& settings,
                                               const std::string& line) {
    if (line.size() <= kDigestDigits || line[kDigestDigits] != ' ') return std::nullopt;
    const std::string text = line.substr(kDigestDigits + 1);
    if (line.substr(0, kDigestDigits) != line_digest(settings, text)) return std::nullopt;
    const json j = ir::parse_json(text);
    if (!j.is_object()) return std::nullopt;
    FinishedChunk out;
    try {
        for (const auto& [name, to] : {std::pair{"chunk", &out.chunk}, {"cases", &out.cases}}) {
            if (!j.at(name).is_number_unsigned()) return std::nullopt;
            j.at(name).get_to(*to);
        }
        for (const json& n : j.at("counts")) {
            if (!n.is_number_unsigned()) return std::nullopt;
        }
        if (settings.cases != 0 && out.chunk >= settings.chunks()) return std::nullopt;
        j.at("findings").get_to(out.findings);
        j.at("ended").get_to(out.ended);
        j.at("host").get_to(out.host);
        j.at("build").get_to(out.build);
        j.at("counts").get_to(out.counts);
        j.at("seconds").get_to(out.seconds);
        j.at("slowest").get_to(out.slowest);
        if (j.contains("given")) {
            j.at("given").get_to(out.given);
            out.reached = reached_from(j.at("reached"));
        }
    } catch (const json::exception&) {
        return std::nullopt;
    }
    return out;
}

Status Journal::refresh() {
    std::vector<std::string> names;
    std::error_code code;
    fs::directory_iterator it(folder_, code);
    for (; !code && it != fs::directory_iterator(); it.increment(code)) {
        if (it->path().extension() == ".jsonl") names.push_back(it->path().filename().string());
    }
    if (code) return file_error("cannot read", folder_, code.value());
    std::sort(names.begin(), names.end());
    for (const auto& [name, file] : files_) {
        if (!std::binary_search(names.begin(), names.end(), name)) {
            return file_error("lines are lost:", folder_ + "/" + name, ENOENT);
        }
    }
    for (const std::string& name : names) {
        if (const Status ok = read(name, files_[name]); !ok) return ok;
    }
    while (has(first_open_)) ++first_open_;
    return Unit{};
}

Status Journal::read(const std::string& name, File& file) {
    const std::string path = folder_ + "/" + name;
    std::error_code code;
    const fs::file_status status = fs::status(path, code);
    if (code) return file_error("cannot read", path, code.value());
    if (!fs::is_regular_file(status)) {
        if (!std::exchange(file.no_file, true)) damaged_.push_back(name);
        return Unit{};
    }
    const std::uintmax_t size = fs::file_size(path, code);
    if (code) return file_error("cannot read", path, code.value());
    if (size < file.read) return error("lines are lost: " + path + " has become smaller");
    if (size == file.read) {
        file.unfinished = false;
        return Unit{};
    }
    std::ifstream in(path, std::ios::binary);
    if (!in.is_open()) return file_error("cannot read", path, errno);
    in.seekg(static_cast<std::streamoff>(file.read));
    std::string line;
    file.unfinished = false;
    while (std::getline(in, line)) {
        if (in.eof()) {  // no line feed: it is being written, or its writer was killed
            file.unfinished = !line.empty();
            break;
        }
        file.read += line.size() + 1;
        ++file.lines;
        take(name, file, line);
    }
    if (in.bad()) return file_error("cannot read", path, errno);
    return Unit{};
}

void Journal::take(const std::string& name, const File& file, const std::string& line) {
    std::optional<FinishedChunk> chunk = read_journal_line(settings_, line);
    if (!chunk) {
        damaged_.push_back(name + ":" + std::to_string(file.lines));
        return;
    }
    const std::string digest = chunk->digest();
    const auto [known, is_new] = digests_.emplace(chunk->chunk, digest);
    if (!is_new) {
        ++repeated_;
        if (known->second != digest) different_.insert(chunk->chunk);
        return;
    }
    cases_ += chunk->cases;
    add_counts(counts_, chunk->counts);
    const double ended = chunk->ended;
    const auto seen = [&](const std::string& what) {
        double& first = first_seen_.emplace(what, ended).first->second;
        first = std::min(first, ended);
    };
    if (settings_.guided) {
        for (const ReachedCase& r : chunk->reached) {
            for (const std::string& f : r.features) seen(f);
        }
    } else {
        for (const auto& [what, n] : chunk->counts) seen(what);
    }
    const auto alarms = chunk->counts.find("findings");
    chunk->counts = alarms == chunk->counts.end() ? Counts{} : Counts{*alarms};
    const std::uint64_t number = chunk->chunk;
    chunks_.emplace(number, *std::move(chunk));
}

std::vector<std::string> Journal::unfinished() const {
    std::vector<std::string> out;
    for (const auto& [name, file] : files_) {
        if (file.unfinished) out.push_back(name);
    }
    return out;
}

std::vector<Journal::Reached> Journal::over_time() const {
    std::vector<const FinishedChunk*> order;
    for (const auto& [number, chunk] : chunks_) order.push_back(&chunk);
    std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
        return std::tie(a->ended, a->chunk) < std::tie(b->ended, b->chunk);
    });
    std::vector<double> seen;
    for (const auto& [what, when] : first_seen_) seen.push_back(when);
    std::sort(seen.begin(), seen.end());
    std::vector<Reached> out;
    std::uint64_t cases = 0;
    std::uint64_t alarms = 0;
    for (const FinishedChunk* chunk : order) {
        cases += chunk->cases;
        const auto found = chunk->counts.find("findings");
        alarms += found == chunk->counts.end() ? 0 : found->second;
        const auto covered = std::upper_bound(seen.begin(), seen.end(), chunk->ended);
        out.push_back(
            {chunk->ended, cases, alarms, static_cast<std::size_t>(covered - seen.begin())});
    }
    return out;
}

double Journal::last_new() const {
    double out = 0;
    for (const auto& [what, when] : first_seen_) out = std::max(out, when);
    return out;
}

}  // namespace proviso::fuzz
