#include "backend/cpu/c_header.h"

#include <fmt/format.h>

#include "analysis/facts/path.h"
#include "backend/cpu/codegen.h"
#include "backend/lowered.h"
#include "ir/c_names.h"
#include "ir/text.h"
#include "ir/text/reader/strides.h"

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

// What the program said of a parameter that is read as flat memory.
std::string strides_text(const Function& f, const std::string& param) {
    const auto attr = f.attrs.find(kStridesAttr);
    if (attr == f.attrs.end()) return {};
    const auto* all = std::get_if<AttrValue::Dict>(&attr->second.value);
    const auto found = all == nullptr ? AttrValue::Dict::const_iterator{} : all->find(param);
    if (all == nullptr || found == all->end()) return {};
    const auto* text = std::get_if<std::string>(&found->second.value);
    return text == nullptr ? "" : "; the memory of a tensor of shape " + *text;
}

// `name`: what it is called in C.
std::string param_doc(const Function& f, const Param& p, const std::string& name) {
    const std::string renamed = name == param_name(p) ? "" : ", the program's " + param_name(p);
    const Buffer* b = std::get_if<Buffer>(&p);
    if (b == nullptr) {
        const Expr var = std::get<Expr>(p);
        return fmt::format("{}: {}{}{}", name, type_words(var->type), bounds_text(f, *var->name),
                           renamed);
    }
    std::string shape;
    for (std::size_t d = 0; d < (*b)->rank(); ++d) {
        shape += (d == 0 ? "" : ", ") + print((*b)->shape[d]);
    }
    return fmt::format("{}: ({}) elements of {}, row-major, {}{}", name, shape,
                       type_words((*b)->type), stores_to(f.body, *b) ? "read and written" : "read",
                       strides_text(f, (*b)->name) + renamed);
}

std::string declaration(const Function& f, const std::string& symbol,
                        const std::vector<std::string>& names) {
    std::string params;
    for (std::size_t k = 0; k < f.params.size(); ++k) {
        if (!params.empty()) params += ", ";
        if (const Buffer* b = std::get_if<Buffer>(&f.params[k])) {
            params += fmt::format("{}{}* {}", stores_to(f.body, *b) ? "" : "const ",
                                  c_type((*b)->type), names[k]);
        } else {
            params += c_type(std::get<Expr>(f.params[k])->type) + " " + names[k];
        }
    }
    return fmt::format("int32_t {}({});\n", symbol, params.empty() ? "void" : params);
}

std::string comment_line(const std::string& text) {
    return " *   " + comment_text(text) + "\n";
}

// The beginning of a comment: the function, its parameters, and what the caller keeps.
std::string description(const Function& f, const std::string& symbol,
                        const std::vector<std::string>& names,
                        const std::vector<std::string>& contract) {
    std::string out = fmt::format("/*\n * {}{}\n *\n", symbol,
                                  symbol == f.name ? "" : ": the program's function " + f.name);
    for (std::size_t k = 0; k < f.params.size(); ++k) {
        out += comment_line(param_doc(f, f.params[k], names[k]));
    }
    if (!contract.empty()) out += " *\n * The caller keeps:\n";
    for (const std::string& text : contract) out += comment_line(text);
    return out;
}

// What a returned code means, up to the failure of an assertion; gives the last code.
std::int32_t codes_text(const Function& f, std::string& out) {
    out += " *\n * Returns:\n *   0: ran through\n";
    std::int32_t code = 0;
    for (const std::string& message : assert_messages(f)) {
        out += comment_line(fmt::format("{}: stopped by the assertion \"{}\"", ++code, message));
    }
    return code;
}

