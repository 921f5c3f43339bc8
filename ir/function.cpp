#include "ir/function.h"

#include <algorithm>

namespace proviso::ir {

namespace {

std::optional<std::int64_t> bound_of(const Function& f, const char* attr,
                                     const std::string& param) {
    const auto it = f.attrs.find(attr);
    if (it == f.attrs.end()) return std::nullopt;
    const auto* dict = std::get_if<AttrValue::Dict>(&it->second.value);
    if (dict == nullptr) return std::nullopt;
    const auto entry = dict->find(param);
    if (entry == dict->end()) return std::nullopt;
    const auto* number = std::get_if<std::int64_t>(&entry->second.value);
    return number == nullptr ? std::nullopt : std::optional<std::int64_t>(*number);
}

}  // namespace

const std::string& param_name(const Param& p) {
    const Buffer* b = std::get_if<Buffer>(&p);
    return b != nullptr ? (*b)->name : *std::get<Expr>(p)->name;
}

std::vector<Buffer> Function::buffer_params() const {
    std::vector<Buffer> out;
    for (const Param& p : params) {
        if (const Buffer* b = std::get_if<Buffer>(&p)) out.push_back(*b);
    }
    return out;
}

std::vector<Expr> Function::scalar_params() const {
    std::vector<Expr> out;
    for (const Param& p : params) {
        if (const Expr* e = std::get_if<Expr>(&p)) out.push_back(*e);
    }
    return out;
}

Buffer Function::find_buffer_param(const std::string& buffer_name) const {
    for (Buffer b : buffer_params()) {
        if (b->name == buffer_name) return b;
    }
    return nullptr;
}

std::optional<std::int64_t> Function::lower_bound(const std::string& param) const {
    return bound_of(*this, kLowerBoundAttr, param);
}

std::optional<std::int64_t> Function::upper_bound(const std::string& param) const {
    return bound_of(*this, kUpperBoundAttr, param);
}

std::vector<std::string> Function::licences() const {
    std::vector<std::string> out;
    const auto it = attrs.find(kLicencesAttr);
    if (it == attrs.end()) return out;
    if (const auto* list = std::get_if<AttrValue::List>(&it->second.value)) {
        for (const AttrValue& v : *list) {
            if (const auto* s = std::get_if<std::string>(&v.value)) out.push_back(*s);
        }
    }
    return out;
}

bool Function::has_licence(const std::string& licence) const {
    const std::vector<std::string> granted = licences();
    return std::find(granted.begin(), granted.end(), licence) != granted.end();
}

const Function* Module::find(const std::string& function_name) const {
    for (const Function& f : functions) {
        if (f.name == function_name) return &f;
    }
    return nullptr;
}

}  // namespace proviso::ir
