#include "verify/sign/keys.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include "ir/check.h"
#include "ir/files/limits.h"
#include "ir/files/read.h"
#include "ir/text.h"
#include "verify/sign/bytes.h"

namespace proviso::verify {

namespace {

constexpr const char* kMakeKey = "openssl genpkey -algorithm ed25519 -out KEY.pem";

using Key = std::shared_ptr<evp_pkey_st>;
using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;
using MessageContext = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;

Bio memory(const std::string& text) {
    return {BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), &BIO_free};
}

// Nobody is asked for a password.
int no_password(char*, int, int, void*) {
    return -1;
}

bool holds(const std::string& text, const char* what) {
    return text.find(std::string("-----BEGIN ") + what + "-----") != std::string::npos;
}

Status is_ed25519(const std::string& file, const Key& key) {
    if (EVP_PKEY_get_base_id(key.get()) == EVP_PKEY_ED25519) return Unit{};
    const char* name = EVP_PKEY_get0_type_name(key.get());
    return error(file + " holds a key of " + (name == nullptr ? "another algorithm" : name) +
                     ", not of Ed25519",
                 kMakeKey);
}

}  // namespace

PublicKey::PublicKey(std::string file, Key key) : file_(std::move(file)), key_(std::move(key)) {
    unsigned char* der = nullptr;
    const int size = i2d_PUBKEY(key_.get(), &der);
    PROVISO_CHECK(size > 0, "openssl: a key has no public part");
    id_ = ir::sha256_hex({reinterpret_cast<const char*>(der), static_cast<std::size_t>(size)});
    OPENSSL_free(der);
}

Result<PublicKey> PublicKey::read(const std::string& file) {
    const Result<std::string> text = ir::read_file(file, ir::limits::kKeyBytes);
    if (!text) return text.error();
    if (text->find("PRIVATE KEY-----") != std::string::npos) {
        return error(file + " holds a private key; the public one is wanted here",
                     "openssl pkey -in " + file + " -pubout -out PUBLIC.pem");
    }
    if (holds(*text, "CERTIFICATE")) {
        return error(file + " holds a certificate; the public key in it is wanted here",
                     "openssl x509 -in " + file + " -pubkey -noout");
    }
    const Key key(PEM_read_bio_PUBKEY(memory(*text).get(), nullptr, no_password, nullptr),
                  &EVP_PKEY_free);
    if (!key) {
        return error(file + " holds no public key in PEM",
                     "openssl pkey -in KEY.pem -pubout -out PUBLIC.pem");
    }
    if (const Status ok = is_ed25519(file, key); !ok) return ok.error();
    return PublicKey(file, key);
}

bool PublicKey::verifies(std::string_view message, std::string_view signature) const {
    const MessageContext context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
    return context != nullptr &&
           EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key_.get()) == 1 &&
           EVP_DigestVerify(context.get(), bytes_of(signature), signature.size(), bytes_of(message),
                            message.size()) == 1;
}

Result<PrivateKey> PrivateKey::read(const std::string& file) {
    const Result<std::string> text = ir::read_file(file, ir::limits::kKeyBytes);
    if (!text) return text.error();
    const bool encrypted = holds(*text, "ENCRYPTED PRIVATE KEY") ||
                           text->find("Proc-Type: 4,ENCRYPTED") != std::string::npos;
    if (encrypted) {
        return error(file + " is encrypted, and nobody is asked for its password here",
                     "openssl pkey -in " + file +
                         " -out PLAIN.pem, in a place that only you can "
                         "read");
    }
    if (holds(*text, "PUBLIC KEY")) {
        return error(file + " holds a public key; the private one signs", kMakeKey);
    }
    const Key key(PEM_read_bio_PrivateKey(memory(*text).get(), nullptr, no_password, nullptr),
                  &EVP_PKEY_free);
    if (!key) return error(file + " holds no private key in PEM", kMakeKey);
    if (const Status ok = is_ed25519(file, key); !ok) return ok.error();
    return PrivateKey(PublicKey(file, key));
}

std::string PrivateKey::sign(std::string_view message) const {
    const MessageContext context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
    std::string out(64, '\0');  // as Ed25519 has it
    std::size_t size = out.size();
    const bool ok =
        context != nullptr &&
        EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, public_.key_.get()) == 1 &&
        EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(out.data()), &size,
                       bytes_of(message), message.size()) == 1;
    PROVISO_CHECK(ok && size == out.size(), "openssl: cannot sign");
    return out;
}

}  // namespace proviso::verify
