// A language server: what it knows of the files that an editor has open, and its answers.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "tools/commands.h"
#include "tools/lsp/job.h"
#include "tools/lsp/program_view.h"

namespace proviso::tools::lsp {

class Server {
  public:
    using Send = std::function<void(const nlohmann::json& message)>;
    Server(const LspOptions& options, Send send);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    // One message of the client.
    void take(const std::string& body);
    // Set by "exit": the code to end with, as the protocol says.
    std::optional<int> exit_code() const { return exit_; }

    // The schedule that is run; null: none is.
    Job* job() { return job_.get(); }
    void read_job();
    // How long until a schedule is to be run: a while after the last change, so that it does not
    // run for each key. None: no schedule waits.
    std::optional<std::chrono::milliseconds> until_work() const;
    void begin_work();

  private:
    struct Open;

    nlohmann::json answer(const std::string& method, const nlohmann::json& params);
    void notified(const std::string& method, const nlohmann::json& params);
    nlohmann::json initialize(const nlohmann::json& params);
    void changed(const std::string& uri, std::string text);
    void closed(const std::string& uri);
    // Schedules for that program, or all, have no verdict any more, and are to run.
    void program_changed(const std::string& path);
    // Ends the run of that schedule, or of any other than that; the latter is to run again.
    void end_run_of(const std::string& uri);
    void end_run_of_others(const std::string& uri);
    void publish(const std::string& uri, nlohmann::json diagnostics);
    nlohmann::json code_lenses(const Open& open) const;
    std::optional<std::string> next_to_run() const;
    // As the editor has it, or the file.
    Result<Document> program_for(const Document& schedule) const;
    Open* find(const nlohmann::json& params);
    // In a process of its own: what crashes there is an answer without content.
    nlohmann::json guarded(const std::function<nlohmann::json()>& work) const;

    LspOptions options_;
    Send send_;
    std::map<std::string, std::unique_ptr<Open>> open_;
    std::unique_ptr<Job> job_;
    std::string running_;  // the URI of the schedule that is run
    std::chrono::steady_clock::time_point last_change_;
    std::uint64_t changes_ = 0;
    bool refreshes_lenses_ = false;
    bool initialized_ = false;
    bool shut_down_ = false;
    int requests_ = 0;  // of the server to the client
    std::optional<int> exit_;
};

}  // namespace proviso::tools::lsp
