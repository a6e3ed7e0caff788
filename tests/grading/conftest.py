"""Shared by the tests of grading. If no sandbox can be made they are skipped, with the reason in
the summary; that `make grade` then refuses to run is always tested."""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests")]
sys.path.insert(0, str(Path(__file__).parent))

from grading import bubblewrap  # noqa: E402
from shares import pytest_collection_modifyitems, pytest_configure  # noqa: E402, F401

os.environ.pop("LANES_BWRAP", None)


@pytest.fixture(scope="session")
def needs_sandbox():
    reason = bubblewrap.refusal()
    if reason:
        pytest.skip(f"NOT TESTED, no sandbox here: {reason}")
