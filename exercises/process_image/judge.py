"""Images that a shift, turn or tilt within the bounds can give, and noise; one seed, one result."""

import numpy as np
from grading.judging import (argument, offsets, require, require_both_ways, require_generators,
                             require_noise, same)
from grading.moved import rotated, shifted, skew_candidates, skewed
from grading.records import Draws


def spots(draw, side=21):
    """Soft spots on black, far from the border."""
    image, (y, x) = np.zeros((side, side)), np.mgrid[0:side, 0:side]
    for _ in range(4):
        row, column, height = draw.integer(6, 14), draw.integer(6, 14), draw.uniform(0.3, 0.9)
        image = np.maximum(image, height * np.exp(-((y - row)**2 + (x - column)**2) / 4))
    return image


def given(seed):
    """The image, and bounds: degrees, cells, noise, tilt."""
    draw = Draws(seed)
    return spots(draw), (draw.integer(10, 34), draw.integer(2, 4), draw.uniform(0.05, 0.2),
                         draw.uniform(0.1, 0.3))


def angle(found, image, bound):
    """Of a turn, by looking closer and closer where the images are most alike."""
    def error(degrees):
        return np.sum((rotated(image, degrees) - found)**2)

    step, best = bound / 30, min(np.linspace(-bound, bound, 61), key=error)
    while step > 1e-4:
        best = min((best - step, best - step / 3, best, best + step / 3, best + step), key=error)
        step /= 2
    require(
        np.max(np.abs(rotated(image, best) - found)) < 5e-3 and abs(best) < bound + 0.05,
        "no angle within its bound gives such an image")
    return best


def judge(got, _, seed):
    image, (degrees, cells, noise, tilt) = given(seed)

    def calls(count):
        return [got.array(image.shape) for _ in range(count)]

    all_bounds, (unchanged, ) = calls(9), calls(1)
    shifts, turns, tilts, noisy = calls(96), calls(32), calls(32), calls(3)
    require(same(got.array(image.shape), image), "the image that was given has changed")
    require(same(unchanged, image), "bounds of 0 change the image")
    moves = [argument(found, image, offsets(cells), shifted, "no shift") for found in shifts]
    for direction in (0, 1):
        require_both_ways([move[direction] for move in moves], cells, "the shift")
        # 96 draws without the largest: less than once in 10^10 times
        require(max(abs(move[direction]) for move in moves) == cells,
                f"the shift never reaches its bound of {cells}")
    require(any(dx != dy for dx, dy in moves), "both parts of the shift are always the same")
    require_both_ways([angle(found, image, degrees) for found in turns], degrees, "the angle")
    candidates = skew_candidates(tilt, len(image))
    require_both_ways(
        [argument(found, image, candidates, skewed, "no tilt") for found in tilts], tilt,
        "the tilt")
    require_noise(np.concatenate([image] * 3), np.concatenate(noisy), noise)
    require_generators(all_bounds, "images")
    require(not any(same(found, image) for found in all_bounds), "the image comes back as it is")
    require(
        min(found.min() for found in all_bounds) >= 0
        and max(found.max() for found in all_bounds) <= 1, "a pixel has left 0 to 1")
