// A browser without a window, told what to do through a pipe by the DevTools protocol of Chromium:
// https://chromedevtools.github.io/devtools-protocol/. What a test evaluates in a page is no part
// of the page, so its content security policy does not hold for it.
#pragma once

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace proviso::tests {

// The program of a browser; empty: there is none.
inline std::string browser_program() {
    const char* const path = std::getenv("PATH");
    std::string rest = path == nullptr ? "/usr/bin:/bin" : path;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
            const std::string file = rest.substr(0, end) + "/" + name;
            if (access(file.c_str(), X_OK) == 0) return file;
        }
        rest.erase(0, end + 1);
    }
    return "";
}

class Browser {
  public:
    using json = nlohmann::json;

    // Keeps what it must in `folder`. Throws where it does not start.
    explicit Browser(const std::string& program, const std::filesystem::path& folder) {
        std::array<int, 2> to{};
        std::array<int, 2> from{};
        std::signal(SIGPIPE, SIG_IGN);  // a browser that ended is told of as such
        if (pipe(to.data()) != 0 || pipe(from.data()) != 0) throw std::runtime_error("no pipe");
        child_ = fork();
        if (child_ < 0) throw std::runtime_error("no process");
        if (child_ == 0) start(program, folder.string(), to[0], from[1]);
        close(to[0]);
        close(from[1]);
        write_ = to[1];
        read_ = from[0];
        const json target = send("Target.createTarget", {{"url", "about:blank"}}, "");
        session_ = send("Target.attachToTarget",
                        {{"targetId", target.at("targetId")}, {"flatten", true}}, "")
                       .at("sessionId")
                       .get<std::string>();
        for (const char* domain :
             {"Page.enable", "Runtime.enable", "Log.enable", "Network.enable"}) {
            send(domain);
        }
        size(1280, 900);
    }
    ~Browser() {
        kill(-child_, SIGKILL);
        int status = 0;
        waitpid(child_, &status, 0);
        close(write_);
        close(read_);
    }
    Browser(const Browser&) = delete;
    Browser& operator=(const Browser&) = delete;

    void size(int width, int height) {
        send("Emulation.setDeviceMetricsOverride",
             {{"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", false}});
    }
    // "dark" or "light"; `medium`: "" or "print".
    void media(const std::string& scheme, const std::string& medium = "") {
        send("Emulation.setEmulatedMedia",
             {{"media", medium},
              {"features", {{{"name", "prefers-color-scheme"}, {"value", scheme}}}}});
    }
    void scripts(bool on) { send("Emulation.setScriptExecutionDisabled", {{"value", !on}}); }

