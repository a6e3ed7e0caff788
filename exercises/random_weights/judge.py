"""Nine times three matrices, uniform in plus and minus 1 / sqrt(rows); one seed, one result."""

import numpy as np
from grading.judging import require_even, require_generators


def judge(got, expected, _):
    calls = []
    for _ in range(9):
        drawn = []
        for _ in range(3):
            rows, columns = expected.take().shape
            drawn.append(got.array((rows, columns)).ravel())
            require_even(drawn[-1], -1 / np.sqrt(rows), 1 / np.sqrt(rows), "a weight")
        calls.append(np.concatenate(drawn))
    require_generators(calls, "weights")
