#include "rewrite/schedule/trace/trace_reader.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "ir/files/json_text.h"
#include "ir/files/limits.h"
#include "ir/text/reader/python/failure.h"
#include "ir/text/spelling.h"
#include "rewrite/schedule/reader/interpreter/values.h"
#include "rewrite/schedule/reader/signatures.h"
#include "rewrite/schedule/trace/syntax.h"
#include "rewrite/schedule/trace/trace_kinds.h"
#include "rewrite/schedule/trace/trace_text.h"
#include "rewrite/schedule/trace/trace_values.h"

namespace proviso::rewrite {

using ir::python::Node;
using ir::python::Position;
using ir::python::Source;
using ir::python::Statement;
using ir::python::StatementKind;
using nlohmann::json;

namespace {

constexpr std::size_t kMostInside = 50;  // EnterInside within each other
constexpr std::int64_t kLargestProduct = 999'999'999'999'999'999;

class TraceReader : private TraceValues {
  public:
    TraceReader(const json& trace, std::string_view text, const std::string& file,
                std::string function)
        : trace_(trace), function_(std::move(function)) {
        out_.module.source = std::make_shared<const Source>(std::string(text), file);
    }

    TraceProgram read() {
        const bool shape =
            trace_.is_array() && trace_.size() == 2 && trace_[0].is_array() && trace_[1].is_array();
        if (!shape) ir::fail(out_.module.at(Position{1, 1}, "this is no trace", kTraceForm));
        const std::vector<Position> places = instruction_positions(out_.module.source->text());
        for (std::size_t k = 0; k < trace_[0].size(); ++k) {
            const json& row = trace_[0][k];
            const bool named = row.is_array() && !row.empty() && row[0].is_string();
            const std::string kind = named ? row[0].get<std::string>().substr(0, 60) : "";
            out_.instructions.emplace_back(
                k < places.size() ? places[k] : Position{1, 1},
                "instruction " + std::to_string(k) + (kind.empty() ? "" : " (" + kind + ")"));
        }
        if (out_.instructions.size() > ir::limits::kTraceInstructions) {
            ir::fail(out_.module.at(Position{1, 1},
                                    "a trace of more than " +
                                        std::to_string(ir::limits::kTraceInstructions) +
                                        " instructions",
                                    "docs/limits.md lists how much is read"));
        }
        decisions();
        for (const json& row : trace_[0]) {
            instruction(row);
            ++index_;
        }
        if (!entered_.empty()) {
            --index_;
            wrong(std::to_string(entered_.size()) + " more EnterInside than LeaveInside",
                  "[\"LeaveInside\", [], [], []] where it ends");
        }
        return std::move(out_);
    }

  private:
    void decisions() {
        const auto bad = [&](std::size_t k, const std::string& why) {
            ir::fail(out_.module.at(
                Position{1, 1}, "decision " + std::to_string(k) + ": " + why,
                "a decision is [index of the instruction, value], one for each that samples"));
        };
        for (std::size_t k = 0; k < trace_[1].size(); ++k) {
            const json& row = trace_[1][k];
            if (!row.is_array() || row.size() != 2) bad(k, "this is no pair of index and value");
            if (!row[0].is_number_unsigned() || row[0].get<std::uint64_t>() >= trace_[0].size()) {
                bad(k, "there is no such instruction: " + row[0].dump().substr(0, 40));
            }
            const auto which = row[0].get<std::size_t>();
            const json& inst = trace_[0][which];
            const bool samples = inst.is_array() && !inst.empty() && inst[0].is_string() &&
                                 inst[0].get<std::string>().rfind("Sample", 0) == 0;
            if (!samples) bad(k, out_.instructions[which].second + " decides nothing");
            if (!decisions_.emplace(which, &row[1]).second) {
                bad(k, out_.instructions[which].second + " has a decision already");
            }
        }
    }

