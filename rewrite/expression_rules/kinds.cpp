#include "rewrite/expression_rules/kinds.h"

#include <array>
#include <utility>

#include "ir/check.h"

namespace proviso::rewrite {

namespace {

KindSet kind_of(ir::ScalarType type) {
    static const std::array<std::pair<ir::ScalarType, KindSet>, 13> table = {{
        {ir::kInt32, kExactInt32},
        {ir::kInt64, kExactInt64},
        {ir::kInt8, kWrapInt8},
        {ir::kInt16, kWrapInt16},
        {ir::kUInt8, kWrapUInt8},
        {ir::kUInt16, kWrapUInt16},
        {ir::kUInt32, kWrapUInt32},
        {ir::kUInt64, kWrapUInt64},
        {ir::kBool, kBoolean},
        {ir::kFloat16, kHalf},
        {ir::kBFloat16, kBrain},
        {ir::kFloat32, kSingle},
        {ir::kFloat64, kDouble},
    }};
    for (const auto& [t, kind] : table) {
        if (t == type) return kind;
    }
    PROVISO_CHECK(false, "a scalar type without a kind: " + type.str());
}

}  // namespace

bool KindSet::contains(ir::ScalarType type) const {
    return (*this | kind_of(type)).bits_ == bits_;
}

std::vector<ir::ScalarType> KindSet::types() const {
    std::vector<ir::ScalarType> out;
    for (ir::ScalarType t : ir::all_scalar_types()) {
        if (contains(t)) out.push_back(t);
    }
    return out;
}

std::string KindSet::str() const {
    static const std::array<std::pair<const char*, KindSet>, 8> groups = {{
        {"all", kAll},
        {"numbers", kNumbers},
        {"integers", kInts},
        {"signed", kSigned},
        {"exact", kExact},
        {"wrapping", kWrapping},
        {"unsigned", kUnsigned},
        {"floats", kFloats},
    }};
    std::string out;
    KindSet named;
    const auto add = [&](const std::string& name, KindSet set) {
        if (!out.empty()) out += ", ";
        out += name;
        named = named | set;
    };
    for (const auto& [name, set] : groups) {
        const bool whole = (*this | set).bits_ == bits_;
        const bool adds = (named | set).bits_ != named.bits_;
        if (whole && adds) add(name, set);
    }
    for (ir::ScalarType t : types()) {
        if (!named.contains(t)) add(t.str(), kind_of(t));
    }
    return out;
}

}  // namespace proviso::rewrite
