#include "tools/library/lowered_program.h"

#include <algorithm>
#include <mutex>
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "backend/cpu/backend.h"
#include "backend/cpu/no_wrap.h"
#include "backend/tensor.h"
#include "ir/domains/evaluate.h"
#include "ir/text/program_printer.h"
#include "ir/text/spelling.h"
#include "tools/library/lowering_order.h"
#include "tools/library/scheduled_program.h"
#include "tools/program.h"
#include "tools/support/converters.h"
#include "tools/support/sizes_given.h"
#include "tools/support/support.h"
#include "verify/log/duty_lines.h"
#include "verify/log/line_edits.h"
#include "verify/log/write.h"
#include "verify/log/write_files.h"

namespace proviso::tools {

using namespace rewrite;
using nlohmann::json;

struct LoweredProgram::State {
    explicit State(LoweringRequest request)
        : p(std::move(request)), order(p.asked.options, [this] { return p.asked.program; }) {}

    std::optional<Failure> lower();
    Result<const std::vector<Adapter>*> adapters();
    Result<backend::Derivations> all_code(bool with_adapters);
    backend::CpuOptions cpu_options(bool with_adapters);
    Result<const backend::CpuModule*> module(bool guarded);
    Result<ir::Substitution> sizes(const Shapes& shapes, const std::vector<std::string>& scalars);
    Result<std::vector<std::int64_t>> extents(ir::Buffer b, const ir::Substitution& sizes) const;
    verify::Duties duties() {
        return verify::duties_of(p.ctx, p.source(), p.current(), p.derivation->steps());
    }

