// Races that the text of a function shows: OpenMP regions, std::thread, atomics in two steps.
#include "analysis/atomic_steps.hpp"
#include "analysis/shared_writes.hpp"
#include "analysis/thread_starts.hpp"
#include "parsed.hpp"

#include <gtest/gtest.h>

namespace {

using analysis_test::Parsed;

struct Regions : clang::RecursiveASTVisitor<Regions> {
    explicit Regions(const clang::ASTContext& context) : context(context) {}
    bool VisitOMPExecutableDirective(clang::OMPExecutableDirective* directive) {
        for (const auto& write : lanes::analysis::shared_writes_of(directive, context)) {
            undivided = undivided || write.undivided;
            found += write.name + (write.shared.empty() ? "" : " by " + write.shared) +
                     (write.with.empty() ? "" : " and " + write.with) + ";";
        }
        return true;
    }
    const clang::ASTContext& context;
    std::string found;
    bool undivided = false;
};

// Names of what the threads of the function f write without taking turns.
std::string races_in(const std::string& body) {
    Parsed parsed("void f(double* c, const double* a, int n) {\n" + body + "\n}");
    Regions regions(parsed.context());
    regions.TraverseDecl(parsed.context().getTranslationUnitDecl());
    return regions.found;
}

TEST(SharedWrites, FindsASumThatAllThreadsAddTo) {
    EXPECT_EQ(races_in("double sum = 0;\n#pragma omp parallel for\n"
                       "for (int i = 0; i < n; ++i) sum += a[i];"),
              "sum;");
}

TEST(SharedWrites, SaysWhetherALoopIsDividedAtAll) {
    const auto undivided = [](const std::string& body) {
        Parsed parsed("int omp_get_thread_num();\nvoid f(double* c, int n) {\n" + body + "\n}");
        Regions regions(parsed.context());
        regions.TraverseDecl(parsed.context().getTranslationUnitDecl());
        return regions.found.empty() ? "no race" : regions.undivided ? "undivided" : "divided";
    };
    const std::string loop = "for (int i = 0; i < n; ++i) c[i] = 1;",
                      same = "for (int i = 0; i < n; ++i) c[0] = i;";
    EXPECT_STREQ(undivided("#pragma omp parallel\n" + loop), "undivided");
    EXPECT_STREQ(undivided("#pragma omp parallel\n{ " + loop + " }"), "undivided");
    EXPECT_STREQ(undivided("#pragma omp parallel for\n" + loop), "no race");
    EXPECT_STREQ(undivided("#pragma omp parallel for\n" + same), "divided");
    EXPECT_STREQ(undivided("#pragma omp parallel\n{\n#pragma omp for\n" + same + " }"), "divided");
    EXPECT_STREQ(
        undivided("#pragma omp parallel\n{ const int first = omp_get_thread_num(); " + same + " }"),
        "divided");
}

TEST(SharedWrites, FindsASumThatIsReducedOnlyOverSimdLanes) {
    const auto code = [](const std::string& outside, const std::string& inside) {
        return outside + "#pragma omp parallel for\nfor (int i = 0; i < n; ++i) { " + inside +
               "\n#pragma omp simd reduction(+ : sum)\n"
               "for (int j = 0; j < n; ++j) sum += a[j];\nc[i] = sum; }";
    };
    EXPECT_EQ(races_in(code("double sum;\n", "sum = 0;")), "sum;");
    EXPECT_EQ(races_in(code("", "double sum = 0;")), "");
    EXPECT_EQ(races_in("double sum = 0;\n#pragma omp parallel for simd reduction(+ : sum)\n"
                       "for (int i = 0; i < n; ++i) sum += a[i];"),
              "");
}

TEST(SharedWrites, AcceptsWhatOpenMPProtects) {
    for (const char* clause : {"reduction(+ : sum)", "private(sum)", "firstprivate(sum)"})
        EXPECT_EQ(races_in("double sum = 0;\n#pragma omp parallel for " + std::string(clause) +
                           "\nfor (int i = 0; i < n; ++i) sum += a[i];"),
                  "")
            << clause;
    const std::string rows =
        "\nfor (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) out[j] += a[i];";
    EXPECT_EQ(races_in("double* out = c;\n#pragma omp parallel for reduction(+ : out[:n])" + rows),
              "");
    EXPECT_NE(races_in("double* out = c;\n#pragma omp parallel for" + rows), "");
    for (const char* protection : {"atomic", "critical"})
        EXPECT_EQ(races_in("double sum = 0;\n#pragma omp parallel for\n"
                           "for (int i = 0; i < n; ++i) {\n#pragma omp " +
                           std::string(protection) + "\nsum += a[i]; }"),
                  "")
            << protection;
}

TEST(SharedWrites, AcceptsAnElementPerIteration) {
    EXPECT_EQ(races_in("#pragma omp parallel for\nfor (int i = 0; i < n; ++i) c[i] = a[i];"), "");
}

TEST(SharedWrites, FindsAnElementThatEveryThreadWrites) {
    EXPECT_EQ(races_in("#pragma omp parallel for\nfor (int i = 0; i < n; ++i) c[0] += a[i];"),
              "c[0];");
}

TEST(SharedWrites, NamesTheLoopsByWhichThreadsComeToOneElement) {
    EXPECT_EQ(races_in("#pragma omp parallel for\nfor (int y = 0; y < n; ++y)\n"
                       "for (int i = 0; i < 3; ++i) c[y + i] += a[y];"),
              "c[y + i] by y and i;");
}

// A stand-in for the standard library, whose headers take seconds to parse.
constexpr const char* threads = R"(
namespace std {
struct thread {
    template <class F, class... A> explicit thread(F&&, A&&...) {}
    void join() {}
};
template <class T> struct vector {
    template <class... A> T& emplace_back(A&&...) { return *end(); }
    T* begin(); T* end();
};
})";

