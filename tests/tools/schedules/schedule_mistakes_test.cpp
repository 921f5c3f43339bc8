// Mistakes in schedules, made up by the hundred: each is told with its place, a reason, and what to
// write instead.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <regex>
#include <set>

#include "ir/deep_stack.h"
#include "tests/sanitized.h"
#include "tests/tools/commands.h"
#include "tools/commands.h"

namespace fs = std::filesystem;

namespace {

using proviso::tests::Commands;
using proviso::tests::kShare;
using proviso::tests::Seen;
using proviso::tests::text_of;

struct Example {
    std::string program;   // file of examples/
    std::string schedule;  // text
    std::string target = "cpu";
};

// A schedule's text in words: names, numbers, strings with their quotes, single characters, and
// blanks.
std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> out;
    const auto letter = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    };
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i + 1;
        if (letter(text[i])) {
            while (end < text.size() && letter(text[end])) ++end;
        } else if (text[i] == '"') {
            while (end < text.size() && text[end] != '"') ++end;
            ++end;
        }
        out.push_back(text.substr(i, end - i));
        i = end;
    }
    return out;
}

std::string text(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& w : words) out += w;
    return out;
}

bool is_name(const std::string& w) {
    return std::isalpha(static_cast<unsigned char>(w[0])) != 0 || w[0] == '_';
}
bool is_number(const std::string& w) {
    return std::isdigit(static_cast<unsigned char>(w[0])) != 0;
}
bool is_string(const std::string& w) {
    return w[0] == '"';
}

// One mistake in a schedule; a function of the numbers drawn.
class Mistakes {
  public:
    explicit Mistakes(std::uint64_t seed) : state_(seed) {}

    std::size_t below(std::size_t n) {
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
        return n == 0 ? 0 : static_cast<std::size_t>((state_ >> 33U) % n);
    }

    static constexpr std::size_t kKinds = 16;

    // Empty: the schedule has no place for such a mistake.
    std::string make(const std::string& schedule, std::size_t kind) {
        std::vector<std::string> w = words_of(schedule);
        switch (kind) {
            case 0: return misspelt(w, is_name);
            case 1: return misspelt(w, is_string);
            case 2: return replaced(w, is_number, "\"eight\"");
            case 3: return replaced(w, is_string, "7");
            case 4: return negative(w);
            case 5: return arguments(w, Change::Drop);
            case 6: return arguments(w, Change::Repeat);
            case 7: return arguments(w, Change::Swap);
            case 8: return arguments(w, Change::None);
            case 9: return keyword(w);
            case 10: return lines(schedule, Change::Drop);
            case 11: return lines(schedule, Change::Swap);
            case 12: return lines(schedule, Change::Repeat);
            case 13: return without(w, ")");
            case 14: return without(w, "\"");
            case 15: return replaced(w, is_number, "123456789012345678901234567890");
            default: return "";
        }
    }

  private:
    enum class Change { Drop, Repeat, Swap, None };

    // One of the places where `fits` holds; the number of words where there is none.
    template <typename F>
    std::size_t place(const std::vector<std::string>& w, F fits) {
        std::vector<std::size_t> all;
        for (std::size_t i = 0; i < w.size(); ++i) {
            if (fits(w[i])) all.push_back(i);
        }
        return all.empty() ? w.size() : all[below(all.size())];
    }

    template <typename F>
    std::string misspelt(std::vector<std::string> w, F fits) {
        const std::size_t at = place(w, fits);
        if (at == w.size() || w[at].size() < 3) return "";
        const std::size_t letter = 1 + below(w[at].size() - 2);
        if (below(2) == 0) {
            w[at].insert(letter, 1, 'q');
        } else {
            w[at].erase(letter, 1);
        }
        return text(w);
    }

    template <typename F>
    std::string replaced(std::vector<std::string> w, F fits, const std::string& by) {
        const std::size_t at = place(w, fits);
        if (at == w.size()) return "";
        w[at] = by;
        return text(w);
    }

