"""The judges accept every right answer and name the mistake of each wrong one, by its values alone.
Right and wrong answers are made here, as a probe would return them."""

import copy
import itertools

import numpy as np
import pytest
from conftest import ROOT
from grading import probes
from grading.moved import rotated, shifted, skewed
from grading.restore import Lesson, is_check

SEED = 20240611
CALLS = itertools.count(1)


def said(name, got, expected=(), seed=SEED):
    """What is wrong with the values `got`, as floats of 4 bytes, or None."""
    as_floats = lambda arrays: probes.Probed(
        [np.asarray(array, np.float32) for array in arrays])
    return probes.difference(as_floats(got), as_floats(expected), name, seed)


def given(name, seed=SEED):
    return probes.judge_of(name).given(seed)


# --- add_noise


def noisy(image, noise, rng):
    return np.clip(image + rng.uniform(-noise, noise, image.shape), 0, 1)


def stays_inside(image, added):
    return np.where((image + added < 0) | (image + added > 1), image, image + added)


def generators(seeds=(1, 1, 2)):
    """Three generators, for three calls each."""
    return [rng for seed in seeds for rng in 3 * [np.random.default_rng(seed)]]


class Same:
    """A generator that always begins again."""
    def uniform(self, *arguments):
        return np.random.default_rng(1).uniform(*arguments)


def noise_values(answer=noisy, seed=SEED, rngs=None, after=lambda image: image):
    image, noise = given("add_noise", seed)
    return [answer(image, noise, rng) for rng in rngs or generators()] + [after(image)]


WRONG_NOISE = {
    "none": (lambda image, noise, rng: image, "evenly"),
    "one number for all":
    (lambda image, noise, rng: np.clip(image + rng.uniform(-noise, noise), 0, 1), "evenly"),
    "one number a row":
    (lambda image, noise, rng: np.clip(image + rng.uniform(-noise, noise, (len(image), 1)), 0, 1),
     "tells what comes next"),
    "half of it": (lambda image, noise, rng: noisy(image, noise / 2, rng), "evenly"),
    "too much": (lambda image, noise, rng: noisy(image, 1.2 * noise, rng), "more than the noise"),
    "upwards only":
    (lambda image, noise, rng: np.clip(image + rng.uniform(0, noise, image.shape), 0, 1), "evenly"),
    "two values":
    (lambda image, noise, rng: np.clip(image + rng.choice([-noise, noise], image.shape), 0, 1),
     "evenly"),
    "not cut off": (lambda image, noise, rng: image + rng.uniform(-noise, noise, image.shape),
                    "left 0 to 1"),
    "cut off too early": (lambda image, noise, rng: np.clip(noisy(image, noise, rng), 0.01, 0.99),
                          "pixels are"),
    "what would leave stays as it is": (lambda image, noise, rng: stays_inside(
        image.astype(np.float32), rng.uniform(-noise, noise, image.shape)), "are as they were"),
    "another shape": (lambda image, noise, rng: noisy(image, noise, rng).T, "the shape is"),
}


@pytest.mark.parametrize("seed", range(SEED, SEED + 30))
def test_noise(seed):
    assert said("add_noise", noise_values(seed=seed), seed=seed) is None


@pytest.mark.parametrize("mistake", WRONG_NOISE)
def test_wrong_noise(mistake):
    answer, words = WRONG_NOISE[mistake]
    assert words in (said("add_noise", noise_values(answer)) or "")


def test_noise_is_random_repeatable_and_leaves_the_image():
    assert said("add_noise",
                noise_values(rngs=9 * [Same()])) == "a second call gives the same noise again"
    assert said("add_noise",
                noise_values(rngs=generators((1, 2, 3)))) == "the same seed gives other noise"
    assert said("add_noise",
                noise_values(rngs=generators((1, 1, 1)))) == "another seed gives the same noise"
    assert said(
        "add_noise",
        noise_values(after=lambda image: 1 - image)) == "the image that was given has changed"
    assert said("add_noise", noise_values()[:9]) == "values are missing"
    assert said("add_noise", noise_values() + [1]) == "1 values too many"
    assert said("add_noise", noise_values(after=lambda image: image * np.nan)
                ) == "a number is not finite"


# --- process_image


def processed(image, bounds, rng):
    degrees, cells, noise, tilt = bounds
    moved = shifted(rotated(image, rng.uniform(-degrees, degrees)),
                    (rng.integers(-cells, cells + 1), rng.integers(-cells, cells + 1)))
    return noisy(skewed(moved, rng.uniform(-tilt, tilt)), noise, rng)


