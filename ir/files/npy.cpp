#include "ir/files/npy.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

#include "ir/files/limits.h"
#include "ir/files/read.h"

namespace proviso::ir {

namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);

// Types and their names in files.

std::string descr_of(ScalarType type) {
    const int bytes = type.bytes();
    if (type.code == TypeCode::BFloat) return "<V2";
    char kind = 'f';
    if (type.is_bool()) kind = 'b';
    if (type.is_int()) kind = type.is_signed() ? 'i' : 'u';
    return fmt::format("{}{}{}", bytes == 1 ? '|' : '<', kind, bytes);
}

std::optional<ScalarType> type_of(std::string_view descr, std::optional<ScalarType> wanted) {
    if (descr == "|V2" || (descr == "<u2" && wanted == kBFloat16)) return kBFloat16;
    for (const ScalarType type : all_scalar_types()) {
        const std::string name = descr_of(type);
        // Byte order says nothing about single bytes, and '=' is this machine's, which is little.
        const bool same_tail = descr.size() == name.size() && descr.substr(1) == name.substr(1);
        if (descr == name || (same_tail && type.bytes() == 1)) return type;
        if (same_tail && descr[0] == '=') return type;
    }
    return std::nullopt;
}

// Cells: the bits that a Tensor keeps, to and from the bytes of a file.

std::uint64_t half_bits(double value) {
    const std::uint64_t sign = std::signbit(value) ? 0x8000 : 0;
    const double m = std::fabs(value);
    if (std::isnan(value)) return 0x7e00;
    if (std::isinf(m)) return sign | 0x7c00;
    if (m < 0x1p-14) return sign | static_cast<std::uint64_t>(std::ldexp(m, 24));
    int exponent = 0;
    const double fraction = std::frexp(m, &exponent);  // m = fraction * 2^exponent, fraction >= 1/2
    const auto significand = static_cast<std::uint64_t>(std::ldexp(fraction, 11));
    return sign | (static_cast<std::uint64_t>(exponent + 14) << 10) | (significand & 0x3ff);
}

double half_value(std::uint64_t bits) {
    const auto exponent = static_cast<int>((bits >> 10) & 31);
    const auto fraction = static_cast<double>(bits & 0x3ff);
    double m = std::ldexp(fraction, -24);
    if (exponent > 0) m = std::ldexp(1024 + fraction, exponent - 25);
    if (exponent == 31) m = fraction == 0 ? INFINITY : std::numeric_limits<double>::quiet_NaN();
    return (bits & 0x8000) != 0 ? -m : m;
}

std::uint64_t file_bits(ScalarType type, std::uint64_t cell) {
    if (!type.is_float()) return cell;
    double value = std::bit_cast<double>(cell);
    if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
    if (type == kFloat16) return half_bits(value);
    if (type == kFloat64) return std::bit_cast<std::uint64_t>(value);
    const auto single = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    return type == kBFloat16 ? single >> 16 : single;
}

std::uint64_t cell_bits(ScalarType type, std::uint64_t bits) {
    if (type.is_float()) {
        double value = std::bit_cast<double>(bits);
        if (type == kFloat16) value = half_value(bits);
        if (type == kFloat32 || type == kBFloat16) {
            const auto single = static_cast<std::uint32_t>(type == kBFloat16 ? bits << 16 : bits);
            value = static_cast<double>(std::bit_cast<float>(single));
        }
        if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
        return std::bit_cast<std::uint64_t>(value);
    }
    if (type.is_bool()) return bits != 0 ? 1 : 0;
    if (!type.is_signed() || type.bits == 64) return bits;
    const std::uint64_t sign = std::uint64_t{1} << (type.bits - 1);
    return (bits ^ sign) - sign;  // extends the sign
}

std::uint64_t little_endian(std::string_view bytes) {
    std::uint64_t out = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) {
        out = (out << 8) | static_cast<unsigned char>(bytes[i]);
    }
    return out;
}

// The header: a Python dictionary with the keys 'descr', 'fortran_order' and 'shape'.

struct Header {
    std::string descr;
    bool fortran_order = false;
    std::vector<std::int64_t> shape;
};

class HeaderParser {
  public:
    explicit HeaderParser(std::string_view text) : rest_(text) {}

