// The content hash of programs: the SHA-256 of their canonical text.
#include "ir/text.h"

namespace proviso::ir {

std::string content_hash(const Function& f) {
    return "sha256:" + sha256_hex(print(f));
}

std::string content_hash(const Module& m) {
    return "sha256:" + sha256_hex(print(m));
}

}  // namespace proviso::ir
