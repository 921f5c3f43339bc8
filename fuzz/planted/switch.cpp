#include "ir/planted.h"

namespace proviso::ir {

inline namespace with_faults {

std::string& planted_fault() {
    static std::string fault;
    return fault;
}

}  // namespace with_faults

}  // namespace proviso::ir
