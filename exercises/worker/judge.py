"""Batches of the images that the jobs name, changed within the bounds. They depend on the seed and
on the job's index, and not on who makes them."""

import numpy as np
from grading.judging import argument, offsets, require, same
from grading.moved import shifted
from grading.records import Draws

CELLS = 3


def given(seed):
    """Images, labels, and jobs: each an index and the rows that it asks for."""
    draw = Draws(seed)
    images, labels = draw.random((9, 784), 0, 1), draw.random((9, 10), 0, 9)
    jobs, index = [], 42
    while len(jobs) < 5:
        jobs.append((index, [draw.integer(0, 8) for _ in range(len(jobs) % 3 + 1)]))
        index += draw.integer(1, 50)
    return images, labels, jobs


def judge(got, _, seed):
    images, labels, jobs = given(seed)

    def batches():
        found = []
        for number, rows in jobs:
            came = int(got.array(()))
            require(came == number, f"a batch has the index {came}, expected {number}")
            found.append(got.array((len(rows), 784)))
            require(same(got.array((len(rows), 10)), labels[rows]), "the labels are not the job's")
        return found

    unmoved, by_two, by_one, other_seed = batches(), batches(), batches(), batches()
    turned, noisy, tilted, with_own_bounds = batches(), batches(), batches(), batches()
    moves = []
    for (_, rows), plain, moved, alone in zip(jobs, unmoved, by_two, by_one):
        require(same(plain, images[rows]),
                "with bounds of 0 the images are not those that the job names")
        require(np.array_equal(moved, alone), "another worker makes another batch of the same job")
        moves.append([
            argument(found.reshape(28, 28), images[row].reshape(28, 28), offsets(CELLS), shifted,
                     "no shift") for row, found in zip(rows, moved)
        ])
    require(len({move for batch in moves for move in batch}) > 1, "the shift is always the same")
    require(len({batch[0] for batch in moves}) > 1, "all jobs have the same random numbers")
    require(any(len(set(batch)) > 1 for batch in moves),
            "all images of a job have the same random numbers")
    require(not all(map(same, by_two, other_seed)), "another seed gives the same batches")
    for changed, what in ((turned, "turned"), (noisy, "given noise"), (tilted, "tilted")):
        require(not all(map(same, unmoved, changed)), f"no image is {what}")
    require(all(np.max(np.abs(a - b)) < 0.2 + 1e-5 for a, b in zip(unmoved, noisy)),
            "a pixel has changed by more than the noise")
    require(all(map(same, unmoved, with_own_bounds)), "the bounds of a job do not count")
