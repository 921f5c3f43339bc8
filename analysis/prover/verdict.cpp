#include "analysis/prover/verdict.h"

namespace proviso::analysis {

const char* verdict_name(Verdict v) {
    switch (v) {
        case Verdict::Proved: return "PROVED";
        case Verdict::Refuted: return "REFUTED";
        case Verdict::Unknown: return "UNKNOWN";
    }
    return "UNKNOWN";
}

}  // namespace proviso::analysis