std::string thread_races_in(const std::string& body) {
    Parsed parsed(std::string(threads) + "\nvoid f(int n) {\n" + body + "\n}");
    std::string found;
    for (const auto& race :
         lanes::analysis::thread_races_of(parsed.function("f"), parsed.context()))
        found += race.write.name + (race.by_reference ? " by reference" : "") + ";";
    return found;
}

TEST(ThreadStarts, FindsAVariableThatTwoThreadsWrite) {
    EXPECT_EQ(thread_races_in("int sum = 0;\nstd::vector<std::thread> all;\n"
                              "for (int i = 0; i < n; ++i) all.emplace_back([&] { sum += 1; });"),
              "sum;");
}

TEST(ThreadStarts, FindsACounterThatThreadsReadWhileItChanges) {
    EXPECT_EQ(thread_races_in("int out[8];\nstd::vector<std::thread> all;\n"
                              "for (int i = 0; i < 8; ++i) all.emplace_back([&] { out[i] = 1; });"),
              "i by reference;");
}

TEST(ThreadStarts, AcceptsAnElementPerThread) {
    EXPECT_EQ(
        thread_races_in("int out[8];\nstd::vector<std::thread> all;\n"
                        "for (int i = 0; i < 8; ++i) all.emplace_back([&out, i] { out[i] = 1; });"),
        "");
}

constexpr const char* atomics = R"(
namespace std {
template <class T> struct atomic {
    operator T() const; T operator=(T); T operator++(); T operator-=(T);
};
struct mutex {};
template <class M> struct lock_guard { explicit lock_guard(M&); };
}
std::atomic<int> count; std::mutex turn;
)";

std::size_t lossy_writes_in(const std::string& functions) {
    Parsed parsed(atomics + functions);
    std::vector<lanes::analysis::AtomicWrite> writes;
    for (const char* name : {"get", "put"})
        for (const auto& write : lanes::analysis::atomic_writes_of(parsed.function(name)))
            writes.push_back(write);
    return lanes::analysis::lossy(writes).size();
}

TEST(AtomicSteps, FindsAReadFollowedByAWrite) {
    EXPECT_EQ(lossy_writes_in("void get() { count = count - 1; }\nvoid put() { ++count; }"), 1U);
}

TEST(AtomicSteps, AcceptsOneStepOrALockThatAllHold) {
    EXPECT_EQ(lossy_writes_in("void get() { count -= 1; }\nvoid put() { ++count; }"), 0U);
    EXPECT_EQ(
        lossy_writes_in("void get() { std::lock_guard<std::mutex> l(turn); count = count - 1; }\n"
                        "void put() { std::lock_guard<std::mutex> l(turn); ++count; }"),
        0U);
}

}  // namespace
