#include "exercise.hpp"

#include "../common/needs.hpp"

#include "lanes/gpu/whole_program.hpp"
#include "notebook/exercise/judge.hpp"

#include <sstream>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::Judge;
using notebook::Values;

struct Case {
    int n;
    double s;
    int threads;
};

std::string launch_of(const Case& one) {
    return "<<<" + std::to_string((one.n + one.threads - 1) / one.threads) + ", " +
           std::to_string(one.threads) + ">>>";
}

CudaProgramRun run(Judge& judge, const WatchedCudaProgram& program, const Case& one) {
    const std::vector<std::string> arguments{std::to_string(one.n), to_text(one.s),
                                             std::to_string(one.threads)};
    judge.begin("saxpy " + arguments[0] + " " + arguments[1] + " " + arguments[2]);
    return judge.call([&] { return program.run(arguments); });
}

std::string first_lines(const std::string& text, int most) {
    std::istringstream lines(text);
    std::string shown;
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count)
        if (count < most) shown += (shown.empty() ? "" : "\n") + line;
    return count > most ? shown + "\n..." : shown;
}

// f(x[i], y[i]) for every i
template <class F>
Values all(const Case& one, F f) {
    Values values{{static_cast<std::size_t>(one.n)}, {}};
    for (int i = 0; i < one.n; ++i) values.numbers.push_back(f(i, 1.0));
    return values;
}

Values printed_numbers(Judge& judge, const std::string& output) {
    std::istringstream words(output);
    Values values;
    for (std::string word; words >> word;) {
        std::size_t used = 0;
        try {
            values.numbers.push_back(std::stod(word, &used));
        } catch (const std::exception&) {
            used = 0;
        }
        judge.require(used == word.size(), "the output holds '" + word + "', which is no number.",
                      "Print the numbers of y and nothing else: std::printf(\"%g\\n\", y[i]). "
                      "Other lines can go to stderr.");
    }
    values.shape = {values.numbers.size()};
    return values;
}

void judge_numbers(Judge& judge, const std::string& output, const Case& one) {
    const Values got = printed_numbers(judge, output);
    judge.same_count(got.numbers.size(), static_cast<std::size_t>(one.n), "numbers were printed",
                     "Print all n numbers of y, one per line.");
    const double s = one.s;
    notebook::About about;
    about.what = "y";
    about.tolerance = {1e-5, 1e-4};
    about.known = {
        {all(one, [](double, double y) { return y; }),
         "This is y as it was before the launch: is it copied back from the device, after the "
         "launch?"},
        {all(one, [s](double x, double) { return s * x; }), "s x is not added to y: use +=."},
        {all(one, [](double x, double y) { return x + y; }), "s is missing, or 1."},
        {all(one, [s](double x, double y) { return x + s * y; }),
         "Here y is multiplied by s, not x."}};
    judge.same(got, all(one, [s](double x, double y) { return s * x + y; }), about);
}

// A run with arguments that must work.
void judge_run(Judge& judge, const WatchedCudaProgram& program, const Case& one) {
    const CudaProgramRun done = run(judge, program, one);
    const bool leaks = done.findings.find("were never freed") != std::string::npos;
    if (done.status != 0 || (!done.findings.empty() && !leaks))
        judge.fail(done.status != 0
                       ? "the program ended with exit status " + std::to_string(done.status) + "."
                       : "the program ran to its end, but:",
                   first_lines(done.errors, 12));
    judge.require(done.launches > 0, "no CUDA kernel was launched.",
                  "The sum is to be computed on the device: saxpy<<<blocks, threads>>>(...).");
    judge_numbers(judge, done.output, one);
    const auto n = static_cast<std::uint64_t>(one.n);
    judge.require(
        4 * done.loads >= 2 * n && 4 * done.stores >= n,  // a thread may take four
        "the numbers are right, but the device did not compute them: its threads loaded " +
            std::to_string(done.loads) + " elements and stored " + std::to_string(done.stores) +
            ".",
        "Each thread loads x[i] and y[i] and stores y[i].");
    judge.require(!leaks,
                  "the numbers are right, but memory is left over:", first_lines(done.findings, 6));
}

// A launch that fails: no block has 2048 threads.
void judge_failing_launch(Judge& judge, const WatchedCudaProgram& program, const Case& one) {
    const CudaProgramRun done = run(judge, program, one);
    judge.require(done.status < 128, "the program crashed:", first_lines(done.errors, 12));
    judge.require(
        done.findings.find("cudaErrorInvalidConfiguration") != std::string::npos,
        "no launch failed, although no block can have " + std::to_string(one.threads) + " threads.",
        "The third argument is the number of threads per block: launch " + launch_of(one) + ".");
    judge.require(done.status != 0,
                  "the launch " + launch_of(one) +
                      " fails, because no block can have so many threads, and the program "
                      "returned 0 as if all was well.",
                  "Look at cudaGetLastError() after the launch: if it is not cudaSuccess, print "
                  "cudaGetErrorString of it to stderr and return 1.");
    judge.require(done.errors.size() > done.findings.size(),
                  "the launch fails, and the program returns " + std::to_string(done.status) +
                      " without a word.",
                  "Print cudaGetErrorString of the error to stderr.");
    judge.require(done.output.empty(), "the launch fails, and the program prints numbers:",
                  first_lines(done.output, 3) + "\nReturn before they are printed.");
}

}  // namespace

Saxpy::Saxpy()
    : Exercise(text_of<Saxpy>(
          "saxpy",
          "A whole CUDA program with the arguments n, s and the number of threads per block:\n"
          "x[i] = i, y[i] = 1, then y = s x + y on the device, one thread per element. It prints\n"
          "the n numbers of y, one per line, and returns 0. If the launch fails, it prints the\n"
          "error to stderr and returns 1.",
          "a CUDA kernel of two lines and about fifteen lines in main",
          "The order: cudaMalloc twice, cudaMemcpy of x and y to the device, launch, "
          "cudaGetLastError, cudaMemcpy of y back, print, cudaFree twice.")) {}

void Saxpy::check(const std::string& source) const {
    Judge judge(text());
    const auto program = judge.call([&] { return WatchedCudaProgram(source, "saxpy.cu"); });
    judge_run(judge, program, {10, 2, 4});
    judge_run(judge, program, {8, -1.5, 4});
    judge_run(judge, program, {1, 3, 64});
    judge_run(judge, program, {1000, 0.5, 128});
    judge_failing_launch(judge, program, {10, 2, 2048});
    judge.pass();
}

}  // namespace lanes::exercises
