#include "backend/cpu/jit.h"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/Support/MemoryBuffer.h>

#include <cstring>
#include <map>

#include "backend/cpu/codegen.h"
#include "backend/cpu/module.h"
#include "backend/lowered.h"
#include "backend/runtime/guarded_memory.h"
#include "backend/runtime/thread_pool.h"
#include "ir/check.h"

namespace proviso::backend {

namespace {

struct Parameter {
    std::string name;
    ir::ScalarType type;
    bool is_buffer;
    std::size_t rank;
};

struct Loaded {
    std::vector<Parameter> params;     // those that a caller gives
    std::vector<ImpliedSize> implied;  // what their shapes give, without their `var`
    std::vector<std::string> messages;
    std::int32_t (*packed)(void**) = nullptr;
    void (*shape)(void**, std::int64_t*) = nullptr;
    const char* (*message)(std::int32_t) = nullptr;
    const std::int64_t* fault = nullptr;  // of guarded code
};

Loaded describe(const ir::Function& f) {
    Loaded out;
    for (const ir::Param& p : f.params) {
        if (const ir::Buffer* b = std::get_if<ir::Buffer>(&p)) {
            out.params.push_back({(*b)->name, (*b)->type, true, (*b)->rank()});
        } else {
            const ir::Expr var = std::get<ir::Expr>(p);
            out.params.push_back({*var->name, var->type, false, 0});
        }
    }
    out.implied = implied_sizes(f);
    for (ImpliedSize& size : out.implied) size.var = nullptr;  // the context may not live as long
    out.messages = assert_messages(f);
    return out;
}

Diagnostic jit_error(llvm::Error e) {
    return error("loading compiled code: " + llvm::toString(std::move(e)));
}

std::string shape_text(const std::int64_t* extents, std::size_t rank) {
    std::string out = "(";
    for (std::size_t d = 0; d < rank; ++d) {
        out += (d == 0 ? "" : ", ") + std::to_string(extents[d]);
    }
    return out + ")";
}

// What a buffer is, whoever owns its bytes.
HostView view_of(const HostArgument& arg) {
    if (const HostView* view = std::get_if<HostView>(&arg)) return *view;
    HostBuffer& buffer = *std::get<HostBuffer*>(arg);
    return {buffer.type, buffer.shape, buffer.bytes};
}

Status check_argument(const Parameter& p, const HostArgument& arg) {
    const HostScalar* scalar = std::get_if<HostScalar>(&arg);
    if ((scalar == nullptr) != p.is_buffer) {
        return error("parameter " + p.name + " takes a " + (p.is_buffer ? "buffer" : "scalar"));
    }
    const ir::ScalarType type = scalar != nullptr ? scalar->type : view_of(arg).type;
    if (type != p.type) {
        return error("parameter " + p.name + " takes " + p.type.str() + ", not " + type.str());
    }
    if (scalar == nullptr && view_of(arg).shape.size() != p.rank) {
        return error("parameter " + p.name + " has rank " + std::to_string(p.rank) + ", not " +
                     std::to_string(view_of(arg).shape.size()));
    }
    return Unit{};
}

Status check_shape(const Parameter& p, const HostView& buffer, const std::int64_t* extents) {
    // Sizes are below 2^47 by the rules on buffers; a caller's vector cannot be longer either.
    ir::Int128 bytes = p.type.bytes();
    for (std::size_t d = 0; d < p.rank; ++d) {
        if (buffer.shape[d] != extents[d] || extents[d] < 0) {
            return error("parameter " + p.name + " has shape " + shape_text(extents, p.rank) +
                         ", not " + shape_text(buffer.shape.data(), p.rank));
        }
        bytes *= extents[d];
        if (bytes >> 47 != 0) return error("parameter " + p.name + " has 2^47 bytes or more");
    }
    if (buffer.bytes.size() != static_cast<std::uint64_t>(bytes)) {
        return error("parameter " + p.name + " needs " +
                     std::to_string(static_cast<std::uint64_t>(bytes)) + " bytes, not " +
                     std::to_string(buffer.bytes.size()));
    }
    return Unit{};
}

// What NAME__packed takes, and the scalars that it points to.
struct Packed {
    Packed() = default;
    Packed(const Packed&) = delete;  // pointers are those to the scalars of this one
    Packed& operator=(const Packed&) = delete;

