"""This checkout keeps the rules of the house."""

import subprocess

import pytest
import rules
from tree import ROOT, texts, tracked

RULES = [
    value for name, value in vars(rules).items()
    if callable(value) and getattr(value, "__code__", None) and value.__code__.co_varnames[:1] == (
        "files", ) and value is not rules.matches
]


def test_the_rules_are_found():
    assert len(RULES) >= 13


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_tree_keeps(rule):
    found = rule(texts())
    assert not found, "\n" + "\n".join(found)


def test_is_formatted():
    files = tracked(*rules.CPP)
    result = subprocess.run(["clang-format-19", "--dry-run", "-Werror", *files],
                            cwd=ROOT,
                            capture_output=True,
                            text=True)
    assert result.returncode == 0, "`make format` mends this:\n" + result.stderr[:4000]
