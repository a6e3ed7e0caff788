#include "lanes/gpu/trace.hpp"

#include "trace_book.hpp"

#include <algorithm>

namespace lanes {

namespace gpu {

namespace {

struct OpenBooks {
    std::mutex mutex;
    std::vector<std::shared_ptr<TraceBook>> books;
};

OpenBooks& open_books() {
    static auto* const open =
        new OpenBooks;  // never freed: a trace may outlive this file's own statics
    return *open;
}

}  // namespace

std::size_t TraceBook::add(const TracedLaunch& launch) {
    const std::lock_guard<std::mutex> lock(mutex_);
    launches_.push_back(launch);
    return first_ + launches_.size() - 1;
}

void TraceBook::finish(std::size_t number, const LaunchReport& report) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (number < first_) return;  // cleared since
    launches_[number - first_].finished = true;
    launches_[number - first_].report = report;
}

std::vector<TracedLaunch> TraceBook::launches() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return launches_;
}

void TraceBook::clear() {
    const std::lock_guard<std::mutex> lock(mutex_);
    first_ += launches_.size();
    launches_.clear();
}

TracedRun::TracedRun(const std::string& name, const LaunchConfig& config, const Device& device) {
    OpenBooks& open = open_books();
    const std::lock_guard<std::mutex> lock(open.mutex);
    if (open.books.empty()) return;
    const TracedLaunch launch{name, config, device, false, {}};
    for (const auto& book : open.books) notes_.emplace_back(book, book->add(launch));
}

void TracedRun::finished(const LaunchReport& report) {
    for (const auto& [book, number] : notes_) book->finish(number, report);
}

}  // namespace gpu

LaunchTrace::LaunchTrace() : book_(std::make_shared<gpu::TraceBook>()) {
    gpu::OpenBooks& open = gpu::open_books();
    const std::lock_guard<std::mutex> lock(open.mutex);
    open.books.push_back(book_);
}

LaunchTrace::~LaunchTrace() {
    gpu::OpenBooks& open = gpu::open_books();
    const std::lock_guard<std::mutex> lock(open.mutex);
    open.books.erase(std::remove(open.books.begin(), open.books.end(), book_), open.books.end());
}

std::vector<TracedLaunch> LaunchTrace::launches() const { return book_->launches(); }

void LaunchTrace::clear() { book_->clear(); }

}  // namespace lanes
