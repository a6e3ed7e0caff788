"""The check asks for 95 % of all test images; 400 of them may be unlucky."""

from grading.judging import require_digits


def judge(got, expected, _):
    require_digits(got, expected, at_least=88)
