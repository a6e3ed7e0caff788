"""This checkout keeps the structure rules."""

import subprocess

import pytest
import rules
from tree import ROOT, texts, tracked


@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.__name__)
def test_the_tree_keeps(rule):
    found = rule(texts())
    assert not found, "\n" + "\n".join(found)


def test_is_formatted():
    files = tracked(*rules.CPP)
    result = subprocess.run(["clang-format-19", "--dry-run", "-Werror", *files],
                            cwd=ROOT,
                            capture_output=True,
                            text=True)
    assert result.returncode == 0, "`make format` repairs this:\n" + result.stderr[:4000]
