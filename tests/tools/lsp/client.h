// An editor, as far as a language server sees of one.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <deque>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/lsp/protocol.h"

namespace proviso::tests {

class Editor {
  public:
    explicit Editor(const std::vector<std::string>& options = {}) {
        std::array<int, 2> in{};
        std::array<int, 2> out{};
        if (::pipe(in.data()) != 0 || ::pipe(out.data()) != 0) std::abort();
        std::vector<std::string> words{PROVISO_BINARY, "lsp"};
        words.insert(words.end(), options.begin(), options.end());
        std::vector<char*> argv;
        for (std::string& word : words) argv.push_back(word.data());
        argv.push_back(nullptr);
        pid_ = ::fork();
        if (pid_ == 0) {
            ::dup2(in[0], STDIN_FILENO);
            ::dup2(out[1], STDOUT_FILENO);
            for (const int file : {in[0], in[1], out[0], out[1]}) ::close(file);
            ::execv(argv[0], argv.data());
            _exit(127);
        }
        ::close(in[0]);
        ::close(out[1]);
        to_ = in[1];
        from_ = out[0];
    }
    ~Editor() {
        close();
        ::close(from_);
        if (pid_ > 0) {
            ::kill(pid_, SIGKILL);
            ::waitpid(pid_, nullptr, 0);
        }
    }
    Editor(const Editor&) = delete;
    Editor& operator=(const Editor&) = delete;

    void write(const std::string& bytes) const {
        EXPECT_EQ(::write(to_, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    }
    void send(const nlohmann::json& message) const { write(tools::lsp::framed(message)); }
    void notify(const std::string& method,
                const nlohmann::json& params = nlohmann::json::object()) const {
        send({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}});
    }
    // The next message; null when there is none any more.
    nlohmann::json next() {
        while (true) {
            const auto body = inbox_.next();
            if (!body.ok()) return nullptr;
            if (*body) return nlohmann::json::parse(**body);
            pollfd answer{from_, POLLIN, 0};
            constexpr int patience = 120'000;  // milliseconds
            if (::poll(&answer, 1, patience) == 0) {
                ADD_FAILURE() << "the server says nothing";
                return nullptr;
            }
            std::array<char, 4096> buffer{};
            const ssize_t n = ::read(from_, buffer.data(), buffer.size());
            if (n <= 0) return nullptr;
            inbox_.add({buffer.data(), static_cast<std::size_t>(n)});
        }
    }
    // The answer, whole; what comes before it is kept.
    nlohmann::json request(const std::string& method,
                           const nlohmann::json& params = nlohmann::json::object()) {
        const int id = ++requests_;
        send({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}});
        while (true) {
            nlohmann::json message = next();
            if (message.is_null() || message.value("id", nlohmann::json()) == id) return message;
            kept_.push_back(std::move(message));
        }
    }
    // What the next message about the file's diagnostics says.
    nlohmann::json diagnostics(const std::string& path) {
        const std::string uri = tools::lsp::uri_of_path(path);
        while (true) {
            nlohmann::json message;
            if (kept_.empty()) {
                message = next();
            } else {
                message = kept_.front();
                kept_.pop_front();
            }
            if (message.is_null()) return nullptr;
            if (message.value("method", "") != "textDocument/publishDiagnostics") continue;
            if (message["params"]["uri"] == uri) return message["params"]["diagnostics"];
        }
    }
    nlohmann::json begin(const nlohmann::json& options = nlohmann::json::object()) {
        return request("initialize", {{"capabilities", nlohmann::json::object()},
                                      {"initializationOptions", options}});
    }
    void open(const std::string& path, const std::string& text) const {
        notify("textDocument/didOpen",
               {{"textDocument", {{"uri", tools::lsp::uri_of_path(path)}, {"text", text}}}});
    }
    void change(const std::string& path, const std::string& text) const {
        notify("textDocument/didChange",
               {{"textDocument", {{"uri", tools::lsp::uri_of_path(path)}}},
                {"contentChanges", nlohmann::json::array({{{"text", text}}})}});
    }
    // A request about the first place of `mark` in the text, or `skip` characters behind it.
    nlohmann::json about(const std::string& method, const std::string& path,
                         const std::string& text, const std::string& mark, int skip = 0) {
        const std::size_t at = text.find(mark);
        EXPECT_NE(at, std::string::npos) << mark;
        const std::size_t line = text.rfind('\n', at) + 1;
        return request(
            method,
            {{"textDocument", {{"uri", tools::lsp::uri_of_path(path)}}},
             {"position",
              {{"line",
                std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')},
               {"character", static_cast<int>(at - (at == 0 ? 0 : line)) + skip}}}})["result"];
    }
    void close() {
        if (to_ >= 0) ::close(to_);
        to_ = -1;
    }
    // The exit code, once the server has ended.
    int ended() {
        int status = 0;
        ::waitpid(pid_, &status, 0);
        pid_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

  private:
    pid_t pid_ = -1;
    int to_ = -1;
    int from_ = -1;
    int requests_ = 0;
    tools::lsp::Inbox inbox_;
    std::deque<nlohmann::json> kept_;
};

}  // namespace proviso::tests