    void instruction(const json& row) {
        const bool shape = row.is_array() && row.size() == 4 && row[0].is_string() &&
                           row[1].is_array() && row[2].is_array() && row[3].is_array();
        if (!shape) wrong("this is no instruction");
        for (const json& output : row[3]) {
            if (!output.is_string()) wrong("an output is no name: " + shown(output));
        }
        const std::string kind = canonical_kind(row[0].get<std::string>());
        if (kind == kEnterPostproc) return arity(row, 0, 0, 0);
        if (kind == kEnterInside) return enter(row);
        if (kind == kLeaveInside) return leave(row);
        if (kind == kSampleCategorical) return categorical(row);
        if (kind == kSamplePerfectTile) return tile(row, 2);
        if (kind == kSamplePartitionedTile) return tile(row, 3);
        if (kind == kSampleComputeLocation) return location(row);
        const TraceKind* found = find(kind, row);
        if (found == nullptr) {
            wrong("no instruction kind '" + row[0].get<std::string>().substr(0, 60) + "'",
                  ir::suggest(kind, trace_kind_names(), "docs/traces.md lists those known"));
        }
        if (find_signature(found->primitive) == nullptr) {
            wrong(std::string("no schedule primitive '") + found->primitive + "'",
                  composition_for(found->primitive));
        }
        call(*found, row);
    }

    // Of a kind that is written in several ways, the one with so many inputs.
    static const TraceKind* find(const std::string& kind, const json& row) {
        const TraceKind* out = nullptr;
        for (const TraceKind& k : trace_kinds()) {
            if (k.name != kind) continue;
            const bool fits = fits_in(trace_slots(k.inputs), row[1].size());
            if (out == nullptr || fits) out = &k;
            if (fits) break;
        }
        return out;
    }

    static bool fits_in(const std::vector<TraceSlot>& slots, std::size_t given) {
        const auto needed = std::count_if(
            slots.begin(), slots.end(), [](const TraceSlot& s) { return !s.optional && !s.rest; });
        const bool rest = !slots.empty() && slots.back().rest;
        return given >= static_cast<std::size_t>(needed) && (rest || given <= slots.size());
    }

    void enter(const json& row) {
        arity(row, 1, 0, 0);
        if (entered_.size() == kMostInside) {
            wrong("more than " + std::to_string(kMostInside) + " loops are entered", "fewer");
        }
        Statement s;
        s.kind = StatementKind::With;
        s.at = at();
        s.value = syntax::call(object(), "inside", at());
        s.value.items.push_back(variable(row[1][0]));
        syntax::measure(s.value);
        std::vector<Statement>& around = body();
        around.push_back(std::move(s));
        entered_.push_back(&around.back().body);
        around.back().target = values::stands_for(object(), at());
    }

    void leave(const json& row) {
        arity(row, 0, 0, 0);
        if (entered_.empty()) wrong("there is no EnterInside before it", "remove it");
        entered_.pop_back();
    }

    void arity(const json& row, std::size_t inputs, std::size_t attributes, std::size_t outputs) {
        const auto one = [&](std::size_t part, std::size_t wanted, const char* what) {
            if (row[part].size() != wanted) {
                wrong("expected " + std::to_string(wanted) + " " + what + ", not " +
                      std::to_string(row[part].size()));
            }
        };
        one(1, inputs, "inputs");
        one(2, attributes, "attributes");
        one(3, outputs, "outputs");
    }

