// Every operator on every type that kernels compute in, on extremes and noise, against `eval_op`:
// the kernels' text and the LLVM IR that PTX is made of, run on this machine, and the text on an
// OpenCL device where there is one.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "backend/gpu/drivers/gpu_host.h"
#include "backend/gpu/drivers/nvptx_host.h"
#include "backend/gpu/drivers/opencl.h"
#include "backend/gpu/drivers/ptxas.h"
#include "backend/gpu/llvm/nvptx.h"
#include "ir/domains/evaluate.h"
#include "ir/planted.h"
#include "ir/text.h"

namespace proviso::backend::gpu {
namespace {

using namespace ir;

constexpr std::size_t kSamples = 160;

struct Operator {
    std::string name;
    Expr result;  // over x and y
    std::vector<Value> x;
    std::vector<Value> y;
    std::vector<Value> wanted;
};

std::vector<Value> interesting(ScalarType type) {
    std::vector<Value> out;
    if (type.is_float()) {
        for (double v : {0.0, -0.0, 1.0, -1.0, 0.1, 3.0, -7.5, 1e-45, -1e-40, 1e30, -3e38, 2.5, 3.5,
                         -0.5, HUGE_VAL, -HUGE_VAL, std::nan(""), 1.5e9, 4194304.5}) {
            out.push_back(Value::of_float(type, v));
        }
        if (type == kFloat64) {
            for (double v : {5e-324, 1.7e308, 1e-310}) out.push_back(Value::of_float(v));
        }
        return out;
    }
    for (Int128 v : {type.min_value(), type.min_value() + 1, type.max_value(), type.max_value() - 1,
                     type.max_value() / 2, type.min_value() / 2}) {
        out.push_back(Value::of_int(Integer(v)));
    }
    for (int v : {0, 1, 2, 3, 5, 7, 8, 31, 63, 100, -1, -2, -3, -7, -8, -100}) {
        if (type.contains(v)) out.push_back(Value::of_int(Integer(static_cast<Int128>(v))));
    }
    return out;
}

// Pairs on which the operator has no fault, and what it gives.
void sample(Operator& op, ScalarType type, Expr x, Expr y) {
    std::vector<std::pair<Value, Value>> pairs;
    const std::vector<Value> values = interesting(type);
    for (const Value& a : values) {
        for (const Value& b : values) pairs.emplace_back(a, b);
    }
    Chooser chooser(7);
    for (std::size_t k = 0; k < 400; ++k) {
        pairs.emplace_back(chooser.choose(type), chooser.choose(type));
    }
    // A stride that has no factor in common with their number: some of everything.
    for (std::size_t k = 0; k < pairs.size() && op.x.size() < kSamples; ++k) {
        const auto& [a, b] = pairs[k * 379 % pairs.size()];
        Environment environment;
        environment.vars = {{x, a}, {y, b}};
        const Evaluation out = evaluate(op.result, environment);
        if (!out.ok() || !observable(op.result->type, out.value)) continue;
        op.x.push_back(a);
        op.y.push_back(b);
        op.wanted.push_back(out.value);
    }
}

class GpuOperators : public ::testing::TestWithParam<ScalarType> {
  protected:
    void add(const std::string& name, Expr result) {
        Operator op{name, result, {}, {}, {}};
        sample(op, GetParam(), x_, y_);
        ASSERT_GT(op.x.size(), 10U) << name;
        while (op.x.size() < kSamples) {  // again from the start
            op.x.push_back(op.x[0]);
            op.y.push_back(op.y[0]);
            op.wanted.push_back(op.wanted[0]);
        }
        operators_.push_back(std::move(op));
    }