    // Opens a file, and waits until all of it is there.
    void open(const std::filesystem::path& file) {
        complaints_.clear();
        requests_.clear();
        send("Page.navigate", {{"url", "file://" + file.string()}});
        for (int k = 0; k < 12000; ++k) {
            const json seen =
                evaluate("document.readyState + ' ' + (location.protocol === 'file:')");
            if (seen == json("complete true")) return;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        throw std::runtime_error(file.string() + " was not opened");
    }
    // The value of an expression of JavaScript; a promise's, once it has one.
    json evaluate(const std::string& script) {
        const json out =
            send("Runtime.evaluate",
                 {{"expression", script}, {"returnByValue", true}, {"awaitPromise", true}});
        if (out.contains("exceptionDetails")) {
            throw std::runtime_error(script + ": " + out.at("exceptionDetails").dump());
        }
        return out.at("result").value("value", json());
    }
    // A key pressed and let go: "j", "Enter", "Tab".
    void press(const std::string& key) {
        json how{{"key", key}};
        if (key.size() == 1) how["text"] = key;
        if (key == "Enter") how.update({{"text", "\r"}, {"windowsVirtualKeyCode", 13}});
        if (key == "Tab") how.update({{"windowsVirtualKeyCode", 9}});
        if (key == "Escape") how.update({{"windowsVirtualKeyCode", 27}});
        how["type"] = how.contains("text") ? "keyDown" : "rawKeyDown";
        send("Input.dispatchKeyEvent", how);
        send("Input.dispatchKeyEvent", {{"type", "keyUp"}, {"key", key}});
    }
    void type(const std::string& text) {
        for (const char c : text) press(std::string(1, c));
    }
    // A click in the middle of the first element that the selector names.
    void click(const std::string& selector) {
        const json at =
            evaluate("(() => { const e = document.querySelector(" + json(selector).dump() +
                     "); e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();"
                     " return [r.x + r.width / 2, r.y + r.height / 2]; })()");
        for (const char* what : {"mousePressed", "mouseReleased"}) {
            send("Input.dispatchMouseEvent", {{"type", what},
                                              {"x", at.at(0)},
                                              {"y", at.at(1)},
                                              {"button", "left"},
                                              {"clickCount", 1}});
        }
    }
    // A page of PNG, in Base64.
    std::string screenshot() {
        return send("Page.captureScreenshot", {{"format", "png"}}).at("data").get<std::string>();
    }
    std::size_t printed_bytes() {
        return send("Page.printToPDF", {{"printBackground", true}})
            .at("data")
            .get<std::string>()
            .size();
    }

    // What the browser said since the page was opened: errors, and whatever else it logs.
    const std::vector<std::string>& complaints() const { return complaints_; }
    // What it asked for beside the file itself.
    const std::vector<std::string>& requests() const { return requests_; }

  private:
    [[noreturn]] static void start(const std::string& program, const std::string& folder, int in,
                                   int out) {
        setpgid(0, 0);
        // The protocol's pipes are 3 and 4; those here may be the same numbers.
        const int first = dup(in);
        const int second = dup(out);
        dup2(first, 103);
        dup2(second, 104);
        dup2(103, 3);
        dup2(104, 4);
        if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(126);
        const std::string profile = "--user-data-dir=" + folder;
        execl(program.c_str(), program.c_str(), "--headless=new", "--no-sandbox", "--disable-gpu",
              "--hide-scrollbars", "--disable-dev-shm-usage", "--no-first-run",
              "--remote-debugging-pipe", profile.c_str(), "about:blank",
              static_cast<char*>(nullptr));
        _exit(127);
    }

    json send(const std::string& method, const json& parameters = json::object()) {
        return send(method, parameters, session_);
    }
    json send(const std::string& method, const json& parameters, const std::string& session) {
        json message{{"id", ++last_}, {"method", method}, {"params", parameters}};
        if (!session.empty()) message["sessionId"] = session;
        const std::string bytes = message.dump() + '\0';
        for (std::size_t done = 0; done < bytes.size();) {
            const ssize_t n = write(write_, bytes.data() + done, bytes.size() - done);
            if (n <= 0) throw std::runtime_error("the browser ended");
            done += static_cast<std::size_t>(n);
        }
        while (true) {
            const json answer = receive();
            if (answer.value("id", 0) != last_) {
                note(answer);
            } else if (answer.contains("error")) {
                throw std::runtime_error(method + ": " + answer.at("error").dump());
            } else {
                return answer.value("result", json::object());
            }
        }
    }
    json receive() {
        std::size_t end = 0;
        while ((end = buffer_.find('\0')) == std::string::npos) {
            pollfd ready{read_, POLLIN, 0};
            constexpr int patience = 60'000;  // milliseconds; a browser that says nothing hangs
            std::array<char, 65536> bytes{};
            if (poll(&ready, 1, patience) <= 0)
                throw std::runtime_error("the browser says nothing");
            const ssize_t n = read(read_, bytes.data(), bytes.size());
            if (n <= 0) throw std::runtime_error("the browser ended");
            buffer_.append(bytes.data(), static_cast<std::size_t>(n));
        }
        const json out = json::parse(buffer_.substr(0, end));
        buffer_.erase(0, end + 1);
        return out;
    }
    void note(const json& event) {
        const std::string method = event.value("method", "");
        if (method == "Log.entryAdded" || method == "Runtime.exceptionThrown" ||
            method == "Runtime.consoleAPICalled") {
            complaints_.push_back(event.at("params").dump());
        }
        if (method != "Network.requestWillBeSent") return;
        const std::string url = event.at("params").at("request").at("url").get<std::string>();
        const bool own = event.at("params").value("type", "") == "Document";
        if (!own && url.rfind("data:", 0) != 0) requests_.push_back(url);
    }

    pid_t child_ = -1;
    int write_ = -1;
    int read_ = -1;
    int last_ = 0;
    std::string session_;
    std::string buffer_;
    std::vector<std::string> complaints_;
    std::vector<std::string> requests_;
};

}  // namespace proviso::tests
