#include "ir/text/reader/python/exits.h"

#include <algorithm>
#include <array>
#include <functional>

namespace proviso::ir::python {

namespace {

// The call of a line: T.ret(0), T.evaluate(T.ret(0)).
const Node* call_of(const Statement& s) {
    if (!s.is(StatementKind::Expression) || !s.value.is(NodeKind::Call)) return nullptr;
    const bool evaluated =
        s.value.is_call_of("T.evaluate") && s.value.items.size() == 2 && s.value.keywords.empty();
    return evaluated ? &s.value.items[1] : &s.value;
}

// Bodies that run once, whatever happens. Of all others (blocks, launches) the body may not run.
bool runs_once(const Node& call) {
    static constexpr std::array names = {"T.LetStmt",     "T.let",
                                         "T.decl_buffer", "T.alloc_buffer",
                                         "T.allocate",    "T.sblock_alloc_buffer",
                                         "T.Assert",      "T.allocate_const"};
    return std::any_of(names.begin(), names.end(),
                       [&](const char* name) { return call.is_call_of(name); });
}

bool is_launch_line(const Statement& s) {
    return !s.is(StatementKind::With) &&
           (s.value.is_call_of("T.launch_thread") || s.value.is_call_of("T.attr"));
}

}  // namespace

std::optional<Exit> exit_of(const Statement& s) {
    if (s.is(StatementKind::Continue)) return Exit::Continue;
    if (s.is(StatementKind::Break)) return Exit::Break;
    if (s.is(StatementKind::Return)) return Exit::Return;
    const Node* call = call_of(s);
    if (call == nullptr) return std::nullopt;
    if (call->is_call_of("T.continue_loop")) return Exit::Continue;
    if (call->is_call_of("T.break_loop")) return Exit::Break;
    if (call->is_call_of("T.ret")) return Exit::Return;
    return std::nullopt;
}

const Node* call_of_exit(const Statement& s) {
    return exit_of(s) ? call_of(s) : nullptr;
}

const Node* returned_value(const Statement& s) {
    if (s.is(StatementKind::Return)) return s.value ? &s.value : nullptr;
    const Node* call = call_of(s);
    return call != nullptr && call->items.size() == 2 ? &call->items[1] : nullptr;
}

bool is_zero(const Node& value) {
    const bool typed = value.is(NodeKind::Call) && value.items.size() == 2 &&
                       (value.is_call_of("T.int32") || value.is_call_of("T.int64"));
    const Node& number = typed ? value.items[1] : value;
    if (number.is(NodeKind::Unary) && number.text == "-") return is_zero(number.items[0]);
    return number.is(NodeKind::Int) && number.text == "0";
}

bool is_none(const Node& value) {
    return value.is(NodeKind::Constant) && value.text == "None";
}

bool has_result(const Statement& function) {
    if (function.annotation) return !is_none(function.annotation);
    const std::function<bool(const std::vector<Statement>&)> gives =
        [&](const std::vector<Statement>& lines) {
            return std::any_of(lines.begin(), lines.end(), [&](const Statement& s) {
                const Node* value =
                    exit_of(s) == std::optional(Exit::Return) ? returned_value(s) : nullptr;
                if (value != nullptr) return !is_zero(*value) && !is_none(*value);
                return gives(s.body) || gives(s.otherwise);
            });
        };
    return gives(function.body);
}

namespace {

// The truth of a loop's condition that is written down.
std::optional<bool> constant_condition(const Statement& loop) {
    const bool wrapped = loop.value.is_call_of("T.bool") && loop.value.items.size() == 2;
    const Node& cond = wrapped ? loop.value.items[1] : loop.value;
    if (cond.is(NodeKind::Constant) && cond.text != "None") return cond.text == "True";
    if (cond.is(NodeKind::Int) && (cond.text == "0" || cond.text == "1")) return cond.text == "1";
    return std::nullopt;
}

}  // namespace

bool never_runs(const Statement& loop) {
    return constant_condition(loop) == std::optional(false);
}

bool always_runs(const Statement& loop) {
    return constant_condition(loop) == std::optional(true);
}

Leaving leaving(const Statement& s) {
    if (const auto exit = exit_of(s)) return {Exits(*exit), false};
    switch (s.kind) {
        case StatementKind::If: {
            Leaving out = leaving(s.body);
            const Leaving other = leaving(s.otherwise);
            out.exits.add(other.exits);
            out.completes = out.completes || other.completes;
            return out;
        }
        case StatementKind::While:
            if (never_runs(s)) return {};
            if (always_runs(s)) {
                const Exits exits = leaving(s.body).exits;
                return {exits.out_of_loop(), exits.has(Exit::Break)};
            }
            [[fallthrough]];
        case StatementKind::For: return {leaving(s.body).exits.out_of_loop(), true};
        case StatementKind::With: {
            if (s.value.is_call_of("T.While")) return {leaving(s.body).exits.out_of_loop(), true};
            Leaving out = leaving(s.body);
            out.completes = out.completes || !runs_once(s.value);
            return out;
        }
        default: return {};
    }
}

Leaving leaving(const std::vector<Statement>& lines) {
    Leaving out;
    bool launched = false;  // by a line: what follows is run by threads, of which there may be none
    for (const Statement& s : lines) {
        launched = launched || is_launch_line(s);
        const Leaving line = leaving(s);
        out.exits.add(line.exits);
        if (line.completes) continue;
        out.completes = launched;
        break;
    }
    return out;
}

}  // namespace proviso::ir::python
