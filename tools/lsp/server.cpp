#include "tools/lsp/server.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "ir/files/limits.h"
#include "tools/lsp/schedule_view.h"
#include "tools/support/support.h"

namespace proviso::tools::lsp {

using ir::python::Position;
using nlohmann::json;

namespace {

// Codes of JSON-RPC 2.0, and of the protocol.
constexpr int kParseError = -32700;
constexpr int kInvalidRequest = -32600;
constexpr int kMethodNotFound = -32601;
constexpr int kNotInitialized = -32002;

constexpr unsigned kSecondsOfAnswer = 10;
constexpr std::chrono::milliseconds kQuiet{150};

struct NoSuchMethod {};
struct Refused {
    std::string why;
};

json failure(const json& id, int code, const std::string& message) {
    return {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}};
}

const json& member(const json& of, const char* key) {
    static const json none;
    return of.is_object() && of.contains(key) ? of[key] : none;
}

std::string text_member(const json& of, const char* key) {
    const json& value = member(of, key);
    return value.is_string() ? value.get<std::string>() : std::string();
}

}  // namespace

struct Server::Open {
    Document document;
    bool schedule = false;
    bool to_run = false;
    std::uint64_t changed = 0;   // the number of its last change
    json calls = json::array();  // of the last run, of this very text
};

Server::Server(const LspOptions& options, Send send) : options_(options), send_(std::move(send)) {}
Server::~Server() = default;

void Server::take(const std::string& body) {
    const json message = json::parse(body, nullptr, false);
    if (message.is_discarded()) {
        send_(failure(nullptr, kParseError, "this is no JSON"));
        return;
    }
    const std::string method = text_member(message, "method");
    const json& id = member(message, "id");
    if (!id.is_null() && !id.is_string() && !id.is_number()) {
        send_(failure(nullptr, kInvalidRequest, "an id must be a text or a number"));
        return;
    }
    if (method.empty()) {
        // What has neither is nothing; what has no method is an answer to a request of ours.
        if (!message.is_object() || id.is_null()) {
            send_(failure(nullptr, kInvalidRequest, "a message without a method"));
        }
        return;
    }
    const json& params = member(message, "params");
    if (id.is_null()) {
        notified(method, params);
        return;
    }
    if (!initialized_ && method != "initialize") {
        send_(failure(id, kNotInitialized, "the first request must be \"initialize\""));
        return;
    }
    if (shut_down_) {
        send_(failure(id, kInvalidRequest, "after \"shutdown\" only \"exit\" may follow"));
        return;
    }
    try {
        send_({{"jsonrpc", "2.0"}, {"id", id}, {"result", answer(method, params)}});
    } catch (const Refused& refused) {
        send_(failure(id, kInvalidRequest, refused.why));
    } catch (const NoSuchMethod&) {
        send_(failure(id, kMethodNotFound, "there is no method " + method + " here"));
    }
}

json Server::answer(const std::string& method, const json& params) {
    if (method == "initialize") {
        if (initialized_) throw Refused{"\"initialize\" was there before"};
        return initialize(params);
    }
    if (method == "shutdown") {
        shut_down_ = true;
        job_.reset();
        return nullptr;
    }
    const bool known = method == "textDocument/hover" || method == "textDocument/definition" ||
                       method == "textDocument/codeLens" || method == "textDocument/formatting" ||
                       method == "textDocument/documentSymbol";
    if (!known) throw NoSuchMethod{};
    const Open* const open = find(params);
    if (open == nullptr) return nullptr;
    const Document& d = open->document;
    if (method == "textDocument/codeLens") return code_lenses(*open);
    const Lines lines(d.text);
    const Position at = lines.decoded(member(params, "position"));
    if (at.line > static_cast<int>(lines.size())) return nullptr;
    return guarded([&]() -> json {
        if (method == "textDocument/documentSymbol") {
            return open->schedule ? json::array() : program_symbols(d);
        }
        if (method == "textDocument/formatting") {
            return open->schedule ? json::array() : program_format(d);
        }
        if (method == "textDocument/hover") {
            return open->schedule ? schedule_hover(d, at, open->calls) : program_hover(d, at);
        }
        if (!open->schedule) return program_definition(d, at);
        const Result<Document> program = program_for(d);
        return schedule_definition(d, at, program ? *program : Document{}, open->calls);
    });
}

