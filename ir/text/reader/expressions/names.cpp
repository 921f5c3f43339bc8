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
    for (int i = 1; used_.count(name) != 0 || lets_.count(name) != 0; ++i) {
        name = written + "_" + std::to_string(i);
    }
    used_.insert(name);
    return name;
}

std::string Names::unique_let(const std::string& written) {
    std::string name = written;
    for (int i = 1; used_.count(name) != 0 || shadows(name); ++i) {
        name = written + "_" + std::to_string(i);
    }
    lets_.insert(name);
    return name;
}

bool Names::shadows(const std::string& name) const {
    for (const auto& [written, stack] : entries_) {
        for (const NameEntry& e : stack) {
            if (e.var != nullptr && *e.var->name == name) return true;
        }
    }
    return false;
}

bool Names::is_of_this_body(const std::string& written) const {
    const std::size_t first = bodies_.empty() ? 0 : bodies_.back();
    return std::find(log_.begin() + static_cast<std::ptrdiff_t>(first), log_.end(), written) !=
           log_.end();
}

void Names::bind(const std::string& written, NameEntry entry) {
    entries_[written].push_back(entry);
    log_.push_back(written);
}

void Names::release(std::size_t mark) {
    while (log_.size() > mark) {
        entries_[log_.back()].pop_back();
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
