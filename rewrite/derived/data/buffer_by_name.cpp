#include "rewrite/derived/data/buffer_by_name.h"

#include "ir/children.h"

namespace proviso::rewrite {

using namespace ir;

Buffer buffer_by_name(const Function& f, const std::string& name) {
    if (Buffer b = f.find_buffer_param(name)) return b;
    Buffer found = nullptr;
    for_each_stmt(f.body, [&](Stmt s) {
        const Allocate* n = s->as<Allocate>();
        if (n != nullptr && n->buffer->name == name) found = n->buffer;
    });
    return found;
}

}  // namespace proviso::rewrite
