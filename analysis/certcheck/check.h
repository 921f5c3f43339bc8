// The certificate checker: whether a certificate shows that the assertions of an SMT-LIB 2 text
// contradict each other. docs/certificates.md has the format and what each step means.
//
// Trusted, and kept small for it: it depends on nothing else of Proviso, computes with integers of
// any size, and searches for nothing. Whatever it does not understand, it rejects.
#pragma once

#include <string>
#include <string_view>

namespace proviso::certcheck {

struct CertificateVerdict {
    bool accepted = false;
    std::string why;        // rejected: the reason and where, "certificate:1:20: ..."
    std::size_t steps = 0;  // steps and leaves checked
};

// Never throws for what the two inputs hold, however odd.
CertificateVerdict check_certificate(std::string_view smt_text, std::string_view certificate);

}  // namespace proviso::certcheck
