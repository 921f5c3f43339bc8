#include "ir/type.h"

namespace proviso::ir {

std::string ScalarType::str() const {
    switch (code) {
        case TypeCode::Bool: return "bool";
        case TypeCode::Int: return "int" + std::to_string(bits);
        case TypeCode::UInt: return "uint" + std::to_string(bits);
        case TypeCode::Float: return "float" + std::to_string(bits);
        case TypeCode::BFloat: return "bfloat" + std::to_string(bits);
    }
    return "?";
}

const std::vector<ScalarType>& all_scalar_types() {
    static const std::vector<ScalarType> types = {kBool,     kInt8,    kInt16,  kInt32,  kInt64,
                                                  kUInt8,    kUInt16,  kUInt32, kUInt64, kFloat16,
                                                  kBFloat16, kFloat32, kFloat64};
    return types;
}

std::optional<ScalarType> ScalarType::parse(std::string_view text) {
    for (const ScalarType& type : all_scalar_types()) {
        if (type.str() == text) return type;
    }
    return std::nullopt;
}

}  // namespace proviso::ir
