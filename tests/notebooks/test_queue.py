"""The cells of lesson 05 start many processes, let some of them hang and kill others: after each
cell nothing of theirs is left. Then the same by hand: the interrupt button, a worker that is
killed, a restart."""

import os
import sys
import time
from pathlib import Path

import psutil
import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(CHECKOUT / "tools"), str(CHECKOUT / "tests/jupyter_kernel")]
from client import SLOW, Kernel, comes_true  # noqa: E402
from lessons import form, outputs  # noqa: E402

pytestmark = [
    pytest.mark.xdist_group("queue"),  # one session for all
    pytest.mark.timeout(1800 * SLOW)
]
CELLS = [
    cell for cell in form.read(CHECKOUT / "notebooks/solutions/05_queue.ipynb").cells
    if cell.cell_type == "code"
]
TRAIN = """const auto data = lanes::load_mnist(lanes::MnistSplit::assignment_2);
lanes::TrainingOptions options;
options.batches_per_epoch(300).seed(1);
lanes::AugmentedNetwork network({784, 128, 64, 10}, options);
network.print_epochs(false);
network.set_pipeline(lanes::BatchPipeline::pipeline);
network.set_num_workers(2);
network.set_result_queue(mine);
std::cout << "training" << std::endl;
network.fit(data.train, 3000);"""
AGAIN = """lanes::AugmentedNetwork after({784, 128, 64, 10}, options);
after.print_epochs(false);
after.set_result_queue(mine);
after.fit(data.train, 1);
mine->length()"""


def test_what_is_shown_names_whose_it_is():
    """Without answers the tables are those of the library's queue, and a wrong shared_counter is named."""
    handed_out = form.read(CHECKOUT / "notebooks/05_queue.ipynb").cells
    kernel = Kernel(env={"CI": "1"})
    try:
        said = {}
        for cell in handed_out:
            if cell.cell_type == "code" and "queue_network" not in cell.source:
                said[cell.id] = kernel.run(cell.source, timeout=120)
        for cell in ("queue-rates-table", "queue-latency"):
            shown = str(said[cell].displays) + said[cell].stdout
            assert "plain queue" in shown and "your queue" not in shown, shown
        assert "The next writer waits for the lock." in said["c55"].stdout, said["c55"]
        kernel.run("std::shared_ptr<std::atomic<long>> shared_counter() {\n"
                   "    return std::make_shared<std::atomic<long>>(0);\n}").ok()
        counts = next(cell.source for cell in handed_out if cell.id == "queue-counts")
        assert "your shared_counter is not shared" in kernel.run(counts, timeout=120).evalue
    finally:
        kernel.stop()
        kernel.remove_folders()


class Left:
    """The resources that a session holds."""
    def __init__(self, kernel):
        self.session = psutil.Process(int(kernel.value("getpid()")))
        folder = Path("/proc") / str(self.session.pid)
        self.children = [child.pid for child in self.session.children(recursive=True)]
        self.descriptors = len(os.listdir(folder / "fd"))
        self.mappings = sum(" rw-s " in line for line in (folder / "maps").read_text().splitlines())


@pytest.fixture(scope="module")
def lesson():
    """A session that has run all cells; what each one left behind is in `left`."""
    kernel = Kernel(env={"CI": "1"})
    kernel.left = []
    for cell in CELLS:
        result = kernel.run(cell.source, timeout=120)
        assert (result.status == "error") == ("raises-exception" in outputs.tags(cell)), result
        kernel.left.append(Left(kernel))
    yield kernel
    kernel.stop()
    kernel.remove_folders()


def test_no_cell_leaves_anything_behind(lesson):
    for cell, left in zip(CELLS, lesson.left):
        assert not left.children, cell.source
    # The lock and the queue that a student keeps: two ends of a pipe, three memory mappings.
    first, last = lesson.left[0], lesson.left[-1]
    assert last.descriptors <= first.descriptors + 2
    assert last.mappings <= first.mappings + 3


def test_an_interrupted_training_leaves_the_queue_usable(lesson):
    before = Left(lesson)
    assert lesson.run(TRAIN, timeout=60, interrupt_when="training").status == "error"
    left = Left(lesson)
    assert not left.children
    assert left.descriptors <= before.descriptors and left.mappings <= before.mappings
    assert lesson.value(AGAIN, timeout=60) == "0"


def test_a_killed_worker_and_a_restart(lesson):
    session = Left(lesson).session
    killed = []

    def kill_one(message):
        if "training" in message["content"].get("text", "") and not killed:
            assert comes_true(session.children)
            time.sleep(0.5)  # in the middle of its work
            worker = session.children()[0]
            worker.kill()
            killed.append(worker.pid)

    lesson.run(TRAIN, timeout=60, on_message=kill_one, interrupt_after=3)
    assert killed and not Left(lesson).children
    lesson.submit(TRAIN.replace("set_result_queue(mine)", "set_result_queue(my_queue())"))
    # the front, the session, its copy, the orphan cleaner, and workers
    assert comes_true(lambda: len(lesson.processes()) > 4)
    before = {process.pid for process in lesson.processes()}
    lesson.restart()
    assert comes_true(lambda: not before & {process.pid for process in lesson.processes()})
    assert lesson.value("6 * 7") == "42"
