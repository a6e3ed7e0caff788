"""Long lists of similar tests: a run of all tests takes a third of each list, and each commit begins
with another third. What is chosen by -k or by its name always runs. LANES_TESTS=all takes everything."""

import functools
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def thirds(values, key=lambda value: value):
    """Parameters for pytest.mark.parametrize. Those with an equal key are in the same third."""
    values, numbers, found = list(values), {}, []
    for value in values:
        known = value if hasattr(value, "marks") else pytest.param(value)
        number = numbers.setdefault(key(*known.values), len(numbers))
        found.append(pytest.param(*known.values, id=known.id,
                                  marks=[*known.marks, pytest.mark.third(number % 3)]))
    return found


@functools.cache
def third_of_this_commit():
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "HEAD"], capture_output=True,
                            text=True).stdout
    return int(commit[:8] or "0", 16) % 3


def takes_everything(config):
    return (os.environ.get("LANES_TESTS") == "all" or config.option.keyword
            or any("::" in argument for argument in config.args))


# For a conftest.py: from thirds import pytest_collection_modifyitems, pytest_configure
def pytest_configure(config):
    config.addinivalue_line("markers", "third(number): runs with every third commit")


def pytest_collection_modifyitems(config, items):
    if takes_everything(config):
        return
    left_out = [item for item in items if (mark := item.get_closest_marker("third"))
                and mark.args[0] != third_of_this_commit()]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]
