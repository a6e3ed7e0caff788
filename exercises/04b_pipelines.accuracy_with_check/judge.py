"""One seed gives one network. Sums in another order may change a few of its answers."""

from grading.judging import require, require_within


def judge(got, expected, _):
    mine, teachers = list(got.left), list(expected.left)
    for _ in range(3):
        require_within(got, expected, tolerance=0.02)
    # The last two differ in the seed alone.
    require(mine[1] != mine[2] or abs(teachers[1] - teachers[2]) < 0.005,
            "another seed gives the same network")
