// Partial results of steps that update two cells together, proposed at random: what the theorem
// accepts, neither translation validation nor a run refutes. Most proposals are wrong in some way:
// ties are broken by an order that changes, two results are combined otherwise than a step does, a
// start is better than a term, the step sees what changes.
#include <gtest/gtest.h>

#include "rewrite/derived/proposal_text.h"
#include "tests/verify/random_relocations.h"

namespace proviso::verify {
namespace {

using namespace ir;

class RandomTuples : public RandomProposals {
  protected:
    RandomTuples() : RandomProposals(20261128) {}

    std::string text(const std::vector<const char*>& from) { return pick(from); }

    static std::string filled_in(std::string s, const std::vector<std::string>& values) {
        for (std::size_t k = 0; k < values.size(); ++k) {
            const std::string name = "$" + std::to_string(k);
            for (std::size_t p = s.find(name); p != std::string::npos; p = s.find(name)) {
                s.replace(p, name.size(), values[k]);
            }
        }
        return s;
    }

    // What keeps the pair ($0, $1) where ($2, $3) comes.
    std::string keeps() {
        return text({"$1 > $3 or $1 == $3 and $0 < $2", "$1 > $3 or $1 == $3 and $0 < $2",
                     "$1 > $3 or $1 == $3 and $0 <= $2", "$1 < $3 or $1 == $3 and $0 < $2",
                     "$1 >= $3", "$1 >= $3", "$1 > $3", "$0 <= $2", "$3 == 0",
                     "$0 < $2 or $1 < $3"});
    }
};

TEST_F(RandomTuples, AreRight) {
    for (std::size_t turn = 0; turn < 6000; ++turn) {
        const std::string cell = text({"i", "i", "i", "k", "0", "3 - i", "(i + k) % 4"});
        const std::string index = text({"k", "k", "k", "i", "A[k]", "3 - k", "1"});
        const std::string term =
            text({"A[k]", "A[k]", "A[(i + k) % 4] % 3", "k % 2", "A[i]", "B[k]"});
        const std::string by = keeps();
        const std::string from = text({"-1", "-1", "0", "9"});
        const std::string least = text({"-2147483648", "-2147483648", "0", "100"});
        const std::vector<std::string> at_cell = {"B[" + cell + "]", "t[" + cell + "]", index,
                                                  term};
        const std::string kept = filled_in(by, at_cell);
        const bool inside = random_() % 8 == 0;
        const std::string more = text({"", "", "", "", "            A[k] = i\n"});
        const std::string guard = text({"", "", "", "k < n", "A[k] < 3", "t[k] < 3", "i != k"});
        std::string body = "    t = T.alloc_buffer((4,), \"int32\")\n    for j in range(" +
                           text({"4", "4", "4", "3", "n"}) + "):\n        B[j] = " + from +
                           "\n        t[j] = " + least +
                           "\n    for i in range(4):\n        for k in " +
                           std::string(inside ? "T.parallel(3)" : "range(3)") + ":\n" + more;
        std::string pad = "            ";
        rewrite::PartialsText t;
        t.step.at = "body/body/1/body/body";
        if (!more.empty()) t.step.at += "/1";
        if (!guard.empty()) {
            body += pad + "if " + guard + ":\n";
            pad += "    ";
            t.step.at += "/then";
        }
        const std::string first = "T.Select(" + kept + ", " + at_cell[0] + ", " + index + ")\n";
        const std::string second = "T.Select(" + kept + ", " + at_cell[1] + ", " + term + ")\n";
        if (random_() % 3 == 0) {  // what the second one reads has changed
            if (!more.empty() && guard.empty()) continue;
            body += pad + at_cell[0] + " = " + first + pad + at_cell[1] + " = " + second;
        } else {
            body += pad + "u: T.int32 = " + first + pad + "v: T.int32 = " + second + pad +
                    at_cell[0] + " = u\n" + pad + at_cell[1] + " = v\n";
        }
        body += "    for l in range(4):\n        A[l] = t[l]\n";
        const Function f = parse(body);
        const bool plain = random_() % 5 != 0;
        const std::string joined = filled_in(plain ? by : keeps(), {"a0", "a1", "b0", "b1"});
        t.extents = {text({"3", "3", "3", "2", "4"}), text({"4", "4", "4", "4", "3"})};
        t.map = {text({"k", "k", "k // 2", "k // 2", "2 - k", "k % 2", "0"}),
                 text({"x", "x", "x", "x", "3 - x", "0"})};
        t.inverse = {t.map[1] == "3 - x" ? "3 - d" : "d"};
        t.at = "body/body/1";
        t.start = random_() % 8 == 0 ? "0" : from;
        t.writer = {"body/body/0/body/0", {{"j", t.inverse[0]}}};
        t.also = {{"t", "Q", least, {"body/body/0/body/1", {{"j", t.inverse[0]}}}, 0}};
        t.step.combine = {"T.Select(" + joined + ", a0, b0)", "T.Select(" + joined + ", a1, b1)"};
        if (random_() % 12 == 0) std::swap(t.step.combine[0], t.step.combine[1]);
        rewrite::ProposalReader reader(ctx);
        const rewrite::Partials p = reader.read(f, t);
        ASSERT_TRUE(reader.wrong().empty()) << reader.wrong() << body;
        const Result<rewrite::Proposal> proposal =
            rewrite::combine_in_parts(ctx, f, *Site::parse(t.at), p);
        (void)look(f, proposal);
        if (HasFailure()) return;
    }
    EXPECT_GT(accepted_, 80U);
    EXPECT_GT(refined_, accepted_);
    RecordProperty("accepted", static_cast<int>(accepted_));
    RecordProperty("bounded", static_cast<int>(bounded_));
    RecordProperty("refined", static_cast<int>(refined_));
}

}  // namespace
}  // namespace proviso::verify
