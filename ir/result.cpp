#include "ir/result.h"

namespace proviso {

Diagnostic error(std::string message, std::string hint) {
    Diagnostic d;
    d.message = std::move(message);
    d.hint = std::move(hint);
    return d;
}

}  // namespace proviso
