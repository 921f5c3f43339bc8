#include "fuzz/gen/arbitrary.h"

#include <rapidcheck.h>

#include "fuzz/gen/shrink.h"
#include "ir/text.h"

namespace proviso::fuzz {

namespace {

rc::Seq<AnyProgram> smaller(const AnyProgram& p) {
    std::vector<AnyProgram> out;
    for (const ir::Function& f : smaller_programs(*p.context, p.program.function)) {
        out.push_back(AnyProgram{p.context, GeneratedProgram{f, p.program.ranges, {}}});
    }
    return rc::seq::fromContainer(std::move(out));
}

AnyProgram program_of(rc::Random random) {
    Choice choice(random.next());
    AnyProgram out{std::make_shared<ir::Context>(), {}};
    out.program = generate_program(*out.context, choice);
    return out;
}

// A step on a smaller program may not fit any more, so steps do not shrink here.
AnyStep step_of(rc::Random random) {
    Choice choice(random.next());
    for (;;) {
        AnyStep out{{std::make_shared<ir::Context>(), {}}, {}};
        out.on.program = generate_program(*out.on.context, choice);
        const auto guess = guess_step(*out.on.context, out.on.program.function, choice);
        if (!guess) continue;
        out.step = *guess;
        return out;
    }
}

}  // namespace

void showValue(const AnyProgram& p, std::ostream& out) {
    out << "\n" << ir::print(p.program.function);
}

void showValue(const AnyStep& s, std::ostream& out) {
    showValue(s.on, out);
    out << s.step.rule << " at " << s.step.site.str() << " " << s.step.args;
}

rc::Gen<AnyProgram> any_program() {
    return [](const rc::Random& random, int) {
        return rc::shrinkable::shrinkRecur(program_of(random), &smaller);
    };
}

rc::Gen<AnyStep> any_step() {
    return [](const rc::Random& random, int) { return rc::shrinkable::just(step_of(random)); };
}

}  // namespace proviso::fuzz
