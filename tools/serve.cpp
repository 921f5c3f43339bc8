// proviso serve: one long-lived process that compares pairs of programs, one JSON line each. Each
// pair is compared in a child process: nothing of one request is there for the next, and one that
// crashes or passes a limit ends in an answer.
#include <unistd.h>

#include <array>
#include <cerrno>
#include <limits>
#include <new>
#include <nlohmann/json.hpp>

#include "backend/runtime/child.h"
#include "tools/batch.h"
#include "tools/check.h"
#include "tools/commands.h"
#include "tools/program.h"
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

// A number among the options of a request, with the range that the command has.
template <typename Number>
Status read_number(const json& from, const char* key, std::uint64_t least, std::uint64_t most,
                   Number& to) {
    if (!from.contains(key)) return Unit{};
    const json& value = from[key];
    const bool fits = value.is_number_unsigned() && value.get<std::uint64_t>() >= least &&
                      value.get<std::uint64_t>() <= most;
    if (!fits) {
        return error(std::string("\"") + key + "\" must be a whole number from " +
                     std::to_string(least) + " to " + std::to_string(most));
    }
    if constexpr (std::is_same_v<Number, std::optional<std::int64_t>>) {
        to = value.get<std::int64_t>();
    } else {
        to = static_cast<Number>(value.get<std::uint64_t>());
    }
    return Unit{};
}

// A list of texts among the options of a request: an option of the command that may be repeated.
Status read_texts(const json& from, const char* key, std::vector<std::string>& to) {
    if (!from.contains(key)) return Unit{};
    const json& value = from[key];
    const bool texts =
        value.is_array() &&
        std::all_of(value.begin(), value.end(), [](const json& one) { return one.is_string(); });
    if (!texts) return error(std::string("\"") + key + "\" must be a list of texts");
    to = value.get<std::vector<std::string>>();
    return Unit{};
}

Status read_truth(const json& from, const char* key, bool& to) {
    if (!from.contains(key)) return Unit{};
    if (!from[key].is_boolean()) {
        return error(std::string("\"") + key + "\" must be true or false");
    }
    to = from[key].get<bool>();
    return Unit{};
}

Result<CheckOptions> read_options(const json& line) {
    CheckOptions o;
    if (!line.contains("options")) return o;
    const json& from = line["options"];
    if (const Status ok = only_keys(from, {"set",
                                           "tests",
                                           "seed",
                                           "sizes",
                                           "step_limit",
                                           "cell_limit",
                                           "claim_limit",
                                           "solver_limit",
                                           "solver_seconds",
                                           "solver_memory",
                                           "solver_effort",
                                           "no_proof",
                                           "params",
                                           "flat",
                                           "layouts",
                                           "licences",
                                           "float",
                                           "workspaces",
                                           "at_most",
                                           "assume_no_overflow"});
        !ok) {
        Diagnostic wrong = ok.error();
        wrong.message = "options: " + wrong.message;
        return wrong;
    }
    constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();
    constexpr std::uint64_t any_size = std::numeric_limits<std::int64_t>::max();
    for (const Status& read :
         {read_number(from, "tests", 0, any, o.tests), read_number(from, "seed", 0, any, o.seed),
          read_number(from, "sizes", 1, 1'000'000, o.sizes),
          read_number(from, "step_limit", 0, any, o.step_limit),
          read_number(from, "cell_limit", 0, 16'777'216, o.cell_limit),
          read_number(from, "claim_limit", 0, any, o.claim_limit),
          read_number(from, "solver_limit", 0, any, o.solver_limit),
          read_number(from, "solver_seconds", 1, 86'400, o.solver_seconds),
          read_number(from, "solver_memory", 1, 1'048'576, o.solver_memory),
          read_number(from, "solver_effort", 1, 1'000, o.solver_effort),
          read_number(from, "at_most", 0, any_size, o.at_most),
          read_truth(from, "no_proof", o.no_proof), read_truth(from, "flat", o.flat),
          read_truth(from, "assume_no_overflow", o.no_overflow),
          read_texts(from, "params", o.params), read_texts(from, "layouts", o.layouts),
          read_texts(from, "licences", o.licences), read_texts(from, "float", o.floats),
          read_texts(from, "workspaces", o.workspaces)}) {
        if (!read) return read.error();
    }
    if (!from.contains("set")) return o;
    if (!from["set"].is_object()) return error("\"set\" must be an object: name -> whole number");
    for (const auto& [name, value] : from["set"].items()) {
        if (!value.is_number_integer())
            return error("\"set\": " + name + " must be a whole number");
        o.scalars.push_back(name + "=" + value.dump());
    }
    return o;
}

struct Request {
    std::string before;
    std::string after;
    CheckOptions options;
};

Result<Request> read_request(const json& line) {
    if (const Status ok = only_keys(line, {"id", "function", "options", "before", "after"}); !ok)
        return ok.error();
    for (const char* key : {"before", "after"}) {
        if (!line.contains(key)) return error(std::string("there is no \"") + key + "\"");
    }
    const Result<std::string> before = text_of(line, "before");
    if (!before) return before.error();
    const Result<std::string> after = text_of(line, "after");
    if (!after) return after.error();
    const Result<std::string> function = text_of(line, "function");
    if (!function) return function.error();
    Result<CheckOptions> options = read_options(line);
    if (!options) return options.error();
    if (const Status ok = read_floats(*options); !ok) return ok.error();
    options->function = *function;
    for (const std::string* text : {&*before, &*after}) {
        if (text->size() <= limits::kProgramBytes) continue;
        return error((text == &*before ? "before" : "after") + std::string(" is larger than ") +
                     std::to_string(limits::kProgramBytes / limits::kMiB) + " MiB");
    }
    return Request{*before, *after, *std::move(options)};
}

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

Result<json> compare(const Request& request) {
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

std::string compared(const Request& request) {
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
    const Result<Request> request = read_request(*value);
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
