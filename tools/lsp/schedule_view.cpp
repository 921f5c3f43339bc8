#include "tools/lsp/schedule_view.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "analysis/prover/prover.h"
#include "ir/text/te/te.h"
#include "rewrite/passes/proposer.h"
#include "rewrite/schedule/reader/reader.h"
#include "rewrite/schedule/reader/signatures.h"
#include "tools/lsp/tree.h"
#include "tools/program.h"
#include "tools/support/refusal.h"
#include "tools/support/support.h"

namespace proviso::tools::lsp {

using namespace ir::python;
using namespace rewrite;
using nlohmann::json;

namespace {

constexpr std::string_view kSuffix = ".sch.py";

std::string steps_text(std::size_t steps) {
    return std::to_string(steps) + (steps == 1 ? " step, proved" : " steps, proved");
}

std::string joined(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
    return out;
}

// What the calls of one line gave, in their order; a line in a loop has many.
class LineOfCalls {
  public:
    void add(const ScheduleReport::Done& d) {
        ++calls_;
        steps_ += d.steps;
        query_ = query_ && d.query;
        if (!d.gives.empty()) gives_ = d.gives;
        if (!d.why_nothing.empty()) notes_.push_back("changed nothing: " + d.why_nothing);
        if (!d.note.empty()) notes_.push_back(d.note);
    }
    json told(int line) const {
        std::string title = query_ ? "asks only" : steps_text(steps_);
        if (!query_ && steps_ == 0) title = "changed nothing";
        if (calls_ > 1) title += " (" + std::to_string(calls_) + " calls)";
        if (!gives_.empty()) title += "; gives " + joined(gives_);
        return {{"line", line}, {"title", title}, {"gives", gives_}, {"notes", notes_}};
    }
    bool did_nothing() const { return !query_ && steps_ == 0; }
    std::string why() const { return notes_.empty() ? "this changes nothing" : notes_.front(); }

