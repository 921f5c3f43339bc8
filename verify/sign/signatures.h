// Who has signed a log's statement. A signature says who vouches for a log, and nothing of whether
// the log is right: no theorem rests on one. It is a reason for none where an auditor asks for it.
#pragma once

#include <string>
#include <vector>

#include "verify/files/problem.h"
#include "verify/sign/keys.h"

namespace proviso::verify {

struct CheckedSignature {
    std::string keyid;
    std::string key;  // file of the trusted key that it is of; empty: not checked
};

struct SignatureReport {
    std::vector<CheckedSignature> signatures;
    std::vector<Problem> problems;
};

// `envelope`: text of run.dsse.json, empty where there is none; `run`: of run.json. Where there are
// trusted keys, one of them must have signed, and no signature may be wrong that goes by the name
// of one.
SignatureReport check_signatures(const std::string& envelope, const std::string& run,
                                 const std::vector<PublicKey>& trusted);

// The envelope with one more signature, or with a new one by that key; of "" a new envelope.
Result<std::string> with_signature(const std::string& envelope, const std::string& run,
                                   const PrivateKey& key);

}  // namespace proviso::verify
