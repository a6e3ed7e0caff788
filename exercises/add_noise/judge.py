"""Uniform noise on each pixel, cut off at 0 and 1; one seed, one result."""

import numpy as np
from grading.judging import require, require_noise, same
from grading.records import Draws


def given(seed):
    """Image and noise, as probe.cpp draws them."""
    draw = Draws(seed)
    shape = draw.integer(25, 40), draw.integer(25, 40)
    noise = draw.uniform(0.05, 0.25)
    return np.clip(draw.random(shape, -0.2, 1.2), 0, 1), noise


def judge(got, _, seed):
    image, noise = given(seed)
    first, second, again, after = (got.array(image.shape) for _ in range(4))
    require(same(after, image), "the image that was given has changed")
    require_noise(image, first, noise)
    require_noise(image, second, noise)
    require(np.array_equal(first, again), "the same seed gives other noise")
    require(not same(first, second), "a second call gives the same noise again")
