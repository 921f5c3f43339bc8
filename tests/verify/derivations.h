// A small derivation for the tests of log and audit: one loop split, its guard rewritten, one step
// refused.
#pragma once

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "analysis/prover/prover.h"
#include "ir/text.h"
#include "rewrite/kernel/derivation.h"

namespace proviso::verify {

inline constexpr const char* kSource = R"(@T.prim_func
def add_one(A: T.Buffer((14,), "float32"), B: T.Buffer((14,), "float32")):
    T.assume(A[0] < T.float32(100))
    for i in range(14):
        B[i] = A[i] + T.float32(1)
)";

struct Derived {
    ir::Context ctx;
    analysis::Prover prover{ctx, {}};
    rewrite::Derivation derivation;

    explicit Derived(const char* text = kSource) : derivation(started(ctx, text)) {}

    static rewrite::Derivation started(ir::Context& ctx, const char* text) {
        Result<ir::Function> f = ir::parse_function(ctx, text, "<test>");
        PROVISO_CHECK(f.ok(), f.ok() ? "" : f.error().str());
        Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx, *f);
        PROVISO_CHECK(d.ok(), d.ok() ? "" : d.error().str());
        return std::move(*d);
    }

    // Empty when the step was taken, else why not.
    std::string apply(const char* rule, const char* site, const nlohmann::json& args) {
        const Result<ir::Site> at = ir::Site::parse(site);
        PROVISO_CHECK(at.ok(), "a site of a test");
        const auto no = derivation.apply(rule, *at, args, prover);
        return no ? no->diagnostic.message : "";
    }

    static nlohmann::json split_by(const char* factor) {
        return {{"factor", factor}, {"outer", "io"}, {"inner", "ii"}, {"guard", "if"}};
    }

    void take_steps() {
        const nlohmann::json split = split_by("4");
        EXPECT_EQ(apply("split", "body/1", split), "");
        nlohmann::json none = split;
        none["guard"] = "none";
        none["factor"] = "3";  // of 4 iterations
        none["outer"] = "ioo";
        none["inner"] = "iio";
        EXPECT_NE(apply("split", "body/1", none), "");
        EXPECT_EQ(apply("replace", "body/1/body/body/then/value",
                        {{"to", "A[ii + io * 4] + T.float32(1)"}}),
                  "");
        EXPECT_EQ(apply("lower-assume", "body/0", nlohmann::json::object()), "");
    }
};

// A folder of its own for a test, gone at the end.
struct Folder {
    std::filesystem::path path;
    explicit Folder(const std::string& name)
        : path(std::filesystem::temp_directory_path() /
               ("proviso_" + name + "_" + std::to_string(::getpid()))) {
        std::filesystem::remove_all(path);
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    std::string str() const { return path.string(); }
};

inline std::string read_all(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

inline void write_all(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out << bytes;
}

}  // namespace proviso::verify
