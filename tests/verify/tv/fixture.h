// Pairs of programs as text, compared by translation validation.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "ir/text.h"
#include "tests/verify/programs.h"
#include "verify/tv/validate.h"

namespace proviso::verify {

class TvPairs : public testing::Test, protected Programs {
  protected:
    // Of what `parse` is given without parameters.
    explicit TvPairs(std::string params) : params_(std::move(params)) {}

    ir::Function parse(const std::string& body, const std::string& params = "") {
        const Result<ir::Function> f = ir::parse_function(
            ctx, "@T.prim_func\ndef f(" + (params.empty() ? params_ : params) + "):\n" + body,
            "<test>");
        EXPECT_TRUE(f.ok()) << f.error().str();
        return f.ok() ? *f : ir::Function{};
    }
    TvResult check(const ir::Function& before, const ir::Function& after,
                   const TvOptions& options = {}) {
        analysis::ProverOptions limits;
        limits.rlimit = options.rlimit;
        limits.use_cvc5 = false;
        analysis::Prover prover(ctx, limits);
        return validate(ctx, before, after, prover, options);
    }
    TvVerdict verdict(const ir::Function& before, const ir::Function& after) {
        const TvResult out = check(before, after);
        last_ = out.what;
        return out.verdict;
    }
    TvVerdict verdict(const std::string& before, const std::string& after,
                      const std::string& params = "") {
        return verdict(parse(before, params), parse(after, params));
    }
    std::string last_;

  private:
    std::string params_;
};

}  // namespace proviso::verify
