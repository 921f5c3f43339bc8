// Reschedulings proposed at random: what the theorem accepts, neither translation validation nor a
// run refutes. Proposals begin with a right one, and most are then changed in one or two places, in
// a text, a map, a condition or a place.
#include <array>
#include <random>

#include "analysis/prover/prover.h"
#include "tests/verify/reschedule_cases.h"
#include "verify/harness/inputs.h"
#include "verify/tv/validate.h"

namespace proviso::verify {
namespace {

using namespace ir;

class RandomReschedulings : public rewrite::Reschedule {
  protected:
    RandomReschedulings() {
        params_ =
            "A: T.Buffer((4,), \"int32\"), B: T.Buffer((4,), \"int32\"), C: T.Buffer((4,), "
            "\"int32\"), "
            "F: T.Buffer((4,), \"float32\"), n: T.int32, m: T.int32";
        limits_.rlimit = 20'000;
        limits_.use_cvc5 = false;
    }

    template <typename T>
    const T& pick(const std::vector<T>& from) {
        return from[random_() % from.size()];
    }
    bool one_in(unsigned n) { return random_() % n == 0; }

    static bool is_name(char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    }

    // The text with other words.
    static std::string with_words(const std::string& text,
                                  const std::map<std::string, std::string>& words) {
        std::string out;
        for (std::size_t k = 0; k < text.size();) {
            std::size_t end = k;
            while (end < text.size() && is_name(text[end])) ++end;
            if (end == k) {
                out += text[k++];
                continue;
            }
            const std::string here = text.substr(k, end - k);
            const auto other = words.find(here);
            out += other == words.end() ? here : other->second;
            k = end;
        }
        return out;
    }

    std::map<char, std::string> choose() {
        std::map<char, std::string> out;
        const auto with = [&](char of, const std::map<std::string, std::string>& names) {
            return with_words(out[of], names);
        };
        out['1'] = pick(one_in(2) ? kValues : kOuter);
        out['2'] = pick(kOuter);
        out['n'] = pick<std::string>({"0", "0", "1", "n"});
        out['g'] = pick(kGuards);
        out['e'] = pick(kExtents);
        out['k'] = pick(kKinds);
        out['b'] = pick<std::string>({"B", "C", "B", "A"});
        out['B'] = pick<std::string>({"B", "C"});
        out['x'] = pick<std::string>({"i", "i", "i", "0", "3 - i", "n"});
        out['s'] = pick(kStatements);
        out['t'] = pick(kStatements);
        out['a'] = with_words(pick(kStatements), {{"i", "n"}, {"w", "m"}});
        out['o'] = with_words(pick(kStatements), {{"i", "n"}});
        out['c'] = pick(kClaims);
        out['d'] = pick(kClaims);
        for (std::size_t at; (at = out['d'].find("        T")) != std::string::npos;) {
            out['d'].replace(at, 8, "                ");
            if (out['d'].find("                        ") != std::string::npos) break;
        }
        out['l'] = pick<std::string>({"B[0]", "C[0]"});
        // A value, or one that speaks of another loop.
        out['I'] = one_in(2) ? out['2'] : "T.max(j, " + out['2'] + ")";
        out['q'] = one_in(2) ? "v" : one_in(2) ? out['2'] : "T.max(k, " + out['2'] + ")";
        out['y'] = pick<std::string>({"v", "1", "v + 1"});
        out['z'] = pick<std::string>({"k", "1", "k + 1", "v", out['2']});
        const std::string in = "(" + out['1'] + ")";
        out['S'] = with('s', {{"w", in}});
        out['T'] = with('t', {{"w", in}});
        out['G'] = with('g', {{"w", in}});
        out['P'] = with('s', {{"w", "p"}});
        out['U'] = with('t', {{"w", "u"}});
        out['J'] = with('1', {{"i", "j"}});
        out['V'] = with('t', {{"i", "j"}, {"w", "u"}});
        out['Z'] = with('s', {{"i", "j"}, {"w", "u"}});
        out['H'] = with('g', {{"i", "j"}});
        out['v'] = with('s', {{"w", "v"}});
        out['r'] = with('t', {{"w", "v"}});
        out['Q'] = with('s', {{"w", "u"}});
        out['0'] = with('1', {{"i", "0"}});
        out['O'] = with('1', {{"i", "1"}});
        out['W'] = with('s', {{"i", "0"}, {"w", "u"}});
        out['X'] = with('s', {{"i", "1"}, {"w", "p"}});
        const std::string back = "(" + out['e'] + " - 1 - j)";
        out['R'] = with('1', {{"i", back}});
        out['Y'] = with('s', {{"i", back}});
        return out;
    }

