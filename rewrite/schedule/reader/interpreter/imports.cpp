#include "rewrite/schedule/reader/interpreter/imports.h"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "ir/files/limits.h"
#include "ir/files/read.h"
#include "ir/text/reader/python/failure.h"

namespace proviso::rewrite {

using ir::python::Keyword;
using ir::python::Module;
using ir::python::Node;
using ir::python::NodeKind;
using ir::python::Parameter;
using ir::python::Position;
using ir::python::Source;
using ir::python::Statement;
using ir::python::StatementKind;
namespace fs = std::filesystem;

namespace {

using NameMap = std::map<std::string, std::string>;

// --- positions -----------------------------------------------------------------------------------

void shift(Position& at, int lines) {
    if (at.line > 0) at.line += lines;
}

void shift(Node& n, int lines) {
    shift(n.at, lines);
    shift(n.op_at, lines);
    for (Node& item : n.items) shift(item, lines);
    for (Keyword& k : n.keywords) {
        shift(k.at, lines);
        shift(k.value, lines);
    }
}

void shift(std::vector<Statement>& statements, int lines) {
    for (Statement& s : statements) {
        shift(s.at, lines);
        for (Node* n : {&s.target, &s.value, &s.annotation}) shift(*n, lines);
        for (Node& n : s.decorators) shift(n, lines);
        for (Parameter& p : s.parameters) {
            shift(p.at, lines);
            shift(p.annotation, lines);
            shift(p.fallback, lines);
        }
        shift(s.body, lines);
        shift(s.otherwise, lines);
    }
}

// --- names ---------------------------------------------------------------------------------------

void targets_in(const Node& target, std::set<std::string>& out) {
    if (target.is(NodeKind::Name)) out.insert(target.text);
    const bool nested =
        target.is(NodeKind::Tuple) || target.is(NodeKind::List) || target.is(NodeKind::Starred);
    if (!nested) return;
    for (const Node& item : target.items) targets_in(item, out);
}

void bound_in(const std::vector<Statement>& statements, std::set<std::string>& out) {
    for (const Statement& s : statements) {
        if (!s.is(StatementKind::Function)) targets_in(s.target, out);
        bound_in(s.body, out);
        bound_in(s.otherwise, out);
    }
}

// What names mean, but for those that a function, a lambda or a comprehension binds.
struct Meanings {
    const NameMap& names;
    const std::set<std::string>* bound = nullptr;
    const Meanings* around = nullptr;

    Meanings within(const std::set<std::string>& own) const { return {names, &own, this}; }

    // Of a name, or of `module.name`; null: what it says.
    const std::string* of(const std::string& dotted) const {
        const auto found = names.find(dotted);
        if (found == names.end()) return nullptr;
        const std::string root = dotted.substr(0, dotted.find('.'));
        for (const Meanings* m = this; m != nullptr; m = m->around) {
            if (m->bound != nullptr && m->bound->count(root) != 0) return nullptr;
        }
        return &found->second;
    }
};

// Names, and `module.name`, for what they mean.
void rename(Node& n, const Meanings& names) {
    if (n.is(NodeKind::Name) || n.is(NodeKind::Attribute)) {
        if (const std::string* is = names.of(n.dotted())) {
            const Position at = n.is(NodeKind::Attribute) ? n.items[0].at : n.at;
            n.kind = NodeKind::Name;
            n.text = *is;
            n.items.clear();
            n.at = at;
            n.depth = 1;
            return;
        }
    }
    std::set<std::string> bound;
    if (n.is(NodeKind::Lambda)) {
        for (const std::string& p : n.names) bound.insert(p[0] == '*' ? p.substr(1) : p);
    }
    if (n.is(NodeKind::Comprehension)) {
        for (const Node& clause : n.items) {
            if (clause.is(NodeKind::Clause)) targets_in(clause.items[0], bound);
        }
    }
    const Meanings own = names.within(bound);
    const Meanings& inner = bound.empty() ? names : own;
    for (Node& item : n.items) rename(item, inner);
    for (Keyword& k : n.keywords) rename(k.value, inner);
}

void rename(std::vector<Statement>& statements, const Meanings& names) {
    for (Statement& s : statements) {
        if (s.is(StatementKind::Function)) {
            for (Parameter& p : s.parameters) rename(p.fallback, names);
            std::set<std::string> bound;
            for (const Parameter& p : s.parameters) bound.insert(p.name);
            bound_in(s.body, bound);
            rename(s.body, names.within(bound));
            continue;
        }
        rename(s.target, names);
        rename(s.value, names);
        rename(s.annotation, names);
        rename(s.body, names);
        rename(s.otherwise, names);
    }
}

// --- names with two meanings ---------------------------------------------------------------------

// A file that gives an imported name another meaning, or a name of an imported file another value.
// (Names that are bound in functions are of these.)
class OneMeaning {
  public:
    OneMeaning(const Module& module, const std::map<std::string, int>& imported)
        : module_(module), imported_(imported) {}