def process_values(answer=processed, seed=SEED):
    image, (degrees, cells, noise, tilt) = given("process_image", seed)
    rng = np.random.default_rng(3)
    calls = [((degrees, cells, noise, tilt), one) for one in generators()] + [((0, 0, 0, 0), rng)]
    calls += 96 * [((0, cells, 0, 0), rng)] + 32 * [((degrees, 0, 0, 0), rng)]
    calls += 32 * [((0, 0, 0, tilt), rng)] + 3 * [((0, 0, noise, 0), rng)]
    return [answer(image, *call) for call in calls] + [image]


def other_order(image, bounds, rng):
    degrees, cells, noise, tilt = bounds
    moved = skewed(
        shifted(noisy(image, noise, rng),
                (rng.integers(-cells, cells + 1), rng.integers(-cells, cells + 1))),
        rng.uniform(-tilt, tilt))
    return rotated(moved, rng.uniform(-degrees, degrees))


def with_bounds(change):
    return lambda image, bounds, rng: processed(image, change(*bounds), rng)


WRONG_PROCESS = {
    "nothing is done": (lambda image, bounds, rng: image, "the shift is always the same"),
    "bounds of its own": (with_bounds(lambda degrees, cells, noise, tilt: (15, 2, 0.1, 0.1)),
                          "bounds of 0 change the image"),
    "no shift": (with_bounds(lambda degrees, cells, noise, tilt: (degrees, 0, noise, tilt)),
                 "the shift is always the same"),
    "never to the bound": (with_bounds(
        lambda degrees, cells, noise, tilt: (degrees, max(0, cells - 1), noise, tilt)),
        "never reaches its bound"),
    "no turn": (with_bounds(lambda degrees, cells, noise, tilt: (0, cells, noise, tilt)),
                "the angle is always the same"),
    "no tilt": (with_bounds(lambda degrees, cells, noise, tilt: (degrees, cells, noise, 0)),
                "the tilt is always the same"),
    "no noise": (with_bounds(lambda degrees, cells, noise, tilt: (degrees, cells, 0, tilt)),
                 "evenly"),
    "too far": (with_bounds(lambda degrees, cells, noise, tilt: (degrees, 2 * cells, noise, tilt)),
                "no shift within its bound"),
    "turned too far":
    (with_bounds(lambda degrees, cells, noise, tilt: (3 * degrees, cells, noise, tilt)),
     "no angle within its bound"),
    "tilted too far":
    (with_bounds(lambda degrees, cells, noise, tilt: (degrees, cells, noise, 3 * tilt)),
     "no tilt within its bound"),
    "a seed of its own":
    (lambda image, bounds, rng: processed(image, bounds, np.random.default_rng(7)),
     "always the same"),
    "no seed":
    (lambda image, bounds, rng: processed(image, bounds, np.random.default_rng(next(CALLS))),
     "the same seed gives other images"),
    "turned one way": (lambda image, bounds, rng: rotated(
        processed(image, (0, *bounds[1:]), rng), rng.uniform(0, bounds[0])), "the angle goes one way only"),
    "tilted one way": (lambda image, bounds, rng: skewed(
        processed(image, (*bounds[:3], 0), rng), rng.uniform(0, bounds[3])), "the tilt goes one way only"),
    "shifted one way": (lambda image, bounds, rng: shifted(
        processed(image, (bounds[0], 0, *bounds[2:]), rng), rng.integers(0, bounds[1] + 1, 2)),
        "the shift goes one way only"),
    "along the diagonal":
    (lambda image, bounds, rng: shifted(processed(image,
                                                  (bounds[0], 0, bounds[2], bounds[3]), rng), 2 *
                                        (int(rng.integers(-bounds[1], bounds[1] + 1)), )),
     "both parts of the shift"),
}


@pytest.mark.parametrize("answer", [processed, other_order])
@pytest.mark.parametrize("seed", range(SEED, SEED + 5))
def test_process(seed, answer):
    assert said("process_image", process_values(answer, seed), seed=seed) is None


@pytest.mark.parametrize("mistake", WRONG_PROCESS)
def test_wrong_process(mistake):
    answer, words = WRONG_PROCESS[mistake]
    assert words in (said("process_image", process_values(answer)) or "")


# --- noise_first


NOISE_FIRST = "04b_pipelines.noise_first_check"


def noise_first_values(answer, rngs=None):
    (image, noise), rng = given(NOISE_FIRST), np.random.default_rng(3)
    calls = [((20, 3, noise, 0.2), one) for one in rngs or generators()]
    calls += 10 * [((0, 4, noise, 0), rng)]
    calls += 4 * [((20, 0, 0, 0), rng)] + 32 * [((0, 0, 0, 0.2), rng)]
    return [answer(image, *call) for call in calls]


