// The module `parallel`: worker processes and the queues between them.
//
//   #include <iostream>
//   lanes::WorkerPool<int, double> pool([](int n) { return 1.0 / n; });  // runs in processes
//   for (const double x : pool.map({1, 2, 3})) std::cout << x << '\n';   // in the order of jobs
//
// WorkerPool is enough for most uses. Process, JobQueue, PipeQueue and SharedRing are what it and
// the lessons 04a_augmentation and 05_queue are made of.
#pragma once

#include "lanes/parallel/job_queue.hpp"
#include "lanes/parallel/message.hpp"
#include "lanes/parallel/pipe_queue.hpp"
#include "lanes/parallel/process.hpp"
#include "lanes/parallel/queue.hpp"
#include "lanes/parallel/shared_ring.hpp"
#include "lanes/parallel/worker_group.hpp"
#include "lanes/parallel/worker_pool.hpp"
