// Text in and out: TVMScript functions and modules, expressions, statements; canonical printing;
// content hashes. parse(print(p)) == p, pointer for pointer in one context.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "ir/context.h"
#include "ir/result.h"

namespace proviso::ir {

// A function that is read and kept, but has a construct of TVM without a meaning here.
struct OpaqueFunction {
    std::string name;
    Diagnostic reason;  // the first such construct, at its place
};

// What a file holds.
struct ProgramFile {
    Module module;                       // the functions with a meaning, in the file's order
    std::vector<OpaqueFunction> opaque;  // the others
    // The file in canonical form: the one function, or the module; where a function is opaque, the
    // file's own lines, laid out anew.
    std::string canonical;
};

// Reads a file of TVMScript: functions with @T.prim_func, alone or in an @I.ir_module class. Binder
// names that a function uses twice are made unique ("i", "i_1", …). `file` is for messages only.
Result<ProgramFile> parse_program(Context& ctx, std::string_view text, const std::string& file);
// The error of whoever needs the meaning of such a function.
Diagnostic refusal(const OpaqueFunction& f);
// parse_program where every function must have a meaning.
Result<Module> parse_module(Context& ctx, std::string_view text, const std::string& file);
// The same for one function: the only one, or the only graph of a module.
Result<Function> parse_function(Context& ctx, std::string_view text, const std::string& file);

// Names visible to an expression or statement that stands alone (arguments of steps, batch input,
// rules).
struct Scope {
    std::map<std::string, Expr> vars;
    std::map<std::string, Buffer> buffers;
};

// One expression in TVMScript syntax, and defined(A[i]) and same(x, y) of obligations. Bare
// literals take the type of their neighbours, else `expected`, else int32 or float32. `expected`,
// when given, is the type that the result must have.
Result<Expr> parse_expr(Context& ctx, std::string_view text, const Scope& scope,
                        std::optional<ScalarType> expected = std::nullopt,
                        const std::string& file = "<expression>");
// A statement list, as it stands in a function's body.
Result<Stmt> parse_stmt(Context& ctx, std::string_view text, const Scope& scope,
                        const std::string& file = "<statement>");

// Canonical text. Functions, modules and every line of a statement end in a newline; expressions
// have none. `indent` counts levels of four spaces.
std::string print(Expr e);
std::string print(Stmt s, int indent = 0);
std::string print(const Function& f);
std::string print(const Module& m);
// An integer in decimal: "-5".
std::string int128_text(Int128 value);

// SHA-256 in lower-case hex, and the content hash of a program: "sha256:" + hex of its canonical
// text.
std::string sha256_hex(std::string_view bytes);
std::string content_hash(const Function& f);
std::string content_hash(const Module& m);

}  // namespace proviso::ir