    static std::string filled(const std::string& text, const std::map<char, std::string>& with) {
        std::string out;
        for (std::size_t k = 0; k < text.size(); ++k) {
            if (text[k] != '$') {
                out += text[k];
                continue;
            }
            out += with.at(text[++k]);
        }
        return out;
    }

    // The text with one word or line changed.
    std::string changed(const std::string& text) {
        std::vector<std::string> lines;
        std::istringstream in(text);
        for (std::string line; std::getline(in, line);) lines.push_back(line);
        const auto joined = [&] {
            std::string out;
            for (const std::string& line : lines) out += line + (text.back() == '\n' ? "\n" : "");
            return out;
        };
        if (text.empty()) return pick(kGuards);
        const std::size_t at = random_() % lines.size();
        if (lines.size() > 1 && one_in(4)) {
            if (at + 1 < lines.size() && !one_in(3)) {
                std::swap(lines[at], lines[at + 1]);
            } else {
                lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
            }
            return joined();
        }
        std::vector<std::pair<std::size_t, std::size_t>> words;
        std::string& line = lines[at];
        for (std::size_t k = 0; k < line.size(); ++k) {
            std::size_t end = k;
            while (end < line.size() && is_name(line[end])) ++end;
            if (end > k) words.emplace_back(k, end - k);
            if (end == k && std::string("+-<>=*%").find(line[k]) != std::string::npos)
                words.emplace_back(k, 1);
            k = std::max(end, k + 1) - 1;
        }
        if (words.empty()) return text;
        const auto [begin, length] = pick(words);
        const std::string word = line.substr(begin, length);
        static const std::vector<std::vector<std::string>> groups = {
            {"0", "1", "2", "3", "4", "n", "i"},
            {"i", "j", "k", "n", "w", "0", "v", "u", "p"},
            {"w", "u", "p", "v", "i", "n", "m"},
            {"n", "m", "i", "w", "1"},
            {"m", "n"},
            {"A", "B", "C"},
            {"B", "A", "C"},
            {"C", "A", "B"},
            {"v", "i", "w", "u", "r"},
            {"u", "p", "w", "i"},
            {"p", "u", "w"},
            {"j", "i", "0"},
            {"k", "i", "0"},
            {"range", "parallel"},
            {"parallel", "unroll", "vectorized"},
            {"unroll", "parallel"},
            {"min", "max"},
            {"max", "min"},
            {"<", ">", "<="},
            {">", "<", ">="},
            {"+", "-", "*"},
            {"-", "+"},
            {"*", "+", "//"},
            {"spatial", "reduce"},
            {"reduce", "spatial"},
            {"then", "else"},
            {"else", "then"},
            {"if_then_else", "Select"},
            {"Select", "if_then_else"},
            {"True", "n > 0"},
            {"and", "or"},
            {"or", "and"}};
        std::vector<std::string> others;
        for (const auto& group : groups) {
            if (group[0] == word) others = group;
        }
        if (others.empty()) return text;
        const std::string& other = pick(others);
        const bool concurrent = word == "range" && other != word;
        line.replace(begin, length, concurrent ? "T." + other : other);
        return joined();
    }

    void change(ProposalText& c) {
        switch (random_() % 8) {
            case 0: c.before = changed(c.before); return;
            case 1:
            case 2: c.after = changed(c.after); return;
            case 3: c.before = c.after; return;
            default: break;
        }
        PartText& part = c.parts[random_() % c.parts.size()];
        auto& map = one_in(2) ? part.from : part.to;
        switch (random_() % 6) {
            case 0: part.when = changed(part.when); return;
            case 1: part.where = changed(part.where); return;
            case 2: (one_in(2) ? part.now : part.origin) = changed(part.now); return;
            default: break;
        }
        if (map.empty()) return;
        auto entry = map.begin();
        std::advance(entry, static_cast<std::ptrdiff_t>(random_() % map.size()));
        entry->second = one_in(4) ? pick(kValues) : changed(entry->second);
    }

    ProposalText proposal() {
        ProposalText c = pick(kCases);
        const std::map<char, std::string> with = choose();
        c.before = filled(c.before, with);
        c.after = filled(c.after, with);
        for (PartText& part : c.parts) {
            for (auto* map : {&part.from, &part.to}) {
                for (auto& [name, value] : *map) value = filled(value, with);
            }
            part.when = filled(part.when, with);
            part.where = filled(part.where, with);
        }
        if (one_in(4)) c.apart = {{0, 1}, {1, 1}, {0, 0}};
        if (one_in(8)) c.apart = {};
        if (one_in(10)) c.dropped.push_back(c.parts[0].origin);
        for (std::size_t left = random_() % 3; left > 0; --left) change(c);
        return c;
    }

