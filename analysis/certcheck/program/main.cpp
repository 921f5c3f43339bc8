// proviso-certcheck: the certificate checker as a program of its own.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <sstream>
#include <string>

#include "analysis/certcheck/check.h"
#include "analysis/certcheck/sexp.h"

namespace {

using proviso::certcheck::CertificateVerdict;
using proviso::certcheck::kMostInput;

enum ExitCode : int { kAccepted = 0, kRejected = 1, kBadInput = 2 };

constexpr const char* kHelp =
    R"(Does a certificate show that the assertions of an SMT-LIB 2 text contradict each other?

usage: proviso-certcheck SMTFILE CERTFILE
       proviso-certcheck --batch FILE

  SMTFILE       an obligation, as `proviso prove GOAL --smt` prints it
  CERTFILE      its certificate, (certificate 1 ...); docs/certificates.md has the format
  --batch FILE  many pairs, one a line: SMTFILE and CERTFILE, a tab or a space between them
                (names without spaces, relative to the folder that FILE is in)
  --version     the version
  --man         this text as a manual page
  --help        this text

Prints `accepted: N steps` or `rejected: PLACE: REASON`, for a batch after the two names, and the
totals at its end. Exit codes: 0 accepted (all of them), 1 rejected, 2 bad usage or unreadable file.
)";

// The help as a page of section 1 in man(7), its lines as they are; written when it is installed.
std::string man_page() {
    std::string out =
        ".\\\" Made by `proviso-certcheck --man`; changes here are lost.\n"
        ".TH PROVISO\\-CERTCHECK 1 \"\" \"\" \"Proviso manual\"\n"
        ".SH NAME\nproviso\\-certcheck \\- check a certificate of an SMT-LIB 2 text\n"
        ".SH DESCRIPTION\n.nf\n";
    for (const char* c = kHelp; *c != '\0'; ++c) {
        switch (*c) {
            case '\\': out += "\\(rs"; break;
            case '-': out += "\\-"; break;
            case '`': out += "\\(ga"; break;
            case '\'': out += "\\(aq"; break;
            default: out += *c;
        }
    }
    return out + ".fi\n.SH SEE ALSO\n\\fBproviso\\fP(1)\n";
}

int told(const std::string& what) {
    std::printf("%s", what.c_str());
    return kAccepted;
}

int bad_input(const std::string& what) {
    std::fprintf(stderr, "proviso-certcheck: %s\n", what.c_str());
    return kBadInput;
}

// The text of a regular file of at most kMostInput; else what is wrong is said. A pipe or a device
// is not opened: it might have no end. Whether the path names another file by then is asked again.
std::optional<std::string> read_file(const std::string& path) {
    const auto no = [&](const char* why) {
        bad_input("cannot read " + path + why);
        return std::nullopt;
    };
    struct stat about{};
    if (::stat(path.c_str(), &about) != 0) return no("");
    if (!S_ISREG(about.st_mode)) return no(": not a regular file");
    const int fd = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) return no("");
    std::string out;
    const char* wrong = nullptr;
    if (::fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) wrong = ": not a regular file";
    for (char bytes[65536]; wrong == nullptr;) {
        const ssize_t n = ::read(fd, bytes, sizeof bytes);
        if (n == 0) break;
        if (n < 0) {
            wrong = "";
        } else if (out.append(bytes, static_cast<std::size_t>(n)).size() > kMostInput) {
            wrong = ": longer than 16 MiB";
        }
    }
    ::close(fd);
    if (wrong != nullptr) return no(wrong);
    return out;
}

std::string shown(const CertificateVerdict& v) {
    if (!v.accepted) return "rejected: " + v.why;
    return "accepted: " + std::to_string(v.steps) + (v.steps == 1 ? " step" : " steps");
}

// The verdict on one pair, printed after `prefix`.
int check(const std::string& smt, const std::string& certificate, const std::string& prefix) {
    const auto text = read_file(smt);
    if (!text) return kBadInput;
    const auto proof = read_file(certificate);
    if (!proof) return kBadInput;
    const CertificateVerdict v = proviso::certcheck::check_certificate(*text, *proof);
    std::printf("%s%s\n", prefix.c_str(), shown(v).c_str());
    return v.accepted ? kAccepted : kRejected;
}

int check_batch(const std::string& file) {
    const auto list = read_file(file);
    if (!list) return kBadInput;
    const std::size_t slash = file.rfind('/');
    const std::string folder = slash == std::string::npos ? "" : file.substr(0, slash + 1);
    const auto place = [&](const std::string& name) {
        return name.front() == '/' ? name : folder + name;
    };
    std::istringstream lines(*list);
    std::size_t counts[3] = {};
    int worst = kAccepted;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string smt;
        std::string certificate;
        std::string more;
        if (!(words >> smt)) continue;
        const bool pair = (words >> certificate) && !(words >> more);
        const int code = pair ? check(place(smt), place(certificate), smt + " " + certificate + " ")
                              : bad_input("not a pair of files: " + line);
        ++counts[code];
        worst = std::max(worst, code);
    }
    std::printf("%zu accepted, %zu rejected, %zu not read\n", counts[kAccepted], counts[kRejected],
                counts[kBadInput]);
    return worst;
}

}  // namespace

int main(int count, char** words) {
    const std::string first = count > 1 ? words[1] : "";
    if (first == "--help" || first == "-h") return told(kHelp);
    if (first == "--version") return told("proviso-certcheck " PROVISO_VERSION "\n");
    if (first == "--man" && count == 2) return told(man_page());
    if (first == "--batch" && count == 3) return check_batch(words[2]);
    if (count == 3 && first.rfind("--", 0) != 0) return check(words[1], words[2], "");
    std::fprintf(stderr, "%s", kHelp);
    return kBadInput;
}