def without(left_out):
    """other_order with one bound less."""
    return lambda image, bounds, rng: other_order(
        image, [0 if i == left_out else bound for i, bound in enumerate(bounds)], rng)


def test_noise_first():
    name = NOISE_FIRST
    assert said(name, noise_first_values(other_order)) is None
    assert "noise comes after it" in said(name, noise_first_values(processed))
    assert said(name, noise_first_values(without(0))) == "the angle is always the same"
    assert said(name, noise_first_values(without(1))) == "the shift is always the same"
    assert "evenly" in said(name, noise_first_values(without(2)))
    assert said(name, noise_first_values(without(3))) == "the tilt is always the same"
    assert said(name, noise_first_values(other_order, generators(
        (1, 2, 3)))) == "the same seed gives other images"


# --- worker


def operated(image, bounds, rng):
    degrees, cells, noise, tilt = bounds
    moved = shifted(rotated(image.reshape(28, 28), rng.uniform(-degrees, degrees)),
                    rng.integers(-cells, cells + 1, 2))
    return noisy(skewed(moved, rng.uniform(-tilt, tilt)), noise, rng).ravel()


def worker_values(change=lambda number, rows, images, labels, moved: (number, moved, labels[rows]),
                  operator=operated, generator=lambda seed, number: [seed, number]):
    images, labels, jobs = given("worker")
    none, shift, parts = (0, 0, 0, 0), (0, 3, 0, 0), []
    for bounds, seed in ((none, 1), (shift, 1), (shift, 1), (shift, 2), ((20, 0, 0, 0), 1),
                         ((0, 0, 0.2, 0), 1), ((0, 0, 0, 0.3), 1), (none, 1)):
        for number, rows in jobs:
            rng = np.random.default_rng(generator(seed, number))
            moved = np.array([operator(images[row], bounds, rng) for row in rows])
            parts += change(number, rows, images, labels, moved)
    return parts


WRONG_WORKER = {
    "images as they are": (lambda number, rows, images, labels, moved:
                           (number, images[rows], labels[rows]), "the shift is always the same"),
    "other images": (lambda number, rows, images, labels, moved:
                     (number, images[:len(rows)], labels[rows]), "not those that the job names"),
    "black images": (lambda number, rows, images, labels, moved:
                     (number, 0 * moved, labels[rows]), "not those that the job names"),
    "other labels": (lambda number, rows, images, labels, moved:
                     (number, moved, labels[:len(rows)]), "the labels are not the job's"),
    "numbers of its own": (lambda number, rows, images, labels, moved:
                           (7, moved, labels[rows]), "a batch has the index 7"),
    "one image a batch": (lambda number, rows, images, labels, moved:
                          (number, moved[:1], labels[rows]), "the shape is (1, 784)"),
    "chance": (lambda number, rows, images, labels, moved:
               (number, np.roll(moved, next(CALLS), 1)
                if not np.allclose(moved, images[rows]) else moved, labels[rows]),
               "another worker makes another batch"),
}


def left_out(place):
    return lambda image, bounds, rng: operated(
        image, [0 if i == place else bound for i, bound in enumerate(bounds)], rng)


WRONG_WORK = {
    "no turn": (dict(operator=left_out(0)), "no image is turned"),
    "no noise": (dict(operator=left_out(2)), "no image is given noise"),
    "no tilt": (dict(operator=left_out(3)), "no image is tilted"),
    "the seed is ignored": (dict(generator=lambda seed, number: [number]),
                            "another seed gives the same batches"),
    "the index is ignored": (dict(generator=lambda seed, number: [seed]),
                             "all jobs have the same random numbers"),
    "a generator for each image":
    (dict(operator=lambda image, bounds, rng: operated(image, bounds, copy.deepcopy(rng))),
     "all images of a job have the same random numbers"),
}


def test_worker():
    assert said("worker", worker_values()) is None


@pytest.mark.parametrize("mistake", WRONG_WORKER)
def test_wrong_worker(mistake):
    change, words = WRONG_WORKER[mistake]
    assert words in (said("worker", worker_values(change)) or "")


@pytest.mark.parametrize("mistake", WRONG_WORK)
def test_wrong_work(mistake):
    arguments, words = WRONG_WORK[mistake]
    assert words in (said("worker", worker_values(**arguments)) or "")


def test_bounds_of_a_job():
    values = worker_values()
    count = len(values) // 8
    assert said("worker", values[:-count] + values[count:2 * count]
                ) == "the bounds of a job do not count"