    // What stands under a guard runs always. For each store there is a reason, right or wrong.
    ProposalText unguarded() {
        const std::string first = pick<std::string>(
            {"    pass\n", "    for q in range(4):\n        $B[q] = 1\n", "    $b[0] = 1\n"});
        const std::string last =
            pick<std::string>({"    for j in range(4):\n        $B[j] = 7\n",
                               "    for j in range(4):\n        B[j] = 7\n", "    $b[n] = 7\n",
                               "    C[0] = B[0]\n    B[0] = 1\n", "    B[1] = 2\n"});
        static const std::vector<std::string> stores = {
            "B[i] = 1",       "B[0] = 1",        "B[i] = B[i]",     "C[i] = A[i]",
            "C[i] = 12 // n", "B[n] = 1",        "B[i] = B[i] + i", "C[0] = 1",
            "t[i] = 1",       "t[0] = t[0] + i", "B[i] = C[3 - i]", "C[i] = 1"};
        const std::string guard = one_in(3) ? "$G" : pick<std::string>({"i < n", "n < 3", "m > i"});
        ProposalText c = pick<ProposalText>(
            {{"        if $g:\n            $s\n            $t\n",
              "        $s\n        $t\n",
              "body/body/1/body",
              {{"body/0", "body/then/0", {}, {}, "", "$g"},
               {"body/1", "body/then/1", {}, {}, "", "$g"}}},
             {"        if $g:\n            $s\n",
              "        $s\n",
              "body/body/1/body",
              {{"body", "body/then", {}, {}, "", "$g"}}},
             {"        if $g and i < 3:\n            $s\n",
              "        if i < 3:\n            $s\n",
              "body/body/1/body",
              {{"body/then", "body/then", {}, {}, "", "$g and i < 3"}}},
             {"        if $g:\n            $s\n",
              "        $s\n",
              "body/body/1",
              {part("body/body", "body/body/then", "i", "", "$g")}},
             {"        with T.block(\"b\"):\n            T.where($g)\n            v = "
              "T.axis.spatial(4, i)\n            $s\n",
              "        with T.block(\"b\"):\n            v = T.axis.spatial(4, i)\n            "
              "$s\n",
              "body/body/1/body",
              {part("body/body", "body/body", "v", "", "$g")}}});
        std::map<char, std::string> with = choose();
        with['g'] = filled(guard, with);
        with['s'] = pick(stores);
        with['t'] = pick(stores);
        const std::string head = "    t = T.alloc_buffer((4,), \"int32\")\n" +
                                 (first == "    pass\n" ? "    A[3] = 5\n" : first) +
                                 "    for i in $k(4):\n";
        c.before = filled(head + c.before + last, with);
        c.after = filled(head + c.after + last, with);
        for (PartText& part : c.parts) part.where = filled(part.where, with);
        if (one_in(4)) change(c);
        return c;
    }

    // Reasons for all stores of the new text, with witnesses among all of the program.
    nlohmann::json reasons(const ProposalText& c) {
        Context ctx;
        const Result<Function> f = parse_function(ctx, program(c.after), "after");
        const Result<Site> at = Site::parse(c.at);
        nlohmann::json out = {{"stores", nlohmann::json::object()}};
        if (!f.ok() || !at.ok()) return out;
        std::vector<nlohmann::json> writers;
        for (const auto& [site, s] : all_statements(*f)) {
            if (!s->is<Store>()) continue;
            nlohmann::json loops = nlohmann::json::object();
            for (const char* name : {"i", "j", "q"}) {
                const std::string text = site.str();
                const bool first = text.rfind("body/body/0/body", 0) == 0;
                const bool inside = text.rfind("body/body/1/", 0) == 0;
                const bool mine = *name == 'i' ? inside : *name == 'q' ? first : !first && !inside;
                if (mine && text.find("/body", 10) != std::string::npos) {
                    loops[name] = pick<std::string>({"i", "i", "i", "3", "0", "n", "3 - i"});
                }
            }
            writers.push_back({{"statement", site.str()}, {"at", loops}});
        }
        for (const auto& [site, s] : all_statements(*f)) {
            if (!s->is<Store>() || !at->contains(site)) continue;
            nlohmann::json some = nlohmann::json::array();
            for (std::size_t k = random_() % 3; k > 0; --k) some.push_back(pick(writers));
            nlohmann::json how = {{"mode", "unreachable"}};
            if (one_in(2)) how = {{"mode", "same"}, {"writer", pick(writers)}};
            if (one_in(2)) how = {{"mode", "dead"}, {"writers", some}};
            out["stores"][site.str()] = how;
        }
        return out;
    }

