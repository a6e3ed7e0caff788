#include "lanes/gpu/trace.hpp"

#include "trace_log.hpp"

#include "lanes/gpu/pinned_buffer.hpp"

#include <algorithm>
#include <atomic>

namespace lanes {

namespace gpu {

namespace {

struct ActiveLogs {
    std::mutex mutex;
    std::vector<std::shared_ptr<TraceLog>> books;
};

ActiveLogs& active_logs() {
    // Never freed: a trace may outlive the static objects of this file.
    static auto* const open = new ActiveLogs;
    return *open;
}

}  // namespace

std::size_t TraceLog::add(const TracedLaunch& launch) {
    const std::lock_guard<std::mutex> lock(mutex_);
    launches_.push_back(launch);
    return first_ + launches_.size() - 1;
}

void TraceLog::finish(std::size_t number, const LaunchReport& report, bool finished) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (number < first_) return;  // it was cleared in the meantime
    launches_[number - first_].finished = finished;
    launches_[number - first_].report = report;
}

void TraceLog::add(const TracedCopy& copy) {
    const std::lock_guard<std::mutex> lock(mutex_);
    copies_.push_back(copy);
}

std::vector<TracedCopy> TraceLog::copies() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return copies_;
}

std::vector<TracedLaunch> TraceLog::launches() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return launches_;
}

void TraceLog::clear() {
    const std::lock_guard<std::mutex> lock(mutex_);
    first_ += launches_.size();
    launches_.clear();
    copies_.clear();
}

namespace {
std::atomic<std::size_t> lookups{0};
}

std::size_t kernel_lookups() { return lookups; }
void count_kernel_lookup() { ++lookups; }

bool any_trace_is_open() {
    ActiveLogs& open = active_logs();
    const std::lock_guard<std::mutex> lock(open.mutex);
    return !open.books.empty();
}

void trace_copy(const Device& device, const void* host, std::size_t bytes, bool to_device) {
    ActiveLogs& open = active_logs();
    const std::lock_guard<std::mutex> lock(open.mutex);
    if (open.books.empty()) return;
    const TracedCopy copy{bytes, to_device, device, is_pinned(host, bytes)};
    for (const auto& book : open.books) book->add(copy);
}

TracedRun::TracedRun(const std::string& name, const LaunchConfig& config, const Device& device,
                     bool waits) {
    ActiveLogs& open = active_logs();
    const std::lock_guard<std::mutex> lock(open.mutex);
    if (open.books.empty()) return;
    const TracedLaunch launch{name, config, device, false, {}, waits};
    for (const auto& book : open.books) notes_.emplace_back(book, book->add(launch));
}

void TracedRun::finished(const LaunchReport& report) {
    for (const auto& [book, number] : notes_) book->finish(number, report, true);
}

void TracedRun::failed(const LaunchReport& report) {
    for (const auto& [book, number] : notes_) book->finish(number, report, false);
}

}  // namespace gpu

LaunchTrace::LaunchTrace() : book_(std::make_shared<gpu::TraceLog>()) {
    gpu::ActiveLogs& open = gpu::active_logs();
    const std::lock_guard<std::mutex> lock(open.mutex);
    open.books.push_back(book_);
}

LaunchTrace::~LaunchTrace() {
    gpu::ActiveLogs& open = gpu::active_logs();
    const std::lock_guard<std::mutex> lock(open.mutex);
    open.books.erase(std::remove(open.books.begin(), open.books.end(), book_), open.books.end());
}

std::vector<TracedLaunch> LaunchTrace::launches() const { return book_->launches(); }

std::vector<TracedCopy> LaunchTrace::copies() const { return book_->copies(); }

void LaunchTrace::clear() { book_->clear(); }

}  // namespace lanes
