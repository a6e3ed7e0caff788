"""Where many answers are right there is nothing to compare with: what an answer printed for secret images and bounds is judged by what must hold for every right
one. Each judge takes the numbers that the probe printed and those of the teacher's solution, and says in words what is wrong, or nothing.

Chance alone makes a right answer fail less than once in a million times: bounds on random sums are 7 standard deviations wide."""

import numpy as np

from .moved import rotated, shifted, skew_candidates, skewed

NEVER = 7  # standard deviations


class Wrong(Exception):
    pass


def require(holds, words):
    if not holds:
        raise Wrong(words)


class Draws:
    """The numbers of `draw` in a probe."""
    def __init__(self, seed):
        self.state = seed

    def __call__(self):
        self.state = (self.state * 1664525 + 1013904223) % 2**32
        return self.state >> 8

    def array(self, count, make):
        return np.array([make(self()) for _ in range(count)])


class Printed:
    """Numbers one after the other, as they were printed."""
    def __init__(self, numbers):
        self.left = np.array([float(number) for number in numbers])

    def take(self, count):
        require(len(self.left) >= count, "numbers are missing")
        taken, self.left = self.left[:count], self.left[count:]
        require(np.all(np.isfinite(taken)), "a number is not finite")
        return taken

    def matrix(self, shape):
        """As a probe prints it, rows x columns first."""
        got = tuple(int(side) for side in self.take(2))
        require(got == shape, f"the shape is {got}, expected {shape}")
        return self.take(shape[0] * shape[1]).reshape(shape)

    def end(self):
        require(len(self.left) == 0, f"{len(self.left)} numbers too many")


def same(a, b):
    return a.shape == b.shape and np.allclose(a, b, rtol=1e-4, atol=1e-5)


def require_even(values, low, high, what):
    """Independent draws, all numbers from low to high equally likely."""
    count, place = len(values), np.sort((values - low) / (high - low))
    require(
        place[0] > -1e-3 and place[-1] < 1 + 1e-3,
        f"{what} lies between {values.min():.3g} and {values.max():.3g}, expected {low:.3g} to {high:.3g}"
    )
    distance = np.max(np.abs(place - (np.arange(count) + 0.5) / count))
    require(distance < NEVER / (2 * np.sqrt(count)), f"{what} is not evenly distributed"
            )  # at any place a count's standard deviation is at most half the root
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
    for rim, reach in ((0, noise - image), (1, image + noise - 1)):
        chance = np.clip(reach / (2 * noise), 0, 1)
        expected, spread = chance.sum(), np.sqrt((chance * (1 - chance)).sum())
        seen = np.sum(np.abs(noisy - rim) < 1e-6)
        require(
            abs(seen - expected) < NEVER * spread + 2,
            f"{seen} pixels are {rim}, expected about {expected:.0f}")


# What a probe gives to the answer, drawn from its seed as the probe's own lines in C++ draw it: a difference between the two shows in every right answer.


def noise_given(seed):
    draw = Draws(seed)
    shape = (25 + draw() % 16, 25 + draw() % 16)
    noise = (50 + draw() % 200) / 1000
    return draw.array(shape[0] * shape[1],
                      lambda n: min(1000, n % 1200) / 1000).reshape(shape), noise


def spots(draw, side=21):
    """Soft spots on black, far from the border."""
    image, (y, x) = np.zeros((side, side)), np.mgrid[0:side, 0:side]
    for _ in range(4):
        row, column, height = 6 + draw() % 9, 6 + draw() % 9, (300 + draw() % 600) / 1000
        image = np.maximum(image, height * np.exp(-((y - row)**2 + (x - column)**2) / 4))
    return image


def process_given(seed):
    """The image, and bounds: degrees, cells, noise, tilt."""
    draw = Draws(seed)
    return spots(draw), (10 + draw() % 25, 2 + draw() % 3, (50 + draw() % 150) / 1000,
                         (100 + draw() % 200) / 1000)


def noise_first_given(seed):
    draw = Draws(seed)
    return draw.array(441, lambda n: (400 + n % 200) / 1000).reshape(21,
                                                                     21), (50 + draw() % 150) / 1000


def worker_given(seed):
    """Images, labels, and jobs: each an index and the rows that it asks for."""
    draw = Draws(seed)
    images = draw.array(9 * 784, lambda n: n % 1001 / 1000).reshape(9, 784)
    labels = draw.array(90, lambda n: n % 10).reshape(9, 10)
    jobs, index = [], draw() % 1000
    while len(jobs) < 5:
        jobs.append((index, [draw() % 9 for _ in range(len(jobs) % 3 + 1)]))
        index += 1 + draw() % 50
    return images, labels, jobs


def add_noise(got, _, seed):
    image, noise = noise_given(seed)
    first, second, again = (got.matrix(image.shape) for _ in range(3))
    require(same(got.take(image.size).reshape(image.shape), image),
            "the image that was given has changed")
    require_noise(image, first, noise)
    require_noise(image, second, noise)
    require(np.array_equal(first, again), "the same seed gives other noise")
    require(not same(first, second), "a second call gives the same noise again")


def argument(found, image, candidates, move, what, allowed=1e-4):
    """The one of the candidates with which `move` gives what was found."""
    errors = [np.max(np.abs(move(image, candidate) - found)) for candidate in candidates]
    require(min(errors) < allowed, f"{what} within its bound gives such an image")
    return candidates[int(np.argmin(errors))]


