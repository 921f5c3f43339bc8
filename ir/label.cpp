#include "ir/label.h"

#include <mutex>
#include <shared_mutex>
#include <unordered_set>

namespace proviso::ir {

namespace {

struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
};

}  // namespace

const std::string* Label::kept(std::string_view text) {
    // Never destroyed: whatever ends last may have labels.
    static auto& all = *new std::unordered_set<std::string, Hash, std::equal_to<>>;
    static auto& mutex = *new std::shared_mutex;
    {
        const std::shared_lock reading(mutex);
        if (const auto found = all.find(text); found != all.end()) return &*found;
    }
    const std::unique_lock writing(mutex);
    return &*all.emplace(text).first;
}

}  // namespace proviso::ir
