"""The check asks for accuracies that are better than those with the default bounds: paired by seed,
by a t-test. The values are those of networks that were trained with the student's bounds and with
the default ones, five seeds each (follow_up.cpp)."""

from statistics import mean, stdev

from grading.judging import require

QUANTILE = 1.8  # the check asks for 2.13 standard errors; rounding may move an accuracy a little


def judge(got, _, __):
    differences = []
    for _ in range(5):
        by_schedule, by_default = float(got.array(())), float(got.array(()))
        differences.append(by_schedule - by_default)
    gain = mean(differences)
    require(
        gain > 0 and gain > QUANTILE * stdev(differences) / 5**0.5,
        f"networks that were trained with these bounds are better by {100 * gain:.1f} points than "
        "those with the default bounds, which five seeds cannot tell from chance")
