// NumPy's .npy files (format 1.0 written; 1.0 to 3.0 read): one tensor a file, little-endian, row-
// major. Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
//
// dtypes: bool '|b1', int8 '|i1' .. int64 '<i8', uint8 '|u1' .. uint64 '<u8', float16 '<f2' ..
// float64 '<f8'. NumPy has no bfloat16: it is written as '<V2', two opaque bytes, which is what
// ml_dtypes' bfloat16 arrays are saved as; '|V2' is read too, and '<u2' where a bfloat16 is wanted.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ir/interp/memory.h"
#include "ir/result.h"

namespace proviso::ir {

// The tensor of a file's bytes. Column-major ("Fortran order") data is put into row-major order.
// `wanted`, when given, is the type that the tensor must have. `file` is for messages only.
Result<Tensor> parse_npy(std::string_view bytes, const std::string& file,
                         std::optional<ScalarType> wanted = std::nullopt);

// The bytes of a file. Cells that are not definite are written as 0, and every NaN as one.
std::string npy_bytes(const Tensor& tensor);

Result<Tensor> read_npy(const std::string& path, std::optional<ScalarType> wanted = std::nullopt);
Status write_npy(const std::string& path, const Tensor& tensor);

}  // namespace proviso::ir
