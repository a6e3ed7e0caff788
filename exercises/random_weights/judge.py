"""Three times three matrices, uniform in plus and minus 1 / sqrt(rows); the third time with the
seed of the first."""

import numpy as np
from grading.judging import require, require_even, same


def judge(got, expected, _):
    drawn = []
    for _ in range(9):
        rows, columns = expected.take().shape
        drawn.append(got.array((rows, columns)))
        require_even(drawn[-1].ravel(), -1 / np.sqrt(rows), 1 / np.sqrt(rows), "a weight")
    require(all(np.array_equal(a, b) for a, b in zip(drawn[:3], drawn[6:])),
            "the same seed gives other weights")
    require(not any(same(a, b) for a, b in zip(drawn[:3], drawn[3:6])),
            "a second call gives the same weights again")