    std::vector<std::uint64_t> scalars;
    std::vector<void*> pointers;
};

Status check_shapes(const Loaded& loaded, const std::vector<HostArgument>& args,
                    std::vector<void*> pointers) {
    std::size_t count = 0;
    for (const Parameter& p : loaded.params) count += p.rank;
    std::vector<std::int64_t> extents(count);
    loaded.shape(pointers.data(), extents.data());
    std::size_t next = 0;
    for (std::size_t i = 0; i < args.size(); ++i) {
        if (!loaded.params[i].is_buffer) continue;
        const Status fits = check_shape(loaded.params[i], view_of(args[i]), extents.data() + next);
        if (!fits) return fits;
        next += loaded.params[i].rank;
    }
    return Unit{};
}

Result<std::shared_ptr<Packed>> pack(const Loaded& loaded, const std::vector<HostArgument>& args) {
    const auto packed = std::make_shared<Packed>();
    Packed& out = *packed;
    const std::size_t total = args.size() + loaded.implied.size();
    out.scalars.resize(total);
    out.pointers.resize(total);
    for (std::size_t i = 0; i < total; ++i) out.pointers[i] = &out.scalars[i];
    for (std::size_t i = 0; i < args.size(); ++i) {
        const Status fits = check_argument(loaded.params[i], args[i]);
        if (!fits) return fits.error();
        if (const auto* scalar = std::get_if<HostScalar>(&args[i])) {
            out.scalars[i] = scalar->bits;  // little-endian: the low bytes come first
        } else {
            out.pointers[i] = view_of(args[i]).bytes.data();
        }
    }
    for (std::size_t k = 0; k < loaded.implied.size(); ++k) {
        const ImpliedSize& size = loaded.implied[k];
        const HostView from = view_of(args[size.param]);
        out.scalars[args.size() + k] = static_cast<std::uint64_t>(from.shape[size.dimension]);
    }
    // Also says no when an implied size does not fit its type: it comes back as another extent.
    const Status fits = check_shapes(loaded, args, out.pointers);
    if (!fits) return fits.error();
    return packed;
}

// What a check of guarded code found, with the values that it saw.
std::string fault_text(const Loaded& loaded, std::int32_t code) {
    PROVISO_CHECK(loaded.fault != nullptr, "a code that no assert has");
    const std::int64_t* const values = loaded.fault + 1;
    const std::string what = std::string(loaded.message(code)) + ": ";
    if (*loaded.fault == kDivisionFault) {
        return what + std::to_string(values[0]) + " by " + std::to_string(values[1]);
    }
    if (*loaded.fault == kExtentFault) return what + std::to_string(values[0]);
    const auto rank = static_cast<std::size_t>(*loaded.fault);
    return what + "index " + shape_text(values, rank) + " in shape " +
           shape_text(values + rank, rank);
}

}  // namespace

struct CpuModule::Impl {
    std::unique_ptr<llvm::orc::LLJIT> jit;
    std::map<std::string, Loaded> functions;
};

CpuModule::CpuModule(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
CpuModule::CpuModule(CpuModule&&) noexcept = default;
CpuModule& CpuModule::operator=(CpuModule&&) noexcept = default;
CpuModule::~CpuModule() = default;

Result<RunOutcome> CpuModule::run(const std::string& function,
                                  const std::vector<HostArgument>& args) const {
    const Result<Call> call = bind(function, args);
    if (!call) return call.error();
    const Loaded& loaded = impl_->functions.at(function);
    RunOutcome outcome;
    outcome.code = (*call)();
    if (outcome.code > 0) {
        const auto k = static_cast<std::size_t>(outcome.code) - 1;
        outcome.message =
            k < loaded.messages.size() ? loaded.messages[k] : fault_text(loaded, outcome.code);
    } else if (outcome.code == kOutOfMemory) {
        outcome.message = "out of memory, or the extent of an allocation is negative";
    }
    return outcome;
}

Result<CpuModule::Call> CpuModule::bind(const std::string& function,
                                        const std::vector<HostArgument>& args) const {
    const auto found = impl_->functions.find(function);
    if (found == impl_->functions.end()) return error("no compiled function " + function);
    const Loaded& loaded = found->second;
    if (args.size() != loaded.params.size()) {
        return error(function + " takes " + std::to_string(loaded.params.size()) +
                     " arguments, not " + std::to_string(args.size()));
    }
    const Result<std::shared_ptr<Packed>> packed = pack(loaded, args);
    if (!packed) return packed.error();
    return Call([entry = loaded.packed, held = *packed] { return entry(held->pointers.data()); });
}

namespace {

// Names that generated code may call, besides the C library's.
llvm::orc::SymbolMap runtime_symbols(llvm::orc::LLJIT& jit, const CpuOptions& options) {
    llvm::orc::SymbolMap out;
    const auto add = [&](const std::string& name, const void* address) {
        out[jit.mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                                          llvm::JITSymbolFlags::Exported};
    };
    add(kParallelForSymbol, reinterpret_cast<const void*>(&proviso_parallel_for));
    if (options.heap == Heap::Guarded) {
        add("malloc", reinterpret_cast<const void*>(&guarded_malloc));
        add("free", reinterpret_cast<const void*>(&guarded_free));
    }
    for (const auto& [name, function] : options.externs) add(name, function.address);
    return out;
}

Result<std::unique_ptr<llvm::orc::LLJIT>> make_jit(const CpuOptions& options) {
    auto jit =
        llvm::orc::LLJITBuilder().setPlatformSetUp(llvm::orc::setUpInactivePlatform).create();
    if (!jit) return jit_error(jit.takeError());
    llvm::orc::JITDylib& main = (*jit)->getMainJITDylib();
    auto symbols = llvm::orc::absoluteSymbols(runtime_symbols(**jit, options));
    if (auto failed = main.define(std::move(symbols))) return jit_error(std::move(failed));
    auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
        (*jit)->getDataLayout().getGlobalPrefix());
    if (!process) return jit_error(process.takeError());
    main.addGenerator(std::move(*process));
    return std::move(*jit);
}

}  // namespace

Result<CpuModule> unverified::compile(const std::vector<ir::Function>& functions,
                                      const CpuOptions& options) {
    for (const auto& [name, function] : options.externs) {
        if (function.address == nullptr) {
            return error("registered symbol " + name + " has no address in this process");
        }
    }
    // Symbols of their own: a function may have any name, that of a library's function too.
    std::vector<ir::Function> renamed = functions;
    std::set<std::string> names;
    for (std::size_t k = 0; k < functions.size(); ++k) {
        if (!names.insert(functions[k].name).second) {
            return error("two functions are called " + functions[k].name, "rename one");
        }
        renamed[k].name = "proviso_function_" + std::to_string(k);
    }
    auto built = build_module(renamed, options, Purpose::Run);
    if (!built) {
        Diagnostic failed = built.error();
        for (std::string& note : failed.notes) {
            for (std::size_t k = 0; k < functions.size(); ++k) {
                if (note == "in function " + renamed[k].name) {
                    note = "in function " + functions[k].name;
                }
            }
        }
        return failed;
    }
    const auto object = built->object();
    if (!object) return object.error();
    auto jit = make_jit(options);
    if (!jit) return jit.error();
    auto buffer = llvm::MemoryBuffer::getMemBufferCopy(*object, functions.front().name);
    if (auto failed = (*jit)->addObjectFile(std::move(buffer))) return jit_error(std::move(failed));

    auto impl = std::make_unique<CpuModule::Impl>();
    for (std::size_t k = 0; k < functions.size(); ++k) {
        const ir::Function& f = renamed[k];
        Loaded loaded = describe(f);
        auto packed = (*jit)->lookup(f.name + kPackedSuffix);
        if (!packed) return jit_error(packed.takeError());
        loaded.packed = packed->toPtr<std::int32_t (*)(void**)>();
        auto shape = (*jit)->lookup(f.name + kShapeSuffix);
        if (!shape) return jit_error(shape.takeError());
        loaded.shape = shape->toPtr<void (*)(void**, std::int64_t*)>();
        auto message = (*jit)->lookup(f.name + kMessageSuffix);
        if (!message) return jit_error(message.takeError());
        loaded.message = message->toPtr<const char* (*)(std::int32_t)>();
        if (options.guarded) {
            auto fault = (*jit)->lookup(f.name + kFaultSuffix);
            if (!fault) return jit_error(fault.takeError());
            loaded.fault = fault->toPtr<const std::int64_t*>();
        }
        impl->functions.emplace(functions[k].name, std::move(loaded));
    }
    impl->jit = std::move(jit).value();
    return CpuModule(std::move(impl));
}

}  // namespace proviso::backend