    std::mutex mutex;  // of all that follows
    ScheduledProgram p;
    LoweringOrder order;
    std::optional<std::vector<Adapter>> converters;
    std::optional<backend::CpuModule> fast;
    std::optional<backend::CpuModule> guarded_code;
};

std::optional<Failure> LoweredProgram::State::lower() {
    const auto failed = [](const LoweringEnd& end) {
        return end.told.empty() ? failure(end.diagnostic) : Failure{end.told};
    };
    if (const auto end = order.begin()) return failed(*end);
    if (auto no = p.read()) return no;
    if (const auto end = order.before_schedule(*p.derivation, p.prover)) return failed(*end);
    if (auto no = p.schedule()) return no;
    order.scheduled(p.done);
    order.calls = p.calls;
    if (const auto end = order.lower(*p.proposer)) return failed(*end);
    if (const auto end = order.code(*p.derivation, p.prover)) return failed(*end);
    return std::nullopt;
}

Result<const std::vector<Adapter>*> LoweredProgram::State::adapters() {
    if (!converters) {
        Result<std::vector<Adapter>> made =
            rewrite::adapters(p.ctx, p.current(), p.prover, order.symbol);
        if (!made) return made.error();
        converters = std::move(*made);
    }
    return &*converters;
}

// Of the function, and of each conversion.
Result<backend::Derivations> LoweredProgram::State::all_code(bool with_adapters) {
    if (order.target) {
        return error("the code is for " + order.target->name, "lower for target \"cpu\"");
    }
    backend::Derivations out = {*p.derivation};
    if (!with_adapters) return out;
    const auto made = adapters();
    if (!made) return made.error();
    for (const Adapter& a : **made) {
        out.emplace_back(a.pack);
        out.emplace_back(a.unpack);
    }
    return out;
}

backend::CpuOptions LoweredProgram::State::cpu_options(bool with_adapters) {
    backend::CpuOptions out;
    out.symbols[p.current().name] = order.symbol;
    // What is in range in one function need not be in another one that is spelled alike.
    if (!with_adapters || (converters && converters->empty())) {
        out.no_signed_wrap = backend::proved_no_wrap(*p.derivation, p.prover);
    }
    return out;
}

Result<const backend::CpuModule*> LoweredProgram::State::module(bool guarded) {
    std::optional<backend::CpuModule>& out = guarded ? guarded_code : fast;
    if (!out) {
        const Result<backend::Derivations> all = all_code(true);
        if (!all) return all.error();
        backend::CpuOptions options = cpu_options(true);
        options.symbols.clear();  // code of this process has none
        options.guarded = guarded;
        if (guarded) options.no_signed_wrap.clear();
        Result<backend::CpuModule> made = backend::compile(*all, options);
        if (!made) return made.error();
        out.emplace(std::move(*made));
    }
    return &*out;
}

Result<ir::Substitution> LoweredProgram::State::sizes(const Shapes& shapes,
                                                      const std::vector<std::string>& scalars) {
    ir::Inputs given;
    for (const auto& [name, shape] : shapes) {
        if (p.source().find_buffer_param(name) == nullptr) {
            std::vector<std::string> names;
            for (ir::Buffer b : p.source().buffer_params()) names.push_back(b->name);
            return error("no buffer parameter '" + name + "'",
                         ir::suggest(name, names, listed(names)));
        }
        ir::Tensor tensor;
        tensor.shape = shape;
        given[name] = std::move(tensor);
    }
    Result<ir::Substitution> out = scalar_arguments(p.ctx, p.source(), scalars);
    if (!out) return out;
    return with_sizes_given(p.ctx, p.source(), given, *std::move(out));
}

Result<std::vector<std::int64_t>> LoweredProgram::State::extents(ir::Buffer b,
                                                                 const ir::Substitution& at) const {
    ir::Environment known;
    for (const auto& [var, value] : at) known.vars.emplace(var, *ir::constant_value(value));
    std::vector<std::int64_t> out;
    for (ir::Expr extent : b->shape) {
        for (ir::Expr v : ir::free_vars(extent)) {
            if (known.vars.count(v) != 0) continue;
            return error(
                "no value for '" + *v->name + "', which the shape of " + b->name + " depends on",
                "give it, or an array whose shape says it");
        }
        const ir::Evaluation e = ir::evaluate(extent, known);
        const auto n = e.ok() ? e.value.integer().to_int128() : std::nullopt;
        if (!n || *n < 0 || *n > (ir::Int128(1) << 40)) {
            return error("the extent `" + ir::print(extent) + "` of " + b->name +
                             " is no length at these sizes",
                         "give other sizes");
        }
        out.push_back(static_cast<std::int64_t>(*n));
    }
    return out;
}

std::variant<std::unique_ptr<LoweredProgram>, Failure> LoweredProgram::lower(
    LoweringRequest request) {
    auto state = std::make_unique<State>(std::move(request));
    if (auto no = state->lower()) return *std::move(no);
    return std::unique_ptr<LoweredProgram>(new LoweredProgram(std::move(state)));
}

LoweredProgram::LoweredProgram(std::unique_ptr<State> state) : state_(std::move(state)) {}
LoweredProgram::~LoweredProgram() = default;

std::string LoweredProgram::text() const {
    return ir::print(state_->p.current());
}

std::string LoweredProgram::source_text() const {
    return ir::print(state_->p.source());
}

std::string LoweredProgram::adapters_text() {
    const std::lock_guard lock(state_->mutex);
    const auto made = state_->adapters();
    return made ? tools::adapters_text(**made) : "";
}

Result<std::string> LoweredProgram::code() {
    const std::lock_guard lock(state_->mutex);
    if (!state_->order.gpu)
        return backend::llvm_ir({*state_->p.derivation}, state_->cpu_options(false));
    return state_->order.gpu->documented_source(state_->order.target->language,
                                                verify::lines_of(state_->duties()));
}

Result<std::string> LoweredProgram::header() {
    const std::lock_guard lock(state_->mutex);
    const Result<backend::Derivations> all = state_->all_code(true);
    if (!all) return all.error();
    backend::HeaderNotes notes;
    const backend::CpuOptions options = state_->cpu_options(true);
    notes.symbols = options.symbols;
    const Result<std::string> cpu = backend::emitted_for(options.cpu);
    if (!cpu) return cpu.error();
    notes.cpu = *cpu;
    for (const std::string& line : verify::lines_of(state_->duties())) {
        notes.contract.emplace_back(state_->p.current().name, line);
    }
    return backend::header(*all, notes);
}

json LoweredProgram::report() const {
    const std::lock_guard lock(state_->mutex);
    const ScheduledProgram& p = state_->p;
    json out = {{"function", p.source().name},
                {"symbol", state_->order.symbol},
                {"source", ir::content_hash(p.source())},
                {"result", ir::content_hash(p.current())},
                {"shown", p.shown},
                {"notes", p.notes},
                {"duties", verify::lines_of(state_->duties())}};
    if (const std::string warning = state_->order.inputs.warning(); !warning.empty()) {
        out["notes"].push_back(warning);
    }
    for (const Rejection& left : state_->order.lowering.refused) {
        out["notes"].push_back(left.diagnostic.message);
    }
    out["calls"] = json::array();
    for (const ScheduleReport::Done& d : p.done) {
        if (d.query) continue;
        json call = {{"primitive", d.primitive}, {"steps", d.steps}, {"line", d.line}};
        if (!d.note.empty()) call["note"] = d.note;
        if (!d.gives.empty()) call["gives"] = d.gives;
        if (!d.why_nothing.empty()) call["changed_nothing"] = d.why_nothing;
        out["calls"].push_back(call);
    }
    out["steps"] = json::array();
    for (const Step& s : p.derivation->steps()) {
        out["steps"].push_back(
            {{"rule", s.rule}, {"site", s.site.str()}, {"obligations", s.obligations.size()}});
    }
    std::size_t step = 0;
    for (const ScheduleCall& call : state_->order.calls.of(p.derivation->steps().size())) {
        for (std::size_t k = 0; k < call.steps; ++k, ++step) {
            json& told = out["steps"][step];
            told["call"] = call.name;
            // Of a call in an imported file: the line that called its function.
            const int line = call.caller != 0 ? call.caller : call.line;
            if (line != 0) told["line"] = line;
        }
    }
    return out;
}

json LoweredProgram::edits() const {
    const std::lock_guard lock(state_->mutex);
    json out = json::array();
    ir::ProgramPrinter printer;
    std::string before = printer.print(state_->p.source());
    for (const Step& s : state_->p.derivation->steps()) {
        std::string after = printer.print(s.after);
        json edits = json::array();
        for (const verify::LineEdit& e : verify::line_edits(before, after)) {
            edits.push_back({{"line", e.line}, {"removed", e.removed}, {"added", e.added}});
        }
        out.push_back(std::move(edits));
        before = std::move(after);
    }
    return out;
}

Status LoweredProgram::write_log(const std::string& path) {
    const std::lock_guard lock(state_->mutex);
    if (const Status ok = verify::may_write_log(path); !ok) return ok;
    const ScheduledProgram& p = state_->p;
    verify::LogOptions options;
    options.schedule =
        with_calls(p.schedule_text, state_->order.calls.of(p.derivation->steps().size()));
    const auto written = verify::write_log(*p.derivation, path, options);
    return written ? Status(Unit{}) : Status(written.error());
}

Status LoweredProgram::shared_library(const std::string& path, bool with_adapters) {
    const std::lock_guard lock(state_->mutex);
    const Result<backend::Derivations> all = state_->all_code(with_adapters);
    if (!all) return all.error();
    return backend::shared_library(*all, path, state_->cpu_options(with_adapters));
}

Result<std::vector<ParameterShape>> LoweredProgram::parameters(
    const Shapes& shapes, const std::vector<std::string>& scalars) {
    const std::lock_guard lock(state_->mutex);
    const Result<ir::Substitution> at = state_->sizes(shapes, scalars);
    if (!at) return at.error();
    const ir::Function& f = state_->p.source();
    std::vector<ParameterShape> out;
    for (ir::Buffer b : f.buffer_params()) {
        Result<std::vector<std::int64_t>> shape = state_->extents(b, *at);
        if (!shape) return shape.error();
        out.push_back({b->name, b->type, *std::move(shape), analysis::stores_to(f.body, b)});
    }
    return out;
}

namespace {

Status ended(const Result<backend::RunOutcome>& run) {
    if (!run) return run.error();
    if (run->code == 0) return Unit{};
    return error("the program stopped: " + run->message);
}

// The values of scalar parameters, by name.
std::map<std::string, ir::Expr> by_name(const ir::Substitution& sizes) {
    std::map<std::string, ir::Expr> out;
    for (const auto& [var, value] : sizes) out[*var->name] = value;
    return out;
}

}  // namespace

Status LoweredProgram::run(const Views& buffers, const std::vector<std::string>& scalars,
                           bool guarded) {
    struct Converted {
        std::string pack, unpack;
        std::vector<backend::HostArgument> pack_arguments, unpack_arguments;
        bool stored = false;
    };
    std::vector<backend::HostBuffer> physical;
    std::vector<Converted> converted;
    std::vector<backend::HostArgument> arguments;
    std::string name;
    const backend::CpuModule* code = nullptr;
    {
        const std::lock_guard lock(state_->mutex);
        const ScheduledProgram& p = state_->p;
        Shapes shapes;
        for (const auto& [of, view] : buffers) shapes[of] = view.shape;
        const Result<ir::Substitution> sizes = state_->sizes(shapes, scalars);
        if (!sizes) return sizes.error();
        const Result<const backend::CpuModule*> module = state_->module(guarded);
        if (!module) return module.error();
        code = *module;
        const std::map<std::string, ir::Expr> values = by_name(*sizes);
        const auto scalar = [&](ir::Expr v) -> Result<backend::HostArgument> {
            const auto found = values.find(*v->name);
            if (found == values.end()) {
                return error("no value for parameter '" + *v->name + "'", *v->name + "=VALUE");
            }
            return backend::HostArgument(
                backend::to_host(v->type, *ir::constant_value(found->second)));
        };
        const std::vector<Adapter>& adapters = *state_->converters;
        physical.reserve(adapters.size());  // arguments point into it
        name = p.current().name;
        for (const auto& param : p.current().params) {
            if (const auto* v = std::get_if<ir::Expr>(&param)) {
                const Result<backend::HostArgument> value = scalar(*v);
                if (!value) return value.error();
                arguments.push_back(*value);
                continue;
            }
            const ir::Buffer b = std::get<ir::Buffer>(param);
            const auto view = buffers.find(b->name);
            if (view == buffers.end()) return error("no value for parameter '" + b->name + "'");
            const auto a = std::find_if(adapters.begin(), adapters.end(), [&](const Adapter& each) {
                return each.parameter == b->name;
            });
            if (a == adapters.end()) {
                arguments.emplace_back(view->second);
                continue;
            }
            const Result<std::vector<std::int64_t>> shape = state_->extents(b, *sizes);
            if (!shape) return shape.error();
            physical.push_back(backend::make_host_buffer(b->type, *shape));
            arguments.emplace_back(&physical.back());
            Converted c{a->pack.current().name, a->unpack.current().name, {}, {}, false};
            c.pack_arguments = {view->second, &physical.back()};
            c.unpack_arguments = {&physical.back(), view->second};
            for (ir::Expr v : a->pack.current().scalar_params()) {
                const Result<backend::HostArgument> value = scalar(v);
                if (!value) return value.error();
                c.pack_arguments.push_back(*value);
                c.unpack_arguments.push_back(*value);
            }
            c.stored = analysis::stores_to(p.source().body, p.source().find_buffer_param(b->name));
            converted.push_back(std::move(c));
        }
    }
    for (const Converted& c : converted) {
        if (const Status ok = ended(code->run(c.pack, c.pack_arguments)); !ok) return ok;
    }
    if (const Status ok = ended(code->run(name, arguments)); !ok) return ok;
    for (const Converted& c : converted) {
        if (!c.stored) continue;
        if (const Status ok = ended(code->run(c.unpack, c.unpack_arguments)); !ok) return ok;
    }
    return Unit{};
}

}  // namespace proviso::tools
