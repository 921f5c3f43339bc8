// Keys of Ed25519 in PEM, as `openssl genpkey -algorithm ed25519` makes them.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "ir/result.h"

struct evp_pkey_st;  // OpenSSL's EVP_PKEY

namespace proviso::verify {

class PublicKey {
  public:
    // From a file of a public key. Everything else is refused: other algorithms, certificates, and
    // private keys, which an auditor should not have.
    static Result<PublicKey> read(const std::string& file);

    const std::string& file() const { return file_; }
    // SHA-256 in hex of the key as a SubjectPublicKeyInfo (RFC 5280) in DER.
    const std::string& id() const { return id_; }
    bool verifies(std::string_view message, std::string_view signature) const;

  private:
    friend class PrivateKey;
    PublicKey(std::string file, std::shared_ptr<evp_pkey_st> key);

    std::string file_;
    std::string id_;
    std::shared_ptr<evp_pkey_st> key_;
};

class PrivateKey {
  public:
    // From a file of a private key that is not encrypted.
    static Result<PrivateKey> read(const std::string& file);

    const std::string& id() const { return public_.id(); }  // of its public key
    std::string sign(std::string_view message) const;

  private:
    explicit PrivateKey(PublicKey own) : public_(std::move(own)) {}

    PublicKey public_;  // whose handle has the private part, too
};

}  // namespace proviso::verify
