// What arguments of raw steps are made of: names, expressions, witnesses and claims, right ones and
// others; and what becomes of arguments that somebody has meddled with.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fuzz/gen/steps/steps.h"
#include "ir/context.h"
#include "rewrite/schedule/restated.h"

namespace proviso::fuzz {

class RawArguments {
  public:
    RawArguments(ir::Context& ctx, const ir::Function& f, Choice& choice);

  protected:
    using SitedStmt = std::pair<ir::Site, ir::Stmt>;
    using json = nlohmann::json;

    // A statement of a kind, nearly always.
    template <typename Node>
    std::optional<SitedStmt> some() {
        if (choice_.chance(3)) return choice_.pick(statements_);
        std::vector<SitedStmt> out;
        for (const SitedStmt& s : statements_) {
            if (s.second->is<Node>()) out.push_back(s);
        }
        if (out.empty()) return std::nullopt;
        return choice_.pick(out);
    }

    // A name for something new: mostly one that is free, else `own`, or anybody's.
    std::string name(const std::string& own = "");
    std::string text(const ir::Site& site, ir::ScalarType type, int depth = 1);
    // A bound, factor or offset: near to one of the loop's, or anything.
    std::string number(const ir::Site& site, ir::ScalarType type, ir::Expr near = nullptr);
    std::string condition(const ir::Site& site);
    json witness(const ir::Site& site, const std::vector<ir::Expr>& cell, ir::Buffer b);
    // A value for each loop around the statement at `of`.
    json iteration(const ir::Site& site, const ir::Site& of);
    json claims(const ir::Site& site);
    json claim(const ir::Site& site);
    void maybe_claims(json& args, const ir::Site& site);
    ir::Buffer buffer();
    // How each store in `site` goes unnoticed; `key` gives the site that the rule knows it by.
    json reasons(const ir::Site& site, const std::function<std::string(const ir::Site&)>& key);
    // A statement in a loop of one iteration, or of two; or in an allocation, of constant extents
    // or of others, under a free name or under one that is taken.
    rewrite::Restated around(const ir::Site& site, ir::Stmt s);
    // The step with one argument, somewhere, changed, or at another site.
    StepGuess spoiled(StepGuess guess);

    ir::Context& ctx_;
    const ir::Function& f_;
    Choice& choice_;
    std::vector<SitedStmt> statements_;
    std::set<std::string> names_;
    std::set<std::string> fresh_;

  private:
    void spoil(json& value, const ir::Site& site, int depth);
};

}  // namespace proviso::fuzz
