"""Training is random: the accuracy is about that of the teacher's solution."""

from grading.judging import require_within


def judge(got, expected, _):
    require_within(got, expected, points=5)
