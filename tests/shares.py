"""Long lists of similar tests: a run of all tests takes a share of each list, a third or less, and each
commit begins with another share. What is chosen by -k or by its name always runs. LANES_TESTS=all takes
everything."""

import functools
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def shares(values, key=lambda value: value, parts=3):
    """Parameters for pytest.mark.parametrize. Those with an equal key are in the same share."""
    values, numbers, found = list(values), {}, []
    for value in values:
        known = value if hasattr(value, "marks") else pytest.param(value)
        number = numbers.setdefault(key(*known.values), len(numbers))
        found.append(pytest.param(*known.values, id=known.id,
                                  marks=[*known.marks, pytest.mark.share(number, parts)]))
    return found


@functools.cache
def number_of_this_commit():
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "HEAD"], capture_output=True,
                            text=True).stdout
    return int(commit[:8] or "0", 16)


def takes_everything(config):
    return (os.environ.get("LANES_TESTS") == "all" or config.option.keyword
            or any("::" in argument for argument in config.args))


# For a conftest.py: from shares import pytest_collection_modifyitems, pytest_configure
def pytest_configure(config):
    config.addinivalue_line("markers", "share(number, parts): runs if a commit takes this share")


def is_left_out(item):
    mark = item.get_closest_marker("share")
    if not mark:
        return False
    number, parts = mark.args
    return number % parts != number_of_this_commit() % parts


def pytest_collection_modifyitems(config, items):
    if takes_everything(config):
        return
    left_out = [item for item in items if is_left_out(item)]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]
