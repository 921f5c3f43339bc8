// proviso campaign submit: an array of `proviso campaign run` for a batch system. What shares the
// work is the folder, so a task is like another, and may end or begin at any time.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tools/campaign/commands.h"
#include "tools/support/support.h"
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

Status submit(const std::string& script) {
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child < 0) return error(std::string("cannot start a process: ") + std::strerror(errno));
    if (child == 0) {
        ::execlp("sbatch", "sbatch", script.c_str(), static_cast<char*>(nullptr));
        ::_exit(127);
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return Unit{};
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
        return error("there is no sbatch", "--dry-run prints the script");
    }
    return error("sbatch did not take " + script);
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
    if (!o.dry_run) {
        const std::string file = folder + "/submit.sbatch";
        if (const Status ok = write_file(file, script); !ok) return bad_input(ok.error(), o.json);
        if (const Status ok = submit(file); !ok) return bad_input(ok.error(), o.json);
    }
    if (o.json) print_json({{"script", script}, {"submitted", !o.dry_run}});
    if (!o.json && o.dry_run) std::printf("%s", script.c_str());
    return kFine;
}

}  // namespace proviso::tools
