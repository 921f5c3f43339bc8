// proviso serve: one long-lived process that compares pairs of programs, one JSON line each. Each
// pair is compared in a child process: nothing of one request is there for the next, and one that
// crashes or passes a limit ends in an answer.
#include <unistd.h>

#include <array>
#include <cerrno>
#include <new>
#include <nlohmann/json.hpp>

#include "backend/runtime/child.h"
#include "tools/batch.h"
#include "tools/check.h"
#include "tools/commands.h"
#include "tools/library/answers.h"
#include "tools/program.h"
#include "tools/serve_request.h"
#include "tools/support/support.h"

namespace proviso::tools {

using namespace ir;
using nlohmann::json;

namespace {

// Both programs, each character of them perhaps an escape.
constexpr std::size_t kLineBytes = 4 * limits::kProgramBytes;

// Lines of standard input as they come. Of one that is too long only the length is kept.
class Lines {
  public:
    // False at the end of the input.
    bool next(std::string& line, bool& too_long) {
        line.clear();
        too_long = false;
        bool any = false;
        while (true) {
            if (at_ == size_ && !fill()) return any;
            any = true;
            const char c = buffer_[at_++];
            if (c == '\n') return true;
            if (line.size() < kLineBytes) {
                line += c;
            } else {
                too_long = true;
            }
        }
    }

  private:
    bool fill() {
        ssize_t n = 0;
        do {
            n = ::read(STDIN_FILENO, buffer_.data(), buffer_.size());
        } while (n < 0 && errno == EINTR);
        at_ = 0;
        size_ = n > 0 ? static_cast<std::size_t>(n) : 0;
        return size_ > 0;
    }

    std::array<char, 65536> buffer_{};
    std::size_t at_ = 0;
    std::size_t size_ = 0;
};

const char* word_of(verify::CheckVerdict verdict) {
    switch (verdict) {
        case verify::CheckVerdict::Proved: return "PROVED";
        case verify::CheckVerdict::Bounded: return "BOUNDED";
        case verify::CheckVerdict::Refuted: return "REFUTED";
        case verify::CheckVerdict::Tested: return "TESTED";
        case verify::CheckVerdict::Unknown: return "UNKNOWN";
    }
    return "UNKNOWN";
}

// What no comparison was made of.
json no_answer(const std::string& why, const char* hint) {
    return {{"verdict", "UNKNOWN"}, {"reason", why}, {"hint", hint}, {"exit_code", kUnknown}};
}

Result<json> compare(const ServeRequest& request) {
    Context ctx;
    const CheckOptions& o = request.options;
    const Result<Function> before = function_of_text(ctx, request.before, "before", o.function);
    if (!before) return before.error();
    const Result<Function> after = function_of_text(ctx, request.after, "after", o.function);
    if (!after) return after.error();
    const Result<verify::RelatedPrograms> programs = related(ctx, *before, *after, o);
    if (!programs) return programs.error();
    const Result<Substitution> sizes = scalar_arguments(ctx, *before, o.scalars);
    if (!sizes) return sizes.error();
    verify::CheckOptions limits = limits_of_check(o, *sizes);
    limits.weigh = false;  // nobody gets a log
    limits.axioms = programs->axioms;
    const Result<verify::CheckReport> report =
        verify::check(ctx, programs->before, programs->after, limits);
    if (!report) return report.error();
    json told = report->json();
    json out = {{"verdict", word_of(report->verdict)},
                {"reason", report->what},
                {"all_sizes", told["all_sizes"]},
                {"exit_code", report->exit_code()}};
    if (report->counterexample) out["inputs"] = told["counterexample"]["inputs"];
    const std::vector<std::string> notes = notes_of_check(*before, *after);
    if (!notes.empty()) out["notes"] = notes;
    if (!programs->told.empty()) out["under"] = programs->told;
    out["report"] = std::move(told);
    return out;
}

std::string compared(const ServeRequest& request) {
    json out;
    try {
        const Result<json> answer = compare(request);
        out = answer ? *answer : json{{"error", to_json(answer.error())}};
    } catch (const std::bad_alloc&) {
        out = no_answer("out of memory", "serve --memory raises the limit");
    } catch (const std::exception& e) {
        out = {{"error", {{"message", std::string("internal error: ") + e.what()}}}};
    }
    return out.dump(-1, ' ', true, json::error_handler_t::replace);
}

json answered(const std::string& line, bool too_long, const backend::ChildLimits& limits) {
    json out = json::object();
    if (too_long) {
        const std::string most = std::to_string(kLineBytes / limits::kMiB);
        out["error"] = to_json(error("a line of more than " + most + " MiB"));
        return out;
    }
    const Result<json> value = line_of_json(line);
    if (!value) return {{"error", to_json(value.error())}};
    if (value->is_object() && value->contains("id")) out["id"] = (*value)["id"];
    const Result<ServeRequest> request = read_serve_request(*value);
    if (!request) {
        out["error"] = to_json(request.error());
        return out;
    }
    const backend::ChildResult child =
        backend::in_child(limits, [&] { return compared(*request); });
    json told = child.finished ? json::parse(child.bytes, nullptr, false) : json::object();
    if (!child.finished || told.is_discarded()) {
        told = no_answer("the comparison was " + child.death,
                         "serve --seconds and --memory raise the limits of one request");
    }
    out.update(told);
    return out;
}

}  // namespace

Result<json> check_answer(const json& request) {
    const Result<ServeRequest> read = read_serve_request(request);
    return read ? compare(*read) : Result<json>(read.error());
}

int run_serve(const ServeOptions& options) {
    backend::ChildLimits limits;
    limits.seconds = options.seconds;
    limits.wall_seconds = 20 * options.seconds;  // for what waits for ever
    limits.memory = options.memory * limits::kMiB;
    Lines lines;
    std::string line;
    bool too_long = false;
    int code = kFine;
    for (std::size_t number = 1; lines.next(line, too_long); ++number) {
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        json out = answered(line, too_long, limits);
        if (out.contains("error")) {
            code = kBadInput;
        } else if (code != kBadInput) {
            code = std::max(code, out["exit_code"].get<int>());
        }
        out["line"] = number;
        print_json(out);
        if (std::ferror(stdout) != 0) return kBadInput;  // nobody reads the answers
    }
    return code;
}

}  // namespace proviso::tools
