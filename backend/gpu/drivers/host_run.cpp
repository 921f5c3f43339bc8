#include "backend/gpu/drivers/host_run.h"

#include <algorithm>
#include <map>

#include "backend/lowered.h"
#include "ir/check.h"
#include "ir/domains/evaluate.h"

namespace proviso::backend::gpu {

using namespace ir;

namespace {

Value scalar_value(const HostScalar& s) {
    HostBuffer cell = make_host_buffer(s.type, {});
    for (std::size_t i = 0; i < cell.bytes.size(); ++i) {
        cell.bytes[i] = static_cast<std::byte>(s.bits >> (8 * i));
    }
    return from_host(cell).at(0);
}

class HostRun {
  public:
    HostRun(const Plan& plan, Device& device) : plan_(plan), device_(device) {
        std::int32_t number = 0;
        for (const auto& [site, stmt] : all_statements(plan.function)) {
            if (stmt->is<Assert>()) assert_numbers_[site] = ++number;
        }
    }

    Result<RunOutcome> run(DeviceInputs& inputs) {
        std::size_t buffer = 0;
        std::size_t scalar = 0;
        std::vector<Handle> handles;
        for (const Param& p : plan_.function.params) {
            if (const Buffer* b = std::get_if<Buffer>(&p)) {
                const HostBuffer& host = inputs.buffers[buffer++];
                const Result<Handle> handle =
                    device_.allocate(std::max<std::size_t>(host.bytes.size(), 1));
                if (!handle) return handle.error();
                if (const Status ok = device_.write(*handle, host.bytes); !ok) return ok.error();
                handles.push_back(*handle);
                buffers_.emplace_back(*b, *handle);
            } else {
                environment_.vars[std::get<Expr>(p)] = scalar_value(inputs.scalars[scalar++]);
            }
        }
        const Status done = exec(plan_.function.body, Site{});
        if (!done) return done.error();
        for (std::size_t i = 0; i < handles.size(); ++i) {
            if (const Status ok = device_.read(handles[i], inputs.buffers[i].bytes); !ok) {
                return ok.error();
            }
            device_.release(handles[i]);
        }
        return outcome_;
    }

  private:
    Result<Value> eval(Expr e, const Site& site) {
        Evaluation out = evaluate(e, environment_);
        if (out.ok() && !out.value.is_indet() && observable(e->type, out.value)) return out.value;
        const std::string why = out.fault ? out.fault->message : "a value out of range";
        return error("the host faulted at " + site.str() + ": " + why);
    }

    Result<std::int64_t> integer(Expr e, const Site& site) {
        const Result<Value> value = eval(e, site);
        if (!value) return value.error();
        return static_cast<std::int64_t>(*value->integer().to_int128());
    }

    bool stopped() const { return outcome_.code != 0; }

    Status exec(Stmt s, const Site& site) {
        if (const Kernel* k = plan_.kernel_at(site)) return launch(*k);
        return std::visit([&](const auto& n) { return exec(n, site); }, s->data);
    }

    Status exec(const For& n, const Site& site) {
        const Result<std::int64_t> lo = integer(n.lo, site);
        const Result<std::int64_t> hi = lo ? integer(n.hi, site) : lo;
        if (!hi) return hi.error();
        for (std::int64_t i = *lo; i < *hi && !stopped(); ++i) {
            environment_.vars[n.var] = Value::of_int(i);
            if (const Status ok = exec(n.body, site.child("body")); !ok) return ok;
        }
        environment_.vars.erase(n.var);
        return Unit{};
    }

    Status exec(const IfElse& n, const Site& site) {
        const Result<Value> cond = eval(n.cond, site);
        if (!cond) return cond.error();
        if (cond->truth()) return exec(n.then_body, site.child("then"));
        return n.else_body == nullptr ? Status(Unit{}) : exec(n.else_body, site.child("else"));
    }

    Status exec(const Seq& n, const Site& site) {
        for (std::size_t i = 0; i < n.body.size() && !stopped(); ++i) {
            if (const Status ok = exec(n.body[i], site.child(std::to_string(i))); !ok) return ok;
        }
        return Unit{};
    }

    Status exec(const LetStmt& n, const Site& site) {
        const Result<Value> value = eval(n.value, site);
        if (!value) return value.error();
        environment_.vars[n.var] = *value;
        return exec(n.body, site.child("body"));
    }

    Status exec(const Allocate& n, const Site& site) {
        std::size_t bytes = static_cast<std::size_t>(n.buffer->type.bytes());
        for (Expr extent : n.buffer->shape) {
            const Result<std::int64_t> value = integer(extent, site);
            if (!value) return value.error();
            bytes *= static_cast<std::size_t>(std::max<std::int64_t>(*value, 0));
        }
        const Result<Handle> handle = device_.allocate(std::max<std::size_t>(bytes, 1));
        if (!handle) return handle.error();
        buffers_.emplace_back(n.buffer, *handle);
        const Status done = exec(n.body, site.child("body"));
        buffers_.pop_back();
        device_.release(*handle);
        return done;
    }

