// Partial results proposed at random: what the theorem accepts, neither translation validation nor
// a run refutes. Most proposals are wrong in some way: a place is of another cell or of none, cells
// hold something else before, a sum leaves its range, somebody looks in between.
#include <gtest/gtest.h>

#include "analysis/facts/path.h"
#include "rewrite/derived/proposal_text.h"
#include "tests/verify/random_relocations.h"

namespace proviso::verify {
namespace {

using namespace ir;

class RandomPartials : public RandomProposals {
  protected:
    RandomPartials() : RandomProposals(20261126) {}

    std::string text(const std::vector<const char*>& from) { return pick(from); }

    // Two loops that combine something, after one that initialises B; sometimes more.
    std::string program(std::string& at) {
        const std::string start = "for j in range(" + text({"4", "4", "4", "4", "3", "n"}) + "):\n";
        const std::string value = text({"0", "0", "0", "0", "1", "-2", "n"});
        const std::string cell = text({"i", "i", "i", "k", "0", "3 - i", "(i + k) % 4", "n % 4"});
        const std::string term =
            text({"A[k]", "A[k] % 5", "A[i] - k", "i - A[k] % 3", "k", "A[k] % 9 - 4", "B[k]"});
        const std::string by =
            text({"T.max(CELL, TERM)", "T.max(TERM, CELL)", "T.min(CELL, TERM)", "CELL + TERM",
                  "CELL + TERM", "TERM + CELL", "CELL - TERM", "CELL ^ (TERM)", "CELL & TERM",
                  "CELL | TERM", "CELL * TERM", "CELL + TERM - k"});
        std::string store = "CELL = " + by + "\n";
        for (const auto& [name, is] :
             {std::pair<std::string, std::string>{"CELL", "B[" + cell + "]"}, {"TERM", term}}) {
            for (std::size_t p = store.find(name); p != std::string::npos; p = store.find(name)) {
                store.replace(p, name.size(), is);
            }
        }
        const std::string more =
            text({"", "", "", "", "", "", "            A[k] = B[i]\n", "            A[i] = k\n",
                  "            B[k] = T.max(B[k], i)\n", "            B[k] = B[k] + 1\n",
                  "            assert A[k] < 9, \"large\"\n"});
        const std::string guard = text({"", "", "", "k < n", "A[k] < 3", "B[k] < 3", "i != k"});
        std::string out = "    " + start + "        B[j] = " + value + "\n";
        if (random_() % 12 == 0) out += "    B[1] = 3\n", at = "body/2";
        const bool beside = random_() % 8 == 0;
        const bool inside = random_() % 8 == 0;
        out += "    for i in " + std::string(beside ? "T.parallel(4)" : "range(4)") + ":\n";
        out += "        for k in " + std::string(inside ? "T.parallel(3)" : "range(3)") + ":\n";
        if (guard.empty()) return out + "            " + store + more;
        return out + "            if " + guard + ":\n                " + store + more;
    }
};

TEST_F(RandomPartials, AreRight) {
    struct Place {
        const char *map, *inverse;
    };
    const std::vector<Place> places = {{"x", "d"},
                                       {"x", "d"},
                                       {"x", "d"},
                                       {"3 - x", "3 - d"},
                                       {"x // 2", "d * 2"},
                                       {"x % 2", "d"},
                                       {"x + 1", "d - 1"},
                                       {"0", "d"},
                                       {"0", "i"},
                                       {"0", "n % 4"},
                                       {"(x + 1) % 4", "(d + 3) % 4"}};
    for (std::size_t turn = 0; turn < 12000; ++turn) {
        rewrite::PartialsText t;
        const std::string body = program(t.at);
        const Function f = parse(body);
        if (random_() % 4 == 0) t.at += "/body";
        if (random_() % 12 == 0) t.at += "/body";
        if (!locate(f, *Site::parse(t.at))) continue;
        const Place& place = pick(places);
        t.extents = {text({"3", "3", "4", "2", "1"}), text({"4", "4", "4", "3", "1", "5"})};
        t.map = {text({"k", "k", "k", "i", "k % 2", "k - 1", "0", "k // 2", "2 - k"}), place.map};
        t.inverse = {random_() % 8 == 0 ? pick(places).inverse : place.inverse};
        t.start = text({"0", "0", "0", "0", "1", "-2"});
        t.writer = {"body/0/body", {{"j", random_() % 8 == 0 ? "d" : t.inverse[0]}}};
        t.most = pick<Int128>({0, 2, 4, 8, 9, 1000, 178956970});
        rewrite::ProposalReader reader(ctx);
        const rewrite::Partials p = reader.read(f, t);
        if (!reader.wrong().empty()) continue;  // names that are bound further in
        const Result<rewrite::Proposal> proposal =
            rewrite::combine_in_parts(ctx, f, *Site::parse(t.at), p);
        (void)look(f, proposal);
        if (HasFailure()) return;
    }
    EXPECT_GT(accepted_, 80U);
    EXPECT_GT(bounded_, accepted_ / 3);
    EXPECT_GT(refined_, accepted_);
    RecordProperty("accepted", static_cast<int>(accepted_));
    RecordProperty("bounded", static_cast<int>(bounded_));
}

}  // namespace
}  // namespace proviso::verify
