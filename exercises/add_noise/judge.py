"""Uniform noise on each pixel, cut off at 0 and 1; one seed, one result."""

import numpy as np
from grading.judging import require, require_generators, require_noise, same
from grading.records import Draws


def given(seed):
    """Image and noise, as probe.cpp draws them."""
    draw = Draws(seed)
    shape = draw.integer(25, 40), draw.integer(25, 40)
    noise = draw.uniform(0.05, 0.25)
    return np.clip(draw.random(shape, -0.2, 1.2), 0, 1), noise


def judge(got, _, seed):
    image, noise = given(seed)
    calls = [got.array(image.shape) for _ in range(9)]
    require(same(got.array(image.shape), image), "the image that was given has changed")
    for noisy in calls:
        require_noise(image, noisy, noise)
    require_generators(calls, "noise")
