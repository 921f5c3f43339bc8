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

struct NoSuchMethod {};

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
    } catch (const NoSuchMethod&) {
        send_(failure(id, kMethodNotFound, "there is no method " + method + " here"));
    }
}

json Server::answer(const std::string& method, const json& params) {
    if (method == "initialize") return initialize(params);
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
              {"textDocumentSync", {{"openClose", true}, {"change", 1}}},
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
    Open now{{path.empty() ? uri : path, std::move(text)}};
    if (now.document.text.size() > ir::limits::kProgramBytes) {
        now.document.text.clear();
        const Diagnostic d = error("a file of more than " +
                                   std::to_string(ir::limits::kProgramBytes / ir::limits::kMiB) +
                                   " MiB is not read");
        publish(uri, json::array({told(d, now.document.path, Lines(""), 1, 1)}));
        open_[uri] = std::make_unique<Open>(std::move(now));
        return;
    }
    now.schedule = guarded([&] { return json(is_schedule(now.document)); }) == true;
    now.to_run = now.schedule;
    if (running_ == uri) job_.reset();
    if (!now.schedule) {
        json diagnostics = guarded([&] { return program_diagnostics(now.document); });
        publish(uri, diagnostics.is_array() ? std::move(diagnostics) : json::array());
        for (auto& [other, schedule] : open_) {
            if (!schedule->schedule) continue;
            const Result<Document> program = program_for(schedule->document);
            if (!program || program->path != now.document.path) continue;
            schedule->to_run = true;
            schedule->calls = json::array();
            if (running_ == other) job_.reset();
        }
    }
    open_[uri] = std::make_unique<Open>(std::move(now));
}

void Server::closed(const std::string& uri) {
    if (running_ == uri) job_.reset();
    if (open_.erase(uri) > 0) publish(uri, json::array());
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

std::optional<std::string> Server::next_to_run() const {
    for (const auto& [uri, open] : open_) {
        if (open->to_run) return uri;
    }
    return std::nullopt;
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
