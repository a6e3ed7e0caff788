"""Long lists of similar tests: a run of all tests takes a share of each list, a third or less, and each
commit the next share: the commits are counted, so that as many commits as there are shares run them all.
A shallow clone cannot count and takes a share by the commit's hash. What is chosen by -k or by its name
always runs. LANES_TESTS=all takes everything."""

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
def number_of_this_commit(root=ROOT):
    def git(*arguments):
        try:
            return subprocess.run(["git", "-C", root, *arguments], capture_output=True,
                                  text=True).stdout.strip()
        except OSError:  # git is not installed
            return ""

    if git("rev-parse", "--is-shallow-repository") == "false":
        return int(git("rev-list", "--count", "HEAD") or "0")
    return int(git("rev-parse", "HEAD")[:8] or "0", 16)  # 0 outside of a repository


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
