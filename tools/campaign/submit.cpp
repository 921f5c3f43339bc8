// proviso campaign submit: an array of `proviso campaign run` for a batch system. What shares the
// work is the folder, so a task is like another, and may end or begin at any time.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "tools/campaign/commands.h"
#include "tools/support/support.h"
#include "tools/support/terminal.h"
#include "tools/support/write_file.h"

namespace proviso::tools {

namespace {

namespace fs = std::filesystem;

std::string for_shell(const std::string& word) {
    std::string out = "'";
    for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

// In a line of #SBATCH, where Slurm replaces what follows a percent sign.
std::string for_slurm(const std::string& path) {
    std::string out;
    for (const char c : path) out += c == '%' ? std::string("%%") : std::string(1, c);
    return out;
}

bool is_array(const std::string& text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return std::isdigit(static_cast<unsigned char>(c)) != 0 ||
               std::strchr("-,:%", c) != nullptr;
    });
}

std::string slurm_script(const CampaignCommand& o, const std::string& folder) {
    const std::string tasks = o.array.empty() ? fmt::format("0-{}", o.nodes - 1) : o.array;
    const unsigned jobs = std::max(o.jobs, 1U);
    std::string out = "#!/bin/sh\n#SBATCH --job-name=proviso-campaign\n";
    out += "#SBATCH --array=" + tasks + "\n#SBATCH --nodes=1\n#SBATCH --ntasks=1\n";
    out += fmt::format("#SBATCH --cpus-per-task={}\n", jobs);
    out += "#SBATCH --requeue\n#SBATCH --open-mode=append\n";
    if (o.time > 0) {
        const auto minutes = static_cast<std::uint64_t>(std::ceil(o.time / 60)) + 1;
        out += fmt::format("#SBATCH --time={}\n", minutes);
    }
    out += "#SBATCH --output=\"" + for_slurm(folder) + "/slurm-%A_%a.out\"\n";
    out += "# A task that found something has done its work: exit code 1 is fine here.\n";
    out += fmt::format("{} campaign run {} --jobs {}{} || test $? -eq 1\n",
                       for_shell(campaign_program()), for_shell(folder), jobs,
                       o.time > 0 ? fmt::format(" --time {:.0f}", o.time) : "");
    return out;
}

// What sbatch prints, which names the job.
Result<std::string> submit(const std::string& script) {
    std::fflush(nullptr);
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        return error(std::string("cannot make a pipe: ") + std::strerror(errno));
    }
    const pid_t child = ::fork();
    if (child == 0) {
        ::dup2(ends[1], STDOUT_FILENO);
        ::execlp("sbatch", "sbatch", script.c_str(), static_cast<char*>(nullptr));
        ::_exit(127);
    }
    const int code = errno;
    ::close(ends[1]);
    std::string said;
    std::array<char, 4096> bytes{};
    for (ssize_t n = 0; child > 0 && (n = ::read(ends[0], bytes.data(), bytes.size())) != 0;) {
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) break;
        said.append(bytes.data(), static_cast<std::size_t>(n));
    }
    ::close(ends[0]);
    if (child < 0) return error(std::string("cannot start a process: ") + std::strerror(code));
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return said;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
        return error("there is no sbatch", "--dry-run prints the script");
    }
    return error("sbatch did not take " + script, visible_line(said));
}

// "Submitted batch job 17 on cluster a"; nothing where it says something else.
std::optional<std::uint64_t> job_of(const std::string& said) {
    const std::string before = "Submitted batch job ";
    const std::size_t at = said.find(before);
    std::uint64_t out = 0;
    if (at == std::string::npos) return std::nullopt;
    const char* const first = said.data() + at + before.size();
    const auto [last, code] = std::from_chars(first, said.data() + said.size(), out);
    return code == std::errc() ? std::optional(out) : std::nullopt;
}

}  // namespace

int campaign_submit(const CampaignCommand& o) {
    if (!o.slurm) return bad_input(error("submit where?", "--slurm"), o.json);
    if (!o.array.empty() && !is_array(o.array)) {
        return bad_input(error("--array '" + o.array + "' is none", "such as 0-99%20"), o.json);
    }
    std::error_code code;
    const std::string folder = fs::canonical(o.folder, code).string();
    if (code || folder.find_first_of("\n\r\"\\") != std::string::npos) {
        return bad_input(error(o.folder + " has no name that a script can have"), o.json);
    }
    const std::string script = slurm_script(o, folder);
    nlohmann::json out = {{"script", script}, {"submitted", !o.dry_run}};
    if (!o.dry_run) {
        const std::string file = folder + "/submit.sbatch";
        if (const Status ok = write_file(file, script); !ok) return bad_input(ok.error(), o.json);
        const Result<std::string> said = submit(file);
        if (!said) return bad_input(said.error(), o.json);
        out["sbatch"] = *said;
        if (const auto job = job_of(*said)) out["job"] = *job;
        if (!o.json) std::printf("%s", visible(*said).c_str());
    }
    if (o.json) print_json(out);
    if (!o.json && o.dry_run) std::printf("%s", script.c_str());
    return kFine;
}

}  // namespace proviso::tools
