#include "verify/files/log_files.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "ir/files/limits.h"
#include "ir/files/read.h"
#include "verify/files/archive.h"

namespace proviso::verify {

namespace fs = std::filesystem;

std::string Problem::str() const {
    std::string out = file + (line > 0 ? ":" + std::to_string(line) : "") + ": " + what;
    std::replace(out.begin(), out.end(), '\n', ' ');  // names and keys come from the log
    return out;
}

namespace {

using ir::limits::kLogBytes;
using ir::limits::kLogProblems;

bool is_known(const std::vector<std::string>& known, const std::string& name) {
    return std::find(known.begin(), known.end(), name) != known.end();
}

class Folder {
  public:
    Folder(const std::string& path, const std::vector<std::string>& known)
        : root_(path), known_(known) {}

    LogFiles read() {
        std::error_code failed;
        std::set<std::string> extra;
        for (const auto& entry : fs::directory_iterator(root_, failed)) {
            const std::string name = entry.path().filename().string();
            if (is_known(known_, name)) {
                there_.insert(name);
            } else if (extra.size() < kLogProblems) {
                extra.insert(name);
            } else {
                ++unsaid_;
            }
        }
        if (failed) {
            problem(root_.string(), "cannot be read: " + failed.message());
            return std::move(out_);
        }
        for (const std::string& name : extra) problem(name, "is no part of a proof log");
        for (const std::string& name : there_) read_one(name);
        if (unsaid_ > 0) {
            problem(root_.string(), "holds " + std::to_string(unsaid_) + " more files");
        }
        return std::move(out_);
    }

  private:
    void problem(const std::string& file, std::string what) {
        out_.problems.push_back(Problem{file, 0, std::move(what)});
    }

    void read_one(const std::string& name) {
        std::error_code failed;
        if (!fs::is_regular_file(fs::symlink_status(root_ / name, failed))) {
            problem(name, "is no regular file: it is not read");
            return;
        }
        Result<std::string> text =
            ir::read_file((root_ / name).string(), kLogBytes, ir::Links::Refuse);
        if (!text) {
            problem(name, text.error().message);
            return;
        }
        if (text->size() > kLogBytes - read_) {
            problem(name, "is not read: the log is larger than " + ir::bytes_text(kLogBytes));
            return;
        }
        read_ += text->size();
        out_.bytes.emplace(name, std::move(*text));
    }

    fs::path root_;
    const std::vector<std::string>& known_;
    LogFiles out_;
    std::set<std::string> there_;
    std::uint64_t read_ = 0;
    std::size_t unsaid_ = 0;
};

LogFiles read_file_of_files(const std::string& path, const std::vector<std::string>& known) {
    LogFiles out;
    Result<std::string> bytes = ir::read_file(path, kLogBytes);
    if (!bytes) {
        out.problems.push_back(Problem{path, 0, bytes.error().message});
        return out;
    }
    Result<std::map<std::string, std::string>> files = unpack_archive(std::move(*bytes));
    if (!files) {
        out.problems.push_back(Problem{path, 0, files.error().message});
        return out;
    }
    for (auto& [name, content] : *files) {
        if (is_known(known, name)) {
            out.bytes.emplace(name, std::move(content));
        } else {
            out.problems.push_back(Problem{name, 0, "is no part of a proof log"});
        }
    }
    return out;
}

}  // namespace

LogFiles read_log_files(const std::string& path, const std::vector<std::string>& known) {
    std::error_code failed;
    // What is neither a file nor a folder is told by name, and not opened.
    const bool is_there = fs::exists(path, failed);
    if (is_there && !fs::is_directory(path, failed)) return read_file_of_files(path, known);
    return Folder(path, known).read();
}

std::string log_around(const std::string& path) {
    std::error_code failed;
    const fs::path whole = fs::weakly_canonical(fs::absolute(path, failed), failed);
    for (fs::path up = whole.parent_path(); !failed && up.has_relative_path();
         up = up.parent_path()) {
        std::error_code none;
        if (fs::is_regular_file(up / "run.json", none) &&
            fs::is_regular_file(up / "run.sha256", none)) {
            return up.string();
        }
    }
    return {};
}

}  // namespace proviso::verify
