#include "ir/text/reader/expressions/names.h"

#include <algorithm>

#include "ir/text.h"

namespace proviso::ir {

Names::Names() : used_{"T"} {}

const NameEntry* Names::find(const std::string& written) const {
    const auto it = entries_.find(written);
    return it == entries_.end() || it->second.empty() ? nullptr : &it->second.back();
}

std::string Names::unique(const std::string& written) {
    std::string name = written;
    int& i = next_[written];  // those below are taken for good
    if (i > 0) name += "_" + std::to_string(i);
    while (used_.count(name) != 0 || lets_.count(name) != 0) {
        name = written + "_" + std::to_string(++i);
    }
    used_.insert(name);
    return name;
}

Expr Names::bind_let(Context& ctx, const std::string& written, ScalarType type) {
    // A let of this name around has the first number that was free where it stands: what is below
    // is taken here as well.
    const auto around = entries_.find(written);
    const bool is_bound = around != entries_.end() && !around->second.empty();
    int i = is_bound ? around->second.back().let_number + 1 : 0;
    const auto numbered = [&] { return i == 0 ? written : written + "_" + std::to_string(i); };
    std::string name = numbered();
    while (used_.count(name) != 0 || in_scope_.count(name) != 0) {
        ++i;
        name = numbered();
    }
    lets_.insert(name);
    Expr var = ctx.var(name, type);
    bind(written, NameEntry{var, nullptr, i});
    return var;
}

bool Names::is_of_this_body(const std::string& written) const {
    const std::size_t first = bodies_.empty() ? 0 : bodies_.back();
    return std::find(log_.begin() + static_cast<std::ptrdiff_t>(first), log_.end(), written) !=
           log_.end();
}

void Names::bind(const std::string& written, NameEntry entry) {
    entries_[written].push_back(entry);
    log_.push_back(written);
    if (entry.var != nullptr) ++in_scope_[*entry.var->name];
}

void Names::release(std::size_t mark) {
    while (log_.size() > mark) {
        std::vector<NameEntry>& stack = entries_[log_.back()];
        Expr var = stack.back().var;
        if (var != nullptr && --in_scope_[*var->name] == 0) in_scope_.erase(*var->name);
        stack.pop_back();
        log_.pop_back();
    }
}

void bind_scope(Names& names, const Scope& scope) {
    for (const auto& [name, var] : scope.vars) {
        names.bind(name, NameEntry{var, nullptr});
        names.set_used(name);
        names.set_used(*var->name);
    }
    for (const auto& [name, buffer] : scope.buffers) {
        names.bind(name, NameEntry{nullptr, buffer});
        names.set_used(name);
        names.set_used(buffer->name);
    }
}

std::vector<std::string> Names::visible() const {
    std::vector<std::string> out;
    for (const auto& [written, stack] : entries_) {
        if (!stack.empty()) out.push_back(written);
    }
    return out;
}

}  // namespace proviso::ir