    void add_all() {
        const ScalarType t = GetParam();
        for (const auto& [name, op] : std::vector<std::pair<std::string, Op>>{{"add", Op::Add},
                                                                              {"sub", Op::Sub},
                                                                              {"mul", Op::Mul},
                                                                              {"min", Op::Min},
                                                                              {"max", Op::Max},
                                                                              {"eq", Op::Eq},
                                                                              {"ne", Op::Ne},
                                                                              {"lt", Op::Lt},
                                                                              {"le", Op::Le}}) {
            add(name, ctx_.make(op, {x_, y_}));
        }
        add("neg", ctx_.neg(x_));
        add("select", ctx_.select(ctx_.lt(x_, y_), x_, y_));
        add("chosen", ctx_.if_then_else(ctx_.le(x_, y_), y_, x_));
        add("logic",
            ctx_.or_(ctx_.and_(ctx_.lt(x_, y_), ctx_.not_(ctx_.eq(x_, y_))), ctx_.le(y_, x_)));
        add("nested", ctx_.sub(ctx_.sub(x_, y_), ctx_.sub(y_, ctx_.neg(x_))));
        for (ScalarType to : {kBool, kInt8, kUInt8, kInt16, kUInt16, kInt32, kUInt32, kInt64,
                              kUInt64, kFloat16, kBFloat16, kFloat32, kFloat64}) {
            if (to != t) add("to_" + to.str(), ctx_.cast(to, x_));
        }
        add("abs", ctx_.math(MathFn::Abs, {x_}));
        if (t.is_float()) {
            add("div", ctx_.make(Op::Div, {x_, y_}));
            add("fused", ctx_.add(ctx_.mul(x_, y_), x_));
            for (MathFn fn : {MathFn::Sqrt, MathFn::Floor, MathFn::Ceil, MathFn::Trunc,
                              MathFn::Round, MathFn::IsNan}) {
                add("fn" + std::to_string(static_cast<int>(fn)), ctx_.math(fn, {x_}));
            }
        } else {
            for (const auto& [name, op] :
                 std::vector<std::pair<std::string, Op>>{{"floordiv", Op::FloorDiv},
                                                         {"floormod", Op::FloorMod},
                                                         {"truncdiv", Op::TruncDiv},
                                                         {"truncmod", Op::TruncMod},
                                                         {"bitand", Op::BitAnd},
                                                         {"bitor", Op::BitOr},
                                                         {"bitxor", Op::BitXor},
                                                         {"shl", Op::Shl},
                                                         {"shr", Op::Shr}}) {
                add(name, ctx_.make(op, {x_, y_}));
            }
        }
    }

    void add_functions() {
        for (MathFn fn : {MathFn::Exp, MathFn::Exp2, MathFn::Log, MathFn::Log2, MathFn::Tanh,
                          MathFn::Sigmoid}) {
            add("fn" + std::to_string(static_cast<int>(fn)), ctx_.math(fn, {x_}));
        }
    }

    // A kernel for each operator: R[t] = op(X[t], Y[t]).
    Function function() {
        Function f;
        f.name = "operators";
        std::vector<Stmt> kernels;
        for (std::size_t k = 0; k < operators_.size(); ++k) {
            const Operator& op = operators_[k];
            const auto extent = ctx_.i32(static_cast<std::int64_t>(kSamples));
            const auto buffer = [&](const std::string& name, ScalarType type) {
                const Buffer b = ctx_.buffer(name + std::to_string(k), type, {extent});
                f.params.emplace_back(b);
                return b;
            };
            const Buffer x = buffer("X", GetParam());
            const Buffer y = buffer("Y", GetParam());
            const Buffer r = buffer("R", op.result->type);
            Expr t = ctx_.var("t" + std::to_string(k), kInt32);
            Expr value =
                substitute(ctx_, op.result, {{x_, ctx_.load(x, {t})}, {y_, ctx_.load(y, {t})}});
            kernels.push_back(ctx_.stmt(For{t, ctx_.i32(0), extent, ForKind::ThreadBinding,
                                            "threadIdx.x", ctx_.store(r, {t}, value)}));
        }
        f.body = ctx_.seq(kernels);
        return f;
    }

    Inputs inputs() const {
        Inputs out;
        const std::vector<std::int64_t> shape = {static_cast<std::int64_t>(kSamples)};
        for (std::size_t k = 0; k < operators_.size(); ++k) {
            const Operator& op = operators_[k];
            Tensor x = Tensor::filled(GetParam(), shape, op.x[0]);
            Tensor y = Tensor::filled(GetParam(), shape, op.y[0]);
            for (std::size_t i = 0; i < kSamples; ++i) {
                x.set(i, op.x[i]);
                y.set(i, op.y[i]);
            }
            out["X" + std::to_string(k)] = x;
            out["Y" + std::to_string(k)] = y;
            out["R" + std::to_string(k)] =
                Tensor::of(op.result->type, shape, std::vector<double>(kSamples, 0.0));
        }
        return out;
    }

    // The operators that gave another value somewhere.
    std::set<std::string> wrong(const DeviceRun& run, bool report) {
        std::set<std::string> out;
        for (std::size_t k = 0; k < operators_.size(); ++k) {
            const Operator& op = operators_[k];
            const Tensor& r = run.run.tensors.at("R" + std::to_string(k));
            for (std::size_t i = 0; i < kSamples; ++i) {
                if (r.at(i) == op.wanted[i]) continue;
                out.insert(op.name);
                if (!report) continue;
                ADD_FAILURE() << run.device << ": " << op.name << " of " << op.x[i].str(GetParam())
                              << ", " << op.y[i].str(GetParam()) << " is "
                              << r.at(i).str(op.result->type) << " instead of "
                              << op.wanted[i].str(op.result->type);
                break;
            }
        }
        return out;
    }