# --- random_weights, and what a network says


def weights_values(draw, rngs=None):
    return [draw(rng, rows, columns)
            for rng in rngs or generators()
            for rows, columns in ((40, 50), (50, 31), (31, 60))]


def xavier(rng, rows, columns):
    return rng.uniform(-1, 1, (rows, columns)) / np.sqrt(rows)


def test_random_weights():
    expected = weights_values(xavier)
    assert said("random_weights", weights_values(xavier, generators((5, 5, 6))), expected) is None
    assert said("random_weights", weights_values(xavier, 9 * [Same()]),
                expected) == "a second call gives the same weights again"
    assert said("random_weights", weights_values(xavier, generators((5, 6, 7))),
                expected) == "the same seed gives other weights"
    assert said("random_weights", weights_values(xavier, generators((5, 5, 5))),
                expected) == "another seed gives the same weights"
    assert "evenly" in said("random_weights",
                            weights_values(lambda rng, rows, columns: xavier(rng, rows, columns) /
                                           2),
                            expected)
    assert "lies between" in said(
        "random_weights",
        weights_values(lambda rng, rows, columns: rng.uniform(-1, 1, (rows, columns))), expected)
    assert "evenly" in said("random_weights",
                            weights_values(lambda rng, rows, columns: np.zeros((rows, columns))),
                            expected)
    assert "the shape is" in said(
        "random_weights", weights_values(lambda rng, rows, columns: xavier(rng, columns, rows)),
        expected)


def test_pixels_may_be_rounded_the_other_way_now_and_then():
    right = [np.full((20, 9, 3), 100.0) for _ in range(4)]
    once = [array.copy() for array in right]
    once[0][3, 4, 1] = 101
    assert said("resize_rows", once, right) is None
    once[0][3, 4, 1] = 102
    assert said("resize_rows", once, right) == "pixels differ"
    assert said("resize_rows", [array - 1 for array in right],
                right) == "pixels differ"
    assert "the shape is" in said("resize_rows", [array[:19] for array in right], right)


def test_accuracies_are_those_of_the_same_seed():
    right = [0.204, 0.865, 0.098]
    assert said("01a_training.accuracy_with-check", [0.209, 0.861, 0.098], right) is None
    assert said("01a_training.accuracy_with-check", [0.86, 0.86, 0.86],
                right) == "0.860, expected about 0.204"
    assert said("01a_training.accuracy_with-check", right[:2], right) == "values are missing"
    name, right = "04b_pipelines.accuracy_with_check", [0.892, 0.758, 0.771]
    assert said(name, [0.895, 0.761, 0.765], right) is None
    assert said(name, [0.89, 0.89, 0.89], right) == "0.890, expected about 0.758"
    assert said(name, [0.89, 0.765, 0.765], right) == "another seed gives the same network"
    assert said(name, [0.89, 0.765, 0.765], [0.892, 0.764, 0.766]) is None


def test_a_schedule_is_judged_by_trainings_of_the_teachers():
    """Five seeds, each with the schedule and with the default bounds."""
    name, default = "04b_pipelines.schedule_check", [0.895, 0.897, 0.894, 0.9, 0.896]
    values = lambda gains: [x for gain, by in zip(gains, default) for x in (by + gain, by)]
    assert said(name, values([0.01, 0.014, 0.012, 0.008, 0.015])) is None
    for gains in ([0, 0, 0, 0, 0], [-0.01, -0.02, -0.01, -0.02, -0.01],
                  [0.03, -0.03, 0.02, -0.01, 0.01]):
        assert "five seeds cannot tell from chance" in said(name, values(gains)), gains
    assert said(name, values([0.01, 0.014])) == "values are missing"


def test_a_network_of_the_students_functions():
    right = [np.full((40, 5), 0.5), np.float32(9), np.float32(5)]
    assert said("trained_network", right, right) is None
    assert "learns something else" in said("trained_network", [right[0] + 0.01, *right[1:]], right)
    assert "other shapes" in said("trained_network", [right[0], np.float32(20), right[2]], right)


def test_every_check_has_a_probe():
    lessons = [Lesson(path) for path in sorted((ROOT / "notebooks/solutions").glob("*.ipynb"))]
    names = {
        probes.name_of(lesson, cell)
        for lesson in lessons
        for cell in lesson.graded.cells
        if is_check(cell)
    }
    there = {path.parent.name for path in probes.FOLDER.glob("*/probe.cpp")}
    there |= {f"puzzles/{path.parent.name}" for path in probes.FOLDER.glob("puzzles/*/puzzle.cpp")}
    assert there == names