def offsets(cells):
    return [(dx, dy) for dx in range(-cells, cells + 1) for dy in range(-cells, cells + 1)]


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


def require_variety(arguments, bound, what):
    require(max(arguments) - min(arguments) > 0.1 * bound, f"{what} is always the same")


def process_image(got, _, seed):
    image, (degrees, cells, noise, tilt) = process_given(seed)
    one = [got.matrix(image.shape) for _ in range(37)]
    require(same(got.take(image.size).reshape(image.shape), image),
            "the image that was given has changed")
    require(same(one[0], image), "bounds of 0 change the image")
    moves = [argument(found, image, offsets(cells), shifted, "no shift") for found in one[1:11]]
    require(len(set(moves)) > 1, "the shift is always the same")
    require(any(dx != dy for dx, dy in moves), "both parts of the shift are always the same")
    require_variety([angle(found, image, degrees) for found in one[11:21]], degrees, "the angle")
    require_variety([
        argument(found, image, skew_candidates(tilt, len(image)), skewed, "no tilt")
        for found in one[21:31]
    ], tilt, "the tilt")
    require_noise(np.concatenate([image] * 3), np.concatenate(one[31:34]), noise)
    require(np.array_equal(one[34], one[36]), "the same seed gives another image")
    require(not same(one[34], one[35]), "a second call gives the same image again")
    require(not same(one[34], image), "the image comes back as it is")
    require(
        min(found.min() for found in one) >= 0 and max(found.max() for found in one) <= 1,
        "a pixel has left 0 to 1")


def noise_first(got, _, seed):
    """What a shift brings in from outside stays black, what was there has its noise."""
    image, noise = noise_first_given(seed)
    moves = set()
    for _ in range(10):
        found = got.matrix(image.shape)
        matching = [(dx, dy)
                    for dx, dy in offsets(4)
                    if np.array_equal(found == 0,
                                      shifted(image, (dx, dy)) == 0)]
        require(
            matching,
            "what a shift brought in from outside is not black: noise comes after it, or the shift is too far"
        )
        there = shifted(image, matching[0])
        require_even((found - there)[there > 0], -noise, noise, "what was added")
        moves.add(matching[0])
    require(len(moves) > 1, "the shift is always the same")


def worker(got, _, seed):
    (images, labels, jobs), cells = worker_given(seed), 3

    def batches():
        found = []
        for number, rows in jobs:
            came = got.take(1)[0]
            require(came == number, f"a batch has the index {came:.0f}, expected {number}")
            found.append(got.matrix((len(rows), 784)))
            require(same(got.take(10 * len(rows)).reshape(len(rows), 10), labels[rows]),
                    "the labels are not the job's")
        return found

    unmoved, by_two, by_one = batches(), batches(), batches()
    moves = set()
    for (_, rows), plain, moved, alone in zip(jobs, unmoved, by_two, by_one):
        require(same(plain, images[rows]),
                "with bounds of 0 the images are not those that the job names")
        require(np.array_equal(moved, alone), "another worker makes another batch of the same job")
        moves |= {
            argument(found.reshape(28, 28), images[row].reshape(28, 28), offsets(cells), shifted,
                     "no shift")
            for row, found in zip(rows, moved)
        }
    require(len(moves) > 1, "the shift is always the same")


def random_weights(got, expected, _):
    """Three times three matrices, uniform in plus and minus 1 / sqrt(rows); the third time with the seed of the first."""
    drawn = []
    for _ in range(9):
        rows, columns = (int(side) for side in expected.take(2))
        expected.take(rows * columns)
        drawn.append(got.matrix((rows, columns)))
        require_even(drawn[-1].ravel(), -1 / np.sqrt(rows), 1 / np.sqrt(rows), "a weight")
    require(all(np.array_equal(a, b) for a, b in zip(drawn[:3], drawn[6:])),
            "the same seed gives other weights")
    require(not any(same(a, b) for a, b in zip(drawn[:3], drawn[3:6])),
            "a second call gives the same weights again")


def classifies(at_least):
    """Of some test images right digit and the network's: which are right is what the teacher's session says."""
    def judge(got, expected, _):
        right, said = expected.take(800)[0::2], got.take(800)[1::2]
        accuracy = 100 * np.mean(right == said)
        require(
            accuracy >= at_least,
            f"{accuracy:.0f} % of 400 test images are right, expected {at_least} % at the least")

    return judge


def within(points):
    def judge(got, expected, _):
        mine, teachers = got.take(1)[0], expected.take(1)[0]
        require(abs(mine - teachers) < points, f"{mine:.1f} %, expected about {teachers:.1f}")

    return judge


JUDGES = {
    "add_noise": add_noise,
    "process_image": process_image,
    "04_augmentation.noise_first_check": noise_first,
    "worker": worker,
    "random_weights": random_weights,
    "accuracy": classifies(88),  # above 95 of all test images, and 400 of them may be unlucky
    "04_augmentation.training_check": classifies(74),  # above 82
    "04_augmentation.schedule_check": classifies(80),  # above 87
    "01_mlp.accuracy_with-check": within(8),
    "04_augmentation.accuracy_with_check": within(5),
}


def judged(name, numbers, right, seed):
    """What is wrong, in words, or None."""
    got = Printed(numbers)
    try:
        JUDGES[name](got, Printed(right), seed)
        got.end()
    except Wrong as wrong:
        return str(wrong)
    return None