    Inputs inputs() {
        Inputs out;
        for (const char* name : {"A", "B", "C"}) {
            std::vector<double> cells;
            for (int k = 0; k < 4; ++k) cells.push_back(static_cast<double>(random_() % 6) - 1);
            out.emplace(name, Tensor::of(kInt32, {4}, cells));
        }
        static const std::vector<double> floats = {0.0, -0.0, 1.0,     std::nan(""),
                                                   3.0, -2.5, INFINITY};
        std::vector<double> cells;
        for (int k = 0; k < 4; ++k) cells.push_back(pick(floats));
        out.emplace("F", Tensor::of(kFloat32, {4}, cells));
        for (const char* name : {"n", "m"}) {
            out.emplace(name, Value::of_int(Integer(static_cast<int>(random_() % 7) - 1)));
        }
        return out;
    }

    void look(const ProposalText& c) {
        const std::string said = outcome(c.before, c.after, c.parts, c.apart, c.at, c.dropped);
        if (said != "accepted") return;
        ++accepted_;
        Context own;
        const Result<Function> before = parse_function(own, program(c.before), "before");
        const Result<Function> after = parse_function(own, after_, "after");
        ASSERT_TRUE(before.ok() && after.ok());
        Result<Comparer> runs = Comparer::make(own, *before, *after);
        ASSERT_TRUE(runs.ok());
        // A stop in a concurrent loop comes after any part of the work.
        const bool any_work = c.before.find("assert") != std::string::npos &&
                              (c.before.find("T.parallel") != std::string::npos ||
                               c.before.find("T.vectorized") != std::string::npos);
        if (any_work) return;
        std::string wrong;
        for (std::uint64_t k = 0; k < 24 && wrong.empty(); ++k) {
            CompareOptions options;
            options.seed = k;
            options.interp.check_regions = true;
            options.interp.order = std::array{IterationOrder::Forward, IterationOrder::Reverse,
                                              IterationOrder::Shuffled}[k % 3];
            const Result<Comparison> run = runs->compare(inputs(), options);
            ASSERT_TRUE(run.ok()) << run.error().str();
            ran_ += run->agreement == Agreement::Refines ? 1 : 0;
            if (run->refutes()) {
                wrong = run->what;
            }
        }
        if (one_in(4)) {
            TvOptions sizes;
            for (const char* name : {"n", "m"}) {
                sizes.sizes[own.var(name, kInt32)] = own.i32(static_cast<int>(random_() % 6));
            }
            analysis::Prover prover(own, limits_);
            const TvResult seen = validate(own, *before, *after, prover, sizes);
            if (seen.verdict == TvVerdict::Refuted) wrong = "by validation: " + seen.what;
            bounded_ += seen.verdict == TvVerdict::Bounded ? 1 : 0;
        }
        if (wrong.empty()) return;
        std::string parts;
        for (const PartText& p : c.parts) {
            parts += p.now + " is " + p.origin + " when " + p.when + " where " + p.where;
            for (const auto& [name, value] : p.from) parts += ", " + name + " <- " + value;
            for (const auto& [name, value] : p.to) parts += ", " + name + " -> " + value;
            parts += "\n";
        }
        ADD_FAILURE() << wrong << "\n" << c.before << "    ---\n" << c.after << parts << after_;
    }

    std::mt19937 random_{20261123U +
                         static_cast<unsigned>(testing::UnitTest::GetInstance()->random_seed())};
    std::size_t accepted_ = 0, bounded_ = 0, ran_ = 0;
};

TEST_F(RandomReschedulings, AreRight) {
    for (std::size_t turn = 0; turn < 2500; ++turn) look(proposal());
    EXPECT_GT(accepted_, 300U);
    EXPECT_GT(ran_, accepted_ * 10);
    EXPECT_GT(bounded_, accepted_ / 10);
}

TEST_F(RandomReschedulings, WithExtraInstancesAreRight) {
    for (std::size_t turn = 0; turn < 4000; ++turn) {
        const ProposalText c = unguarded();
        extra_ = reasons(c);
        text_at_ = c.at;
        look(c);
    }
    EXPECT_GT(accepted_, 40U);
    EXPECT_GT(ran_, accepted_ * 10);
}

}  // namespace
}  // namespace proviso::verify
