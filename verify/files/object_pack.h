// The store of a proof log in one file: each object after a line that says its hash and how many
// bytes it has, in order of the hashes, with a line feed after it.
//
//     sha256:0b86… 183
//     (set-logic ALL)
//     …
//
// What is read here is not believed: who reads it compares the hashes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "verify/files/problem.h"

namespace proviso::verify {

using Objects = std::map<std::string, std::string>;  // hex -> bytes

std::string pack_objects(const Objects& objects);

struct UnpackedObjects {
    Objects objects;                // as the file names them
    std::vector<Problem> problems;  // why what follows the last of these cannot be read
};
UnpackedObjects unpack_objects(const std::string& pack);

// How a message calls an object: "object sha256:0b86…".
std::string object_name(const std::string& hex);

}  // namespace proviso::verify
