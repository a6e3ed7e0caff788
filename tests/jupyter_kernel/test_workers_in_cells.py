"""A student's worker processes: started from cells, killed, interrupted, restarted around, and nothing left behind."""

import signal

import psutil
import pytest
from client import comes_true

SQUARE = """#include "lanes/parallel.hpp"
struct Square : lanes::Process {
    Square(lanes::JobQueue<int>& jobs, lanes::PipeQueue<int>& results) : jobs(jobs), results(results) {}
    void run() override { while (auto x = jobs.get()) { if (*x < 0) throw std::invalid_argument("negative"); results.put(*x * *x); } }
    lanes::JobQueue<int>& jobs;
    lanes::PipeQueue<int>& results;
};"""

START = """lanes::JobQueue<int> jobs;
lanes::PipeQueue<int> results;
Square one(jobs, results), two(jobs, results);
one.start(); two.start();"""

SUM = "int sum = 0; for (int i = 1; i <= 10; ++i) jobs.put(i);\nfor (int i = 0; i < 10; ++i) sum += results.get();\nsum"


def gone(pid):
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def test_workers_of_a_class_in_a_cell(fresh):
    fresh.run(SQUARE, timeout=60).ok()
    fresh.run(START).ok()
    assert fresh.value(SUM) == "385"
    fresh.run("jobs.close();").ok()
    assert fresh.value("one.join() && two.join()") == "true"
    assert fresh.value("one.exit_code().value()") == "0"


def test_a_killed_worker_is_an_error_that_names_it(fresh):
    fresh.run(SQUARE, timeout=60).ok()
    fresh.run(START).ok()
    pids = [int(fresh.value(f"{name}.pid()")) for name in ("one", "two")]
    for pid in pids:
        psutil.Process(pid).send_signal(signal.SIGKILL)
    result = fresh.run("results.get()")
    assert result.ename == "lanes::Error"
    assert "PipeQueue::get: worker ended by signal 9 (Killed)" in result.evalue
    assert fresh.value("one.exit_description()") == '"worker ended by signal 9 (Killed)"'


def test_an_exception_of_a_worker_is_told(fresh):
    fresh.run(SQUARE, timeout=60).ok()
    fresh.run(START).ok()
    result = fresh.run("jobs.put(-1); results.get()")
    assert "worker ended: std::invalid_argument: negative" in result.evalue


def test_an_interrupted_cell_keeps_its_workers(fresh):
    fresh.run(SQUARE, timeout=60).ok()
    fresh.run(START).ok()
    result = fresh.run('std::cout << "waiting" << std::endl; results.get()',
                       interrupt_when="waiting")
    assert result.status == "error" and "interrupted" in result.evalue
    assert fresh.value("one.alive() && two.alive()") == "true"
    assert fresh.value(SUM) == "385"


def test_a_pool_says_that_its_workers_are_gone_after_a_crash(fresh):
    fresh.run(
        '#include "lanes/parallel.hpp"\nlanes::WorkerPool<int, int> pool([](int x) { return x * x; }, 2);',
        timeout=60).ok()
    assert fresh.value("pool.map({1, 2, 3})", timeout=60) == "{ 1, 4, 9 }"
    crashed = fresh.run("abort();")
    assert "Lost with the process: worker processes." in crashed.traceback, crashed
    result = fresh.run("pool.map({1})")
    assert result.evalue.startswith("WorkerPool: its workers are gone.")
    fresh.run("pool = lanes::WorkerPool<int, int>([](int x) { return 2 * x; }, 2);").ok()
    assert fresh.value("pool.map({4})") == "{ 8 }"


def test_a_crash_in_a_job_is_told_and_the_session_lives(fresh):
    fresh.run(
        '#include "lanes/parallel.hpp"\nlanes::WorkerPool<int, int> pool([](int x) { int* volatile p = nullptr; return x == 2 ? *p : x; }, 2);',
        timeout=60).ok()
    result = fresh.run("pool.map({1, 2, 3})", timeout=60)
    assert "ended by signal 11 (Segmentation fault), the third that this job has ended" in result.evalue
    assert fresh.value("pool.map({5})") == "{ 5 }"


def test_openmp_and_blas_in_a_worker(fresh):
    fresh.run(
        '#include "lanes/parallel.hpp"\n#include "lanes/array.hpp"\nlanes::Matrix a = xt::ones<float>({200, 200});\nfloat before = lanes::matmul(a, a)(0, 0);',
        timeout=60).ok()
    fresh.run("""lanes::WorkerPool<int, float> pool([](int x) {
    float sum = 0;
    #pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 100; ++i) sum += x;
    return sum + lanes::matmul(a, a)(199, 199);
}, 2);""",
              timeout=60).ok()
    assert fresh.value("pool.map({1, 2})", timeout=60) == "{ 300.0, 400.0 }"


def test_workers_end_with_the_session(fresh):
    fresh.run(SQUARE, timeout=60).ok()
    fresh.run(START).ok()
    pids = [int(fresh.value(f"{name}.pid()")) for name in ("one", "two")]
    fresh.restart()
    assert comes_true(lambda: all(gone(pid) for pid in pids))
    assert fresh.value("6 * 7") == "42"


def test_workers_end_with_a_killed_jupyter_kernel(fresh):
    fresh.run(SQUARE, timeout=60).ok()
    fresh.run(START).ok()
    pids = [int(fresh.value(f"{name}.pid()")) for name in ("one", "two")]
    psutil.Process(fresh.pid).send_signal(signal.SIGKILL)
    assert comes_true(lambda: all(gone(pid) for pid in pids))


FIT = """#include "lanes/mlp.hpp"
auto data = lanes::load_mnist(lanes::MnistSplit::assignment_2);
lanes::TrainingOptions options;
options.batches_per_epoch(300);
lanes::AugmentedNetwork network({784, 128, 64, 10}, options);
network.set_num_workers(2); network.set_pipeline(lanes::BatchPipeline::%s);"""


def parent_of(process):
    try:
        return process.ppid()
    except psutil.NoSuchProcess:  # since it was listed
        return None


def workers_of(kernel):
    running = kernel.processes(
    )  # the session and its copy are children of the front; workers are the session's
    return [p for p in running if parent_of(p) in {q.pid for q in running} - {kernel.pid}]


TRAIN = "network.fit(data.train, lanes::slice_of(data.validation, 0, 100), %d);"


@pytest.mark.parametrize("pipeline", ["whole_epoch", "pipeline", "shared_ring"])
def test_a_worker_killed_while_a_cell_trains(fresh, pipeline):
    epochs = 40  # it must still train when the first line of it was seen and its workers were found
    fresh.run(FIT % pipeline, timeout=60).ok()
    killed = []

    def kill_one(message):
        if "Epoch" in message["content"].get("text", "") and not killed:
            for worker in workers_of(fresh)[:1]:
                worker.kill()
                killed.append(worker.pid)

    fresh.run(TRAIN % epochs, timeout=100, on_message=kill_one).ok()
    assert killed
    assert fresh.value("network.worker_failures().size()") == "1"
    assert fresh.value("network.history().size()") == str(epochs)
    assert workers_of(fresh) == []


@pytest.mark.parametrize("pipeline", ["whole_epoch", "pipeline", "shared_ring", "threads"])
def test_training_is_interrupted_and_its_workers_end(fresh, pipeline):
    fresh.run(FIT % pipeline, timeout=60).ok()
    assert fresh.run(TRAIN % 4000, timeout=100, interrupt_when="Epoch 2,").status == "error"
    assert comes_true(lambda: workers_of(fresh) == [])
    assert fresh.value("6 * 7") == "42"
