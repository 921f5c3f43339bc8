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
    static std::unordered_set<std::string, Hash, std::equal_to<>> all;
    static std::shared_mutex mutex;
    {
        const std::shared_lock reading(mutex);
        if (const auto found = all.find(text); found != all.end()) return &*found;
    }
    const std::unique_lock writing(mutex);
    return &*all.emplace(text).first;
}

}  // namespace proviso::ir