    void check(const std::vector<Statement>& statements, bool in_function = false) const {
        for (const Statement& s : statements) {
            const bool def = s.is(StatementKind::Function);
            if (def && imported_.count(s.text) != 0) bound(s.at, s.text);
            if (!def) target(s.target, in_function);
            check(s.body, in_function || def);
            check(s.otherwise, in_function || def);
        }
    }

    [[noreturn]] void bound(Position at, const std::string& name) const {
        ir::fail(module_.at(at,
                            "`" + name + "` is imported in line " +
                                std::to_string(imported_.at(name)) +
                                ", and would have two meanings",
                            "give one of them another name: from NAME import " + name + " as …"));
    }

  private:
    void target(const Node& n, bool in_function) const {
        if (n.is(NodeKind::Name) && !in_function && imported_.count(n.text) != 0) {
            bound(n.at, n.text);
        }
        const std::string dotted = n.is(NodeKind::Attribute) ? n.dotted() : "";
        if (imported_.count(dotted.substr(0, dotted.find('.'))) != 0) {
            ir::fail(module_.at(n, "`" + dotted + "` belongs to another file, which has its value",
                                "give the value here another name, or hand it to the function "
                                "that needs it"));
        }
        const bool nested =
            n.is(NodeKind::Tuple) || n.is(NodeKind::List) || n.is(NodeKind::Starred);
        if (!nested) return;
        for (const Node& item : n.items) target(item, in_function);
    }

    const Module& module_;
    const std::map<std::string, int>& imported_;  // and the lines of the imports
};

// --- import lines --------------------------------------------------------------------------------

struct Import {
    std::string module;
    bool whole = false;                                      // import module
    std::string called;                                      // of a whole one: `as` this
    std::vector<std::pair<std::string, std::string>> names;  // what, and what it is called
};

bool is_identifier(const std::string& word) {
    if (word.empty() || word.size() > 100) return false;
    const auto is_letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    return is_letter(word[0]) && std::all_of(word.begin(), word.end(), [&](char c) {
               return is_letter(c) || (c >= '0' && c <= '9');
           });
}

std::vector<std::string> words_of(const std::string& line) {
    std::vector<std::string> out;
    std::string word;
    for (const char c : line + " ") {
        const bool sign = c == ',' || c == '(' || c == ')' || c == '*';
        if (!sign && c != ' ' && c != '\t' && c != '\n' && c != '\\') {
            word += c;
            continue;
        }
        if (!word.empty()) out.push_back(std::exchange(word, ""));
        if (sign) out.emplace_back(1, c);
    }
    return out;
}

std::optional<Import> import_of(const std::string& line) {
    std::vector<std::string> w = words_of(line);
    Import out;
    if (w.size() >= 2 && w[0] == "import") {
        const bool as = w.size() == 4 && w[2] == "as" && is_identifier(w[3]);
        if ((w.size() != 2 && !as) || !is_identifier(w[1])) return std::nullopt;
        out = {w[1], true, as ? w[3] : w[1], {}};
        return out;
    }
    if (w.size() < 4 || w[0] != "from" || w[2] != "import" || !is_identifier(w[1])) {
        return std::nullopt;
    }
    out.module = w[1];
    std::size_t k = 3;
    const bool brackets = w[3] == "(" && w.back() == ")";
    if (brackets) {
        ++k;
        w.pop_back();
        if (w.back() == ",") w.pop_back();
    }
    while (k < w.size()) {
        if (!is_identifier(w[k])) return std::nullopt;
        std::string called = w[k];
        const std::string& what = w[k++];
        if (k + 1 < w.size() && w[k] == "as" && is_identifier(w[k + 1])) {
            called = w[k + 1];
            k += 2;
        }
        out.names.emplace_back(what, called);
        if (k < w.size() && (w[k++] != "," || k == w.size())) return std::nullopt;
    }
    if (out.names.empty()) return std::nullopt;
    return out;
}

bool calls(const Node& n) {
    return n.is(NodeKind::Call) || n.is(NodeKind::Comprehension) ||
           std::any_of(n.items.begin(), n.items.end(), calls);
}

// --- loading -------------------------------------------------------------------------------------

// Of the installed program, and of one that was built; of a shared object that this code is in,
// such as the Python module.
std::vector<fs::path> shipped_folders() {
    std::vector<fs::path> out;
    std::error_code failed;
    const fs::path self = fs::read_symlink("/proc/self/exe", failed);
    if (!failed) {
        const fs::path folder = self.parent_path();
        out = {folder.parent_path() / "share" / "proviso" / "schedules", folder / "schedules"};
    }
    static const char here = 0;
    Dl_info object{};
    if (dladdr(&here, &object) != 0 && object.dli_fname != nullptr) {
        out.push_back(fs::path(object.dli_fname).parent_path() / "schedules");
    }
    return out;
}

class Loader {
  public:
    LoadedSchedule load(std::string_view text, const std::string& file) {
        Module main = parsed(text, file);
        const bool imports =
            std::any_of(main.body.begin(), main.body.end(),
                        [](const Statement& s) { return s.is(StatementKind::Import); });
        out_.parts.push_back({file, 0});
        if (!imports) {
            out_.module = std::move(main);
            return std::move(out_);
        }
        text_ = std::string(text);
        under_way_.push_back(file);
        const NameMap names = imported(main, file);
        rename(main.body, Meanings{names});
        for (Statement& s : main.body) before_.push_back(std::move(s));
        out_.module.body = std::move(before_);
        out_.module.source = std::make_shared<const Source>(std::move(text_), file);
        return std::move(out_);
    }