    std::string negative(std::vector<std::string> w) {
        const std::size_t at = place(w, is_number);
        if (at == w.size()) return "";
        w[at].insert(0, "-");
        return text(w);
    }

    std::string without(const std::vector<std::string>& w, const std::string& what) {
        const std::string all = text(w);
        std::vector<std::size_t> places;
        for (std::size_t i = all.find(what); i != std::string::npos; i = all.find(what, i + 1)) {
            places.push_back(i);
        }
        if (places.empty()) return "";
        return std::string(all).erase(places[below(places.size())], what.size());
    }

    // Of one call: an argument left out, given twice, exchanged with the next one, or None.
    std::string arguments(const std::vector<std::string>& w, Change change) {
        const std::size_t open = place(w, [](const std::string& x) { return x == "("; });
        if (open == w.size()) return "";
        std::vector<std::string> parts(1);
        int depth = 1;
        std::size_t end = open + 1;
        for (; end < w.size() && depth > 0; ++end) {
            depth += w[end] == "(" || w[end] == "[" ? 1 : 0;
            depth -= w[end] == ")" || w[end] == "]" ? 1 : 0;
            if (depth == 0) break;
            if (depth == 1 && w[end] == ",") {
                parts.emplace_back();
            } else {
                parts.back() += w[end];
            }
        }
        const std::size_t at = below(parts.size());
        if (parts[at].empty()) return "";
        if (change == Change::Drop) parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(at));
        if (change == Change::Repeat) {
            parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(at), parts[at]);
        }
        if (change == Change::Swap) {
            if (at + 1 >= parts.size()) return "";
            std::swap(parts[at], parts[at + 1]);
        }
        if (change == Change::None) parts[at] = " None";
        std::string inner;
        for (const std::string& p : parts) inner += (inner.empty() ? "" : ",") + p;
        return text({w.begin(), w.begin() + static_cast<std::ptrdiff_t>(open) + 1}) + inner +
               text({w.begin() + static_cast<std::ptrdiff_t>(end), w.end()});
    }

    std::string keyword(std::vector<std::string> w) {
        std::vector<std::size_t> all;
        for (std::size_t i = 0; i + 2 < w.size(); ++i) {
            if (is_name(w[i]) && w[i + 1] == "=") all.push_back(i);
        }
        if (all.empty()) return "";
        w[all[below(all.size())]] += "_of";
        return text(w);
    }

    std::string lines(const std::string& schedule, Change change) {
        std::vector<std::string> all;
        std::istringstream in(schedule);
        for (std::string line; std::getline(in, line);) all.push_back(line + "\n");
        if (all.size() < 2) return "";
        const std::size_t at = below(all.size() - 1);
        const auto here = all.begin() + static_cast<std::ptrdiff_t>(at);
        if (change == Change::Drop) all.erase(here);
        if (change == Change::Swap) std::swap(all[at], all[at + 1]);
        if (change == Change::Repeat) all.insert(here, all[at]);
        return text(all);
    }

    std::uint64_t state_;
};

class ScheduleMistakes : public Commands {
  protected:
    static std::vector<Example> examples() {
        std::vector<Example> out;
        const fs::path folder = fs::path(PROVISO_SOURCE_DIR) / "examples";
        for (const char* name :
             {"scale", "row_sum", "conv1d", "two_convolutions", "pack_and_add"}) {
            out.push_back(
                {std::string(name) + ".py", text_of(folder / (std::string(name) + ".sch.py"))});
        }
        for (const char* name : {"axpy", "blur", "row_sums"}) {
            out.push_back({"gpu/" + std::string(name) + ".py",
                           text_of(folder / "gpu" / (std::string(name) + ".sch.py")), "gpu-host"});
        }
        // What those do not use.
        out.push_back({"scale.py",
                       "b = sch.get_block(\"scale\")\n"
                       "loops = sch.get_loops(b)\n"
                       "i, j = sch.split(loops[0], factors=[None, 11])\n"
                       "sch.reorder(i, j)\n"
                       "f = sch.fuse(i, j)\n"
                       "c = sch.cache_write(b, \"B\", \"local\")\n"
                       "r = sch.cache_read(b, 0, \"local\")\n"
                       "parts = sch.loop_partition(f, factors=[4, None])\n"
                       "sch.unroll(parts[0], copies=True)\n"
                       "sch.hoist_expression(conditionals=[\"IfElseStmt\"])\n"
                       "sch.remove_no_op()\n"
                       "sch.simplify()\n"});
        return out;
    }

