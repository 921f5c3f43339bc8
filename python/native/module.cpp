// The Python module proviso._native: questions and answers as JSON texts, programs as texts, arrays
// as memory. python/proviso/ makes Python objects of them. Work is done without Python's lock, on a
// stack as deep as the commands have.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <exception>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "ir/context.h"
#include "ir/deep_stack.h"
#include "ir/text.h"
#include "rewrite/schedule/reader/signatures.h"
#include "tools/audit/audit.h"
#include "tools/batch.h"
#include "tools/library/answers.h"
#include "tools/library/lowered_program.h"
#include "tools/library/scheduled_program.h"
#include "tools/support/support.h"
#include "verify/audit/audit.h"
#include "verify/log/format.h"

namespace nb = nanobind;

namespace {

using namespace proviso;
using namespace proviso::tools;
using nlohmann::json;

// What Python raises: its text is the JSON of a Failure.
struct Failed : std::runtime_error {
    using std::runtime_error::runtime_error;
};

[[noreturn]] void fail(const Diagnostic& d) {
    throw Failed(failure(d).told);
}

template <typename T>
T value_of(Result<T> result) {
    if (!result) fail(result.error());
    return std::move(*result);
}

template <typename T>
T value_of(std::variant<T, Failure> result) {
    if (const auto* no = std::get_if<Failure>(&result)) throw Failed(no->told);
    return std::get<0>(std::move(result));
}

std::string text_of_json(const json& value) {
    return value.dump(-1, ' ', true, json::error_handler_t::replace);
}

// Without Python's lock, on a deep stack. An option of another type than is wanted is a mistake of
// the caller's like others.
template <typename Work>
auto apart(const Work& work) {
    const nb::gil_scoped_release released;
    try {
        if constexpr (std::is_void_v<decltype(work())>) {
            ir::on_deep_stack(work);
        } else {
            std::optional<decltype(work())> out;
            ir::on_deep_stack([&] { out.emplace(work()); });
            return std::move(*out);
        }
    } catch (const json::exception& e) {
        fail(error(std::string("an option cannot be read: ") + e.what()));
    }
}

json read_json(const std::string& text) {
    return value_of(line_of_json(text));
}

// --- options, which the Python side writes as JSON

template <typename T>
void take(const json& from, const char* key, T& to) {
    if (from.contains(key)) to = from[key].get<T>();
}

template <typename Options>
void take_limits(const json& from, Options& o) {
    take(from, "solver_seconds", o.solver_seconds);
    take(from, "solver_memory", o.solver_memory);
    take(from, "solver_effort", o.solver_effort);
    take(from, "cache", o.cache.folder);
    o.cache.off = !from.contains("cache");
}

LoweringRequest lowering_request(const std::string& program, const std::string& path,
                                 const std::optional<std::string>& schedule,
                                 const std::string& options) {
    const json from = read_json(options);
    LoweringRequest out;
    out.program = program;
    out.schedule = schedule;
    LowerOptions& o = out.options;
    o.program = path;
    o.schedule = "<schedule>";
    take_limits(from, o);
    take(from, "schedule_name", o.schedule);
    take(from, "function", o.function);
    take(from, "target", o.target);
    take(from, "flatten", o.flatten);
    if (from.contains("symbol")) o.symbol = from["symbol"].get<std::string>();
    return out;
}

// --- functions

std::string parse(const std::string& text, const std::string& path) {
    return apart([&] {
        ir::Context ctx;
        const ir::ProgramFile file = value_of(ir::parse_program(ctx, text, path));
        json functions = json::array();
        json texts = json::object();
        for (const ir::Function& f : file.module.functions) {
            functions.push_back(f.name);
            texts[f.name] = ir::print(f);
        }
        json opaque = json::object();
        for (const ir::OpaqueFunction& f : file.opaque) opaque[f.name] = to_json(f.reason);
        return text_of_json({{"functions", functions},
                             {"opaque", opaque},
                             {"texts", texts},
                             {"text", file.canonical}});
    });
}

std::string answer(const std::string& command, const std::string& question,
                   const std::string& options) {
    return apart([&] {
        const json line = read_json(question);
        const json from = read_json(options);
        if (command == "check") return text_of_json(value_of(check_answer(line)));
        if (command == "prove") {
            ProveOptions o;
            take_limits(from, o);
            take(from, "explain", o.explain);
            return text_of_json(value_of(prove_answer(line, o)));
        }
        if (command == "simplify") {
            SimplifyOptions o;
            take_limits(from, o);
            take(from, "explain", o.explain);
            take(from, "licences", o.licences);
            return text_of_json(value_of(simplify_answer(line, o)));
        }
        SolveOptions o;
        take_limits(from, o);
        return text_of_json(value_of(solve_answer(line, o)));
    });
}

std::string bounds(const std::string& program, const std::string& path,
                   const std::optional<std::string>& schedule, const std::string& options,
                   const std::vector<std::string>& sizes) {
    return apart([&] {
        const LoweringRequest request = lowering_request(program, path, schedule, options);
        return text_of_json(value_of(bounds_answer(request, sizes)));
    });
}

std::string shown(const std::string& program, const std::string& path, const std::string& schedule,
                  const std::string& options) {
    return apart(
        [&] { return value_of(shown_by(lowering_request(program, path, schedule, options))); });
}

std::string audit(const std::string& log, const std::string& options) {
    return apart([&] {
        const json from = read_json(options);
        verify::AuditOptions o;
        take(from, "policy", o.policy);
        take(from, "validate", o.validate);
        take(from, "strict", o.strict);
        take(from, "jobs", o.discharge.jobs);
        take(from, "solver_seconds", o.discharge.wall_limit_s);
        take(from, "solver_memory", o.discharge.memory_mib);
        if (from.contains("solvers")) {
            o.discharge.use_z3 = o.discharge.use_cvc5 = from["solvers"].get<bool>();
        }
        take(from, "outputs", o.artefacts);
        ir::Context ctx;
        const verify::AuditReport report = verify::audit(ctx, log, o);
        json out = report.json();
        out["exit_code"] = report.exit_code();
        out["text"] = report.text();
        return text_of_json(out);
    });
}

std::unique_ptr<LoweredProgram> lower(const std::string& program, const std::string& path,
                                      const std::optional<std::string>& schedule,
                                      const std::string& options) {
    return apart([&] {
        return value_of(LoweredProgram::lower(lowering_request(program, path, schedule, options)));
    });
}

// --- arrays

using Array = nb::ndarray<nb::ro, nb::device::cpu, nb::c_contig>;

backend::HostView view_of(const std::string& name, const Array& array, const std::string& type) {
    const auto scalar = ir::ScalarType::parse(type);
    if (!scalar) fail(error("'" + type + "' is no type of a buffer"));
    backend::HostView out{*scalar, {}, {}};
    for (std::size_t d = 0; d < array.ndim(); ++d) {
        out.shape.push_back(static_cast<std::int64_t>(array.shape(d)));
    }
    if (array.itemsize() != static_cast<std::size_t>(scalar->bytes())) {
        fail(error("the cells of '" + name + "' have " + std::to_string(array.itemsize()) +
                   " bytes, those of " + type + " " + std::to_string(scalar->bytes())));
    }
    if (reinterpret_cast<std::uintptr_t>(array.data()) % array.itemsize() != 0) {
        fail(error("the cells of '" + name + "' begin at no multiple of their size"));
    }
    out.bytes = {static_cast<std::byte*>(const_cast<void*>(array.data())), array.nbytes()};
    return out;
}

using Arrays = std::map<std::string, std::pair<std::string, Array>>;  // name -> type, memory

void run(LoweredProgram& p, const Arrays& arrays, const std::vector<std::string>& scalars,
         bool guarded) {
    LoweredProgram::Views views;
    for (const auto& [name, typed] : arrays) {
        views.emplace(name, view_of(name, typed.second, typed.first));
    }
    apart([&] {
        value_of(p.run(views, scalars, guarded));
        return true;
    });
}

std::string parameters(LoweredProgram& p, const LoweredProgram::Shapes& shapes,
                       const std::vector<std::string>& scalars) {
    return apart([&] {
        json out = json::array();
        for (const ParameterShape& b : value_of(p.parameters(shapes, scalars))) {
            out.push_back({{"name", b.name},
                           {"type", b.type.str()},
                           {"shape", b.shape},
                           {"stored", b.stored}});
        }
        return text_of_json(out);
    });
}

std::vector<std::pair<std::string, std::pair<std::string, std::string>>> primitives() {
    std::vector<std::pair<std::string, std::pair<std::string, std::string>>> out;
    for (const rewrite::Signature& s : rewrite::signatures()) {
        out.push_back({std::string(s.name), {std::string(s.arguments), std::string(s.usage)}});
    }
    return out;
}

}  // namespace

