"""What a shift brings in from outside stays black, what was there has its noise; a turn and a tilt
within their bounds; one seed, one result."""

import numpy as np
from grading.judging import (argument, offsets, require, require_both_ways, require_even,
                             require_generators)
from grading.moved import rotated, shifted, skew_candidates, skewed
from grading.records import Draws

DEGREES, CELLS, TILT = 20, 4, 0.2


def given(seed):
    """Image and noise, as probe.cpp draws them."""
    draw = Draws(seed)
    return draw.random((21, 21), 0.4, 0.6), draw.uniform(0.05, 0.2)


def require_shift(image, noise, found):
    """Returns the shift."""
    matching = [
        offset for offset in offsets(CELLS)
        if np.array_equal(found == 0, shifted(image, offset) == 0)
    ]
    require(
        matching,
        "what a shift brought in from outside is not black: noise comes after it, or the shift "
        "is too far"
    )
    there = shifted(image, matching[0])
    require_even((found - there)[there > 0], -noise, noise, "what was added")
    return matching[0]


def judge(got, _, seed):
    image, noise = given(seed)

    def calls(count):
        return [got.array(image.shape) for _ in range(count)]

    all_bounds, shifts, turns, tilts = calls(9), calls(10), calls(4), calls(32)
    moves = {require_shift(image, noise, found) for found in shifts}
    require(len(moves) > 1, "the shift is always the same")
    middle = np.s_[5:16, 5:16]  # the pixels there come from inside the image
    angles = np.linspace(-DEGREES, DEGREES, 401)
    found_angles = [
        argument(found[middle], image, angles, lambda image, angle: rotated(image, angle)[middle],
                 "no angle", 5e-3) for found in turns
    ]
    require(max(found_angles) - min(found_angles) > 0.15, "the angle is always the same")
    candidates = skew_candidates(TILT, len(image))
    require_both_ways(
        [argument(found, image, candidates, skewed, "no tilt") for found in tilts], TILT,
        "the tilt")
    require_generators(all_bounds, "images")
