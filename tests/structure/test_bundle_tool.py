"""tools/bundle packs an image without solutions, of the checkout as it is: the programs that it calls are small
scripts here (the real image: tests/image)."""

import os
import shutil
import subprocess

import pytest
from tree import ROOT

BUILDAH = """#!/bin/sh
cd "$BUILDAH"
case $1 in
    inspect) for label in state solutions; do case "$5" in *lanes.$label*) cat $label ;; esac; done ;;
    from) echo container ;;
    mount) echo "$BUILDAH/root" ;;
esac
"""

# Makes an image of the current state, as the real one does.
IMAGE = """#!/bin/bash
source "$(dirname "$0")/common.bash"
echo "SOLUTIONS=${SOLUTIONS-}" >> "$BUILDAH/built"
[[ ${IMAGE_HAS:-} ]] || IMAGE_HAS=no
printf %s "$IMAGE_HAS" > "$BUILDAH/solutions"
checkout_state > "$BUILDAH/state"
"""


@pytest.fixture
def bundle(tmp_path):
    """Runs tools/bundle in a small checkout; `built` has a line for each image that was built."""
    checkout, fakes = tmp_path / "checkout", tmp_path / "buildah"
    (checkout / "tools/bundled").mkdir(parents=True)
    (fakes / "root/opt/lanes").mkdir(parents=True)
    for name in ("bundle", "common.bash", "bundled/lab"):
        shutil.copy(ROOT / "tools" / name, checkout / "tools" / name)
    for path, text in ((checkout / "tools/image", IMAGE), (fakes / "buildah", BUILDAH)):
        path.write_text(text)
        path.chmod(0o755)
    (checkout / "lesson.txt").write_text("one")
    git = ["git", "-C", checkout, "-c", "user.name=a", "-c", "user.email=a@b"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "first"]):
        subprocess.run([*git, *command], check=True)

    def run(**settings):
        (fakes / "built").write_text("")
        environment = os.environ | {"BUILDAH": str(fakes), "HOME": str(tmp_path),
                                    "PATH": f"{fakes}:{os.environ['PATH']}"} | settings
        result = subprocess.run([checkout / "tools/bundle"], env=environment, capture_output=True, text=True)
        return result, (fakes / "built").read_text().splitlines()

    run.checkout, run.fakes = checkout, fakes
    return run


def test_an_image_of_this_state_is_used_again(bundle):
    for expected in (["SOLUTIONS="], []):
        result, built = bundle()
        assert (result.returncode, built) == (0, expected), result.stderr
    assert list((bundle.checkout / "build/bundle").glob("lanes-*.tar.gz"))


def test_an_older_image_is_built_again(bundle):
    bundle()
    (bundle.checkout / "lesson.txt").write_text("two")  # not committed
    result, built = bundle()
    assert (result.returncode, built) == (0, ["SOLUTIONS="]), result.stderr


def test_an_image_with_solutions_is_never_packed(bundle):
    bundle()
    (bundle.fakes / "solutions").write_text("yes")
    result, built = bundle(SOLUTIONS="1")  # the bundle has none, whatever was asked of make
    assert (result.returncode, built) == (0, ["SOLUTIONS="]), result.stderr
    (bundle.fakes / "solutions").write_text("")  # made by hand, without labels
    result, built = bundle(IMAGE_HAS="yes")
    assert result.returncode == 1 and "may contain solutions" in result.stderr
