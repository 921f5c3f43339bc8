#include "fuzz/planted/hostile/variants.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

namespace proviso::fuzz {

using rewrite::BoxText;
using rewrite::WitnessText;

namespace {

// The texts of a proposal, by what may be done with them.
struct Texts {
    std::vector<std::string*> programs;     // bodies of functions
    std::vector<std::string*> expressions;  // may be empty
    std::vector<std::string*> names;        // of buffers
    std::vector<std::string*> sites;        // in the function
    std::vector<std::string*> reasons;      // JSON with such sites
};

void add(std::vector<std::string*>& list, std::vector<std::string>& texts) {
    for (std::string& t : texts) list.push_back(&t);
}
void add(std::vector<std::string*>& list, std::map<std::string, std::string>& values) {
    for (auto& [name, value] : values) list.push_back(&value);
}

struct Gather {
    Texts out;

    void operator()(ProposalText& t) {
        out.programs = {&t.before, &t.after};
        out.sites = {&t.at};
        if (!t.text_at.empty()) out.sites.push_back(&t.text_at);
        out.reasons = {&t.unseen, &t.extra};
        for (PartText& p : t.parts) {
            add(out.expressions, p.from);
            add(out.expressions, p.to);
            out.expressions.push_back(&p.when);
            out.expressions.push_back(&p.where);
        }
    }
    void operator()(StagingOf& t) {
        StagingText& s = t.text;
        out.programs = {&t.before};
        out.names = {&s.buffer};
        out.sites = {&s.at, &s.writer.statement, &s.again};
        out.expressions = {&s.guard};
        add(out.expressions, s.extents);
        add(out.expressions, s.map);
        add(out.expressions, s.inverse);
        add(out.expressions, s.writer.at);
        for (auto& [load, witnesses] : s.reads) {
            for (WitnessText& w : witnesses) {
                out.sites.push_back(&w.statement);
                add(out.expressions, w.at);
            }
        }
    }
    void operator()(PartialsOf& t) {
        PartialsText& p = t.text;
        out.programs = {&t.before};
        out.names = {&p.buffer};
        out.sites = {&p.at, &p.writer.statement};
        out.expressions = {&p.start};
        add(out.expressions, p.extents);
        add(out.expressions, p.map);
        add(out.expressions, p.inverse);
        add(out.expressions, p.writer.at);
        for (PartialText& more : p.also) {
            out.names.push_back(&more.buffer);
            out.sites.push_back(&more.writer.statement);
            out.expressions.push_back(&more.start);
            add(out.expressions, more.writer.at);
        }
        if (!p.step.at.empty()) out.sites.push_back(&p.step.at);
        add(out.expressions, p.step.combine);
    }
    void operator()(RelayoutOf& t) {
        RelayoutText& r = t.text;
        out.programs = {&t.before};
        out.names = {&r.buffer};
        out.sites = {&r.after};
        if (r.pad != "none" && r.pad != "undef") out.expressions.push_back(&r.pad);
        add(out.expressions, r.shape);
        add(out.expressions, r.map);
        add(out.expressions, r.inverse);
        for (BoxText& box : r.boxes) {
            for (auto& [lo, hi] : box.ranges) {
                out.expressions.push_back(&lo);
                out.expressions.push_back(&hi);
            }
        }
    }
};

// Numbers, names, texts in quotes, operators of one or two characters.
std::vector<std::string> tokens(const std::string& text) {
    const auto in_name = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
    };
    std::vector<std::string> out;
    for (std::size_t k = 0; k < text.size();) {
        std::size_t end = k + 1;
        if (in_name(text[k])) {
            while (end < text.size() && in_name(text[end])) ++end;
        } else if (text[k] == '"') {
            end = std::min(text.find('"', end), text.size() - 1) + 1;
        } else if (end < text.size() && (text.compare(k, 2, "//") == 0 || text[end] == '=')) {
            end = k + (text[k] == ' ' ? 1 : 2);
        }
        out.push_back(text.substr(k, end - k));
        k = end;
    }
    return out;
}

bool is_number(const std::string& token) {
    return std::all_of(token.begin(), token.end(),
                       [](unsigned char c) { return std::isdigit(c) != 0; });
}

using Change = std::pair<std::string, std::string>;

class Variant {
  public:
    Variant(HostileProposal& p, Choice& choice) : p_(p), choice_(choice) {
        Gather gather;
        std::visit(gather, p.wrong);
        t_ = std::move(gather.out);
        in_use_ = t_.programs;
        in_use_.insert(in_use_.end(), t_.expressions.begin(), t_.expressions.end());
    }

    void change() {
        switch (choice_.weighted({22, 18, 14, 10, 8, 12, 16})) {
            case 0: return everywhere(other_number());
            case 1: return once(other_number());
            case 2: return once(other_operator());
            case 3: return everywhere(other_operator());
            case 4: return exchange(choice_.chance(50) ? Change{"n", "m"} : Change{"A", "B"});
            case 5: return other_head();
            default: return put_in();
        }
    }

  private:
    std::string some(bool (*wanted)(const std::string&)) {
        std::vector<std::string> found;
        for (const std::string* text : in_use_) {
            for (std::string& token : tokens(*text)) {
                if (wanted(token)) found.push_back(std::move(token));
            }
        }
        return found.empty() ? "" : choice_.pick(found);
    }

