#include "rewrite/expression_rules/expression_rule.h"

#include <array>
#include <unordered_map>
#include <utility>

#include "ir/check.h"
#include "ir/text.h"

namespace proviso::rewrite {

namespace {

using TableFunction = std::span<const ExpressionRule> (*)();

constexpr std::array<std::pair<std::string_view, TableFunction>, 25> kTables = {{
    {"add and subtract", tables::add_sub},
    {"multiply", tables::mul},
    {"floordiv", tables::floordiv},
    {"floormod", tables::floormod},
    {"digits", tables::digits},
    {"ceildiv", tables::ceildiv},
    {"truncdiv", tables::truncdiv},
    {"truncmod", tables::truncmod},
    {"wrapping", tables::wrapping},
    {"bits", tables::bits},
    {"bits-joined", tables::bits_joined},
    {"shifts", tables::shifts},
    {"min and max", tables::min_max},
    {"bounds", tables::bounds},
    {"comparison", tables::comparison},
    {"comparison, scaled", tables::comparison_scaled},
    {"comparison, decided", tables::comparison_known},
    {"logic", tables::logic},
    {"logic over comparisons", tables::logic_compare},
    {"choice", tables::select},
    {"distribution", tables::distribution},
    {"cast", tables::cast},
    {"floats", tables::floats},
    {"floats, choices", tables::float_choices},
    {"floats, licensed", tables::float_licensed},
}};

std::vector<ExpressionRule> collect() {
    std::vector<ExpressionRule> out;
    for (const auto& [family, table] : kTables) {
        for (ExpressionRule rule : table()) {
            rule.family = family;
            out.push_back(rule);
        }
    }
    return out;
}

}  // namespace

const std::vector<ExpressionRule>& expression_rules() {
    static const std::vector<ExpressionRule> rules = collect();
    return rules;
}

const ExpressionRule* find_expression_rule(std::string_view name) {
    static const std::unordered_map<std::string_view, const ExpressionRule*> by_name = [] {
        std::unordered_map<std::string_view, const ExpressionRule*> out;
        for (const ExpressionRule& r : expression_rules()) {
            PROVISO_CHECK(out.emplace(r.name, &r).second, "two rules named " + std::string(r.name));
        }
        return out;
    }();
    const auto found = by_name.find(name);
    return found == by_name.end() ? nullptr : found->second;
}

std::string rule_text(const ExpressionRule& rule) {
    std::string out = std::string(rule.left) + " → " + std::string(rule.right);
    if (!rule.where.empty()) out += "  where " + std::string(rule.where);
    if (!rule.needs.empty()) out += "  needs " + std::string(rule.needs);
    if (!rule.licences.empty()) out += "  licences " + std::string(rule.licences);
    return out;
}

std::string rule_table_digest() {
    std::string all;
    for (const ExpressionRule& r : expression_rules()) {
        all += std::string(r.name) + " | " + r.kinds.str() + " | " + rule_text(r) +
               (r.lemmas.empty() ? "" : "  by " + std::string(r.lemmas)) + "\n";
    }
    return "sha256:" + ir::sha256_hex(all);
}

}  // namespace proviso::rewrite
