#include "backend/cpu/speed/speed.h"

#include <fmt/format.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

#include "backend/cpu/backend.h"
#include "backend/cpu/module.h"
#include "ir/children.h"
#include "ir/text.h"

namespace proviso::backend {

namespace {

struct Remark {
    std::string pass;
    bool is_done = false;  // something was changed; else why it was not
    std::string text;
    unsigned line = 0;
};

// Keeps what LLVM's passes say, in their order.
class Listener : public llvm::DiagnosticHandler {
  public:
    explicit Listener(std::vector<Remark>& heard) : heard_(heard) {}

    bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
        const auto* said = llvm::dyn_cast<llvm::DiagnosticInfoOptimizationBase>(&info);
        if (said == nullptr) return false;
        Remark remark;
        remark.pass = said->getPassName().str();
        remark.is_done = said->isPassed();
        remark.text = said->getMsg();
        if (said->isLocationAvailable()) remark.line = said->getLocation().getLine();
        heard_.push_back(std::move(remark));
        return true;
    }
    bool isAnalysisRemarkEnabled(llvm::StringRef pass) const override { return wants(pass); }
    bool isMissedOptRemarkEnabled(llvm::StringRef pass) const override { return wants(pass); }
    bool isPassedOptRemarkEnabled(llvm::StringRef pass) const override { return wants(pass); }
    bool isAnyRemarkEnabled() const override { return true; }

  private:
    static bool wants(llvm::StringRef pass) {
        return pass == "loop-vectorize" || pass == "loop-unroll" || pass == "regalloc";
    }
    std::vector<Remark>& heard_;
};

// The innermost loops by the line of their `for`; `all`: the lines of all loops, in order.
std::vector<LoopSpeed> innermost_loops(const ir::Function& f, std::vector<unsigned>& all) {
    std::vector<std::pair<unsigned, std::string>> lines;
    std::istringstream text(ir::print(f));
    unsigned number = 0;
    for (std::string line; std::getline(text, line);) {
        ++number;
        line.erase(0, line.find_first_not_of(' '));
        if (line.rfind("for ", 0) != 0) continue;
        all.push_back(number);
        lines.emplace_back(number, line);
    }
    std::vector<LoopSpeed> out;
    std::size_t next = 0;
    ir::for_each_stmt(f.body, [&](ir::Stmt s) {
        const auto* loop = s->as<ir::For>();
        if (loop == nullptr) return;
        const auto& [line, words] = lines.at(next++);
        LoopSpeed found;
        bool is_innermost = true;
        ir::for_each_stmt(loop->body, [&](ir::Stmt inside) {
            is_innermost = is_innermost && !inside->is<ir::For>();
            found.branches += inside->is<ir::IfElse>() ? 1 : 0;
        });
        if (!is_innermost) return;
        found.line = line;
        found.loop = words.substr(0, words.find_last_of(':'));
        out.push_back(std::move(found));
    });
    return out;
}

// The value that an instruction of a loop is about; null: it is about addresses or control.
llvm::Type* value_type(const llvm::Instruction& i) {
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i)) {
        return store->getValueOperand()->getType();
    }
    if (llvm::isa<llvm::LoadInst>(i)) return i.getType();
    if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i)) {
        switch (call->getIntrinsicID()) {
            case llvm::Intrinsic::masked_store:
            case llvm::Intrinsic::masked_scatter: return call->getArgOperand(0)->getType();
            case llvm::Intrinsic::masked_load:
            case llvm::Intrinsic::masked_gather: return i.getType();
            default: break;
        }
    }
    const bool computes = i.isBinaryOp() || i.isUnaryOp() || llvm::isa<llvm::CallInst>(i);
    return computes && i.getType()->isFPOrFPVectorTy() ? i.getType() : nullptr;
}

void count(const llvm::Instruction& i, LoopSpeed& loop) {
    llvm::Type* type = value_type(i);
    if (type == nullptr || type->getScalarType()->isPointerTy()) return;
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    const unsigned lanes = vector == nullptr ? 1 : vector->getNumElements();
    ++(lanes > 1 ? loop.vectors : loop.singles);
    if (lanes > loop.lanes) {
        loop.lanes = lanes;
        loop.element.clear();
        llvm::raw_string_ostream(loop.element) << *type->getScalarType();
    }
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
    if (call == nullptr) return;
    const auto id = call->getIntrinsicID();
    if (id == llvm::Intrinsic::masked_gather || id == llvm::Intrinsic::masked_scatter) {
        ++loop.gathers;
    } else if (id == llvm::Intrinsic::masked_load || id == llvm::Intrinsic::masked_store) {
        ++loop.masked;
    }
}

