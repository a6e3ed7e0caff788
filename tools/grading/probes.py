"""Values computed outside: after a check has passed, the answer is called once more with random arguments, and what it prints is compared here with what the
teacher's solution printed in a session of its own. The right values are nowhere in the student's sandbox: code that has taken over its whole session must still
find them, which is the exercise.

exercises/NAME/probe.txt is the cell for lanes::exercises::NAME(), exercises/LESSON.GRADE_ID/probe.txt that for a check of a lesson's own; SEED in it is a number that each `make grade`
draws anew. Where many answers are right (noise, random weights, an accuracy), judges.py says what must hold for all of them."""

import pathlib
import re

from . import judges

FOLDER = pathlib.Path(__file__).parents[2] / "exercises"
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|nan|inf")


def name_of(lesson, check):
    """Of the probe behind a check's cell, whether there is one or not."""
    exercise = re.search(r"lanes::exercises::(\w+)\(\)\s*\.check[(<]", check.source)
    return exercise[1] if exercise else f"{lesson.name}.{check.metadata.nbgrader.grade_id}"


def text_of(name, seed):
    path = FOLDER / name / "probe.txt"
    return path.read_text(encoding="utf-8").replace("SEED", str(seed)) if path.exists() else None


def printed(outputs):
    return "".join(output.text
                   for output in outputs
                   if output.output_type == "stream" and output.name == "stdout")


def difference(outputs, expected, name=None, seed=0):
    """What is wrong with what an answer printed, in words, or None."""
    failed = [output for output in outputs if output.output_type == "error"]
    if failed:
        return f"{failed[0].ename}: {failed[0].evalue}"
    got, right = NUMBER.findall(printed(outputs)), NUMBER.findall(printed(expected))
    if name in judges.JUDGES:
        return judges.judged(name, got, right, seed)
    if len(got) != len(right):
        return f"{len(got)} numbers, not {len(right)}"
    wrong = sum(not are_close(a, b) for a, b in zip(got, right))
    return f"{wrong} of {len(right)} numbers differ" if wrong else None


def are_close(a, b):
    """Whole numbers exactly; others with room for another order of a sum."""
    tolerance = 0 if re.fullmatch(r"-?\d+", a) and re.fullmatch(r"-?\d+",
                                                                b) else 1e-5 + 1e-4 * abs(float(b))
    return abs(float(a) - float(b)) <= tolerance
