#include "verify/files/object_pack.h"

#include <charconv>
#include <optional>

#include "ir/files/limits.h"
#include "verify/log/format.h"

namespace proviso::verify {

namespace {

const std::string kHashPrefix = "sha256:";
constexpr std::size_t kHexDigits = 64;

std::string head_of(const std::string& hex, std::size_t size) {
    return kHashPrefix + hex + " " + std::to_string(size) + "\n";
}

// The line at `at` of the one form that there is; nothing where it is another one.
struct Head {
    std::string hex;
    std::size_t size = 0;
    std::size_t end = 0;  // of the line
};
std::optional<Head> head_at(const std::string& pack, std::size_t at) {
    const std::size_t end = pack.find('\n', at);
    const std::size_t digits = at + kHashPrefix.size() + kHexDigits + 1;  // of the size
    if (end == std::string::npos || end <= digits) return std::nullopt;
    Head out{pack.substr(at + kHashPrefix.size(), kHexDigits), 0, end + 1};
    const char* const last = pack.data() + end;
    const auto [stop, failed] = std::from_chars(pack.data() + digits, last, out.size);
    const bool number = failed == std::errc() && stop == last;
    const bool canonical = number && is_hex_digest(out.hex) &&
                           pack.compare(at, end + 1 - at, head_of(out.hex, out.size)) == 0;
    return canonical ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace

std::string object_name(const std::string& hex) {
    return "object " + kHashPrefix + hex;
}

std::string pack_objects(const Objects& objects) {
    std::string out;
    for (const auto& [hex, bytes] : objects) out += head_of(hex, bytes.size()) + bytes + "\n";
    return out;
}

UnpackedObjects unpack_objects(const std::string& pack) {
    UnpackedObjects out;
    for (std::size_t at = 0; at < pack.size() && out.problems.empty();) {
        std::optional<Head> head = head_at(pack, at);
        const auto stop = [&](const std::string& what) {
            out.problems.push_back(
                Problem{kObjectsFile, 0, what + ", at byte " + std::to_string(at)});
        };
        if (!head) {
            stop("does not name an object with its size");
        } else if (head->size >= pack.size() - head->end || pack[head->end + head->size] != '\n') {
            stop("holds an object that does not end where it should");
        } else if (!out.objects.empty() && head->hex <= out.objects.rbegin()->first) {
            stop("holds its objects out of order");
        } else if (out.objects.size() == ir::limits::kLogObjects) {
            stop("holds more than " + std::to_string(ir::limits::kLogObjects) + " objects");
        } else {
            at = head->end + head->size + 1;
            out.objects.emplace(std::move(head->hex), pack.substr(head->end, head->size));
        }
    }
    return out;
}

}  // namespace proviso::verify
