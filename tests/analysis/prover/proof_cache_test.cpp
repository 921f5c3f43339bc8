// The proof cache: what is kept comes back whole or not at all.
#include "analysis/prover/proof_cache.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

namespace proviso::analysis {
namespace {

namespace fs = std::filesystem;

class ProofCacheTest : public testing::Test {
  protected:
    ProofCacheTest() {
        std::string name = testing::TempDir() + "/proviso-cache-XXXXXX";
        folder = mkdtemp(name.data());
    }
    ~ProofCacheTest() override { fs::remove_all(folder); }

    std::vector<fs::path> files() const {
        std::vector<fs::path> out;
        for (const auto& entry : fs::recursive_directory_iterator(folder)) {
            if (entry.is_regular_file()) out.push_back(entry.path());
        }
        return out;
    }
    static std::string bytes_of(const fs::path& path) {
        std::ifstream in(path, std::ios::binary);
        std::ostringstream out;
        out << in.rdbuf();
        return std::move(out).str();
    }

    std::string folder;
};

TEST_F(ProofCacheTest, keeps_any_bytes_by_key) {
    const std::string answer = std::string("a\nb\0c", 5) + "\n\n";
    ProofCache(folder).keep("key", answer);
    EXPECT_EQ(ProofCache(folder).find("key"), answer);
    EXPECT_EQ(ProofCache(folder).find("another key"), std::nullopt);
    ProofCache(folder).keep("empty", "");
    EXPECT_EQ(ProofCache(folder).find("empty"), "");
}

TEST_F(ProofCacheTest, no_folder_keeps_nothing) {
    ProofCache("").keep("key", "answer");
    EXPECT_EQ(ProofCache("").find("key"), std::nullopt);
    ProofCache("/proc/no/such/folder").keep("key", "answer");
    EXPECT_EQ(ProofCache("/proc/no/such/folder").find("key"), std::nullopt);
}

// Trap: a write that was cut short, anywhere, must not be read as a shorter answer.
TEST_F(ProofCacheTest, every_torn_file_reads_as_absent) {
    const ProofCache cache(folder);
    cache.keep("key", "PROVED\nz3\n");
    ASSERT_EQ(files().size(), 1U);
    const std::string whole = bytes_of(files()[0]);
    for (std::size_t length = 0; length < whole.size(); ++length) {
        std::ofstream(files()[0], std::ios::binary) << whole.substr(0, length);
        EXPECT_EQ(cache.find("key"), std::nullopt) << length << " bytes";
    }
}

// Trap: REFUTED turned into PROVED by a flipped bit.
TEST_F(ProofCacheTest, every_changed_byte_reads_as_absent) {
    const ProofCache cache(folder);
    cache.keep("key", "PROVED\nz3\n");
    const std::string whole = bytes_of(files()[0]);
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string changed = whole;
        changed[at] = static_cast<char>(changed[at] ^ 1);
        std::ofstream(files()[0], std::ios::binary) << changed;
        EXPECT_EQ(cache.find("key"), std::nullopt) << "byte " << at;
    }
    cache.keep("key", "PROVED\nz3\n");
    EXPECT_EQ(bytes_of(files()[0]), whole);
}

// Trap: a file under the name of another key, as a hash of the name alone would allow.
TEST_F(ProofCacheTest, a_moved_file_reads_as_absent) {
    const ProofCache cache(folder);
    cache.keep("first", "1");
    const fs::path first = files()[0];
    const std::string bytes = bytes_of(first);
    fs::remove(first);
    cache.keep("second", "2");
    std::ofstream(files()[0], std::ios::binary) << bytes;
    EXPECT_EQ(cache.find("second"), std::nullopt);
}

// Threads of several processes write and read the same keys: each read gives a whole answer.
TEST_F(ProofCacheTest, processes_share_a_folder) {
    constexpr int keys = 20;
    const auto answer_to = [](int k) {
        return std::string(static_cast<std::size_t>(k) * 997, 'x');
    };
    const auto work = [&] {
        bool fine = true;
        const ProofCache cache(folder);
        for (int round = 0; round < 10; ++round) {
            for (int k = 0; k < keys; ++k) {
                const std::string key = "key " + std::to_string(k);
                cache.keep(key, answer_to(k));
                fine &= cache.find(key) == answer_to(k);
            }
        }
        return fine;
    };
    std::vector<pid_t> children;
    for (int c = 0; c < 3; ++c) {
        const pid_t child = fork();
        if (child == 0) _exit(work() ? 0 : 1);
        children.push_back(child);
    }
    bool fine_in_thread = false;
    std::thread other([&] { fine_in_thread = work(); });
    EXPECT_TRUE(work());
    other.join();
    EXPECT_TRUE(fine_in_thread);
    for (const pid_t child : children) {
        int status = -1;
        waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
    }
    EXPECT_EQ(files().size(), static_cast<std::size_t>(keys));  // nothing is left beside
}

}  // namespace
}  // namespace proviso::analysis
