// Lesson 04: a class named Worker, given as lanes::exercises::worker().check<Worker>().
#pragma once

#include "lanes/mlp/worker.hpp"
#include "lanes/notebook/exercise.hpp"
#include "lanes/parallel/queue.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>

namespace lanes::exercises {

class WorkerClass : public Exercise {
public:
    WorkerClass();
    template <class W>
    void check() const {
        using Result = Queue<std::string>;
        static_assert(std::is_base_of_v<Process, W>,
                      "Worker: derive it from lanes::Process, publicly: class Worker : public "
                      "lanes::Process.");
        static_assert(!std::is_base_of_v<Worker, W>,
                      "Worker: lanes::Worker is the library's. Derive yours from lanes::Process, "
                      "and write run yourself.");
        static_assert(!std::is_abstract_v<W>, "Worker: it has no run. Write void run() override.");
        static_assert(std::is_constructible_v<W, Worker::Jobs&, Result&, const Dataset&,
                                              AugmentationBounds, std::uint64_t>,
                      "Worker: it is made as Worker(jobs, result, images, bounds, seed). Give the "
                      "constructor these parameters.");
        check_made([](Worker::Jobs& jobs, Result& result, const Dataset& images,
                      const AugmentationBounds& bounds, std::uint64_t seed) {
            return std::make_unique<W>(jobs, result, images, bounds, seed);
        });
    }

    using Make =
        std::function<std::unique_ptr<Process>(Worker::Jobs&, Queue<std::string>&, const Dataset&,
                                               const AugmentationBounds&, std::uint64_t seed)>;

private:
    void check_made(const Make& make) const;
};
inline WorkerClass worker() { return {}; }

}  // namespace lanes::exercises
