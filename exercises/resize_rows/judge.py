"""The solution's pixels. Where the exact value is in the middle of two whole numbers, a sum in float
may be rounded to the other one."""

import numpy as np
from grading.judging import require


def judge(got, expected, _):
    away = []
    for _ in range(4):
        right = np.asarray(expected.take(), float)
        away.append(np.abs(got.array(right.shape) - right).ravel())
    away = np.concatenate(away)
    require(away.max() <= 1 and np.mean(away > 0) < 0.01, "pixels differ")
