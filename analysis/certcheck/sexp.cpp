#include "analysis/certcheck/sexp.h"

namespace proviso::certcheck {

namespace {

bool is_space(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

bool is_word_character(char c) {
    return c > ' ' && c < '\x7f' && c != '(' && c != ')' && c != ';' && c != '|' && c != '"';
}

}  // namespace

void refuse(const Sexp& where, const std::string& why) {
    throw Refusal{why, where.where};
}

std::string Sexp::str() const {
    std::string out;
    struct Open {
        const Sexp* list;
        std::size_t next;
    };
    std::vector<Open> open;
    const auto write = [&](const Sexp& e) {
        if (!out.empty() && out.back() != '(') out += ' ';
        if (e.is_list()) {
            out += '(';
            open.push_back({&e, 0});
        } else {
            out += e.word;
        }
    };
    write(*this);
    while (!open.empty()) {
        Open& top = open.back();
        if (top.next < top.list->size()) {
            write((*top.list)[top.next++]);
        } else {
            out += ')';
            open.pop_back();
        }
    }
    return out;
}

Source::Source(const char* name, std::string_view text, Budget& budget) {
    Place here{name, 1, 1};
    if (text.size() > kMostInput) throw TooLarge("a file of more than 16 MiB");
    budget.work(text.size() / 8);
    std::vector<Sexp*> open;
    const auto add = [&]() -> Sexp& {
        budget.node();
        budget.keep(sizeof(Sexp) + sizeof(Sexp*));
        Sexp& e = nodes_.emplace_back();
        e.where = here;
        if (open.empty()) {
            roots_.push_back(&e);
        } else {
            open.back()->items.push_back(&e);
        }
        return e;
    };
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i + 1;
        if (text[i] == '\n') {
            ++here.line;
            here.column = 1;
            i = end;
            continue;
        }
        if (text[i] == ';') {
            while (end < text.size() && text[end] != '\n') ++end;
        } else if (text[i] == '(') {
            open.push_back(&add());
        } else if (text[i] == ')') {
            if (open.empty()) throw Refusal{"a ) without its (", here};
            open.pop_back();
        } else if (is_word_character(text[i])) {
            while (end < text.size() && is_word_character(text[end])) ++end;
            add().word = text.substr(i, end - i);
        } else if (!is_space(text[i])) {
            throw Refusal{"a character that is not read", here};
        }
        here.column += static_cast<std::uint32_t>(end - i);
        i = end;
    }
    if (!open.empty()) throw Refusal{"a ( without its )", open.back()->where};
}

}  // namespace proviso::certcheck
