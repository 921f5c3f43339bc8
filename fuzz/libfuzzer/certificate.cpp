// For libFuzzer: an obligation's text and a certificate, with a byte 0 between them. The checker
// returns, whatever they are; and what it accepts for an obligation that has a model is a mistake,
// so where there is no byte 0 the text is one that has.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "analysis/certcheck/check.h"

namespace {

// x = 0, y = 1, u = 0, r = s = 1.0 and b = true make all of it true.
constexpr std::string_view kSatisfiable =
    "(set-logic ALL)\n(declare-fun x () Int)(declare-fun y () Int)(declare-fun b () Bool)\n"
    "(declare-fun u () (_ BitVec 8))(declare-fun r () (_ FloatingPoint 8 24))\n"
    "(declare-fun s () (_ FloatingPoint 8 24))(declare-fun f (Int Bool) Int)\n"
    "(define-fun g ((a Int)) Int (+ (* 2 a) (f a b)))\n"
    "(assert (and (<= 0 x) (< x y) (<= y 9)))(assert (or b (> (div x 3) 5)))\n"
    "(assert (= (f x b) (f 0 true)))(assert (not (= (mod y 4) 2)))(assert (bvult u #x10))\n"
    "(assert (fp.leq r s))(assert (=> (= (g x) (g 0)) b))(check-sat)\n";

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view all(reinterpret_cast<const char*>(data), size);
    const std::size_t end = all.find('\0');
    const bool own = end != std::string_view::npos;
    const auto verdict = proviso::certcheck::check_certificate(
        own ? all.substr(0, end) : kSatisfiable, own ? all.substr(end + 1) : all);
    if (verdict.accepted && !own) {
        std::fprintf(stderr, "accepted for a text that has a model\n");
        std::abort();
    }
    return 0;
}
