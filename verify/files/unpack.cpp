#include <zstd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string_view>

#include "ir/files/limits.h"
#include "ir/files/read.h"
#include "verify/files/archive.h"
#include "verify/files/tar.h"

namespace proviso::verify {

namespace {

using ir::limits::kLogArchiveFiles;
using ir::limits::kLogArchiveWindow;
using ir::limits::kLogBytes;

constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";
// Of an archive: its files, and what stands between them.
constexpr std::uint64_t kMostTar = kLogBytes + kLogArchiveFiles * 2 * tar::kBlock;

Result<std::string> decompress(const std::string& packed) {
    const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(),
                                                                       &ZSTD_freeDCtx);
    if (!context) return error("cannot be unpacked: out of memory");
    ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, kLogArchiveWindow);
    ZSTD_inBuffer in{packed.data(), packed.size(), 0};
    std::string out;
    std::string part(ZSTD_DStreamOutSize(), '\0');
    std::size_t left = 1;
    while (left != 0) {
        ZSTD_outBuffer to{part.data(), part.size(), 0};
        const std::size_t read = in.pos;
        left = ZSTD_decompressStream(context.get(), &to, &in);
        if (ZSTD_isError(left) != 0) {
            return error(std::string("cannot be unpacked: ") + ZSTD_getErrorName(left));
        }
        if (out.size() + to.pos > kMostTar) {
            return error("holds more than " + ir::bytes_text(kLogBytes));
        }
        out.append(part, 0, to.pos);
        if (left != 0 && to.pos == 0 && in.pos == read) return error("is cut off");
    }
    if (in.pos != in.size) return error("holds more after the end of its compressed part");
    return out;
}

// Octal digits, then a blank or a zero byte; no value elsewhere.
std::optional<std::uint64_t> octal(std::string_view field) {
    const std::size_t end = std::min(field.find_first_of(std::string_view("\0 ", 2)), field.size());
    if (end == 0 || end > 12) return std::nullopt;
    std::uint64_t value = 0;
    for (const char c : field.substr(0, end)) {
        if (c < '0' || c > '7') return std::nullopt;
        value = value * 8 + static_cast<std::uint64_t>(c - '0');
    }
    return value;
}

bool all_zero(std::string_view bytes) {
    return bytes.find_first_not_of('\0') == std::string_view::npos;
}

// Up to the first zero byte.
std::string_view text_of(std::string_view field) {
    return field.substr(0, std::min(field.find('\0'), field.size()));
}

// "." and names with a slash would leave the folder that a log is unpacked to.
bool is_plain(std::string_view name) {
    if (name.empty() || name == "." || name == "..") return false;
    return std::all_of(name.begin(), name.end(), [](char c) {
        return c != '/' && c != '\\' && static_cast<unsigned char>(c) > 0x20 &&
               static_cast<unsigned char>(c) < 0x7f;
    });
}

class Reader {
  public:
    explicit Reader(std::string_view tar) : tar_(tar) {}

    Result<ArchiveFiles> read() {
        while (true) {
            if (tar_.size() - at_ < tar::kBlock) return error("is cut off: it has no end mark");
            const std::string_view header = tar_.substr(at_, tar::kBlock);
            if (all_zero(header)) break;
            if (const Status ok = read_file(header); !ok) return ok.error();
        }
        if (!all_zero(tar_.substr(at_))) return error("holds more after its end mark");
        return std::move(out_);
    }

  private:
    Status read_file(std::string_view header) {
        using namespace tar;
        if (header.substr(kMagic.at, 5) != "ustar") return error("is no tar archive");
        if (octal(kChecksum.of(header)) != checksum(header)) {
            return error("has a damaged header at byte " + std::to_string(at_));
        }
        const std::string name(text_of(kName.of(header)));
        const char type = header[kType.at];
        if (!all_zero(kPrefix.of(header)) || !is_plain(name) || (type != '0' && type != '\0') ||
            !all_zero(kLinkName.of(header))) {
            return error("holds an entry at byte " + std::to_string(at_) +
                         " that is no regular file with a plain name");
        }
        const auto size = octal(kSize.of(header));
        if (!size) return error("has a damaged header at byte " + std::to_string(at_));
        at_ += kBlock;
        const std::size_t left = tar_.size() - at_;
        if (*size > left || padded(*size) > left) return error("is cut off in " + name);
        if (out_.size() == kLogArchiveFiles) {
            return error("holds more than " + std::to_string(kLogArchiveFiles) + " files");
        }
        if (!out_.emplace(name, tar_.substr(at_, *size)).second) {
            return error("holds " + name + " twice");
        }
        if (!all_zero(tar_.substr(at_ + *size, padded(*size) - *size))) {
            return error("holds bytes after " + name + " that are no part of it");
        }
        at_ += padded(*size);
        return Unit{};
    }

    std::string_view tar_;
    std::size_t at_ = 0;
    ArchiveFiles out_;
};

}  // namespace

std::string archive_extension(const std::string& path) {
    for (const char* extension : {".tar", ".tar.zst"}) {
        if (path.ends_with(extension)) return extension;
    }
    return "";
}

Result<ArchiveFiles> unpack_archive(std::string bytes) {
    if (bytes.rfind(kZstdMagic, 0) == 0) {
        Result<std::string> tar = decompress(bytes);
        if (!tar) return tar.error();
        bytes = std::move(*tar);
    } else if (bytes.size() < tar::kBlock || bytes.compare(tar::kMagic.at, 5, "ustar") != 0) {
        return error("is neither a folder nor an archive (.tar, .tar.zst)");
    }
    return Reader(bytes).read();
}

}  // namespace proviso::verify