    void call(const TraceKind& kind, const json& row) {
        std::vector<TraceSlot> inputs = trace_slots(kind.inputs);
        std::vector<TraceSlot> attributes = attribute_slots(kind);
        if (!fits_in(inputs, row[1].size())) wrong(counted("inputs", inputs, row[1].size()));
        if (!fits_in(attributes, row[2].size())) {
            wrong(counted("attributes", attributes, row[2].size()));
        }
        Node out = syntax::call(object(), kind.primitive, at());
        for (std::size_t k = 0; k < inputs.size(); ++k) {
            if (inputs[k].rest) {
                rest(out, inputs[k].name, row[1], k);
            } else if (k < row[1].size()) {
                input(out, inputs[k], row[1][k]);
            }
        }
        for (std::size_t k = 0; k < row[2].size(); ++k) {
            attribute(out, attributes[k].name, row[2][k]);
        }
        if (redirected(kind, out, row)) return;
        if (std::string_view(kind.primitive) == "get_loops") {
            const auto count = static_cast<std::int64_t>(row[3].size());
            syntax::keyword(out, "count", values::integer(count, at()));
        }
        if (kind.gives == TraceKind::Gives::Nothing) {
            if (!row[3].empty()) wrong("this gives nothing, and has outputs");
            return statement(std::move(out));
        }
        const bool one = kind.gives == TraceKind::Gives::One;
        const bool perhaps = kind.gives == TraceKind::Gives::Perhaps && row[3].size() <= 1;
        if (one && row[3].size() != 1) {
            wrong("expected 1 output, not " + std::to_string(row[3].size()));
        }
        if (row[3].empty() && kind.gives != TraceKind::Gives::Several) {
            return statement(std::move(out));
        }
        Node targets = syntax::tuple(at());
        for (const json& name : row[3]) targets.items.push_back(defined(name.get<std::string>()));
        assignment(one || perhaps ? targets.items[0] : targets, std::move(out));
    }

    static std::vector<TraceSlot> attribute_slots(const TraceKind& kind) {
        std::vector<TraceSlot> out;
        for (TraceSlot& slot : trace_slots(kind.attributes)) {
            if (slot.name == "buffer") {  // TVM writes two numbers
                out.push_back({"buffer_number"});
                slot.name = "buffer_index_type";
            }
            out.push_back(std::move(slot));
        }
        return out;
    }

    static std::string counted(const char* what, const std::vector<TraceSlot>& slots,
                               std::size_t given) {
        std::string names;
        for (const TraceSlot& s : slots) {
            names += (names.empty() ? "" : ", ") + s.name + (s.rest ? ", …" : "");
        }
        return std::to_string(given) + " " + what + " for " +
               (names.empty() ? "none" : "(" + names + ")");
    }

    // A location that was sampled may be none: compute_at to it is nothing, or compute_inline.
    bool redirected(const TraceKind& kind, Node& call, const json& row) {
        const std::string primitive = kind.primitive;
        const bool places = primitive == "compute_at" || primitive == "reverse_compute_at";
        if (!places || !row[1][1].is_string()) return false;
        const auto found = variables_.find(row[1][1].get<std::string>());
        if (found == variables_.end()) return false;
        if (found->second.kind == Variable::Kind::Root) return true;
        if (found->second.kind != Variable::Kind::Inline) return false;
        Node instead = syntax::call(
            "sch", primitive == "compute_at" ? "compute_inline" : "reverse_compute_inline", at());
        instead.keywords.push_back(call.keywords.front());
        statement(std::move(instead));
        return true;
    }

    void rest(Node& call, const std::string& slot, const json& inputs, std::size_t from) {
        if (slot != "factors") {
            for (std::size_t k = from; k < inputs.size(); ++k) {
                call.items.push_back(variable(inputs[k]));
            }
            return;
        }
        std::vector<Node> factors;
        for (std::size_t k = from; k < inputs.size(); ++k) factors.push_back(value(inputs[k]));
        if (factors.empty()) return;
        syntax::keyword(call, slot, values::list(std::move(factors), at()));
    }

