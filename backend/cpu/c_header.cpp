#include "backend/cpu/c_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "analysis/path.h"
#include "backend/cpu/codegen.h"
#include "backend/lowered.h"
#include "ir/text.h"

namespace proviso::backend {

using namespace ir;
using analysis::stores_to;

namespace {

std::string c_type(ScalarType type) {
    if (type.is_bool()) return "bool";
    if (type.is_int()) return fmt::format("{}int{}_t", type.is_signed() ? "" : "u", type.bits);
    if (type == kFloat32) return "float";
    if (type == kFloat64) return "double";
    return "uint16_t";  // the bits of a 16-bit float
}

std::string type_words(ScalarType type) {
    return type.is_float() && type.bits == 16 ? type.str() + " as its 16 bits" : type.str();
}

// A name for a C parameter: keywords get an underscore.
std::string c_name(const std::string& name) {
    return is_c_keyword(name) ? name + "_" : name;
}

bool is_identifier(const std::string& name) {
    return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
           std::all_of(name.begin(), name.end(), [](char c) {
               const auto u = static_cast<unsigned char>(c);
               return c == '_' || (u < 128 && std::isalnum(u) != 0);
           });
}

const std::string& param_name(const Param& p) {
    const Buffer* b = std::get_if<Buffer>(&p);
    return b != nullptr ? (*b)->name : *std::get<Expr>(p)->name;
}

// Text from outside inside of a comment: one line that cannot end the comment.
std::string comment_text(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\n' || c == '\r') {
            out += ' ';
        } else if (c == '/' && !out.empty() && out.back() == '*') {
            out += " /";
        } else if (c == '*' && !out.empty() && out.back() == '/') {
            out += " *";
        } else {
            out += c;
        }
    }
    return out;
}

std::string bounds_text(const Function& f, const std::string& param) {
    const auto lower = f.lower_bound(param);
    const auto upper = f.upper_bound(param);
    std::string out;
    if (lower) out += fmt::format(", at least {}", *lower);
    if (upper) out += fmt::format(", at most {}", *upper);
    return out;
}

std::string param_doc(const Function& f, const Param& p) {
    const std::string name = c_name(param_name(p));
    const Buffer* b = std::get_if<Buffer>(&p);
    if (b == nullptr) {
        const Expr var = std::get<Expr>(p);
        return fmt::format("{}: {}{}", name, type_words(var->type), bounds_text(f, *var->name));
    }
    std::string shape;
    for (std::size_t d = 0; d < (*b)->rank(); ++d) {
        shape += (d == 0 ? "" : ", ") + print((*b)->shape[d]);
    }
    return fmt::format("{}: ({}) elements of {}, row-major, {}", name, shape,
                       type_words((*b)->type), stores_to(f.body, *b) ? "read and written" : "read");
}

std::string declaration(const Function& f, const std::string& symbol) {
    std::string params;
    for (const Param& p : f.params) {
        if (!params.empty()) params += ", ";
        const std::string name = c_name(param_name(p));
        if (const Buffer* b = std::get_if<Buffer>(&p)) {
            params += fmt::format("{}{}* {}", stores_to(f.body, *b) ? "" : "const ",
                                  c_type((*b)->type), name);
        } else {
            params += c_type(std::get<Expr>(p)->type) + " " + name;
        }
    }
    return fmt::format("int32_t {}({});\n", symbol, params.empty() ? "void" : params);
}

std::string function_text(const Function& f, const HeaderNotes& notes) {
    const auto named = notes.symbols.find(f.name);
    const std::string& symbol = named == notes.symbols.end() ? f.name : named->second;
    std::string out = fmt::format("/*\n * {}{}\n *\n", symbol,
                                  symbol == f.name ? "" : ": the program's function " + f.name);
    const auto line = [&](const std::string& text) { out += " *   " + comment_text(text) + "\n"; };
    for (const Param& p : f.params) line(param_doc(f, p));
    bool first = true;
    for (const auto& [name, text] : notes.contract) {
        if (name != f.name) continue;
        if (first) out += " *\n * The caller keeps:\n";
        first = false;
        line(text);
    }
    out += " *\n * Returns:\n *   0: ran through\n";
    std::int32_t code = 0;
    for (const std::string& message : assert_messages(f)) {
        line(fmt::format("{}: stopped by the assertion \"{}\"", ++code, message));
    }
    if (notes.guarded) {
        line(fmt::format("{} and greater: a wrong access, division or extent, which {}{} names",
                         code + 1, symbol, kMessageSuffix));
    }
    line(fmt::format("{}: out of memory", kOutOfMemory));
    out += " */\n" + declaration(f, symbol);
    out += fmt::format(
        "\n/* The same with one pointer a parameter: data, or the address of a scalar. */\n"
        "int32_t {}{}(void** args);\n",
        symbol, kPackedSuffix);
    out += fmt::format(
        "\n/* Reads the scalars of args and writes the extents of all buffers, in order; -1 for "
        "one that\n * divides by zero. */\n"
        "void {}{}(void** args, int64_t* extents);\n",
        symbol, kShapeSuffix);
    out += fmt::format(
        "\n/* What a returned code means; never null. */\nconst char* {}{}(int32_t code);\n",
        symbol, kMessageSuffix);
    return out;
}

}  // namespace

Result<std::string> c_header(const std::vector<Function>& functions, const HeaderNotes& notes) {
    std::string out =
        "/*\n"
        " * Buffers must not overlap one another and must be aligned to their elements. bool is "
        "one byte,\n"
        " * 0 or 1. Parallel loops run in order unless the program defines\n"
        " *   int32_t proviso_parallel_for(int64_t lo, int64_t hi,\n"
        " *                                int32_t (*body)(int64_t begin, int64_t end, void* "
        "context),\n"
        " *                                void* context);\n"
        " * which must call body on ranges that make up [lo, hi), in any order or at the same "
        "time, and\n"
        " * return 0 or the value of the lowest range whose body did not return 0.\n"
        " */\n"
        "#pragma once\n\n#include <stdbool.h>\n#include <stdint.h>\n\n"
        "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
    for (const Function& given : functions) {
        const Function f = with_explicit_sizes(given);
        std::set<std::string> names;
        for (const Param& p : f.params) {
            const std::string name = c_name(param_name(p));
            if (!is_identifier(name) || !names.insert(name).second) {
                return error(
                    "parameter " + param_name(p) + " of " + f.name + " has no name in C of its own",
                    "use letters, digits and underscores");
            }
        }
        out += "\n" + function_text(f, notes);
    }
    return out + "\n#ifdef __cplusplus\n}\n#endif\n";
}

}  // namespace proviso::backend