    Status exec(const Assert& n, const Site& site) {
        const Result<Value> cond = eval(n.cond, site);
        if (!cond) return cond.error();
        if (!cond->truth()) outcome_ = RunOutcome{assert_numbers_.at(site), n.message};
        return Unit{};
    }

    Status exec(const Evaluate& n, const Site& site) {
        const Result<Value> value = eval(n.value, site);
        return value ? Status(Unit{}) : Status(value.error());
    }

    Status exec(const Store&, const Site& site) { return unexpected(site); }
    Status exec(const Assume&, const Site& site) { return unexpected(site); }
    Status exec(const Block&, const Site& site) { return unexpected(site); }
    static Status unexpected(const Site& site) {
        PROVISO_CHECK(false, "make_plan takes no such statement on the host: " + site.str());
    }

    Result<Grid> extents(const std::array<Expr, kAxes>& exprs, const Site& site) {
        Grid out{1, 1, 1};
        for (std::size_t a = 0; a < kAxes; ++a) {
            if (exprs[a] == nullptr) continue;
            const Evaluation value = evaluate(exprs[a], environment_);
            if (!value.ok() || value.value.is_indet()) {
                return error("the host faulted in the extents of the launch at " + site.str());
            }
            const Int128 extent = *value.value.integer().to_int128();
            out[a] = extent > 0 ? static_cast<std::uint64_t>(extent) : 0;
        }
        return out;
    }

    Status launch(const Kernel& k) {
        const Result<Grid> grid = extents(k.grid, k.site);
        if (!grid) return grid.error();
        const Result<Grid> block = extents(k.block, k.site);
        if (!block) return block.error();
        for (std::size_t a = 0; a < kAxes; ++a) {
            if ((*grid)[a] == 0 || (*block)[a] == 0) return Unit{};
        }
        std::vector<LaunchArgument> arguments;
        for (Buffer b : k.buffers) {
            const auto found = std::find_if(buffers_.rbegin(), buffers_.rend(),
                                            [&](const auto& entry) { return entry.first == b; });
            PROVISO_CHECK(found != buffers_.rend(), "buffer out of scope: " + b->name);
            arguments.push_back({true, found->second, {}});
        }
        for (Expr v : k.scalars) {
            arguments.push_back({false, 0, to_host(v->type, environment_.vars.at(v))});
        }
        return device_.launch(k, *grid, *block, arguments);
    }

    const Plan& plan_;
    Device& device_;
    Environment environment_;
    std::vector<std::pair<Buffer, Handle>> buffers_;
    RunOutcome outcome_;
    std::map<Site, std::int32_t> assert_numbers_;  // in textual order, from 1
};

}  // namespace

Result<DeviceInputs> device_inputs(const Plan& plan, const Function& f, const Inputs& inputs,
                                   std::uint64_t seed) {
    Chooser chooser(seed);
    DeviceInputs out;
    Environment environment;
    for (const Param& p : f.params) {
        const Buffer* b = std::get_if<Buffer>(&p);
        const std::string& name = b != nullptr ? (*b)->name : *std::get<Expr>(p)->name;
        const auto found = inputs.find(name);
        if (found == inputs.end()) return error("no input for parameter '" + name + "'");
        const Tensor* tensor = std::get_if<Tensor>(&found->second);
        if ((tensor != nullptr) != (b != nullptr)) {
            return error("the input for parameter '" + name + "' is of another kind");
        }
        if (tensor != nullptr) {
            if (tensor->type != (*b)->type || tensor->shape.size() != (*b)->rank()) {
                return error("parameter '" + name + "' has another type or rank");
            }
            out.buffers.push_back(to_host(*tensor, chooser));
        } else {
            const Value& value = std::get<Value>(found->second);
            environment.vars[std::get<Expr>(p)] = value;
            out.scalars.push_back(to_host(std::get<Expr>(p)->type, value));
        }
    }
    const std::vector<Buffer> parameters = f.buffer_params();
    for (const ImpliedSize& size : implied_sizes(f)) {
        const Buffer of = std::get<Buffer>(f.params[size.param]);
        const auto at = std::find(parameters.begin(), parameters.end(), of) - parameters.begin();
        const std::int64_t extent = out.buffers[static_cast<std::size_t>(at)].shape[size.dimension];
        environment.vars[size.var] = Value::of_int(extent);
        out.scalars.push_back(to_host(size.var->type, Value::of_int(extent)));
    }
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        for (std::size_t d = 0; d < parameters[i]->rank(); ++d) {
            const Evaluation extent = evaluate(parameters[i]->shape[d], environment);
            if (extent.ok() && !extent.value.is_indet() &&
                extent.value.integer() == Integer(out.buffers[i].shape[d])) {
                continue;
            }
            return error("parameter '" + parameters[i]->name + "' has another shape");
        }
    }
    PROVISO_CHECK(plan.function.params.size() == out.buffers.size() + out.scalars.size(),
                  "inputs for all parameters");
    return out;
}

Result<RunOutcome> run_host(const Plan& plan, DeviceInputs& inputs, Device& device) {
    return HostRun(plan, device).run(inputs);
}

}  // namespace proviso::backend::gpu
