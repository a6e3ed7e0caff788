"""A training with the data of 04b_pipelines: a worker is killed, the cell is interrupted, the Jupyter
kernel is restarted. Once with the workers that are the answer of 04a; and with the pipelines that
make batches ahead, as on a machine with eight cores: there, separate threads train while the
cell's thread receives batches."""

import re

import nbformat
import pytest
from client import CHECKOUT, comes_true
from test_workers_in_cells import gone, workers_of

OPERATORS = [
    "aug-setup", "aug-data", "shift", "skew", "rotate", "add-noise", "process-image",
    "worker-names", "worker"
]
PIPELINES = ["pipelines-setup"]

OWN_WORKERS = """lanes::AugmentedNetwork augmented(sizes, options);
augmented.use_worker<Worker>();
augmented.fit(data.train, data.validation, num_epochs);"""

AHEAD = """lanes::TrainingOptions options;
options.batches_per_epoch(300);
lanes::AugmentedNetwork augmented({784, 128, 64, 10}, options);
augmented.set_pipeline(lanes::BatchPipeline::PIPELINE);
augmented.fit(data.train, data.validation, 15);"""


@pytest.fixture(params=["whole_epoch", "pipeline", "shared_ring"])
def lesson(request, make_kernel):
    cells = {
        cell.id: cell.source
        for name in ("04a_augmentation", "04b_pipelines") for cell in nbformat.read(
            CHECKOUT / f"notebooks/solutions/{name}.ipynb", as_version=4).cells
    }
    as_in_lesson = request.param == "whole_epoch"
    kernel = make_kernel(env={} if as_in_lesson else {"SLURM_CPUS_PER_TASK": "8"})
    for name in (OPERATORS if as_in_lesson else []) + PIPELINES:
        kernel.run(cells[name], timeout=120).ok()
    kernel.training = OWN_WORKERS if as_in_lesson else AHEAD.replace(
        "PIPELINE", request.param)
    return kernel


def kill_one(kernel, killed, when):
    def look(message):
        if when in message["content"].get("text", "") and not killed:
            killed.extend(worker.pid for worker in workers_of(kernel)[:1])
            for worker in workers_of(kernel)[:1]:
                worker.kill()

    return look


def accuracies(result):
    return re.findall(r"Epoch \d+, accuracy \S+ %", result.ok().stdout)


def test_a_killed_worker_changes_nothing(lesson):
    killed = []
    undisturbed = accuracies(lesson.run(lesson.training, timeout=120))
    assert len(undisturbed) == 15
    disturbed = lesson.run(lesson.training,
                           timeout=120,
                           on_message=kill_one(lesson, killed, "Epoch 3,"))
    assert killed and accuracies(disturbed) == undisturbed
    assert lesson.value("augmented.worker_failures().size()") == "1"
    assert workers_of(lesson) == []


def test_an_interrupted_training_ends_its_workers_and_can_be_run_again(lesson):
    result = lesson.run(lesson.training, timeout=120, interrupt_when="Epoch 2,")
    assert result.status == "error" and "interrupted" in result.evalue, result
    assert comes_true(lambda: workers_of(lesson) == [])
    assert len(accuracies(lesson.run(lesson.training, timeout=120))) == 15


def test_a_restart_ends_the_workers(lesson):
    lesson.submit(lesson.training)
    assert comes_true(lambda: workers_of(lesson) != [], 20)
    pids = [worker.pid for worker in workers_of(lesson)]
    lesson.restart()
    assert comes_true(lambda: all(gone(pid) for pid in pids))
    assert lesson.value("6 * 7", timeout=60) == "42"