  private:
    static Module parsed(std::string_view text, const std::string& file) {
        Result<Module> module = ir::python::parse_python(text, file);
        if (!module) ir::fail(module.error());
        return std::move(*module);
    }

    // What the imports of a file bring; the lines are taken out.
    NameMap imported(Module& module, const std::string& file) {
        NameMap names;
        std::map<std::string, int> lines;  // of the imports
        NameMap wholes;                    // modules by what they are called here
        std::vector<Statement> rest;
        const OneMeaning meanings(module, lines);
        for (Statement& s : module.body) {
            if (!s.is(StatementKind::Import)) {
                rest.push_back(std::move(s));
                continue;
            }
            const std::optional<Import> import = import_of(s.text);
            if (!import) {
                ir::fail(module.at(s.at, "this import is not understood",
                                   "from NAME import name, or import NAME: of a file NAME.py "
                                   "beside this one"));
            }
            const std::string prefix = read(*import, module, s, file);
            const std::set<std::string>& has = defined_.at(prefix);
            if (import->whole) {
                const auto known = wholes.emplace(import->called, prefix).first;
                const bool other = lines.count(import->called) != 0 && known->second != prefix;
                if (other || names.count(import->called) != 0) meanings.bound(s.at, import->called);
                lines[import->called] = s.at.line;
                for (const std::string& name : has) {
                    names[import->called + "." + name] = prefix + "." + name;
                }
                continue;
            }
            for (const auto& [what, called] : import->names) {
                if (has.count(what) == 0) {
                    std::string all;
                    for (const std::string& name : has) all += (all.empty() ? "" : ", ") + name;
                    ir::fail(module.at(s.at, "`" + import->module + "` has no `" + what + "`",
                                       all.empty() ? "it has nothing" : "it has: " + all));
                }
                const std::string is = prefix + "." + what;
                const auto known = names.emplace(called, is).first;
                if (known->second != is || wholes.count(called) != 0) meanings.bound(s.at, called);
                lines[called] = s.at.line;
            }
        }
        module.body = std::move(rest);
        meanings.check(module.body);
        return names;
    }