    // Empty on success, else what is wrong.
    std::string parse(Header& out) {
        if (!take('{')) return "a '{'";
        unsigned seen = 0;  // a bit a key
        while (!take('}')) {
            std::string key;
            if (!string(key) || !take(':')) return "a key and ':'";
            if (key == "descr") {
                seen |= 1;
                if (!string(out.descr)) return "a simple dtype such as '<f4' as 'descr'";
            } else if (key == "fortran_order") {
                seen |= 2;
                if (!boolean(out.fortran_order)) return "True or False as 'fortran_order'";
            } else if (key == "shape") {
                seen |= 4;
                out.shape.clear();
                std::string wrong;
                if (!tuple(out.shape, wrong)) {
                    return fmt::format("a tuple of at most {} extents as 'shape'{}",
                                       limits::kTensorRank, wrong);
                }
            } else {
                return "no key '" + key + "'";
            }
            take(',');
        }
        skip_space();
        if (!rest_.empty()) return "nothing after the dictionary";
        return seen == 7 ? "" : "the keys 'descr', 'fortran_order' and 'shape'";
    }

  private:
    void skip_space() {
        while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n')) rest_.remove_prefix(1);
    }
    bool take(char c) {
        skip_space();
        if (rest_.empty() || rest_[0] != c) return false;
        rest_.remove_prefix(1);
        return true;
    }
    bool word(std::string_view w) {
        skip_space();
        if (rest_.substr(0, w.size()) != w) return false;
        rest_.remove_prefix(w.size());
        return true;
    }
    bool string(std::string& out) {
        skip_space();
        if (rest_.empty() || (rest_[0] != '\'' && rest_[0] != '"')) return false;
        const std::size_t end = rest_.find(rest_[0], 1);
        if (end == std::string_view::npos) return false;
        out = rest_.substr(1, end - 1);
        rest_.remove_prefix(end + 1);
        return true;
    }
    bool boolean(bool& out) {
        out = word("True");
        return out || word("False");
    }
    // `wrong`: which extent is none, where that is what stands there.
    bool tuple(std::vector<std::int64_t>& out, std::string& wrong) {
        if (!take('(')) return false;
        while (!take(')')) {
            skip_space();
            std::int64_t extent = -1;
            const bool zeros = rest_.size() > 1 && rest_[0] == '0' && rest_[1] >= '0';
            if (zeros && rest_[1] <= '9') return false;  // as in Python
            const auto [end, code] =
                std::from_chars(rest_.data(), rest_.data() + rest_.size(), extent);
            const std::size_t length = rest_.find_first_not_of("-0123456789");
            const std::string written(rest_.substr(0, std::min<std::size_t>(length, 40)));
            if (code == std::errc::result_out_of_range) {
                wrong = ", and " + written + " is too large for one";
            } else if (code == std::errc() && extent < 0) {
                wrong = ", and " + written + " is negative";
            }
            if (code != std::errc() || extent < 0) return false;
            rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
            if (out.size() == limits::kTensorRank) return false;
            out.push_back(extent);
            if (!take(',') && (rest_.empty() || rest_[0] != ')')) return false;
        }
        return true;
    }

    std::string_view rest_;
};

Diagnostic bad_file(const std::string& file, std::string message, std::string hint = {}) {
    Diagnostic d = error(std::move(message), std::move(hint));
    d.file = file;
    return d;
}

// Splits a file into its header's text and its data.
Status split(std::string_view bytes, const std::string& file, std::string_view& header,
             std::string_view& data) {
    if (bytes.substr(0, kMagic.size()) != kMagic || bytes.size() < 10) {
        return bad_file(file, "not a .npy file", "write it with numpy.save");
    }
    const int version = static_cast<unsigned char>(bytes[6]);
    const int minor = static_cast<unsigned char>(bytes[7]);
    if (version < 1 || version > 3 || minor != 0) {
        return bad_file(file, fmt::format(".npy format version {}.{} is unknown", version, minor));
    }
    const std::size_t length_bytes = version == 1 ? 2 : 4;
    const std::size_t begin = 8 + length_bytes;
    if (bytes.size() < begin) return bad_file(file, "the file ends within its header");
    const std::uint64_t length = little_endian(bytes.substr(8, length_bytes));
    if (length > bytes.size() - begin) return bad_file(file, "the file ends within its header");
    if (length > limits::kTensorHeaderBytes) {
        return bad_file(file,
                        "the header is larger than " + bytes_text(limits::kTensorHeaderBytes));
    }
    header = bytes.substr(begin, length);
    data = bytes.substr(begin + length);
    return Unit{};
}

