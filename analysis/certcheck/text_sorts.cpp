// Sorts: what a word of one says, what operators of the theories of bit-vectors and floats take,
// and whether terms can be of one sort. What is not known of a sort is not compared.
#include <set>

#include "analysis/certcheck/text.h"

namespace proviso::certcheck {

namespace {

using Words = std::set<std::string_view>;

// What the theories of bit-vectors and floats give as Int and as Bool; the rest is neither.
const Words kGivesInt = {"bv2nat", "ubv_to_int", "sbv_to_int"};
const Words kGivesBool = {"bvult",       "bvule",          "bvugt",         "bvuge",
                          "bvslt",       "bvsle",          "bvsgt",         "bvsge",
                          "fp.lt",       "fp.leq",         "fp.gt",         "fp.geq",
                          "fp.eq",       "fp.isNaN",       "fp.isInfinite", "fp.isZero",
                          "fp.isNormal", "fp.isSubnormal", "fp.isNegative", "fp.isPositive"};

const char* sort_name(Sort s) {
    return s == Sort::Int ? "an Int" : s == Sort::Bool ? "a Bool" : "neither Int nor Bool";
}

}  // namespace

Sort theory_gives(std::string_view op) {
    if (kGivesInt.count(op) != 0) return Sort::Int;
    return kGivesBool.count(op) != 0 ? Sort::Bool : Sort::Other;
}

Text::Written Text::written(const Sexp& sort) {
    if (sort.word == "Int") return {Sort::Int, {}, {}};
    if (sort.word == "Bool") return {Sort::Bool, {}, {}};
    const std::string text = sort.str();
    return {Sort::Other, width_of_sort(text), format_of_sort(text)};
}

Value Text::checked(const Sexp& e, Value v, Sort wanted) const {
    if (v.sort != wanted) {
        refuse(e, std::string("this is ") + sort_name(v.sort) + ", wanted is " + sort_name(wanted));
    }
    return v;
}

Value Text::checked(const Sexp& e, Value v, const Written& wanted) const {
    checked(e, v, wanted.sort);
    const auto w = width(v);
    const auto f = format(v);
    const bool known = (w || f) && (wanted.width || wanted.format);
    if (known && !(w == wanted.width && f == wanted.format)) {
        refuse(e, "this is a bit-vector or a float of another sort than is wanted");
    }
    return v;
}

void Text::expect_one_sort(const Sexp& e, const Value& a, const Value& b) const {
    const auto wa = width(a);
    const auto wb = width(b);
    const auto fa = format(a);
    const auto fb = format(b);
    if (!(wa || fa) || !(wb || fb) || (wa == wb && fa == fb)) return;
    if (fa && fb) refuse(e, "not a claim on floats of one format");
    if (wa && wb) refuse(e, "not a claim on bit-vectors of one width");
    refuse(e, "a bit-vector and a float");
}

// SMT-LIB 2.6, theories FixedSizeBitVectors, Ints_Bitvectors and FloatingPoint; comparisons of
// floats may have more arguments there.
void Text::expect_arguments(const Sexp& e, const std::vector<Value>& args) const {
    const std::string_view op = e.head();
    const bool unary = kGivesInt.count(op) != 0 || op.substr(0, 5) == "fp.is";
    if (args.size() != (unary ? 1 : 2)) refuse(e, "a claim on another number of terms");
    const bool of_floats = op.substr(0, 3) == "fp.";
    for (std::size_t i = 0; i < args.size(); ++i) {
        checked(e[i + 1], args[i], Sort::Other);
        if (of_floats ? width(args[i]).has_value() : format(args[i]).has_value()) {
            refuse(e[i + 1], of_floats ? "this is no float" : "this is no bit-vector");
        }
        expect_one_sort(e, args[0], args[i]);
    }
}

}  // namespace proviso::certcheck
