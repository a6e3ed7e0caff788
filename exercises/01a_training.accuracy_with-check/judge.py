"""One seed gives one network. Sums in another order may change a few of its answers."""

from grading.judging import require_within


def judge(got, expected, _):
    for _ in range(3):
        require_within(got, expected, tolerance=0.02)
