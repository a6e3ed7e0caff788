"""Which notebooks belong to a homework."""

from .form import lessons

HOMEWORKS = {
    "hw1": ("00", "01", "01a", "02", "03"),
    "hw1b": ("01b", ),
    "hw2": ("04a", "04b", "05", "06", "07"),
    "hw3": ("08", "08b", "09", "09b", "10", "10b"),
}
MOST_PAGES = {"hw2": 7}  # of the report, as the assignment says


def number_of(name):
    """04a_augmentation -> 04a"""
    return name.split("_")[0]


def homework_of(name):
    """The assignment in the gradebook; a notebook outside all homeworks is its own
    assignment."""
    return next((homework for homework, numbers in HOMEWORKS.items() if number_of(name) in numbers),
                name)


def lessons_of(homework):
    """{number: name of the notebook, None if the course has none yet}"""
    names = {number_of(path.stem): path.stem for path in lessons()}
    return {number: names.get(number) for number in HOMEWORKS[homework]}
