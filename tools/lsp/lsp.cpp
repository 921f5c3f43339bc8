// proviso lsp: a language server on standard input and output.
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tools/commands.h"
#include "tools/lsp/protocol.h"
#include "tools/lsp/server.h"
#include "tools/support/support.h"

namespace proviso::tools {

namespace {

// A schedule is run once nothing has been typed for so long.
constexpr int kQuietMilliseconds = 150;

void send(const nlohmann::json& message) {
    const std::string bytes = lsp::framed(message);
    std::fwrite(bytes.data(), 1, bytes.size(), stdout);
    std::fflush(stdout);
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
        const int ready =
            ::poll(files.data(), files.size(), server.has_work() ? kQuietMilliseconds : -1);
        if (ready < 0 && errno != EINTR) return kInternal;
        if (ready == 0) server.begin_work();
        if (ready <= 0) continue;
        if (files[1].revents != 0) server.read_job();
        if (files[0].revents == 0) continue;
        const ssize_t n = ::read(STDIN_FILENO, buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return kRefuted;  // the client has gone without "exit"
        inbox.add({buffer.data(), static_cast<std::size_t>(n)});
        while (true) {
            const Result<std::optional<std::string>> body = inbox.next();
            if (!body) return bad_input(body.error());
            if (!*body) break;
            server.take(**body);
            if (server.exit_code()) return *server.exit_code();
            if (std::ferror(stdout) != 0) return kBadInput;  // nobody reads the answers
        }
    }
}

}  // namespace proviso::tools
