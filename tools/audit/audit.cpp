// proviso audit: everything in a proof log again, by other means.
#include "verify/audit/audit.h"

#include <filesystem>

#include "ir/text.h"
#include "tools/audit/audit.h"
#include "tools/audit/tell.h"
#include "tools/support/support.h"
#include "verify/log/format.h"

namespace proviso::tools {

int run_audit(const AuditCommand& o) {
    if (o.no_validation && verify::policy_validates(o.policy)) {
        return bad_input(error("the policy " + o.policy +
                                   " asks for validation, and "
                                   "--no-validation leaves it out",
                               "audit without --no-validation, or at " + o.policy.substr(0, 2)),
                         o.json);
    }
    if (const Status ok = may_tell(o); !ok) return bad_input(ok.error(), o.json);
    verify::AuditOptions options;
    options.policy = o.policy;
    options.validate = !o.no_validation;
    options.discharge.use_z3 = !o.no_solvers;
    options.discharge.use_cvc5 = !o.no_solvers;
    options.discharge.ask_certified = o.ask_solvers;
    options.discharge.jobs = o.jobs;
    options.discharge.wall_limit_s = o.solver_seconds;
    options.discharge.memory_mib = o.solver_memory;
    options.discharge.measure = o.times;
    options.strict = o.strict;
    options.prepared = o.prepare;
    for (const std::string& file : o.outputs) {
        const Result<std::string> bytes = read_file(file, ir::limits::kOutputBytes);
        if (!bytes) return bad_input(bytes.error(), o.json);
        options.artefacts[std::filesystem::path(file).filename().string()] = ir::sha256_hex(*bytes);
    }
    for (const std::string& file : o.trusted_keys) {
        Result<verify::PublicKey> key = verify::PublicKey::read(file);
        if (!key) return bad_input(key.error(), o.json);
        options.trusted_keys.push_back(std::move(*key));
    }
    ir::Context ctx;
    const verify::AuditReport report = verify::audit(ctx, o.log, options);
    if (const Status ok = tell(ctx, report, o); !ok) return bad_input(ok.error(), o.json);
    return report.exit_code();
}

}  // namespace proviso::tools