json Server::initialize(const json& params) {
    initialized_ = true;
    const json& lens = member(member(member(params, "capabilities"), "workspace"), "codeLens");
    refreshes_lenses_ = member(lens, "refreshSupport") == true;
    const std::string program = text_member(member(params, "initializationOptions"), "program");
    if (!program.empty()) options_.program = program;
    return {{"capabilities",
             {{"positionEncoding", "utf-16"},
              {"textDocumentSync", {{"openClose", true}, {"change", 1}, {"save", true}}},
              {"hoverProvider", true},
              {"definitionProvider", true},
              {"documentSymbolProvider", true},
              {"documentFormattingProvider", true},
              {"codeLensProvider", json::object()}}},
            {"serverInfo", {{"name", "proviso"}}}};
}

void Server::notified(const std::string& method, const json& params) {
    if (method == "exit") {
        exit_ = shut_down_ ? kFine : kRefuted;
        return;
    }
    if (!initialized_ || shut_down_) return;
    const json& d = member(params, "textDocument");
    const std::string uri = text_member(d, "uri");
    if (method == "textDocument/didOpen") changed(uri, text_member(d, "text"));
    if (method == "textDocument/didClose") closed(uri);
    // Of files that are not open here, what they hold counts.
    if (method == "textDocument/didSave") program_changed(path_of_uri(uri));
    if (method == "workspace/didChangeWatchedFiles") program_changed({});
    if (method == "textDocument/didChange") {
        const json& changes = member(params, "contentChanges");
        if (changes.is_array() && !changes.empty()) {
            changed(uri, text_member(changes.back(), "text"));
        }
    }
}

Server::Open* Server::find(const json& params) {
    const auto it = open_.find(text_member(member(params, "textDocument"), "uri"));
    return it == open_.end() ? nullptr : it->second.get();
}

void Server::changed(const std::string& uri, std::string text) {
    if (uri.empty()) return;
    const std::string path = path_of_uri(uri);
    const bool was_program = open_.contains(uri) && !open_.at(uri)->schedule;
    Open now{{path.empty() ? uri : path, std::move(text)}};
    now.changed = ++changes_;
    last_change_ = std::chrono::steady_clock::now();
    end_run_of(uri);
    json diagnostics;
    if (now.document.text.size() > ir::limits::kProgramBytes) {
        now.document.text.clear();
        const Diagnostic d = error("a file of more than " +
                                   std::to_string(ir::limits::kProgramBytes / ir::limits::kMiB) +
                                   " MiB is not read");
        diagnostics = json::array({told(d, now.document.path, Lines(""), 1, 1)});
    } else {
        // Null: it is a schedule.
        const json seen = guarded([&]() -> json {
            const bool schedule = is_schedule(now.document);
            return {{"diagnostics", schedule ? json() : program_diagnostics(now.document)}};
        });
        diagnostics = member(seen, "diagnostics");
        now.schedule = seen.is_object() && diagnostics.is_null();
        now.to_run = now.schedule;
        if (!seen.is_object()) {
            const Diagnostic d = error("no verdict: reading this file takes more than " +
                                       std::to_string(kSecondsOfAnswer) + " seconds");
            diagnostics = json::array({told(d, now.document.path, Lines(now.document.text), 1, 2)});
        }
    }
    const bool is_program = !now.schedule;
    const std::string document = now.document.path;
    open_[uri] = std::make_unique<Open>(std::move(now));
    if (is_program) publish(uri, std::move(diagnostics));
    if (is_program || was_program) program_changed(document);
    if (!is_program) end_run_of_others(uri);
}

void Server::program_changed(const std::string& path) {
    for (auto& [uri, schedule] : open_) {
        if (!schedule->schedule) continue;
        std::string program = program_of_schedule(schedule->document);
        if (program.empty()) program = options_.program;
        if (!path.empty() && program != path) continue;
        schedule->to_run = true;
        schedule->calls = json::array();
        end_run_of(uri);
    }
    last_change_ = std::chrono::steady_clock::now();
}

void Server::end_run_of(const std::string& uri) {
    if (running_ != uri) return;
    job_.reset();
    running_.clear();
}

void Server::end_run_of_others(const std::string& uri) {
    if (job_ == nullptr || running_ == uri) return;
    const auto other = open_.find(running_);
    if (other != open_.end()) other->second->to_run = true;
    end_run_of(std::string(running_));
}

void Server::closed(const std::string& uri) {
    const auto at = open_.find(uri);
    if (at == open_.end()) return;
    const std::unique_ptr<Open> gone = std::move(at->second);
    end_run_of(uri);
    open_.erase(at);
    publish(uri, json::array());
    if (!gone->schedule) program_changed(gone->document.path);
}

