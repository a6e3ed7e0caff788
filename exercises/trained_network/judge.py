"""A training adds up many rounding errors; sums in another order give slightly other weights."""

import numpy as np
from grading.judging import require


def judge(got, expected, _):
    mine, teachers = got.array((40, 5)), expected.array((40, 5))
    require(np.allclose(mine, teachers, rtol=1e-2, atol=1e-3),
            "a network of your functions learns something else than one of the library's")
    for _ in range(2):
        require(
            got.array(()) == expected.array(()), "random_weights gives matrices of other shapes")
