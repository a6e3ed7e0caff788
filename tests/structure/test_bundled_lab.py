"""`lab --uninstall` of the bundle deletes a bundle and nothing else, and keeps what a student wrote. What lab does
in a whole bundle: tests/image."""

import os
import shutil
import subprocess
import tempfile

import pytest
from tree import ROOT


@pytest.fixture
def bundle(tmp_path):
    """A bundle without the course's files, where a student has started one lesson."""
    folder = tmp_path / "my course" / "lanes"
    (folder / "root/opt/lanes").mkdir(parents=True)
    (folder / "machine").write_text(os.uname().machine)
    for place in ("work", "work/.released"):
        (folder / place).mkdir()
        (folder / place / "00_start.ipynb").write_text("{}")
    (folder / "work/glossary.md").write_text("terms")
    shutil.copy(ROOT / "tools/bundled/lab", folder / "lab")
    return folder


def uninstall(folder, *as_user):
    return subprocess.run([*as_user, folder / "lab", "--uninstall"], capture_output=True, text=True)


def test_nothing_is_left_of_a_course_that_nobody_changed(bundle):
    (bundle / "work/.ipynb_checkpoints").mkdir()
    (bundle / "work/.ipynb_checkpoints/00_start-checkpoint.ipynb").write_text("{ }")
    assert uninstall(bundle).returncode == 0
    assert not list(bundle.parent.iterdir())


@pytest.mark.parametrize("file", ["00_start.ipynb", "my/network.hpp", "hw1.zip", "new notebook.ipynb"])
def test_the_work_folder_is_kept_if_a_file_was_changed(bundle, file):
    (bundle / "work" / file).parent.mkdir(exist_ok=True)
    (bundle / "work" / file).write_text("mine")
    (bundle.parent / "lanes-work").mkdir()  # kept from another time
    result = uninstall(bundle)
    kept = bundle.parent / "lanes-work-again"
    assert (kept / file).read_text() == "mine" and str(kept) in result.stdout
    assert sorted(path.name for path in bundle.parent.iterdir()) == ["lanes-work", "lanes-work-again"]


def test_a_copy_of_lab_elsewhere_deletes_nothing(bundle, tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    (home / "thesis.tex").write_text("years")
    shutil.copy(bundle / "lab", home)
    result = uninstall(home)
    assert result.returncode == 1 and "is not an unpacked bundle" in result.stderr
    assert (home / "thesis.tex").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="another user is needed")
def test_an_installation_of_others_is_left_alone(bundle):
    above = [folder for folder in bundle.parents if str(folder).startswith(tempfile.gettempdir() + "/")]
    for folder in (bundle, *above):
        folder.chmod(0o755)
    (bundle / "work/00_start.ipynb").write_text("mine")
    result = uninstall(bundle, "setpriv", "--reuid", "4242", "--regid", "4242", "--clear-groups")
    assert result.returncode == 1 and "belongs to others" in result.stderr, result.stderr
    assert (bundle / "work/00_start.ipynb").exists() and (bundle / "machine").exists()


@pytest.mark.parametrize("libc, place", [("x86_64", "lib64"), ("aarch64", "lib")])
def test_the_loader_is_found_where_debian_has_it(bundle, libc, place):
    """/lib64/ld-linux-x86-64.so.2, but /lib/ld-linux-aarch64.so.1: both are links to the folder of the libraries."""
    libraries = bundle / f"root/usr/lib/{libc}-linux-gnu"
    libraries.mkdir(parents=True)
    loader = libraries / f"ld-linux-{libc}.so.2"
    loader.write_text('#!/bin/sh\necho "$@" >> "$(dirname "$0")/started"\n')
    loader.chmod(0o755)
    (bundle / "root" / place).mkdir()
    (bundle / "root" / place / loader.name).symlink_to(loader)
    result = subprocess.run([bundle / "lab", "--run", "true"], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert f"{bundle}/root/usr/bin/bwrap" in (libraries / "started").read_text()
