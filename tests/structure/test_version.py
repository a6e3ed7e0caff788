"""The version of the course is the same in CMakeLists.txt, CHANGELOG.md and `make version`."""

import re
import subprocess

from tree import ROOT


def versions():
    """Those that CHANGELOG.md has sections for, as numbers."""
    found = re.findall(r"^## (\S+) \((.+)\)$", (ROOT / "CHANGELOG.md").read_text(), re.M)
    for version, date in found:
        assert re.fullmatch(r"\d+\.\d+\.\d+", version), version
        assert re.fullmatch(r"\d{4}-\d\d-\d\d|not yet released", date), f"{version}: {date}"
    return [tuple(map(int, version.split("."))) for version, _ in found]


def test_the_newest_version_of_the_changelog_is_the_one_that_is_built():
    built = re.search(r"^project\(lanes VERSION ([\d.]+) ", (ROOT / "CMakeLists.txt").read_text(),
                      re.M).group(1)
    found = versions()
    assert found and ".".join(map(str, found[0])) == built
    assert found == sorted(set(found), reverse=True)


def test_make_version_prints_it():
    said = subprocess.run(["make", "-s", "-C", ROOT, "version"],
                          check=True,
                          capture_output=True,
                          text=True).stdout
    lines = dict(line.split(maxsplit=1) for line in said.splitlines())
    assert lines["Lanes"].split(",")[0] == ".".join(map(str, versions()[0]))
    assert "clang version 19" in lines["compiler"] and lines["Python"].startswith("Python 3.")
    assert re.fullmatch(r"[\d.]+", lines["JupyterLab"])
    assert set(lines) == {"Lanes", "system", "compiler", "Python", "JupyterLab"}
