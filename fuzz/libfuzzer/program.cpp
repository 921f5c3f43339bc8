// For libFuzzer: a file of TVMScript. The reader returns, whatever it is; and the canonical form of
// what it takes reads back as itself.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "ir/context.h"
#include "ir/deep_stack.h"
#include "ir/text.h"

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    proviso::ir::on_deep_stack([&] {
        proviso::ir::Context ctx;
        const auto file = proviso::ir::parse_program(ctx, text, "input.py");
        if (!file) return;
        const auto again = proviso::ir::parse_program(ctx, file->canonical, "again.py");
        if (again && again->canonical == file->canonical) return;
        std::fprintf(stderr, "the canonical form reads as something else:\n%s\n",
                     file->canonical.c_str());
        std::abort();
    });
    return 0;
}