    Module module(const Function& f) {
        Built built = unverified::build(ctx_, f, *find_target("opencl"), prover_);
        if (const auto* no = std::get_if<Diagnostic>(&built)) ADD_FAILURE() << no->str();
        if (const auto* no = std::get_if<Refusal>(&built)) ADD_FAILURE() << no->diagnostic.str();
        return std::get<Module>(std::move(built));
    }

    GpuHostOptions options() const {
        GpuHostOptions out;
        out.cache = (std::filesystem::path(PROVISO_BINARY).parent_path() / "gpu-host").string();
        return out;
    }

    Context ctx_;
    analysis::Prover prover_{ctx_, {}};
    Expr x_ = ctx_.var("x", GetParam());
    Expr y_ = ctx_.var("y", GetParam());
    std::vector<Operator> operators_;
};

TEST_P(GpuOperators, GiveWhatTheyMean) {
    add_all();
    const Function f = function();
    const Module text = module(f);
    const Result<DeviceRun> host = run_on_gpu_host(text, f, inputs(), options());
    ASSERT_TRUE(host.ok()) << host.error().str();
    ASSERT_FALSE(host->finding.has_value()) << *host->finding;
    wrong(*host, true);
    const Result<DeviceRun> by_llvm = run_on_nvptx_host(text, f, inputs(), options());
    ASSERT_TRUE(by_llvm.ok()) << by_llvm.error().str();
    ASSERT_FALSE(by_llvm->finding.has_value()) << *by_llvm->finding;
    wrong(*by_llvm, true);
    if (has_ptxas()) {
        const Result<std::string> ptx = llvm_ptx(text, "sm_90");
        ASSERT_TRUE(ptx.ok()) << ptx.error().str();
        const Result<std::string> cubin = assemble_ptx(*ptx, "sm_90");
        EXPECT_TRUE(cubin.ok()) << cubin.error().str();
    }
    if (opencl_device_name().empty()) return;
    const Result<DeviceRun> device = run_on_opencl(text, f, inputs());
    ASSERT_TRUE(device.ok()) << device.error().str();
    ASSERT_FALSE(device->finding.has_value()) << *device->finding;
    wrong(*device, true);
}

// Elementary functions, which PTX by LLVM has not.
TEST_P(GpuOperators, HaveElementaryFunctions) {
    if (!GetParam().is_float() || GetParam() == kFloat64) return;
    add_functions();
    const Function f = function();
    const Module text = module(f);
    const Result<DeviceRun> host = run_on_gpu_host(text, f, inputs(), options());
    ASSERT_TRUE(host.ok()) << host.error().str();
    ASSERT_FALSE(host->finding.has_value()) << *host->finding;
    wrong(*host, true);
    const Result<DeviceRun> by_llvm = run_on_nvptx_host(text, f, inputs());
    ASSERT_TRUE(by_llvm.ok()) << by_llvm.error().str();
    ASSERT_FALSE(by_llvm->finding.has_value()) << *by_llvm->finding;
    wrong(*by_llvm, true);
    const Result<std::string> ptx = llvm_ptx(text, "sm_90");
    ASSERT_TRUE(ptx.ok()) << ptx.error().str();
    for (const char* loose : {"fma.rn.f", ".ftz", ".approx", ".extern"}) {
        EXPECT_EQ(ptx->find(loose), std::string::npos) << loose << " in\n" << *ptx;
    }
    if (opencl_device_name().empty()) return;
    const Result<DeviceRun> device = run_on_opencl(text, f, inputs());
    ASSERT_TRUE(device.ok()) << device.error().str();
    ASSERT_FALSE(device->finding.has_value()) << *device->finding;
    wrong(*device, true);
}

// Signed floor division that truncates would be seen.
TEST_P(GpuOperators, ShowAPlantedFault) {
    if (!GetParam().is_signed()) return;
    add_all();
    const Function f = function();
    planted_fault() = "gpu:floordiv-truncates";
    const Module text = module(f);
    planted_fault().clear();
    const Result<DeviceRun> host = run_on_gpu_host(text, f, inputs(), options());
    ASSERT_TRUE(host.ok() && !host->finding);
    EXPECT_EQ(wrong(*host, false), (std::set<std::string>{"floordiv", "floormod"}));
}

INSTANTIATE_TEST_SUITE_P(Types, GpuOperators,
                         ::testing::Values(kInt8, kUInt8, kInt16, kUInt16, kInt32, kUInt32, kInt64,
                                           kUInt64, kFloat16, kBFloat16, kFloat32, kFloat64),
                         [](const auto& test) { return test.param.str(); });

}  // namespace
}  // namespace proviso::backend::gpu
