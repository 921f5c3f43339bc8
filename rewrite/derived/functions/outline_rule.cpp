// outline: a stage rewritten as a function of its own.
//
//   before   … S …          after   … with T.block(NAME): S' …
//
// Arguments: "name", of the function; "count": how many statements of the list S has (absent: 1);
// "steps": [{"rule", "site", "args"}, …], steps of the function that `outlined` makes of S. Where S
// is a block without iterators of that name, as this rule leaves one, its body is the function's.
#include <nlohmann/json.hpp>

#include "ir/well_formed.h"
#include "rewrite/derived/functions/outlined.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/kernel/only_members.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

Result<std::vector<Move>> read_moves(Context& ctx, const std::string& function,
                                     const nlohmann::json& args) {
    std::vector<Move> out;
    const auto list = args.find("steps");
    if (list == args.end()) return out;
    if (!list->is_array()) return error("argument 'steps' must be a list");
    for (const nlohmann::json& step : *list) {
        if (const Status ok = only_members(step, "args rule site"); !ok) return ok.error();
        const Result<std::string> name = arg_string(step, "rule");
        if (!name) return name.error();
        const Result<Site> site = arg_site(step, "site");
        if (!site) return site.error();
        const std::string about = function + ", step " + std::to_string(out.size() + 1) + ": ";
        out.push_back(
            move_by(ctx, about, *name, *site, step.value("args", nlohmann::json::object())));
    }
    return out;
}

class Outline final : public Rule {
  public:
    std::string name() const override { return "outline"; }
    int version() const override { return 2; }
    std::string summary() const override { return "a stage rewritten as a function of its own"; }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        const Result<std::string> name = arg_string(args, "name");
        if (!name) return name.error();
        if (!is_printable_name(*name)) return error("'" + *name + "' is not a name");
        Stage stage{site, 1};
        if (args.contains("count")) {
            const Result<std::int64_t> count = arg_int(args, "count");
            if (!count) return count.error();
            if (*count < 1) return error("a stage has a statement or more");
            stage.count = static_cast<std::size_t>(*count);
        }
        const Result<std::vector<Move>> moves = read_moves(ctx, *name, args);
        if (!moves) return moves.error();
        Result<Function> function = outlined(ctx, before, stage, *name);
        if (!function) return function.error();
        if (const Block* block = outlined_block(function->body, *name)) {
            function->body = block->body;
        }
        return outline(ctx, before, stage, *function, *moves);
    }
};

}  // namespace

const Rule& outline_rule() {
    static const Outline rule;
    return rule;
}

}  // namespace proviso::rewrite
