"""Batches of the images that the jobs name, shifted within the bound, the same by any worker."""

import numpy as np
from grading.judging import argument, offsets, require, same
from grading.moved import shifted
from grading.records import Draws

CELLS = 3


def given(seed):
    """Images, labels, and jobs: each an index and the rows that it asks for."""
    draw = Draws(seed)
    images, labels = draw.random((9, 784), 0, 1), draw.random((9, 10), 0, 9)
    jobs, index = [], draw.integer(0, 999)
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

    unmoved, by_two, by_one = batches(), batches(), batches()
    moves = set()
    for (_, rows), plain, moved, alone in zip(jobs, unmoved, by_two, by_one):
        require(same(plain, images[rows]),
                "with bounds of 0 the images are not those that the job names")
        require(np.array_equal(moved, alone), "another worker makes another batch of the same job")
        moves |= {
            argument(found.reshape(28, 28), images[row].reshape(28, 28), offsets(CELLS), shifted,
                     "no shift")
            for row, found in zip(rows, moved)
        }
    require(len(moves) > 1, "the shift is always the same")
