// What translation validation asks the prover: claims about runs on one initial state, from what
// the run of the program before needs in order not to fault.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/domains/interval.h"
#include "verify/tv/validate.h"

namespace proviso::verify {

class Claims {
  public:
    // Verdicts go into `result`, and so does the number of questions.
    Claims(analysis::Prover& prover, const TvOptions& options, TvResult& result)
        : prover_(prover), options_(options), result_(result) {}

    void add_fact(ir::Expr claim);
    // Why models refute nothing: a licence leaves a choice. Null: they do.
    void doubt(const char* why) { doubt_ = why; }

    // False, with the result filled in, unless the claim is shown. `what` says what is wrong where
    // it does not hold.
    template <typename What>
    bool holds(ir::Expr claim, const What& what) {
        return is_known(claim) || decide(claim, what);
    }
    // The same, and the result stays as it was.
    bool shows(ir::Expr claim);

    // The result is UNKNOWN, and why; false.
    bool unknown(std::string why);

  private:
    analysis::Answer ask(ir::Expr claim);
    bool bears_on(const std::vector<ir::Expr>& facts, ir::Expr claim);
    // A fact, proved before, or true of all values that its terms may have by their types.
    bool is_known(ir::Expr claim);
    bool decide(ir::Expr claim, const std::function<std::string()>& what);
    std::vector<ir::Expr> facts_for(ir::Expr claim, bool& all);
    void index_facts();
    template <typename Use>
    void for_each_symbol(ir::Expr e, const Use& use);

    analysis::Prover& prover_;
    const TvOptions& options_;
    TvResult& result_;
    const char* doubt_ = nullptr;
    std::vector<ir::Expr> facts_;
    // The first facts about each variable and load, once there are too many to give all of them.
    std::unordered_map<ir::Expr, std::vector<std::size_t>> facts_of_;
    std::size_t indexed_ = 0;             // facts
    std::uint64_t looked_at_ = 0;         // nodes of them
    std::vector<std::uint32_t> seen_in_;  // by number of the node: the look at a fact
    std::uint32_t looks_ = 0;
    // Claims in other names (renamed_claim.h): those that differ in their cells only are one.
    std::unordered_set<ir::Expr> asked_;
    std::unordered_set<ir::Expr> known_;  // facts, and claims proved from them
    ir::IntervalEval ranges_{ir::Reading::Formula};
};

}  // namespace proviso::verify
