"""What a shift brings in from outside stays black, what was there has its noise."""

import numpy as np
from grading.judging import offsets, require, require_even
from grading.moved import shifted
from grading.records import Draws


def given(seed):
    """Image and noise, as probe.cpp draws them."""
    draw = Draws(seed)
    return draw.random((21, 21), 0.4, 0.6), draw.uniform(0.05, 0.2)


def judge(got, _, seed):
    image, noise = given(seed)
    moves = set()
    for _ in range(10):
        found = got.array(image.shape)
        matching = [(dx, dy)
                    for dx, dy in offsets(4)
                    if np.array_equal(found == 0,
                                      shifted(image, (dx, dy)) == 0)]
        require(
            matching,
            "what a shift brought in from outside is not black: noise comes after it, or the shift "
            "is too far"
        )
        there = shifted(image, matching[0])
        require_even((found - there)[there > 0], -noise, noise, "what was added")
        moves.add(matching[0])
    require(len(moves) > 1, "the shift is always the same")
