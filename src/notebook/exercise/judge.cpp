#include "judge.hpp"

#include "lanes/base/not_filled_in.hpp"
#include "lanes/gpu/finding.hpp"
#include "lanes/gpu/program.hpp"
#include "notebook/front_end.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <typeinfo>

namespace lanes::notebook {

namespace {

std::string type_of(const std::exception& error) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> name(
        abi::__cxa_demangle(typeid(error).name(), nullptr, nullptr, &status), std::free);
    return status == 0 ? name.get() : "an exception";
}

std::string indented(const std::string& text) {
    std::string result;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        result += "\n  " + text.substr(at, end - at);
        at = end + 1;
    }
    return result;
}

// A float with the digits of a float: 0.73105858, not those of the double that holds it.
std::string number(double value) { return to_text(static_cast<float>(value)); }

bool differ(double got, double expected, const Tolerance& tolerance) {
    if (got == expected) return false;
    return !(std::fabs(got - expected) <=
             tolerance.absolute + tolerance.relative * std::fabs(expected));  // true for a NaN
}

std::string place_of(std::size_t position, const std::vector<std::size_t>& shape) {
    std::vector<std::size_t> index(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        index[axis] = position % shape[axis];
        position /= shape[axis];
    }
    return shape.size() == 1 ? "[" + std::to_string(index[0]) + "]"
                             : lanes::detail::Part(index).text();
}

}  // namespace

int& failures_of(const std::string& exercise) {
    static std::map<std::string, int> failures;
    return failures[exercise];
}

namespace {

// The cell with the newest text did not compile: what is tested is no longer what it shows.
void say_if_older(const std::string& name) {
    using Ask = int (*)(const char*);
    const auto ask = reinterpret_cast<Ask>(jupyter_kernel_function("xcpp_cell_failed"));
    const int cell = ask ? ask(name.c_str()) : 0;
    if (cell > 0)
        std::cout << "This tests an older version of " << name << ": the newest one, In[" << cell
                  << "], did not compile.\n"
                  << std::flush;
}

std::map<std::string, std::vector<const void*>>& all_passed() {
    static std::map<std::string, std::vector<const void*>> passed;
    return passed;
}

}  // namespace

std::vector<const void*> passed_functions(const std::string& exercise) {
    return all_passed()[exercise];
}

void Judge::look_at_address(const void* function) {
    if (!function) fail_as("the check was given no function.");
    say_if_older(text_.name);
    functions_.push_back(function);
    answer_ = answer_text(text_.name, function);
    if (const std::string objection = objection_to(text_, answer_); !objection.empty())
        fail_as(objection);
}

void Judge::look_at_type() {
    say_if_older(text_.name);
    answer_ = answer_text(text_.name, nullptr);
    if (const std::string objection = objection_to(text_, answer_); !objection.empty())
        fail_as(objection);
}

void Judge::same(const Values& got, const Values& expected, const About& about) {
    const std::string whose = about.what.empty() ? "" : about.what + ": ";
    const auto words = [&]() -> std::string {
        for (const KnownMistake& mistake : about.known)
            if (are_close(got, mistake.gives)) return mistake.words;
        return about.words.empty() ? recognise(got, expected) : about.words;
    };
    if (got.shape != expected.shape)
        fail(whose + "the shape is " + lanes::detail::Part(got.shape).text() + ", expected " +
                 lanes::detail::Part(expected.shape).text() + ".",
             words());
    std::vector<bool> differs(got.numbers.size());
    std::size_t first = got.numbers.size(), count = 0;
    for (std::size_t i = 0; i < got.numbers.size(); ++i) {
        if (!differ(got.numbers[i], expected.numbers[i], about.tolerance)) continue;
        differs[i] = true;
        first = std::min(first, i);
        ++count;
    }
    if (count == 0) return;
    // The place of a single number, [0], tells nothing.
    const bool single = expected.shape == std::vector<std::size_t>{1};
    std::string text = whose + (single ? "" : "at " + place_of(first, expected.shape) + " ");
    if (about.x) text += "x is " + number(about.x->numbers[first]) + ", ";
    text +=
        "expected " + number(expected.numbers[first]) + ", got " + number(got.numbers[first]) + ".";
    if (!single)
        text += count == 1 && differs.size() > 1 ? " The other elements are right."
                : count == differs.size()
                    ? " No element is right."
                    : " " + std::to_string(count) + " of " + std::to_string(differs.size()) +
                          " elements differ.";
    const std::string seen = picture(got, expected, differs);
    fail(text + (seen.empty() ? "" : "\n" + seen) + about.detail, words());
}

void Judge::same_count(std::size_t got, std::size_t expected, const std::string& of_what,
                       const std::string& words) {
    if (got != expected)
        fail(std::to_string(got) + " " + of_what + ", expected " + std::to_string(expected) + ".",
             words);
}

void Judge::require(bool is_right, const std::string& what, const std::string& words) {
    if (!is_right) fail(what, words);
}

void Judge::require_threads() {
    if (answer_.known && !starts_threads(answer_))
        fail_as(
            "the result is right, but one core does all the work. Share the loop, the outer one "
            "of two: write #pragma omp parallel for above it, spelt like this: one that is "
            "misspelt is ignored.");
}

void Judge::require_single_steps() {
    if (const std::string lost = lost_counts_of(answer_); !lost.empty()) fail_as(lost);
}

void Judge::fail(const std::string& what, const std::string& words) {
    if (cases_ == 0) fail_as(what + indented(words));  // not in one of the cases
    fail_as("case " + std::to_string(cases_) + ", " + what_ + indented(what) + indented(words));
}

void Judge::fail_as(std::string text) {
    all_passed().erase(text_.name);
    const int failures = ++failures_of(text_.name);
    if (failures >= 2 && !text_.hint.empty()) text += indented("Hint: " + text_.hint);
    throw CheckFailed(text_.name + ": " + text);
}

void Judge::threw(const std::exception& error) {
    const std::string text = error.what();
    if (dynamic_cast<const NotFilledIn*>(&error)) fail_as(text);
    if (const std::size_t stub = text.find("#error \"Fill in ");
        stub != std::string::npos) {  // the stub of a CUDA text
        const std::size_t first = text.find('"', stub) + 1;
        fail_as(text.substr(first, text.find('"', first) - first));
    }
    if (dynamic_cast<const CudaCompileError*>(&error))
        fail_as("your CUDA code does not compile:" + indented(text));
    if (dynamic_cast<const CudaKernelFault*>(&error))
        fail("the simulator stopped your CUDA kernel:\n" + text);
    fail("the function threw " + type_of(error) + ":\n" + text);
}

void Judge::pass_with(const std::string& what) {
    failures_of(text_.name) = 0;
    all_passed()[text_.name] = functions_;
    std::cout << text_.name << ": passed, " << what << ".\n";
    if (const std::string problem = keep_answer(text_.name, answer_); !problem.empty())
        std::cout << problem << '\n';
    std::cout << std::flush;
}

}  // namespace lanes::notebook