  private:
    std::size_t calls_ = 0;
    std::size_t steps_ = 0;
    bool query_ = true;
    std::vector<std::string> gives_;
    std::vector<std::string> notes_;
};

// The call on a schedule object at a place, innermost; null: there is none.
const Node* call_in(const Node& node, int line) {
    for (const Node& item : node.items) {
        if (const Node* inner = call_in(item, line)) return inner;
    }
    if (!node.is(NodeKind::Call) || node.at.line > line) return nullptr;
    const Node& callee = node.items.front();
    const bool known = callee.is(NodeKind::Attribute) && find_signature(callee.text) != nullptr;
    return known ? &node : nullptr;
}

const json* calls_of_line(const json& calls, int line) {
    if (!calls.is_array()) return nullptr;
    for (const json& call : calls) {
        if (call.value("line", 0) == line) return &call;
    }
    return nullptr;
}

json location(const Document& d, Position at, int length) {
    const Lines lines(d.text);
    return {{"uri", uri_of_path(d.path)}, {"range", lines.range(at, length)}};
}

// A block or a loop of that name in the program.
json named_in_program(const Document& program, const std::string& name) {
    const Result<Module> tree = parse_python(program.text, program.path);
    if (!tree) return nullptr;
    if (const auto block = place_of_block(*tree, name)) {
        return location(program, *block, static_cast<int>(name.size()) + 2);
    }
    if (const auto loop = place_of_loop(*tree, name)) {
        return location(program, *loop, static_cast<int>(name.size()));
    }
    return nullptr;
}

}  // namespace

bool is_schedule(const Document& d) {
    if (std::string_view(d.path).ends_with(kSuffix)) return true;
    if (ir::te::is_te(d.text)) return false;
    const Result<Module> tree = parse_python(d.text, d.path);
    if (!tree) return false;
    return std::any_of(tree->body.begin(), tree->body.end(), [](const Statement& s) {
        return s.value.is(NodeKind::Call) && s.value.items.front().dotted().starts_with("sch.");
    });
}

std::string program_of_schedule(const Document& d) {
    namespace fs = std::filesystem;
    constexpr std::string_view mark = "# proviso: program ";
    const Lines lines(d.text);
    for (int line = 1; line <= static_cast<int>(lines.size()); ++line) {
        std::string_view text = lines.line(line);
        if (!text.starts_with(mark)) continue;
        text.remove_prefix(mark.size());
        while (text.ends_with(' ')) text.remove_suffix(1);
        return (fs::path(d.path).parent_path() / fs::path(text)).lexically_normal().string();
    }
    if (!std::string_view(d.path).ends_with(kSuffix)) return {};
    return d.path.substr(0, d.path.size() - kSuffix.size()) + ".py";
}

json run_for_editor(const Document& schedule, const Document& program) {
    const Lines lines(schedule.text);
    json diagnostics = json::array();
    json calls = json::array();
    const auto result = [&] { return json{{"diagnostics", diagnostics}, {"calls", calls}}; };
    const auto wrong = [&](const Diagnostic& d) {
        diagnostics.push_back(told(d, schedule.path, lines, 1, 1));
        return result();
    };
    ir::Context ctx;
    const auto f = function_of_text(ctx, program.text, program.path, "");
    if (!f) return wrong(f.error());
    analysis::Prover prover(ctx, analysis::ProverOptions{});
    Result<Derivation> derivation = Derivation::start(*f, prover);
    if (!derivation) return wrong(derivation.error());
    Proposer proposer(*derivation, prover);
    std::map<int, LineOfCalls> by_line;  // also of what came before a mistake
    const Result<ScheduleReport> done =
        run_schedule(proposer, schedule.text, schedule.path, [&](const ScheduleReport::Done& d) {
            if (d.line > 0 && d.file.empty() && d.within.empty()) by_line[d.line].add(d);
        });
    for (const auto& [line, of_line] : by_line) {
        calls.push_back(of_line.told(line));
        if (!of_line.did_nothing()) continue;
        Diagnostic nothing = error(of_line.why());
        nothing.file = schedule.path;
        nothing.line = line;
        nothing.column = 1;
        diagnostics.push_back(told(nothing, schedule.path, lines, line, 3));
    }
    if (!done) return wrong(done.error());
    if (done->refusal) {
        Diagnostic refusal;
        json unused;
        const int code = tell_refusal(ctx, *done, derivation->current(), 0, refusal, unused);
        diagnostics.push_back(
            told(refusal, schedule.path, lines, std::max(1, done->refused_line), 1));
        calls.push_back({{"line", done->refused_line},
                         {"title", code == kUnknown ? "not proved" : "refused"},
                         {"gives", json::array()},
                         {"notes", json::array()}});
    }
    return result();
}

json schedule_hover(const Document& d, Position at, const json& calls) {
    const Result<Module> tree = parse_python(d.text, d.path);
    if (!tree) return nullptr;
    const std::vector<Surrounding> around = statements_around(tree->body, at);
    if (around.empty()) return nullptr;
    const Node* const call = call_in(around.back().statement->value, at.line);
    if (call == nullptr) return nullptr;
    const Signature& known = *find_signature(call->items.front().text);
    std::string text = "```python\nsch." + std::string(known.usage) + "\n```";
    const std::string takes = what_it_takes(known.name);
    if (!takes.empty()) text += "\n\n" + takes;
    if (const json* last = calls_of_line(calls, around.back().statement->at.line)) {
        text += "\n\nHere: " + last->value("title", "");
        for (const json& note : last->value("notes", json::array())) {
            text += "\n\n" + note.get<std::string>();
        }
    }
    return {{"contents", {{"kind", "markdown"}, {"value", text}}}};
}

json schedule_definition(const Document& d, Position at, const Document& program,
                         const json& calls) {
    const Result<Module> tree = parse_python(d.text, d.path);
    if (!tree) return nullptr;
    const std::vector<Surrounding> around = statements_around(tree->body, at);
    if (around.empty()) return nullptr;
    const Node* const e = expression_at(*around.back().statement, at);
    if (e == nullptr) return nullptr;
    if (e->is(NodeKind::String)) return named_in_program(program, e->text);
    if (!e->is(NodeKind::Name)) return nullptr;
    // The last assignment before it, and what that gave.
    const Statement* assigned = nullptr;
    std::size_t number = 0;
    for_each_statement(tree->body, [&](const Statement& s) {
        if (s.at.line > at.line || !s.is(StatementKind::Assign)) return;
        if (s.target.is(NodeKind::Name) && s.target.text == e->text) {
            assigned = &s;
            const bool one_of_several =
                s.value.is(NodeKind::Subscript) && s.value.items.back().is(NodeKind::Int);
            number =
                one_of_several ? std::strtoul(s.value.items.back().text.c_str(), nullptr, 0) : 0;
        }
        for (std::size_t i = 0; i < s.target.items.size(); ++i) {
            if (!s.target.items[i].is(NodeKind::Name) || s.target.items[i].text != e->text)
                continue;
            assigned = &s;
            number = i;
        }
    });
    if (assigned == nullptr) return nullptr;
    if (const json* gave = calls_of_line(calls, assigned->at.line)) {
        const json names = gave->value("gives", json::array());
        if (number < names.size()) {
            json place = named_in_program(program, names[number].get<std::string>());
            if (!place.is_null()) return place;
        }
    }
    return location(d, assigned->at, static_cast<int>(e->text.size()));
}

}  // namespace proviso::tools::lsp