void add_once(std::vector<std::string>& to, const std::string& text) {
    if (std::find(to.begin(), to.end(), text) == to.end()) to.push_back(text);
}

void hear(const Remark& remark, LoopSpeed& loop) {
    if (remark.pass == "loop-unroll" && remark.is_done) add_once(loop.unrolled, remark.text);
    if (remark.pass != "loop-vectorize" || remark.is_done) return;
    const std::string prefix = "loop not vectorized";
    if (remark.text.rfind(prefix, 0) != 0) return add_once(loop.why_not, remark.text);
    if (remark.text.size() > prefix.size() + 2) {
        add_once(loop.why_not, remark.text.substr(prefix.size() + 2));
    }
}

// "3 spills 9.6e+01 total spills cost 4 reloads …": how many of a kind, folded ones too.
std::size_t how_many(const std::string& text, const std::string& what) {
    std::size_t out = 0;
    std::istringstream words(text);
    std::string word;
    for (std::string before; words >> word; before = std::exchange(word, "")) {
        if (word == "folded") words >> word;
        if (word == what && before.find_first_not_of("0123456789") == std::string::npos) {
            out += before.empty() ? 0 : std::stoul(before);
        }
    }
    return out;
}

// LLVM tells it for each loop of machine code; where the innermost one is left as copies, that is
// one around it.
void hear_spills(const std::vector<Remark>& heard, LoopSpeed& loop, std::size_t after) {
    std::size_t nearest = 0;
    for (const Remark& remark : heard) {
        if (remark.pass != "regalloc" || remark.text.find("in loop") == std::string::npos) continue;
        const std::size_t spills = how_many(remark.text, "spills");
        const std::size_t reloads = how_many(remark.text, "reloads");
        const bool is_nearer = remark.line > std::max(nearest, after) && remark.line <= loop.line;
        if (!is_nearer || spills + reloads == 0) continue;
        nearest = remark.line;
        loop.spills = fmt::format("{} spills and {} reloads in the loop of line {}", spills,
                                  reloads, nearest);
    }
}

}  // namespace

Result<Speed> speed_of(const rewrite::Derivation& derivation, const CpuOptions& given) {
    Speed out;
    const Result<std::string> cpu = emitted_for(given.cpu);
    if (!cpu) return cpu.error();
    out.cpu = *cpu;
    CpuOptions options = given;
    out.loops = innermost_loops(derivation.current(), options.loop_lines);
    if (out.loops.empty()) return out;
    ir::Function f = derivation.current();
    const auto symbol = given.symbols.find(f.name);
    if (symbol != given.symbols.end()) f.name = symbol->second;

    std::vector<Remark> heard;
    options.remarks = [&heard](llvm::LLVMContext& context) {
        context.setDiagnosticHandler(std::make_unique<Listener>(heard));
    };
    Result<BuiltModule> built = build_module({f}, options, Purpose::Emit);
    if (!built) return built.error();
    std::map<unsigned, LoopSpeed*> by_line;
    for (LoopSpeed& loop : out.loops) by_line[static_cast<unsigned>(loop.line)] = &loop;
    for (const llvm::Function& function : built->module()) {
        for (const llvm::BasicBlock& block : function) {
            for (const llvm::Instruction& i : block) {
                const llvm::DILocation* at = i.getDebugLoc();
                const auto loop = at == nullptr ? by_line.end() : by_line.find(at->getLine());
                if (loop != by_line.end()) count(i, *loop->second);
            }
        }
    }
    const Result<std::string> object = built->object();
    if (!object) return object.error();
    for (const Remark& remark : heard) {
        const auto loop = by_line.find(remark.line);
        if (loop != by_line.end()) hear(remark, *loop->second);
    }
    std::size_t last = 0;
    for (LoopSpeed& loop : out.loops) {
        hear_spills(heard, loop, std::exchange(last, loop.line));
        if (loop.singles == 0) loop.why_not.clear();
    }
    return out;
}

}  // namespace proviso::backend