    // proviso lower in the folder of the test, as a process of its own or in this one.
    Seen lower(const Example& example, bool in_process) {
        const std::string program = "examples/" + example.program;
        if (!in_process) {
            return run({"lower", program, "-s", kSchedule, "-o", "made", "--emit", "ir", "--quiet",
                        "--no-cache", "--target", example.target});
        }
        proviso::tools::LowerOptions options;
        options.program = program;
        options.schedule = kSchedule;
        options.out = "made";
        options.emit = {"ir"};
        options.quiet = true;
        options.cache.off = true;
        options.target = example.target;
        const fs::path before = fs::current_path();
        fs::current_path(folder_);
        Seen seen;
        testing::internal::CaptureStderr();
        proviso::ir::on_deep_stack([&] { seen.code = proviso::tools::run_lower(options); });
        seen.err = testing::internal::GetCapturedStderr();
        fs::current_path(before);
        return seen;
    }

    static constexpr const char* kSchedule = "examples/m.sch.py";
};

TEST_F(ScheduleMistakes, AreToldWithPlaceReasonAndHint) {
    constexpr std::size_t kWanted = 300 / kShare;
    constexpr std::size_t kMostWithout = 1 + 2 / kShare;
    constexpr std::size_t kOwnProcess = 25;  // one of so many, so that both ways are seen to agree
    fs::copy(fs::path(PROVISO_SOURCE_DIR) / "examples", folder_ / "examples",
             fs::copy_options::recursive);
    const std::regex place("(^|\n)examples/m\\.sch\\.py:[1-9][0-9]*:[1-9][0-9]*: error: .{8}");
    const std::vector<Example> all = examples();
    Mistakes mistakes(20261122);
    std::set<std::string> tried;
    std::size_t told = 0;
    std::size_t without = 0;
    std::string list;
    for (std::size_t k = 0; told < kWanted && k < 4000; ++k) {
        const Example& example = all[mistakes.below(all.size())];
        const std::string mutant = mistakes.make(example.schedule, k % Mistakes::kKinds);
        if (mutant.empty() || mutant == example.schedule) continue;
        if (!tried.insert(example.program + mutant).second) continue;
        file("examples/m.sch.py", mutant);
        const Seen seen = lower(example, true);
        ASSERT_LE(seen.code, 3) << mutant << seen.err;
        if (tried.size() % kOwnProcess == 1) {
            const Seen alone = lower(example, false);
            EXPECT_EQ(alone.code, seen.code) << mutant << alone.err;
            EXPECT_EQ(alone.err, seen.err) << mutant;
        }
        if (seen.code == 0) continue;  // another schedule, and a right one
        ++told;
        const std::size_t hint = seen.err.find("\n  hint: ");
        const bool hinted = hint != std::string::npos && seen.err.size() > hint + 14;
        if (hinted && std::regex_search(seen.err, place)) continue;
        ++without;
        list += mutant + "->\n" + seen.err + "\n";
    }
    RecordProperty("told", static_cast<int>(told));
    RecordProperty("without", static_cast<int>(without));
    EXPECT_EQ(told, kWanted);
    EXPECT_LE(without, kMostWithout) << list;
}

}  // namespace