    Change other_number() {
        const std::string was = some(is_number);
        if (was.empty() || was.size() > 9) return {};
        const std::int64_t value = std::stoll(was);
        const std::int64_t is =
            choice_.pick({value + 1, value + 1, value - 1, value * 2, value + 2, std::int64_t{0}});
        return {was, std::to_string(std::max<std::int64_t>(is, 0))};
    }

    Change other_operator() {
        static const std::vector<std::vector<std::string>> groups = {
            {"+", "-", "*", "^", "//", "%"},
            {"<", "<=", ">", ">=", "==", "!="},
            {"T.max", "T.min"},
            {"and", "or"}};
        const std::string was = some([](const std::string& token) {
            return std::any_of(groups.begin(), groups.end(), [&](const auto& group) {
                return std::find(group.begin(), group.end(), token) != group.end();
            });
        });
        for (const auto& group : groups) {
            if (std::find(group.begin(), group.end(), was) != group.end()) {
                return {was, choice_.pick(group)};
            }
        }
        return {};
    }

    void everywhere(const Change& c) {
        if (c.first.empty()) return;
        for (std::string* text : in_use_) {
            std::string out;
            for (const std::string& token : tokens(*text)) {
                out += token == c.first ? c.second : token;
            }
            *text = out;
        }
    }

    void once(const Change& c) {
        std::vector<std::pair<std::string*, std::size_t>> places;
        for (std::string* text : in_use_) {
            const auto all = tokens(*text);
            for (std::size_t k = 0; k < all.size(); ++k) {
                if (!c.first.empty() && all[k] == c.first) places.emplace_back(text, k);
            }
        }
        if (places.empty()) return;
        const auto& [text, at] = choice_.pick(places);
        auto all = tokens(*text);
        all[at] = c.second;
        text->clear();
        for (const std::string& token : all) *text += token;
    }

    void exchange(const Change& names) {
        std::vector<std::string*> all = in_use_;
        all.insert(all.end(), t_.names.begin(), t_.names.end());
        for (std::string* text : all) {
            std::string out;
            for (const std::string& token : tokens(*text)) {
                out += token == names.first    ? names.second
                       : token == names.second ? names.first
                                               : token;
            }
            *text = out;
        }
    }

    // Other types of buffers, other ranges of parameters.
    void other_head() {
        const bool types = choice_.chance(60);
        std::vector<std::string> all = tokens(p_.head);
        std::vector<std::size_t> places;
        for (std::size_t k = 0; k < all.size(); ++k) {
            if (types ? all[k].size() > 2 && all[k].find("int") != std::string::npos &&
                            all[k][0] == '"' && all[k].find('_') == std::string::npos
                      : all[k] == "7") {
                places.push_back(k);
            }
        }
        if (places.empty()) return;
        const std::size_t at = choice_.pick(places);
        all[at] = types ? choice_.pick({"\"int64\"", "\"uint8\"", "\"int8\"", "\"uint32\""})
                        : choice_.pick({"0", "3", "9", "2147483647"});
        p_.head.clear();
        for (const std::string& token : all) p_.head += token;
    }

    // In a loop or branch, perhaps with other work before or behind it.
    void put_in() {
        const std::string around =
            choice_.pick({"for w in range(2):", "for w in range(n):", "for w in range(1, m + 1):",
                          "if m < 3:", "if D[0, 1] != 0:"});
        const std::string other = choice_.pick(
            {"B[7] = A[0]", "A[2] = 5", "D[1, 1] = n", "for o in range(3):\n        A[o] = B[o]"});
        const std::int64_t where = choice_.between(0, 2);
        for (std::string* program : t_.programs) {
            std::string out = "    " + around + "\n";
            bool start = true;
            for (const char c : *program) {
                if (start && c != '\n') out += "    ";
                out += c;
                start = c == '\n';
            }
            if (where == 1) out = "    " + other + "\n" + out;
            if (where == 2) out += "    " + other + "\n";
            *program = out;
        }
        const std::string label = around[0] == 'i' ? "/then" : "/body";
        const std::string root = "body" +
                                 std::string(where == 1   ? "/1"
                                             : where == 2 ? "/0"
                                                          : "") +
                                 label;
        for (std::string* site : t_.sites) {
            if (site->compare(0, 4, "body") == 0) *site = root + site->substr(4);
        }
        for (std::string* reasons : t_.reasons) {
            for (std::size_t at = 0; (at = reasons->find("\"body", at)) != std::string::npos;) {
                reasons->replace(at + 1, 4, root);
                at += root.size();
            }
        }
        if (auto* staging = std::get_if<StagingOf>(&p_.wrong)) {
            std::map<std::string, std::vector<WitnessText>> reads;
            for (auto& [site, witnesses] : staging->text.reads) {
                reads[root + site.substr(4)] = std::move(witnesses);
            }
            staging->text.reads = std::move(reads);
        }
    }

    HostileProposal& p_;
    Choice& choice_;
    Texts t_;
    std::vector<std::string*> in_use_;  // programs and expressions
};

}  // namespace

HostileProposal hostile_variant(HostileProposal p, Choice& choice) {
    const std::int64_t changes = choice.between(1, 3);
    for (std::int64_t k = 0; k < changes; ++k) Variant(p, choice).change();
    return p;
}

std::string text_of(const HostileProposal& p) {
    ProposalOf copy = p.wrong;
    Gather gather;
    std::visit(gather, copy);
    const Texts& t = gather.out;
    std::string out = p.head;
    for (const auto* list : {&t.programs, &t.expressions, &t.names, &t.sites, &t.reasons}) {
        for (const std::string* text : *list) out += *text + '\n';
    }
    return out;
}

}  // namespace proviso::fuzz
