"""The gears that work ahead, as on a machine with eight cores: there threads of their own train, and the cell's takes the batches in meanwhile. A worker is
killed, the cell interrupted, the Jupyter kernel restarted."""

import pytest
from client import SLOW
from test_training_in_a_lesson import accuracies, kill_one
from test_workers_in_cells import gone, soon, workers_of

pytestmark = pytest.mark.timeout(180 * SLOW)

SET_UP = """#include "lanes/data.hpp"
#include "lanes/nn.hpp"
const lanes::SplitDataset data = lanes::load_mnist(lanes::MnistSplit::assignment_2);"""

TRAINING = """lanes::AugmentedNetwork ahead({784, 128, 64, 10}, 0.1, 16, 300, 15, {}, 1);
ahead.use_gear(lanes::Gear::GEAR);
ahead.fit(data.train, data.validation);"""


@pytest.fixture(params=["pipeline", "shared_ring"])
def ahead(request, make_kernel):
    kernel = make_kernel(env={"SLURM_CPUS_PER_TASK": "8"})
    kernel.run(SET_UP, timeout=120).ok()
    kernel.training = TRAINING.replace("GEAR", request.param)
    return kernel


def test_a_killed_worker_changes_nothing(ahead):
    killed = []
    undisturbed = accuracies(ahead.run(ahead.training, timeout=120))
    assert len(undisturbed) == 15
    disturbed = ahead.run(ahead.training, timeout=120, on_message=kill_one(ahead, killed, "Epoch 3,"))
    assert killed and accuracies(disturbed) == undisturbed
    assert ahead.value("ahead.deaths().size()") == "1"
    assert workers_of(ahead) == []


def test_an_interrupted_training_ends_its_workers_and_can_be_run_again(ahead):
    result = ahead.run(ahead.training, timeout=120, interrupt_when="Epoch 2,")
    assert result.status == "error" and "interrupted" in result.evalue, result
    assert soon(lambda: workers_of(ahead) == [])
    assert len(accuracies(ahead.run(ahead.training, timeout=120))) == 15


def test_a_restart_ends_the_workers(ahead):
    ahead.submit(ahead.training)
    assert soon(lambda: workers_of(ahead) != [], 20)
    pids = [worker.pid for worker in workers_of(ahead)]
    ahead.restart()
    assert soon(lambda: all(gone(pid) for pid in pids))
    assert ahead.value("6 * 7", timeout=60) == "42"
