#include "ir/c_names.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>
#include <string_view>

namespace proviso::ir {

namespace {

std::set<std::string> words_of(const char* text) {
    std::istringstream in(text);
    std::set<std::string> out;
    for (std::string word; in >> word;) out.insert(word);
    return out;
}

const std::set<std::string>& c_keywords() {
    static const std::set<std::string> words = words_of(R"(
        alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t
        char32_t class co_await co_return co_yield compl concept const const_cast consteval
        constexpr constinit continue decltype default delete do double dynamic_cast else enum
        explicit export extern false float for friend goto if inline int long mutable namespace new
        noexcept not not_eq nullptr operator or or_eq private protected public register
        reinterpret_cast requires restrict return short signed sizeof static static_assert
        static_cast struct switch template this thread_local throw true try typedef typeid typename
        typeof typeof_unqual union unsigned using virtual void volatile wchar_t while xor xor_eq
        main)");
    return words;
}

// Types and macros of <stdint.h> and <stdbool.h>, of headers that nearly every program includes
// before ours, and macros of compilers for Linux.
const std::set<std::string>& header_names() {
    static const std::set<std::string> words = words_of(R"(
        NULL EOF FILE errno size_t ssize_t ptrdiff_t max_align_t wint_t sig_atomic_t time_t off_t
        pid_t va_list stdin stdout stderr offsetof assert INFINITY NAN HUGE_VAL SIZE_MAX PTRDIFF_MIN
        PTRDIFF_MAX SIG_ATOMIC_MIN SIG_ATOMIC_MAX WCHAR_MIN WCHAR_MAX WINT_MIN WINT_MAX BUFSIZ
        RAND_MAX EXIT_SUCCESS EXIT_FAILURE CHAR_BIT linux unix I complex imaginary)");
    return words;
}

bool begins(const std::string& name, const char* with) {
    return name.rfind(with, 0) == 0;
}

bool ends(const std::string& name, std::string_view with) {
    return name.size() >= with.size() &&
           name.compare(name.size() - with.size(), with.size(), with) == 0;
}

// <stdint.h> may define any int…_t, uint…_t, INT…_MAX, UINT…_C and the like (C11, 7.31.10).
bool is_header_name(const std::string& name) {
    if ((begins(name, "int") || begins(name, "uint")) && ends(name, "_t")) return true;
    if (begins(name, "INT") || begins(name, "UINT")) {
        for (const char* end : {"_MAX", "_MIN", "_C"}) {
            if (ends(name, end)) return true;
        }
    }
    return header_names().count(name) != 0;
}

// Functions of the C library, and of POSIX. A library that exports one of them takes its place in
// the whole process.
const std::set<std::string>& library_names() {
    static const std::set<std::string> names = [] {
        std::set<std::string> out = words_of(R"(
            malloc calloc realloc free aligned_alloc posix_memalign valloc alloca abort exit atexit
            quick_exit at_quick_exit getenv setenv unsetenv putenv clearenv system abs labs llabs
            div ldiv lldiv atoi atol atoll atof strtol strtoll strtoul strtoull strtof strtod
            strtold rand srand rand_r random srandom drand48 qsort bsearch mblen mbtowc wctomb
            memcpy memmove memset memcmp memchr memrchr mempcpy bcmp bcopy bzero strcpy strncpy
            strcat strncat strcmp strncmp strcasecmp strncasecmp strcoll strxfrm strchr strrchr
            strspn strcspn strpbrk strstr strtok strtok_r strlen strnlen strdup strndup strerror
            stpcpy strsep index rindex ffs ffsl swab
            printf fprintf sprintf snprintf vprintf vfprintf vsprintf vsnprintf dprintf asprintf
            scanf fscanf sscanf vscanf vfscanf vsscanf puts fputs putc putchar fputc getc getchar
            fgetc gets fgets ungetc fopen freopen fdopen fclose fflush fread fwrite fseek ftell
            fseeko ftello rewind fgetpos fsetpos feof ferror clearerr perror fileno remove rename
            tmpfile tmpnam mkstemp setbuf setvbuf getline getdelim popen pclose
            isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper
            isxdigit tolower toupper isascii toascii
            time clock difftime mktime asctime ctime gmtime localtime strftime strptime tzset
            clock_gettime gettimeofday nanosleep sleep usleep alarm pause
            signal raise kill sigaction sigprocmask setjmp longjmp setlocale localeconv
            read write open openat creat close lseek pread pwrite pipe dup dup2 dup3 fork vfork
            execl execv execve execvp execlp wait waitpid getpid getppid getuid geteuid getgid
            link symlink readlink unlink access chdir getcwd mkdir rmdir chmod chown stat fstat
            lstat truncate ftruncate sync fsync umask opendir readdir closedir mmap munmap mprotect
            msync brk sbrk ioctl fcntl poll select epoll_create socket bind listen accept connect
            send recv sendto recvfrom shutdown getsockopt setsockopt gethostname sysconf isatty
            ttyname nice syscall dlopen dlsym dlclose dlerror environ getopt optarg optind
            sched_yield sem_init sem_wait sem_post
            proviso_parallel_for)");
        const std::set<std::string> math = words_of(R"(
            acos asin atan atan2 acosh asinh atanh cos sin tan cosh sinh tanh exp exp2 exp10 expm1
            log log2 log10 log1p logb ilogb frexp ldexp modf scalbn scalbln cbrt fabs hypot pow sqrt
            erf erfc lgamma tgamma ceil floor nearbyint rint lrint llrint round lround llround trunc
            roundeven fmod remainder remquo copysign nan nextafter nexttoward fdim fmax fmin fma
            sincos j0 j1 jn y0 y1 yn gamma drem significand finite scalb)");
        for (const std::string& base : math) {
            for (const char* suffix : {"", "f", "l"}) out.insert(base + suffix);
        }
        return out;
    }();
    return names;
}

bool is_library_name(const std::string& name) {
    return begins(name, "pthread_") || library_names().count(name) != 0;
}

// What the text around GPU code defines, and what CUDA does (backend/gpu/text/prelude.h).
bool is_gpu_name(const std::string& name) {
    static const std::set<std::string> names = [] {
        std::set<std::string> out = words_of("dim3 threadIdx blockIdx blockDim gridDim warpSize");
        for (const char* type :
             {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "bf16", "f32", "f64"}) {
            for (const char* lanes : {"", "x2", "x4"}) out.insert(std::string(type) + lanes);
        }
        for (const char* type : {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong",
                                 "longlong", "ulonglong", "float", "double"}) {
            for (const char* lanes : {"1", "2", "3", "4"}) out.insert(std::string(type) + lanes);
        }
        return out;
    }();
    const bool of_cuda = begins(name, "cuda") && name.size() > 4 &&
                         std::isupper(static_cast<unsigned char>(name[4])) != 0;
    return of_cuda || begins(name, "pv_") || begins(name, "PV_") || names.count(name) != 0;
}

bool is_identifier(const std::string& name) {
    return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
           std::all_of(name.begin(), name.end(), [](char c) {
               const auto u = static_cast<unsigned char>(c);
               return c == '_' || (u < 128 && std::isalnum(u) != 0);
           });
}

// Why no function may have this name in C; empty: it may.
std::string why_no_symbol(const std::string& name) {
    if (!is_identifier(name)) return "C cannot spell it";
    if (name[0] == '_') return "C reserves names that begin with an underscore";
    if (is_c_keyword(name)) return "it has a meaning of its own in C or C++";
    if (is_header_name(name)) return "it is a type or a macro of C's headers";
    if (is_library_name(name)) return "it is a function of C's library";
    if (is_gpu_name(name)) return "it is a name of the text around GPU code";
    return "";
}

// Reserved wherever it stands: two underscores, or one and a capital.
bool begins_reserved(const std::string& name) {
    return name.size() > 1 && name[0] == '_' &&
           (name[1] == '_' || std::isupper(static_cast<unsigned char>(name[1])) != 0);
}

}  // namespace

bool is_c_keyword(const std::string& name) {
    return c_keywords().count(name) != 0;
}

bool is_exportable_name(const std::string& name) {
    return why_no_symbol(name).empty();
}

Status check_symbol(const std::string& name) {
    const std::string why = why_no_symbol(name);
    if (why.empty()) return Unit{};
    return error("\"" + name + "\" is no symbol for C: " + why,
                 "letters, digits and underscores, with a letter first, and no name that C or its "
                 "library has");
}

std::string symbol_for(const std::string& function, const std::string& file) {
    if (is_exportable_name(function)) return function;
    std::string out;
    for (const char c : file + "_" + function) {
        const bool plain =
            std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<unsigned char>(c) < 128;
        out += plain ? c : '_';
    }
    return is_exportable_name(out) ? out : "f_" + out;
}

Result<std::vector<std::string>> c_parameter_names(const Function& f) {
    std::vector<std::string> own;
    for (const ir::Param& p : f.params) {
        const Buffer* b = std::get_if<Buffer>(&p);
        own.push_back(b != nullptr ? (*b)->name : *std::get<Expr>(p)->name);
        if (is_identifier(own.back())) continue;
        return error("parameter " + own.back() + " of " + f.name + " has no name in C",
                     "use letters, digits and underscores");
    }
    std::set<std::string> taken(own.begin(), own.end());
    std::vector<std::string> out;
    for (const std::string& name : own) {
        std::string c = begins_reserved(name) ? "p" + name : name;
        while (is_c_keyword(c) || is_header_name(c) || (c != name && taken.count(c) != 0)) {
            c += "_";
        }
        taken.insert(c);
        out.push_back(c);
    }
    return out;
}

}  // namespace proviso::ir