// The name is what Python looks for.
NB_MODULE(_native, m) {  // NOLINT
    if (PyInterpreterState_Get() != PyInterpreterState_Main()) {
        throw std::runtime_error("proviso works in the main interpreter, and in no subinterpreter");
    }
    [[maybe_unused]] const nb::exception<Failed> failed(m, "Failed");
    m.attr("version") = PROVISO_VERSION;
    m.attr("versions") = verify::versions();
    m.def("parse", parse);
    m.def("answer", answer);
    m.def("bounds", bounds);
    m.def("shown", shown);
    m.def("audit", audit);
    m.def("lower", lower);
    m.def("primitives", primitives);
    nb::class_<LoweredProgram>(m, "Lowered")
        .def("text", [](LoweredProgram& p) { return apart([&] { return p.text(); }); })
        .def("source_text",
             [](LoweredProgram& p) { return apart([&] { return p.source_text(); }); })
        .def("adapters_text",
             [](LoweredProgram& p) { return apart([&] { return p.adapters_text(); }); })
        .def("code", [](LoweredProgram& p) { return apart([&] { return value_of(p.code()); }); })
        .def("header",
             [](LoweredProgram& p) { return apart([&] { return value_of(p.header()); }); })
        .def("report",
             [](LoweredProgram& p) { return apart([&] { return text_of_json(p.report()); }); })
        .def("edits",
             [](LoweredProgram& p) { return apart([&] { return text_of_json(p.edits()); }); })
        .def("write_log",
             [](LoweredProgram& p, const std::string& path) {
                 apart([&] { value_of(p.write_log(path)); });
             })
        .def("shared_library",
             [](LoweredProgram& p, const std::string& path, bool adapters) {
                 apart([&] { value_of(p.shared_library(path, adapters)); });
             })
        .def("parameters", parameters)
        .def("run", run);
}