    // The file that is imported, once; gives what its names begin with.
    std::string read(const Import& import, const Module& from, const Statement& at,
                     const std::string& file) {
        const auto wrong = [&](const std::string& message, const std::string& hint) {
            ir::fail(from.at(at.at, message, hint));
        };
        const std::string path = found(import.module, file);
        if (path.empty()) {
            const bool library = import.module == "tvm" || import.module == "tir";
            wrong("there is no " + import.module + ".py beside " +
                      fs::path(file).filename().string() + ", and none among the schedules of " +
                      "Proviso",
                  library
                      ? "remove the line: the schedule object and T are known"
                      : "an import is a file in the same folder; of anything else remove the line");
        }
        if (std::find(under_way_.begin(), under_way_.end(), path) != under_way_.end()) {
            std::string chain;
            for (const std::string& f : under_way_) chain += fs::path(f).filename().string() + ", ";
            wrong("files import each other: " + chain + fs::path(path).filename().string(),
                  "take one of these imports out");
        }
        const auto known = prefixes_.find(path);
        if (known != prefixes_.end()) return known->second;
        if (under_way_.size() > ir::limits::kImportDepth) {
            wrong("imports of imports, more than " + std::to_string(ir::limits::kImportDepth) +
                      " deep",
                  "docs/limits.md lists how much is read");
        }
        if (prefixes_.size() >= ir::limits::kImports) {
            wrong("more than " + std::to_string(ir::limits::kImports) + " files are imported",
                  "docs/limits.md lists how much is read");
        }
        const Result<std::string> text = ir::read_file(path, ir::limits::kProgramBytes);
        if (!text) wrong(text.error().message, text.error().hint);
        Module module = parsed(*text, path);
        under_way_.push_back(path);
        const NameMap imports = imported(module, path);
        under_way_.pop_back();
        std::string prefix = import.module;
        while (defined_.count(prefix) != 0) prefix += "'";
        prefixes_[path] = prefix;
        define(std::move(module), path, prefix, imports);
        append(*text, path);
        return prefix;
    }

    static std::string found(const std::string& module, const std::string& file) {
        std::vector<fs::path> folders = {fs::path(file).parent_path()};
        for (const fs::path& shipped : shipped_folders()) folders.push_back(shipped);
        for (const fs::path& folder : folders) {
            const fs::path path = folder / (module + ".py");
            std::error_code failed;
            if (fs::exists(fs::symlink_status(path, failed)) && !failed) return path.string();
        }
        return "";
    }

    // Its functions and constants, under the names that they have in the whole.
    void define(Module module, const std::string& path, const std::string& prefix, NameMap names) {
        std::set<std::string>& has = defined_[prefix];
        for (const Statement& s : module.body) {
            const bool constant =
                s.is(StatementKind::Assign) && s.target.is(NodeKind::Name) && !calls(s.value);
            const bool comment = s.is(StatementKind::Expression) && s.value.is(NodeKind::String);
            if (!s.is(StatementKind::Function) && !constant && !comment) {
                ir::fail(module.at(s.at, "an imported file has functions and constants alone",
                                   "move the line to the schedule that imports " +
                                       fs::path(path).filename().string()));
            }
            if (s.is(StatementKind::Function)) has.insert(s.text);
            if (constant) has.insert(s.target.text);
        }
        for (const std::string& name : has) names[name] = prefix + "." + name;
        rename(module.body, Meanings{names});
        const int lines = 1 + static_cast<int>(std::count(text_.begin(), text_.end(), '\n'));
        shift(module.body, lines);
        for (Statement& s : module.body) {
            if (s.is(StatementKind::Expression)) continue;
            if (s.is(StatementKind::Function)) s.text = prefix + "." + s.text;
            before_.push_back(std::move(s));
        }
    }

    void append(const std::string& text, const std::string& path) {
        const int lines = 1 + static_cast<int>(std::count(text_.begin(), text_.end(), '\n'));
        out_.parts.push_back({path, lines, text});
        text_ += "\n" + text;
    }

    LoadedSchedule out_;
    std::string text_;
    std::vector<Statement> before_;                         // of imported files
    std::vector<std::string> under_way_;                    // files that import one another
    std::map<std::string, std::string> prefixes_;           // by path
    std::map<std::string, std::set<std::string>> defined_;  // by prefix
};

}  // namespace

std::pair<std::string, int> LoadedSchedule::place(int line) const {
    const Part* in = nullptr;
    for (const Part& part : parts) {
        if (part.before < line) in = &part;
    }
    if (in == nullptr) return {"", line};
    return {in->file, line - in->before};
}

Diagnostic LoadedSchedule::placed(Diagnostic d) const {
    // A mistake in the form of an imported file has its place already.
    if (parts.empty() || d.file != parts.front().file || d.line == 0) return d;
    std::tie(d.file, d.line) = place(d.line);
    return d;
}

Result<LoadedSchedule> load_schedule(std::string_view text, const std::string& file) {
    return ir::guarded([&] { return Loader().load(text, file); });
}

}  // namespace proviso::rewrite
