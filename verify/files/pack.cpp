#include <zstd.h>

#include <array>
#include <cstdio>
#include <cstring>

#include "ir/check.h"
#include "verify/files/archive.h"
#include "verify/files/tar.h"

namespace proviso::verify {

namespace {

constexpr int kLevel = 12;
constexpr std::size_t kRecord = 20 * tar::kBlock;  // as tar programs pad archives

void put(std::string& header, const tar::Field& field, std::string_view text) {
    PROVISO_CHECK(text.size() <= field.size, "tar: a field is too long");
    header.replace(field.at, text.size(), text);
}

// Digits and a zero byte fill the field.
void put_octal(std::string& header, const tar::Field& field, std::uint64_t value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%0*llo", static_cast<int>(field.size) - 1,
                  static_cast<unsigned long long>(value));
    put(header, field, text.data());
}

std::string header_of(const std::string& name, std::size_t size) {
    std::string out(tar::kBlock, '\0');
    PROVISO_CHECK(name.size() < tar::kName.size, "tar: a name is too long");
    put(out, tar::kName, name);
    put_octal(out, tar::kMode, 0644);
    put_octal(out, tar::kUser, 0);
    put_octal(out, tar::kGroup, 0);
    put_octal(out, tar::kSize, size);
    put_octal(out, tar::kTime, 0);
    put(out, tar::kType, "0");
    put(out, tar::kMagic, std::string_view("ustar\00000", 8));
    std::array<char, 9> sum{};
    std::snprintf(sum.data(), sum.size(), "%06llo",
                  static_cast<unsigned long long>(tar::checksum(out)));
    put(out, tar::kChecksum, std::string(sum.data()) + std::string("\0 ", 2));
    return out;
}

}  // namespace

std::string pack_archive(const ArchiveFiles& files) {
    std::string out;
    for (const auto& [name, bytes] : files) {
        out += header_of(name, bytes.size()) + bytes;
        out.resize(tar::padded(out.size()), '\0');
    }
    out.resize(out.size() + 2 * tar::kBlock, '\0');
    out.resize((out.size() + kRecord - 1) / kRecord * kRecord, '\0');
    return out;
}

std::string compress(const std::string& bytes) {
    std::string out(ZSTD_compressBound(bytes.size()), '\0');
    ZSTD_CCtx* context = ZSTD_createCCtx();
    PROVISO_CHECK(context != nullptr, "zstd: no context");
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, kLevel);
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    const std::size_t size =
        ZSTD_compress2(context, out.data(), out.size(), bytes.data(), bytes.size());
    ZSTD_freeCCtx(context);
    PROVISO_CHECK(ZSTD_isError(size) == 0, "zstd: cannot compress");
    out.resize(size);
    return out;
}

}  // namespace proviso::verify
