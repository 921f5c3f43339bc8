// A few small files in one: a tar archive (the ustar format of POSIX.1-1988), alone or compressed
// by Zstandard (RFC 8878). Read strictly: regular files with plain names, each once, sizes and
// checksums that fit, and not a byte that belongs to no file.
#pragma once

#include <map>
#include <string>

#include "ir/result.h"

namespace proviso::verify {

using ArchiveFiles = std::map<std::string, std::string>;  // name -> content

// ".tar" or ".tar.zst" of a name that ends so; "" of any other, which is a folder's.
std::string archive_extension(const std::string& path);

// The files of an archive, compressed or not: the first bytes tell. An error says what is wrong.
Result<ArchiveFiles> unpack_archive(std::string bytes);

// The same files give the same bytes: in order of their names, without times, owners or modes of
// this machine. Names have at most 99 characters.
std::string pack_archive(const ArchiveFiles& files);
// At a fixed level, by one thread: the same version of the library gives the same bytes.
std::string compress(const std::string& bytes);

}  // namespace proviso::verify
