"""A run of all tests takes a share of a long list (tests/shares.py); what is asked for always runs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from shares import number_of_this_commit  # noqa: E402

TESTS = Path(__file__).resolve().parents[1]
CONFTEST = f"""import sys
sys.path.insert(0, {str(TESTS)!r})
from shares import pytest_collection_modifyitems, pytest_configure
"""
LIST = """import pytest
from shares import shares
WITH_MARK = [pytest.param(i, id=f"id{i}", marks=pytest.mark.skip) for i in range(9)]
@pytest.mark.parametrize("i", shares(range(9)))
def test_alone(i): pass
@pytest.mark.parametrize("i", shares(WITH_MARK, lambda i: i // 3))
def test_in_groups(i): pass
@pytest.mark.parametrize("i", shares(range(18), parts=6))
def test_sixths(i): pass
def test_other(): pass
"""


@pytest.fixture
def collected(tmp_path):
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_list.py").write_text(LIST)

    def collected(*arguments, **environment):
        done = subprocess.run([sys.executable, "-m", "pytest", "-q", "--collect-only", *arguments],
                              cwd=tmp_path, capture_output=True, text=True,
                              env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
                                   "LANES_TESTS": "", **environment})
        return [line.split("::")[1] for line in done.stdout.splitlines() if "::" in line]

    return collected


def test_a_run_takes_one_share_of_each_list(collected):
    names = collected()
    alone = [int(name[11:-1]) for name in names if name.startswith("test_alone")]
    assert len(alone) == 3 and len({i % 3 for i in alone}) == 1
    share = alone[0]
    groups = [name for name in names if name.startswith("test_in_groups")]
    assert groups == [f"test_in_groups[id{i}]" for i in range(3 * share, 3 * share + 3)]
    sixths = [int(name[12:-1]) for name in names if name.startswith("test_sixths")]
    assert len(sixths) == 3 and len({i % 6 for i in sixths}) == 1
    assert "test_other" in names


def test_what_is_asked_for_runs(collected):
    assert len(collected(LANES_TESTS="all")) == 37
    assert len(collected("-k", "alone")) == 9
    assert len(collected("test_list.py::test_in_groups")) == 9


def git(folder, *arguments):
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *arguments],
                   cwd=folder, check=True, capture_output=True)


def test_each_commit_takes_the_next_share(tmp_path, monkeypatch):
    repository = tmp_path / "repository"
    repository.mkdir()
    assert number_of_this_commit(tmp_path) == 0  # no repository
    git(repository, "init")
    numbers = []
    for _ in range(6):
        git(repository, "commit", "--allow-empty", "-m", "one more")
        number_of_this_commit.cache_clear()
        numbers.append(number_of_this_commit(repository))
    assert {number % 6 for number in numbers} == set(range(6))

    git(tmp_path, "clone", "--depth=1", repository.as_uri(), "shallow")
    assert number_of_this_commit(tmp_path / "shallow") > 6  # by its hash: only one commit is there
    number_of_this_commit.cache_clear()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert number_of_this_commit(repository) == 0  # no git