    void input(Node& call, const TraceSlot& slot, const json& given) {
        if (is_absent(given)) {
            if (!slot.optional) wrong("`" + slot.name + "` is missing");
            return;
        }
        static const std::set<std::string> constants = {"ann_val", "new_order", "buffer_index",
                                                        "buf_type"};
        if (constants.count(slot.name) != 0) {
            return syntax::keyword(call, slot.name, value(given));
        }
        if (is_expression(slot.name)) {
            return syntax::keyword(call, slot.name, expression(slot.name, unquoted(given)));
        }
        if (!is_variables(slot.name)) {
            Node block = variable(given);
            // TVM gives blocks to blockize in a list.
            return syntax::keyword(call, slot.name, std::move(block));
        }
        if (!given.is_array()) wrong("`" + slot.name + "` is a list of blocks");
        if (given.empty()) return;
        std::vector<Node> blocks;
        for (const json& one : given) blocks.push_back(variable(one));
        syntax::keyword(call, slot.name, values::list(std::move(blocks), at()));
    }

    void attribute(Node& call, const std::string& slot, const json& given) {
        if (slot == "func_name" && std::string(call.items[0].text) != "work_on") {
            const bool known = given.is_null() || given == "main" || given == function_;
            if (!known) {
                wrong("the trace looks in the function " + shown(given),
                      "this schedules '" + function_ + "', which a trace may call \"main\"");
            }
            return;
        }
        if (slot == "buffer_number") {
            buffer_ = given;
            return;
        }
        if (slot == "buffer_index_type") {
            if (given != 0 && given != 1) wrong("the type of a buffer's index is 0 or 1");
            Node pair = syntax::tuple(at());
            pair.items = {values::string(given == 0 ? "read" : "write", at()), constant(buffer_)};
            return syntax::keyword(call, "buffer", std::move(pair));
        }
        if (given.is_null()) return;
        if (is_flag(slot)) {
            const bool flag = given.is_boolean() || given == 0 || given == 1;
            if (!flag) wrong("`" + slot + "` is true or false, not " + shown(given));
            return syntax::keyword(call, slot, values::boolean(given == true || given == 1, at()));
        }
        if (!is_expression(slot)) return syntax::keyword(call, slot, constant(given));
        if (!given.is_array() || slot != "assume") {
            return syntax::keyword(call, slot, expression(slot, given));
        }
        std::vector<Node> all;
        for (const json& one : given) all.push_back(expression(slot, one));
        syntax::keyword(call, slot, values::list(std::move(all), at()));
    }

    const json& decision() const {
        const auto found = decisions_.find(index_);
        if (found == decisions_.end() || found->second->is_null()) {
            wrong("no decision: nothing is sampled here",
                  "[" + std::to_string(index_) + ", value] in the trace's second list");
        }
        return *found->second;
    }

    void categorical(const json& row) {
        arity(row, 0, 2, 1);
        const json& candidates = row[2][0];
        const json& chosen = decision();
        if (!candidates.is_array()) wrong("the candidates are no list");
        if (!chosen.is_number_unsigned() || chosen.get<std::uint64_t>() >= candidates.size()) {
            wrong("bad decision " + shown(chosen), "the number of one of the " +
                                                       std::to_string(candidates.size()) +
                                                       " candidates, from 0");
        }
        const json& is = candidates[chosen.get<std::size_t>()];
        const auto whole = values::integer_of(constant(is));
        if (!whole) wrong("the candidate " + shown(is) + " is no integer");
        number(row[3][0], *whole);
    }

