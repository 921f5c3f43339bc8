#include "ir/planted.h"

namespace proviso::ir {

std::string& planted_fault() {
    static std::string fault;
    return fault;
}

}  // namespace proviso::ir