void Server::publish(const std::string& uri, json diagnostics) {
    send_({{"jsonrpc", "2.0"},
           {"method", "textDocument/publishDiagnostics"},
           {"params", {{"uri", uri}, {"diagnostics", std::move(diagnostics)}}}});
}

json Server::code_lenses(const Open& open) const {
    json out = json::array();
    const Lines lines(open.document.text);
    for (const json& call : open.calls) {
        out.push_back({{"range", lines.range({call.value("line", 1), 1}, 0)},
                       {"command", {{"title", call.value("title", "")}, {"command", ""}}}});
    }
    return out;
}

Result<Document> Server::program_for(const Document& schedule) const {
    std::string path = program_of_schedule(schedule);
    if (path.empty()) path = options_.program;
    if (path.empty()) {
        return error("nobody says which program this schedule is for",
                     "write a line `# proviso: program FILE`, or call it NAME.sch.py next to "
                     "NAME.py");
    }
    for (const auto& [uri, open] : open_) {
        if (open->document.path == path && !open->schedule) return open->document;
    }
    const Result<std::string> text = read_file(path);
    if (!text) return text.error();
    return Document{path, *text};
}

// The one that was changed last: somebody looks at it.
std::optional<std::string> Server::next_to_run() const {
    std::optional<std::string> out;
    std::uint64_t latest = 0;
    for (const auto& [uri, open] : open_) {
        if (!open->to_run || (out && open->changed < latest)) continue;
        out = uri;
        latest = open->changed;
    }
    return out;
}

std::optional<std::chrono::milliseconds> Server::until_work() const {
    if (shut_down_ || job_ != nullptr || !next_to_run()) return std::nullopt;
    const auto passed = std::chrono::steady_clock::now() - last_change_;
    if (passed >= kQuiet) return std::chrono::milliseconds(0);
    return std::chrono::duration_cast<std::chrono::milliseconds>(kQuiet - passed) +
           std::chrono::milliseconds(1);
}

void Server::begin_work() {
    const std::optional<std::string> uri = next_to_run();
    if (!uri || job_ != nullptr) return;
    Open& open = *open_.at(*uri);
    open.to_run = false;
    const Document schedule = open.document;
    const Result<Document> program = program_for(schedule);
    if (!program) {
        publish(*uri,
                json::array({told(program.error(), schedule.path, Lines(schedule.text), 1, 2)}));
        return;
    }
    backend::ChildLimits limits;
    limits.seconds = options_.seconds;
    limits.wall_seconds = 20 * options_.seconds;  // for what waits for ever
    limits.memory = options_.memory * ir::limits::kMiB;
    running_ = *uri;
    job_ = std::make_unique<Job>(limits, [&] {
        return run_for_editor(schedule, *program)
            .dump(-1, ' ', true, json::error_handler_t::replace);
    });
    if (job_->file() < 0) job_.reset();
}

void Server::read_job() {
    const std::optional<backend::ChildResult> result = job_->read();
    if (!result) return;
    job_.reset();
    const auto it = open_.find(std::exchange(running_, {}));
    if (it == open_.end()) return;
    Open& open = *it->second;
    json told_of = result->finished ? json::parse(result->bytes, nullptr, false) : json::object();
    if (!result->finished || !told_of.is_object()) {
        const Diagnostic d = error("no verdict: the run of this schedule was " + result->death,
                                   "`proviso lsp --seconds` raises the limit of one run");
        publish(it->first,
                json::array({told(d, open.document.path, Lines(open.document.text), 1, 2)}));
        return;
    }
    open.calls = std::move(told_of["calls"]);
    publish(it->first, std::move(told_of["diagnostics"]));
    if (!refreshes_lenses_) return;
    send_({{"jsonrpc", "2.0"},
           {"id", "proviso-" + std::to_string(++requests_)},
           {"method", "workspace/codeLens/refresh"}});
}

json Server::guarded(const std::function<json()>& work) const {
    backend::ChildLimits limits;
    limits.seconds = kSecondsOfAnswer;
    limits.wall_seconds = 20 * kSecondsOfAnswer;
    limits.memory = options_.memory * ir::limits::kMiB;
    const backend::ChildResult result = backend::in_child(
        limits, [&] { return work().dump(-1, ' ', true, json::error_handler_t::replace); });
    json out = result.finished ? json::parse(result.bytes, nullptr, false) : json();
    return out.is_discarded() ? json() : out;
}

}  // namespace proviso::tools::lsp
