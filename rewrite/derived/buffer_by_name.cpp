#include "rewrite/derived/buffer_by_name.h"

#include "ir/children.h"

namespace proviso::rewrite {

using namespace ir;

Buffer buffer_by_name(const Function& f, const std::string& name) {
    Buffer found = f.find_buffer_param(name);
    for_each_stmt(f.body, [&](Stmt s) {
        const Allocate* n = s->as<Allocate>();
        if (found == nullptr && n != nullptr && n->buffer->name == name) found = n->buffer;
    });
    return found;
}

}  // namespace proviso::rewrite
