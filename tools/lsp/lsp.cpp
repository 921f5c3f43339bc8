// proviso lsp: a language server on standard input and output.
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/commands.h"
#include "tools/lsp/protocol.h"
#include "tools/lsp/server.h"
#include "tools/support/support.h"

namespace proviso::tools {

namespace {

void send(const nlohmann::json& message) {
    const std::string bytes = lsp::framed(message);
    std::fwrite(bytes.data(), 1, bytes.size(), stdout);
    std::fflush(stdout);
}

bool has_input() {
    pollfd file{STDIN_FILENO, POLLIN, 0};
    return ::poll(&file, 1, 0) > 0;
}

// The file that a change is of; empty: it is no change.
std::string changed_file(const std::string& body) {
    nlohmann::json at = nlohmann::json::parse(body, nullptr, false);
    if (!at.is_object() || at.value("method", nlohmann::json()) != "textDocument/didChange") {
        return {};
    }
    for (const char* key : {"params", "textDocument", "uri"}) {
        if (!at.is_object() || !at.contains(key)) return {};
        nlohmann::json inner = std::move(at[key]);
        at = std::move(inner);
    }
    return at.is_string() ? at.get<std::string>() : std::string();
}

// Of several changes of one file without another message between them, the last: the others are
// past.
std::vector<std::string> without_past_changes(std::vector<std::string> bodies) {
    std::vector<std::string> out;
    std::string last;
    for (std::string& body : bodies) {
        std::string file = changed_file(body);
        if (!file.empty() && file == last) out.pop_back();
        last = std::move(file);
        out.push_back(std::move(body));
    }
    return out;
}

}  // namespace

int run_lsp(const LspOptions& options) {
    LspOptions with_paths = options;
    if (!options.program.empty()) {
        with_paths.program = std::filesystem::absolute(options.program).lexically_normal().string();
    }
    lsp::Inbox inbox;
    lsp::Server server(with_paths, send);
    std::array<char, 65536> buffer{};
    while (true) {
        std::array<pollfd, 2> files{{{STDIN_FILENO, POLLIN, 0}, {-1, POLLIN, 0}}};
        if (server.job() != nullptr) files[1].fd = server.job()->file();
        const auto wait = server.until_work();
        const int ready =
            ::poll(files.data(), files.size(), wait ? static_cast<int>(wait->count()) : -1);
        if (ready < 0 && errno != EINTR) return kInternal;
        if (ready >= 0 && server.until_work() == std::chrono::milliseconds(0)) server.begin_work();
        if (ready <= 0) continue;
        if (files[1].revents != 0) server.read_job();
        if (files[0].revents == 0) continue;
        bool ended = false;
        int reads = 256;  // before anything is answered
        do {
            const ssize_t n = ::read(STDIN_FILENO, buffer.data(), buffer.size());
            if (n < 0 && errno == EINTR) continue;
            if (n > 0) inbox.add({buffer.data(), static_cast<std::size_t>(n)});
            ended = n <= 0;
        } while (!ended && --reads > 0 && has_input());
        std::vector<std::string> bodies;
        std::optional<Diagnostic> lost;
        while (true) {
            const Result<std::optional<std::string>> body = inbox.next();
            if (!body) lost = body.error();
            if (!body || !*body) break;
            bodies.push_back(**body);
        }
        for (const std::string& body : without_past_changes(std::move(bodies))) {
            server.take(body);
            if (server.exit_code()) return *server.exit_code();
            if (std::ferror(stdout) != 0) return kBadInput;  // nobody reads the answers
        }
        if (lost) return bad_input(*lost);
        if (ended) return kRefuted;  // the client has gone without "exit"
    }
}

}  // namespace proviso::tools
