// For libFuzzer: lines of JSON, as `prove`, `simplify` and `solve` read them from a batch and
// `serve` from its input. Each line goes to each of their readers. They return, whatever it is; an
// error says something; and an expression that is read is itself when it is printed and read again.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "ir/context.h"
#include "ir/deep_stack.h"
#include "ir/text.h"
#include "tools/batch.h"
#include "tools/serve_request.h"
#include "tools/solve_request.h"

namespace {

using namespace proviso;
using nlohmann::json;

[[noreturn]] void fail(const char* what, const std::string& text) {
    std::fprintf(stderr, "%s:\n%s\n", what, text.c_str());
    std::abort();
}

void says_something(const Diagnostic& error, const std::string& line) {
    if (error.message.empty()) fail("an error without words", line);
}

void reads_back(ir::Context& ctx, const tools::Question& q, ir::Expr e) {
    const std::string text = ir::print(e);
    const auto again = tools::read_text(ctx, text, q.scope, e->type, "<again>");
    if (!again || *again != e) fail("an expression reads as something else", text);
}

void ask(const std::string& line, const json& value, const char* key) {
    ir::Context ctx;
    const auto q = tools::read_question(ctx, value, key);
    if (!q) return says_something(q.error(), line);
    for (ir::Expr fact : q->given) reads_back(ctx, *q, fact);
    reads_back(ctx, *q, q->expr);
}

void solve(const std::string& line, const json& value) {
    const auto request = tools::read_solve_request(value);
    if (!request) return says_something(request.error(), line);
    if (const Status ok = tools::check_solve_request(*request); !ok) {
        return says_something(ok.error(), line);
    }
    ir::Context ctx;
    const auto q = tools::read_solve_question(ctx, *request);
    if (!q) return says_something(q.error(), line);
    for (ir::Expr fact : q->names.given) reads_back(ctx, q->names, fact);
    for (ir::Expr e : q->map.results) reads_back(ctx, q->names, e);
}

void serve(const std::string& line, const json& value) {
    const auto request = tools::read_serve_request(value);
    if (!request) says_something(request.error(), line);
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::istringstream lines(std::string(reinterpret_cast<const char*>(data), size));
    ir::on_deep_stack([&] {
        for (std::string line; std::getline(lines, line);) {
            const auto value = tools::line_of_json(line);
            if (!value) {
                says_something(value.error(), line);
                continue;
            }
            ask(line, *value, "goal");
            ask(line, *value, "expr");
            solve(line, *value);
            serve(line, *value);
        }
    });
    return 0;
}
