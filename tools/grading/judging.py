"""Shared by the judges. If many answers are right, there is nothing to compare with:
exercises/NAME/judge.py then says what must hold for every right answer. Its function judge(got,
expected, seed) takes the Values of the answer and those of the teacher's solution, and raises Wrong
with a message for the student.

A right answer fails by chance less than once in a million times: bounds on random sums are 7
standard deviations wide."""

import itertools

import numpy as np

NEVER = 7  # standard deviations


class Wrong(Exception):
    pass


def require(holds, words):
    if not holds:
        raise Wrong(words)


class Values:
    """The values of a probe, taken one after the other."""
    def __init__(self, arrays):
        self.left = list(arrays)

    def take(self):
        require(self.left, "values are missing")
        taken = self.left.pop(0)
        require(np.all(np.isfinite(taken)), "a number is not finite")
        return taken

    def array(self, shape):
        taken = self.take()
        require(taken.shape == tuple(shape), f"the shape is {taken.shape}, expected {tuple(shape)}")
        return taken.astype(float)

    def end(self):
        require(not self.left, f"{len(self.left)} values too many")


def same(a, b):
    return a.shape == b.shape and np.allclose(a, b, rtol=1e-4, atol=1e-5)


def require_generators(calls, what):
    """Three calls with each of three generators, in any order. The first two began with the same
    seed: what they give is the same, and all else differs."""
    first, again, other = calls[:3], calls[3:6], calls[6:]
    require(all(map(np.array_equal, first, again)), f"the same seed gives other {what}")
    require(not any(same(a, b) for a, b in itertools.combinations(first, 2)),
            f"a second call gives the same {what} again")
    require(not any(same(a, b) for a, b in itertools.product(first, other)),
            f"another seed gives the same {what}")


def require_even(values, low, high, what):
    """Independent draws, all numbers from low to high equally likely."""
    count, place = len(values), np.sort((values - low) / (high - low))
    require(
        place[0] > -1e-3 and place[-1] < 1 + 1e-3,
        f"{what} lies between {values.min():.3g} and {values.max():.3g}, expected {low:.3g} to "
        f"{high:.3g}")
    distance = np.max(np.abs(place - (np.arange(count) + 0.5) / count))
    require(distance < NEVER / (2 * np.sqrt(count)), f"{what} is not evenly distributed"
            )  # the standard deviation of a count is at most half the root
    centred = values - values.mean()
    together = np.dot(centred[1:], centred[:-1]) / np.dot(centred, centred)
    require(abs(together) < NEVER / np.sqrt(count), f"{what} tells what comes next")


def require_noise(image, noisy, noise):
    """Uniform noise on each pixel, cut off at 0 and 1."""
    require(noisy.min() >= 0 and noisy.max() <= 1, "a pixel has left 0 to 1")
    require(np.all(np.abs(noisy - image) <= noise + 1e-5),
            "a pixel has changed by more than the noise")
    inside = (image > noise) & (image < 1 - noise)
    require_even((noisy - image)[inside], -noise, noise, "what was added")
    kept = np.sum((noisy == image.astype(np.float32)) & (image > 1e-3) & (image < 1 - 1e-3))
    require(kept <= 5, f"{kept} grey pixels are as they were; what would leave 0 to 1 is cut off")
    for rim, reach in ((0, noise - image), (1, image + noise - 1)):
        chance = np.clip(reach / (2 * noise), 0, 1)
        expected, spread = chance.sum(), np.sqrt((chance * (1 - chance)).sum())
        seen = np.sum(np.abs(noisy - rim) < 1e-6)
        require(
            abs(seen - expected) < NEVER * spread + 2,
            f"{seen} pixels are {rim}, expected about {expected:.0f}")


def require_both_ways(arguments, bound, what):
    """Of 32 random arguments between -bound and bound, some are clearly below 0 and some above."""
    require(max(arguments) - min(arguments) > 0.1 * bound, f"{what} is always the same")
    require(
        min(arguments) < -0.1 * bound and max(arguments) > 0.1 * bound,
        f"{what} goes one way only")


def argument(found, image, candidates, move, what, allowed=1e-4):
    """The one of the candidates for which `move` gives what was found."""
    errors = [np.max(np.abs(move(image, candidate) - found)) for candidate in candidates]
    require(min(errors) < allowed, f"{what} within its bound gives such an image")
    return candidates[int(np.argmin(errors))]


def offsets(cells):
    return [(dx, dy) for dx in range(-cells, cells + 1) for dy in range(-cells, cells + 1)]


def require_within(got, expected, tolerance):
    mine, teachers = float(got.array(())), float(expected.array(()))
    require(abs(mine - teachers) < tolerance, f"{mine:.3f}, expected about {teachers:.3f}")
