"""The check asks for more than 88 % as the mean of three trainings; one alone may be unlucky. The
value is the accuracy of a network that was trained with the student's bounds (follow_up.cpp)."""

from grading.judging import require


def judge(got, _, __):
    accuracy = float(got.array(()))
    require(
        accuracy > 0.87,
        f"a network that was trained with these bounds is right for {100 * accuracy:.1f} % of the "
        "validation images, expected more than 88 %")
