// Logs that are one file: what is written, and what no hostile archive gets through.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include "ir/files/limits.h"
#include "tests/verify/logs.h"
#include "verify/files/archive.h"
#include "verify/files/log_files.h"
#include "verify/files/tar.h"
#include "verify/log/write_files.h"

namespace proviso::verify {
namespace {

using testing::HasSubstr;

ArchiveFiles two_files() {
    return {{"run.json", "{}\n"}, {"steps.jsonl", std::string(1000, 's')}};
}

// Why it is not taken; "" where it is.
std::string refusal(const std::string& bytes) {
    const Result<ArchiveFiles> files = unpack_archive(bytes);
    return files ? "" : files.error().message;
}

// The header of the first file changed, with a checksum that fits.
std::string with_field(std::string tar, const tar::Field& field, std::string_view text) {
    tar.replace(field.at, text.size(), text);
    std::array<char, 9> sum{};
    std::snprintf(sum.data(), sum.size(), "%06llo",
                  static_cast<unsigned long long>(tar::checksum(tar.substr(0, tar::kBlock))));
    return tar.replace(tar::kChecksum.at, 7, std::string(sum.data()) + std::string(1, '\0'));
}

TEST(Archive, GivesBackItsFiles) {
    for (const ArchiveFiles& files :
         {two_files(), ArchiveFiles{{"empty", ""}, {"block", std::string(512, 0)}},
          ArchiveFiles{{std::string(99, 'n'), "long name"}}}) {
        const std::string tar = pack_archive(files);
        EXPECT_EQ(tar.size() % 10240, 0U);
        const Result<ArchiveFiles> plain = unpack_archive(tar);
        ASSERT_TRUE(plain.ok()) << plain.error().str();
        EXPECT_EQ(*plain, files);
        const Result<ArchiveFiles> packed = unpack_archive(compress(tar));
        ASSERT_TRUE(packed.ok()) << packed.error().str();
        EXPECT_EQ(*packed, files);
        EXPECT_EQ(compress(tar), compress(pack_archive(files)));
    }
}

// Of the header only what says something of the machine or the moment: all of it fixed.
TEST(Archive, HoldsNoTimeAndNoOwner) {
    const std::string tar = pack_archive(two_files());
    EXPECT_EQ(tar::kTime.of(tar), std::string_view("00000000000\0", 12));
    EXPECT_EQ(tar::kUser.of(tar), std::string_view("0000000\0", 8));
    EXPECT_EQ(tar::kGroup.of(tar), std::string_view("0000000\0", 8));
    EXPECT_EQ(tar::kMode.of(tar), std::string_view("0000644\0", 8));
    EXPECT_EQ(tar.substr(265, 80), std::string(80, '\0')) << "names of owners, numbers of devices";
}

TEST(Archive, EntriesThatAreNoPlainFilesAreRefused) {
    const std::string tar = pack_archive(two_files());
    ASSERT_EQ(refusal(with_field(tar, tar::kName, "run.json")), "") << "the mending of headers";
    const std::string_view zero("\0", 1);
    for (const std::string name : {"../run.json", "/run.json", "a/run.json", "..", ".", "./run",
                                   "run\\json", "run json", "run\x1b[2J", "r\xc3\xbcn.json"}) {
        EXPECT_THAT(refusal(with_field(tar, tar::kName, name + std::string(zero))),
                    HasSubstr("no regular file with a plain name"))
            << name;
    }
    EXPECT_THAT(refusal(with_field(tar, tar::kName, zero)), HasSubstr("no regular file"));
    for (const char type : {'1', '2', '3', '4', '5', '6', 'x', 'g', 'L', 'K', 'S'}) {
        EXPECT_THAT(refusal(with_field(tar, tar::kType, std::string(1, type))),
                    HasSubstr("no regular file"))
            << type;
    }
    EXPECT_THAT(refusal(with_field(tar, tar::kLinkName, "/etc/passwd")),
                HasSubstr("no regular file"));
    EXPECT_THAT(refusal(with_field(tar, tar::kPrefix, "..")), HasSubstr("no regular file"));
    // The name may be cut off by its field alone.
    EXPECT_EQ(refusal(with_field(tar, tar::kName, std::string(100, 'n'))), "");
}

TEST(Archive, DamagedOnesAreRefused) {
    const std::string tar = pack_archive(two_files());
    std::string changed = tar;
    changed[tar::kTime.at] = '1';
    EXPECT_THAT(refusal(changed), HasSubstr("damaged header at byte 0"));
    for (const char* size : {"77777777777", "-0000000001", "0x000000010", "\x80\x00\x00\x10"}) {
        EXPECT_NE(refusal(with_field(tar, tar::kSize, size)), "") << size;
    }
    EXPECT_THAT(refusal(with_field(tar, tar::kSize, "00000077777")), HasSubstr("cut off in run"));
    EXPECT_THAT(refusal(tar.substr(0, 1024)), HasSubstr("cut off: it has no end mark"));
    EXPECT_THAT(refusal(tar.substr(0, 1600)), HasSubstr("cut off"));
    changed = tar;
    changed[512 + 100] = 'x';  // behind the three bytes of the first file
    EXPECT_THAT(refusal(changed), HasSubstr("bytes after run.json"));
    changed = tar;
    changed.back() = 'x';
    EXPECT_THAT(refusal(changed), HasSubstr("more after its end mark"));
    EXPECT_THAT(refusal(tar.substr(0, 1024) + tar), HasSubstr("holds run.json twice"));
    EXPECT_THAT(refusal("PK\x03\x04"), HasSubstr("neither a folder nor an archive"));
    EXPECT_THAT(refusal(""), HasSubstr("neither a folder nor an archive"));
    std::string many;
    for (std::size_t k = 0; k <= ir::limits::kLogArchiveFiles; ++k) {
        many += pack_archive({{"f" + std::to_string(k), ""}}).substr(0, tar::kBlock);
    }
    EXPECT_THAT(refusal(many + std::string(1024, '\0')), HasSubstr("more than 64 files"));
}

TEST(Archive, CompressedPartsAreReadWithinLimits) {
    const std::string packed = compress(pack_archive(two_files()));
    EXPECT_EQ(refusal(packed), "");
    EXPECT_THAT(refusal(packed.substr(0, packed.size() - 6)), HasSubstr("is cut off"));
    EXPECT_THAT(refusal(packed + "more"), HasSubstr("more after the end of its compressed part"));
    EXPECT_THAT(refusal(packed + packed), HasSubstr("more after the end of its compressed part"));
    std::string changed = packed;
    changed[packed.size() / 2] = static_cast<char>(changed[packed.size() / 2] ^ 0x10);
    EXPECT_THAT(refusal(changed), HasSubstr("cannot be unpacked"));
    EXPECT_THAT(refusal(packed.substr(0, 4)), HasSubstr("is cut off"));
    EXPECT_NE(refusal(compress("no archive")), "");
}

// A bomb: a few kilobytes that would be a gigabyte and more.
TEST(Archive, ABombIsRefusedBeforeItIsUnpacked) {
    const std::string part(std::size_t{1} << 20, '\0');
    std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
    std::string bomb;
    std::string room(ZSTD_CStreamOutSize(), '\0');
    const auto feed = [&](ZSTD_EndDirective how) {
        ZSTD_inBuffer in{part.data(), part.size(), 0};
        std::size_t left = 1;
        while (in.pos < in.size || (how == ZSTD_e_end && left != 0)) {
            ZSTD_outBuffer out{room.data(), room.size(), 0};
            left = ZSTD_compressStream2(context.get(), &out, &in, how);
            bomb.append(room, 0, out.pos);
        }
    };
    for (int k = 0; k < 1030; ++k) feed(ZSTD_e_continue);
    feed(ZSTD_e_end);
    ASSERT_LT(bomb.size(), 200'000U);
    EXPECT_THAT(refusal(bomb), HasSubstr("holds more than 1 GiB"));
    // One that asks for a larger window than anybody needs.
    ZSTD_CCtx_reset(context.get(), ZSTD_reset_session_and_parameters);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_windowLog, 28);
    bomb.clear();
    feed(ZSTD_e_continue);
    feed(ZSTD_e_end);
    EXPECT_THAT(refusal(bomb), HasSubstr("cannot be unpacked"));
}

TEST(Archive, ALogInOneFileIsAuditedLikeAFolder) {
    const Folder folder("archive_log");
    fs::create_directories(folder.path);
    for (const char* name : {"log.tar", "log.tar.zst"}) {
        const std::string path = (folder.path / name).string();
        ASSERT_TRUE(write_log_files(path, example_log()).ok());
        const AuditReport report = quick_audit(path);
        EXPECT_TRUE(report.problems.empty()) << report.text();
        ASSERT_TRUE(write_log_files(path, example_log()).ok()) << "over itself";
        auto files = example_log();
        files[kStepsFile].replace(files[kStepsFile].find("\"site\""), 6, "\"sitf\"");
        ASSERT_TRUE(write_log_files(path, files).ok());
        EXPECT_TRUE(names(quick_audit(path), kStepsFile, 1)) << "a changed line";
        files = example_log();
        files["notes.txt"] = "hello";
        ASSERT_TRUE(write_log_files(path, files).ok());
        EXPECT_TRUE(names(quick_audit(path), "notes.txt")) << "a file too many";
        files = example_log();
        files.erase(kRefusalsFile);
        ASSERT_TRUE(write_log_files(path, files).ok());
        EXPECT_TRUE(names(quick_audit(path), kRefusalsFile)) << "a file too few";
    }
}

TEST(Archive, NothingOfTheUsersIsReplaced) {
    const Folder folder("archive_other");
    fs::create_directories(folder.path);
    const fs::path thesis = folder.path / "thesis.tar.zst";
    write_all(thesis, "years of work");
    EXPECT_FALSE(write_log_files(thesis.string(), example_log()).ok());
    EXPECT_EQ(read_all(thesis), "years of work");
    const std::string other = compress(pack_archive({{"thesis.tex", "years of work"}}));
    write_all(thesis, other);
    EXPECT_FALSE(write_log_files(thesis.string(), example_log()).ok());
    EXPECT_EQ(read_all(thesis), other);
    write_all(thesis, "");
    EXPECT_TRUE(write_log_files(thesis.string(), example_log()).ok()) << "an empty file";
    fs::create_directories(folder.path / "folder.tar");
    EXPECT_FALSE(write_log_files((folder.path / "folder.tar").string(), example_log()).ok());
}

// Logs up to version 5 had a folder of objects: they are replaced, and refused by their version.
TEST(Archive, AFolderOfAnOlderLogIsReplaced) {
    const Folder folder("archive_old");
    fs::create_directories(folder.path / "objects");
    write_all(folder.path / "objects" / std::string(64, 'a'), "old");
    auto files = example_log();
    json run = json::parse(files.at(kRunFile));
    run["predicate"]["log_version"] = 5;
    write_all(folder.path / kRunFile, canonical(run) + "\n");
    write_all(folder.path / kRunDigestFile, digest_hex(digest(canonical(run) + "\n")) + "\n");
    const AuditReport report = quick_audit(folder.path);
    ASSERT_EQ(report.problems.size(), 1U) << report.text();
    EXPECT_THAT(report.problems[0].what, HasSubstr("is a log of version 5; only version 6"));
    ASSERT_TRUE(write_log_files(folder.str(), example_log()).ok());
    EXPECT_EQ(contents(folder.path), example_log());
}

}  // namespace
}  // namespace proviso::verify