    void tile(const json& row, std::size_t attributes) {
        if (!row[2].empty() && row[2][0].is_number_unsigned()) {
            const auto n = row[2][0].get<std::uint64_t>();
            if (n != row[3].size()) {
                wrong("a tile of " + std::to_string(n) + " factors has " +
                      std::to_string(row[3].size()) + " outputs");
            }
        }
        arity(row, 1, attributes, row[3].size());
        const Node loop = variable(row[1][0]);
        const json& chosen = decision();
        if (!chosen.is_array() || chosen.size() != row[3].size() || chosen.empty()) {
            wrong("bad decision " + shown(chosen), "a list of a factor for each output");
        }
        std::int64_t product = 1;
        for (std::size_t k = 0; k < chosen.size(); ++k) {
            const bool whole =
                chosen[k].is_number_unsigned() &&
                chosen[k].get<std::uint64_t>() <= static_cast<std::uint64_t>(kLargestProduct);
            const std::int64_t factor = whole ? chosen[k].get<std::int64_t>() : 0;
            if (factor < 1 || product > kLargestProduct / factor) {
                wrong("bad decision " + shown(chosen), "factors are positive");
            }
            product *= factor;
            number(row[3][k], factor);
        }
        // The factors of a perfect tile are the whole loop.
        Statement check;
        check.kind = StatementKind::Assert;
        check.at = at();
        Node extent = syntax::attribute(syntax::call(object(), "get", at()), "extent");
        extent.items[0].items.push_back(loop);
        check.value = syntax::equals(std::move(extent), values::integer(product, at()));
        check.annotation = values::string(
            "a tile of " + std::to_string(product) + ", and the loop has another extent", at());
        body().push_back(std::move(check));
    }

    void location(const json& row) {
        arity(row, 1, 0, 1);
        const Node block = variable(row[1][0]);
        const json& chosen = decision();
        const bool whole = chosen.is_number_integer() && chosen >= -2 && chosen <= 1'000'000;
        if (!whole) {
            wrong("bad decision " + shown(chosen),
                  "the number of a loop around the consumer, -1 (where it is) or -2 (inline)");
        }
        const auto k = chosen.get<std::int64_t>();
        const Node name = defined(row[3][0].get<std::string>());
        if (k < 0) {
            if (name.text == "_") return;
            variables_[name.text].kind = k == -1 ? Variable::Kind::Root : Variable::Kind::Inline;
            return;
        }
        Node consumers = syntax::call(object(), "get_consumers", at());
        consumers.items.push_back(block);
        Node loops = syntax::call(object(), "get_loops", at());
        loops.items.push_back(syntax::element(std::move(consumers), 0));
        assignment(name, syntax::element(std::move(loops), k));
    }

    const json& trace_;
    std::string function_;
    json buffer_;  // its number, until its type is read
    std::map<std::size_t, const json*> decisions_;
};

Diagnostic no_json(std::string_view text, const std::string& file) {
    Position at{1, 1};
    std::size_t byte = 0;
    try {
        const json read = json::parse(text);
    } catch (const json::parse_error& e) {
        byte = std::min(e.byte > 0 ? e.byte - 1 : 0, text.size());
    } catch (const json::exception&) {  // a number that is out of range
    }
    for (const char c : text.substr(0, byte)) {
        if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) ++at.column;
        if (c == '\n') at = {at.line + 1, 1};
    }
    return Source(std::string(text), file).at(at, "this is no JSON", kTraceForm);
}

}  // namespace

bool is_trace(const std::string& file) {
    constexpr std::string_view end = ".json";
    return file.size() > end.size() && file.compare(file.size() - end.size(), end.size(), end) == 0;
}

Diagnostic TraceProgram::named(Diagnostic d) const {
    for (const auto& [at, name] : instructions) {
        if (at != Position{d.line, d.column}) continue;
        // The only asserts are those of decisions.
        if (const std::string said = "the schedule's assert fails: ";
            d.message.rfind(said, 0) == 0) {
            d.message = "bad decision: " + d.message.substr(said.size());
            d.hint = "the factors of a perfect tile are the whole loop";
        }
        d.message = name + ": " + d.message;
        break;
    }
    return d;
}

Result<TraceProgram> read_trace(std::string_view text, const std::string& file,
                                const std::string& function) {
    const Source source(std::string(text.substr(0, 200)), file);
    if (const std::string excess = ir::json_excess(text); !excess.empty()) {
        return source.at({1, 1}, excess, "docs/limits.md lists how much is read");
    }
    const json trace = ir::parse_json(text);
    if (trace.is_discarded()) return no_json(text, file);
    return ir::guarded([&] { return TraceReader(trace, text, file, function).read(); });
}

}  // namespace proviso::rewrite