// Bytes of the data that a header announces; nullopt beyond 2^47, the most that a buffer can have.
std::optional<std::uint64_t> data_size(const Header& header, ScalarType type) {
    std::uint64_t size = static_cast<std::uint64_t>(type.bytes());
    for (const std::int64_t extent : header.shape) {
        if (__builtin_mul_overflow(size, static_cast<std::uint64_t>(extent), &size)) {
            return std::nullopt;
        }
    }
    return size <= (std::uint64_t{1} << 47) ? std::optional(size) : std::nullopt;
}

// Position in the file of the cell at a row-major position.
std::size_t fortran_position(const Tensor& tensor, std::size_t offset) {
    const std::vector<std::int64_t> indices = tensor.indices(offset);
    std::size_t out = 0;
    for (std::size_t d = indices.size(); d-- > 0;) {
        out =
            out * static_cast<std::size_t>(tensor.shape[d]) + static_cast<std::size_t>(indices[d]);
    }
    return out;
}

}  // namespace

Result<Tensor> parse_npy(std::string_view bytes, const std::string& file,
                         std::optional<ScalarType> wanted) {
    std::string_view header_text;
    std::string_view data;
    const Status parts = split(bytes, file, header_text, data);
    if (!parts) return parts.error();
    Header header;
    const std::string expected = HeaderParser(header_text).parse(header);
    if (!expected.empty()) return bad_file(file, "malformed .npy header: expected " + expected);
    const std::optional<ScalarType> type = type_of(header.descr, wanted);
    if (!type) {
        const bool big_endian = !header.descr.empty() && header.descr[0] == '>';
        return bad_file(file, fmt::format("dtype '{}' is not supported", header.descr),
                        big_endian ? "save the array in little-endian order" : "");
    }
    if (wanted && *type != *wanted) {
        return bad_file(file,
                        fmt::format("the file holds {}, expected {}", type->str(), wanted->str()));
    }
    const std::optional<std::uint64_t> size = data_size(header, *type);
    if (!size || *size != data.size()) {
        return bad_file(file, fmt::format("the header announces {} bytes of data, the file has {}",
                                          size ? std::to_string(*size) : "too many", data.size()));
    }
    const auto width = static_cast<std::size_t>(type->bytes());
    const std::size_t count = data.size() / width;
    if (count > limits::kTensorCells) {
        return bad_file(file, fmt::format("more than {} cells", limits::kTensorCells));
    }
    Tensor out{*type, header.shape, std::vector<std::uint64_t>(count),
               std::vector<CellState>(count, CellState::Definite)};
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = header.fortran_order ? fortran_position(out, i) : i;
        out.bits[i] = cell_bits(*type, little_endian(data.substr(at * width, width)));
    }
    return out;
}

std::string npy_bytes(const Tensor& tensor) {
    std::string shape;
    for (const std::int64_t extent : tensor.shape) {
        shape += (shape.empty() ? "" : " ") + std::to_string(extent) + ",";
    }
    if (tensor.shape.size() > 1) shape.pop_back();  // (3,) but (2, 3)
    std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}",
                                     descr_of(tensor.type), shape);
    // Data starts at a multiple of 64; the header ends in a newline.
    const std::size_t before = kMagic.size() + 4;
    header.append(63 - (before + header.size()) % 64, ' ');
    header += '\n';
    std::string out(kMagic);
    out += {'\x01', '\x00'};
    const auto put = [&out](std::uint64_t value, std::size_t width) {
        for (std::size_t i = 0; i < width; ++i) out += static_cast<char>((value >> (8 * i)) & 255);
    };
    put(header.size(), 2);
    out += header;
    const auto width = static_cast<std::size_t>(tensor.type.bytes());
    for (std::size_t i = 0; i < tensor.size(); ++i) {
        const bool definite = tensor.states[i] == CellState::Definite;
        put(definite ? file_bits(tensor.type, tensor.bits[i]) : 0, width);
    }
    return out;
}

Result<Tensor> read_npy(const std::string& path, std::optional<ScalarType> wanted) {
    const Result<std::string> bytes = read_file(path, limits::kTensorBytes);
    if (!bytes) return bytes.error();
    return parse_npy(*bytes, path, wanted);
}

Status write_npy(const std::string& path, const Tensor& tensor) {
    if (const Status target = check_target(path); !target) return target.error();
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    const std::string bytes = npy_bytes(tensor);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.flush();
    if (!out) return bad_file(path, "cannot write the file");
    return Unit{};
}

}  // namespace proviso::ir