std::string function_text(const Function& f, const std::vector<std::string>& names,
                          const HeaderNotes& notes) {
    const auto named = notes.symbols.find(f.name);
    const std::string& symbol = named == notes.symbols.end() ? f.name : named->second;
    std::vector<std::string> contract;
    for (const auto& [name, text] : notes.contract) {
        if (name == f.name) contract.push_back(text);
    }
    std::string out = description(f, symbol, names, contract);
    const std::int32_t code = codes_text(f, out);
    if (notes.guarded) {
        out += comment_line(
            fmt::format("{} and greater: a wrong access, division or extent, which {}{} names",
                        code + 1, symbol, kMessageSuffix));
    }
    out += comment_line(fmt::format("{}: out of memory", kOutOfMemory));
    out += " */\n" + declaration(f, symbol, names);
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

// The entry of one of two parts; `inner`: the function that it calls.
std::string entry_text(const Function& given, const GroupedEntry& entry, const char* what,
                       const std::vector<std::string>& blocks,
                       const std::vector<std::string>& contract) {
    Function f = with_explicit_sizes(given);
    f.params.resize(entry.own);
    const Result<std::vector<std::string>> names = ir::c_parameter_names(f);
    if (!names) return {};  // those of the whole function, which have been told
    std::string out = fmt::format("/*\n * {}: {}\n *\n", entry.symbol, what);
    std::string params;
    for (std::size_t k = 0; k < entry.own; ++k) {
        out += comment_line(param_doc(f, f.params[k], (*names)[k]));
        const Buffer* b = std::get_if<Buffer>(&f.params[k]);
        if (!params.empty()) params += ", ";
        params += b == nullptr ? c_type(std::get<Expr>(f.params[k])->type) + " "
                               : fmt::format("{}{}* ", stores_to(f.body, *b) ? "" : "const ",
                                             c_type((*b)->type));
        params += (*names)[k];
    }
    for (std::size_t k = 0; k < entry.blocks.size(); ++k) {
        const MemoryBlock& block = entry.blocks[k];
        out += comment_line(fmt::format("{}: {} bytes, aligned to {}; {}", block.name, block.bytes,
                                        kBlockAlignment, blocks[k]));
        const bool read = k + 1 < entry.blocks.size();  // what was prepared
        params += fmt::format("{}{}void* {}", params.empty() ? "" : ", ", read ? "const " : "",
                              block.name);
    }
    if (!contract.empty()) out += " *\n * The caller keeps:\n";
    for (const std::string& text : contract) out += comment_line(text);
    out += " *\n * Returns:\n *   0: ran through\n" +
           comment_line(fmt::format("{}: out of memory", kOutOfMemory));
    return out + fmt::format(" */\nint32_t {}({});\n", entry.symbol, params);
}

std::string two_parts_header(const PreparedEntries& p, const std::vector<std::string>& contract) {
    const std::string symbol =
        p.run_entry.symbol.substr(0, p.run_entry.symbol.size() - std::string("_run").size());
    std::string out = fmt::format(
        "\n/* {0} in two parts: {0}_prepare once, then {0}_run any number of times. */\n"
        "#define {0}_PACKED_BYTES {1}\n#define {0}_WORKSPACE_BYTES {2}\n\n",
        symbol, p.run_entry.blocks[0].bytes, p.run_entry.blocks[1].bytes);
    out += entry_text(p.prepare, p.prepare_entry, "what depends on weights only", {"written"}, {});
    out += "\n" + entry_text(p.run, p.run_entry, "the rest, with the same weights",
                             {"as prepare has left it, from weights that are the same since",
                              "any contents; of one run at a time"},
                             contract);
    return out;
}

}  // namespace

namespace {

std::string cpu_lines(const std::string& cpu) {
    const bool any = cpu == "x86-64" || cpu.find("x86-64") == std::string::npos;
    return " *\n * The code is for this CPU: " + cpu + ".\n" +
           (any ? ""
                : " * The C library's loader refuses a shared library of it on an older one.\n");
}

}  // namespace

Result<std::string> c_header(const std::vector<Function>& functions, const HeaderNotes& notes) {
    std::string out =
        "/*\n"
        " * Buffers must not overlap one another and must be aligned to their elements. bool is "
        "one byte,\n"
        " * 0 or 1.\n"
        " *\n"
        " * Parallel loops of a shared library run on its own threads: as many as there are "
        "processors, or\n"
        " * PROVISO_NUM_THREADS in the environment; each on a processor of its own with "
        "PROVISO_PIN_THREADS=1.\n"
        " * Those of an object file run in order. A program may run them itself, if it defines and "
        "exports\n"
        " *   int32_t proviso_parallel_for(int64_t lo, int64_t hi,\n"
        " *                                int32_t (*body)(int64_t begin, int64_t end, void* "
        "context),\n"
        " *                                void* context);\n"
        " * which must call body on ranges that make up [lo, hi), in any order or at the same "
        "time, and\n"
        " * return 0 or the value of the lowest range whose body did not return 0.\n" +
        (notes.cpu.empty() ? "" : cpu_lines(notes.cpu)) +
        " */\n"
        "#pragma once\n\n#include <stdbool.h>\n#include <stdint.h>\n\n"
        "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
    for (const Function& given : functions) {
        const Function f = with_explicit_sizes(given);
        const Result<std::vector<std::string>> names = ir::c_parameter_names(f);
        if (!names) return names.error();
        out += "\n" + function_text(f, *names, notes);
    }
    for (const PreparedEntries& p : notes.in_two_parts) {
        std::vector<std::string> contract;
        for (const auto& [name, text] : notes.contract) contract.push_back(text);
        out += two_parts_header(p, contract);
    }
    return out + "\n#ifdef __cplusplus\n}\n#endif\n";
}

std::string device_comment(const Function& given, const std::string& symbol,
                           const std::vector<std::string>& contract, const DeviceText& text) {
    const Function f = with_explicit_sizes(given);
    std::vector<std::string> names;
    for (const Param& p : f.params) names.push_back(param_name(p));
    std::string out = description(f, symbol, names, contract);
    if (text.launcher) {
        codes_text(f, out);
        out += comment_line("-1: the device failed, or a buffer is not aligned");
    }
    out += " *\n * Buffers are in the device's memory and do not overlap one another";
    out += text.wide ? "; they are aligned to 16 bytes.\n" : ".\n";
    return out + " */\n";
}

}  // namespace proviso::backend
