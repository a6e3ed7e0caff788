// The module `parallel`: worker processes and the queues between them.
#pragma once

#include "lanes/parallel/job_queue.hpp"
#include "lanes/parallel/message.hpp"
#include "lanes/parallel/pipe_queue.hpp"
#include "lanes/parallel/process.hpp"
#include "lanes/parallel/queue.hpp"
#include "lanes/parallel/shared_ring.hpp"
#include "lanes/parallel/worker_group.hpp"
#include "lanes/parallel/worker_pool.hpp"
