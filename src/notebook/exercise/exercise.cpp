#include "lanes/notebook/exercise.hpp"

#include "judge.hpp"
#include "text.hpp"

#include <iostream>

namespace lanes {

std::string Exercise::name() const { return text_->name; }
std::string Exercise::task() const { return text_->task; }
std::string Exercise::signature() const { return text_->signature; }
std::string Exercise::size_hint() const { return text_->size_hint; }
int Exercise::failures() const { return notebook::failures_of(text_->name); }

void Exercise::show() const {
    std::cout << text_->signature << '\n'
              << text_->task << '\n'
              << "Size of an answer: " << text_->size_hint << ".\n"
              << std::flush;
}

}  // namespace lanes
