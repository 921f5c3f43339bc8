#include "analysis/prover/model.h"

#include <map>
#include <optional>
#include <set>

#include "analysis/smt/read_values.h"
#include "analysis/smt/values.h"
#include "ir/domains/integer.h"

namespace proviso::analysis {

using ir::Expr;

smt::ModelQuery model_query(const smt::EncodedObligation& encoded) {
    smt::ModelQuery out;
    for (const auto& [symbol, var] : encoded.smt.variables) {
        out.wanted.push_back({symbol, smt::sort_of(var->type)});
        if (var->type.is_exact_int()) out.integers.push_back(symbol);
    }
    for (const smt::Cell& cell : encoded.cells) {
        for (const std::string& index : cell.indices) out.wanted.push_back({index, "Int"});
        out.wanted.push_back({cell.value, smt::sort_of(cell.load->type)});
        if (!cell.defined.empty()) out.wanted.push_back({cell.defined, "Bool"});
    }
    return out;
}

smt::ModelQuery variables_query(const SmtText& text) {
    return model_query(smt::EncodedObligation{text, {}});
}

Answer plain_answer(const SmtText& text, const char* by, const smt::Reply& reply) {
    Answer out;
    if (!text.supported) {
        out.why = "unsupported: " + text.why;
        return out;
    }
    out.verdict = reply.verdict;
    if (reply.verdict != Verdict::Unknown) out.by = by;
    out.why = reply.why;
    if (reply.verdict == Verdict::Refuted) {
        for (std::size_t i = 0; i < reply.values.size() && i < text.variables.size(); ++i) {
            out.why += (i == 0 ? "" : ", ") + *text.variables[i].second->name + " = ";
            out.why += reply.values[i];
        }
    }
    return out;
}

std::string values_in_words(const SmtText& text, smt::Program solver, std::uint64_t units,
                            int wall_limit_s, int memory_mib) {
    const smt::ModelQuery query = variables_query(text);
    const smt::Reply reply =
        solver == smt::Program::Z3
            ? smt::kZ3Program.run(text.text, units, &query, wall_limit_s, memory_mib)
            : smt::run_cvc5(text.text, units, wall_limit_s, &query);
    return plain_answer(text, "", reply).why;
}

namespace {

// The cell with constant indices, or none when an index does not fit its type.
std::optional<ModelValue> read_cell(ir::Context& ctx, const smt::Cell& cell,
                                    const std::vector<std::string>& values, std::size_t& next) {
    ModelValue out;
    std::vector<Expr> indices;
    out.name = cell.load->buffer->name + "[";
    for (std::size_t d = 0; d < cell.indices.size(); ++d) {
        const auto index = smt::read_integer(values.at(next++));
        const ir::ScalarType type = cell.load->arg(d)->type;
        if (!index || !type.contains(*index)) continue;
        indices.push_back(ctx.int_imm(type, *index));
        out.name += (d == 0 ? "" : ", ");
        const std::string text = smt::integer_text(*index);
        out.name += *index < 0 ? "-" + text.substr(3, text.size() - 4) : text;
    }
    out.name += "]";
    const auto value = smt::read_constant(ctx, cell.load->type, values.at(next++));
    const bool indeterminate = !cell.defined.empty() && values.at(next++) == "false";
    if (indices.size() != cell.indices.size() || !value) return std::nullopt;
    out.expr = ctx.load(cell.load->buffer, indices);
    out.value = indeterminate ? nullptr : *value;
    return out;
}

}  // namespace

std::vector<ModelValue> read_model(ir::Context& ctx, const smt::EncodedObligation& encoded,
                                   const std::vector<std::string>& values) {
    std::vector<ModelValue> out;
    if (values.size() != model_query(encoded).wanted.size()) return out;
    std::size_t next = 0;
    for (const auto& [symbol, var] : encoded.smt.variables) {
        const std::string& text = values.at(next++);
        const auto value = smt::read_constant(ctx, var->type, text);
        if (value) {
            out.push_back({*var->name, var, *value});
        } else if (const auto integer = smt::read_integer(text);
                   integer && var->type.is_exact_int()) {
            out.push_back({*var->name, var, nullptr, ir::Integer(*integer).str()});
        }
    }
    std::set<std::string> seen;
    for (const smt::Cell& cell : encoded.cells) {
        const auto value = read_cell(ctx, cell, values, next);
        if (value && seen.insert(value->name).second) out.push_back(*value);
    }
    return out;
}

std::vector<std::string> answers_of_other_form(const smt::EncodedObligation& asked,
                                               const smt::EncodedObligation& other,
                                               const std::vector<std::string>& values) {
    if (values.size() != model_query(other).wanted.size()) return {};
    const auto answers_of = [](const smt::Cell& cell) {
        return cell.indices.size() + 1 + (cell.defined.empty() ? 0U : 1U);
    };
    std::map<Expr, std::vector<std::string>> known;
    auto next = values.begin();
    for (const auto& [symbol, var] : other.smt.variables) known[var] = {*next++};
    for (const smt::Cell& cell : other.cells) {
        const auto end = next + static_cast<std::ptrdiff_t>(answers_of(cell));
        known[cell.load].assign(next, end);
        next = end;
    }
    std::vector<std::string> out;
    const auto take = [&](Expr e, std::size_t count) {
        const auto at = known.find(e);
        if (at == known.end() || at->second.size() != count) return false;
        out.insert(out.end(), at->second.begin(), at->second.end());
        return true;
    };
    for (const auto& [symbol, var] : asked.smt.variables) {
        if (!take(var, 1)) return {};
    }
    for (const smt::Cell& cell : asked.cells) {
        if (!take(cell.load, answers_of(cell))) return {};
    }
    return out;
}

}  // namespace proviso::analysis
