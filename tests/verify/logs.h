// What the tests of proof logs share: an example's log, written once, and ways to audit it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/verify/derivations.h"
#include "verify/audit/audit.h"
#include "verify/log/format.h"
#include "verify/log/write.h"

namespace proviso::verify {

namespace fs = std::filesystem;
using nlohmann::json;

// File name -> bytes, of a whole log.
inline std::map<std::string, std::string> contents(const fs::path& root) {
    std::map<std::string, std::string> out;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
        if (entry.is_regular_file()) {
            out[fs::relative(entry.path(), root).string()] = read_all(entry.path());
        }
    }
    return out;
}

// Written once: deriving is what takes time.
inline const std::map<std::string, std::string>& example_log() {
    static const std::map<std::string, std::string> files = [] {
        Derived d;
        d.take_steps();
        const Folder folder("example_log");
        LogOptions options;
        options.schedule = "sch.split(...)\n";
        const Result<LogSummary> written = write_log(d.derivation, folder.str(), options);
        EXPECT_TRUE(written.ok()) << written.error().str();
        return contents(folder.path);
    }();
    return files;
}

// The objects among the files of a log, and a log with others.
inline Objects objects_of(const std::map<std::string, std::string>& files) {
    UnpackedObjects out = unpack_objects(files.at(kObjectsFile));
    EXPECT_TRUE(out.problems.empty());
    return out.objects;
}
inline std::map<std::string, std::string> with_objects(std::map<std::string, std::string> files,
                                                       const Objects& objects) {
    files[kObjectsFile] = pack_objects(objects);
    return files;
}

inline void put(const fs::path& root, const std::map<std::string, std::string>& files) {
    fs::remove_all(root);
    fs::create_directories(root);
    for (const auto& [name, bytes] : files) write_all(root / name, bytes);
}

inline std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
}

inline std::string joined(const std::vector<std::string>& lines) {
    std::string out;
    for (const std::string& line : lines) out += line + "\n";
    return out;
}

// An audit that only reads and re-derives: mutations must be found before any solver is asked.
inline AuditReport quick_audit(const fs::path& root) {
    ir::Context ctx;
    AuditOptions options;
    options.validate = false;
    options.discharge.use_certificates = false;
    options.discharge.use_z3 = false;
    options.discharge.use_cvc5 = false;
    return audit(ctx, root.string(), options);
}

// An audit that asks no solver.
inline AuditReport audit_by_certificates(const fs::path& root) {
    ir::Context ctx;
    AuditOptions options;
    options.policy = "E3";
    options.validate = false;
    options.discharge.use_z3 = false;
    options.discharge.use_cvc5 = false;
    return audit(ctx, root.string(), options);
}

inline bool names(const AuditReport& report, const std::string& file, std::size_t line = 0) {
    return std::any_of(report.problems.begin(), report.problems.end(), [&](const Problem& p) {
        return p.file == file && (line == 0 || p.line == line);
    });
}

}  // namespace proviso::verify
