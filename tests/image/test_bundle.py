"""The bundle, unpacked by an ordinary user in a bare Debian 12 and a bare Debian 13 that have nothing but
what debootstrap installs."""

import os
import platform
import shutil
import subprocess

import pytest
from conftest import ROOT, SLOW, first_cell, output

BUNDLE = ROOT / f"build/bundle/lanes-{platform.machine()}.tar.gz"
USER = 4242

# Runs a command in the bare Debian as an ordinary user. pivot_root and not chroot: inside a chroot, Linux
# lets no user make a name space.
ENTER = """
mount --bind "$0" "$0"
mount -t proc proc "$0/proc"
mount -t sysfs sysfs "$0/sys"
mount --rbind /dev "$0/dev"
cd "$0" && pivot_root . . && umount --lazy . && cd /home
exec setpriv --reuid 4242 --regid 4242 --clear-groups env -i PATH=/usr/bin:/bin HOME=/home "$@"
"""


@pytest.fixture(scope="module", params=["bookworm", "trixie"])
def bare(request, tmp_path_factory):
    if not BUNDLE.exists() or not shutil.which("debootstrap"):
        pytest.skip("needs debootstrap, and the bundle: make bundle")
    folder = tmp_path_factory.mktemp(request.param)
    output("debootstrap", "--variant=minbase", request.param, str(folder))
    os.chown(folder / "home", USER, USER)
    folder.chmod(0o755)
    yield folder
    subprocess.run(["rm", "-rf", "--one-file-system", folder], check=True)


def inside(bare, *command):
    return ["unshare", "--mount", "--propagation", "private", "bash", "-euc", ENTER, str(bare), *command]


def test_unpack_lab_uninstall(bare):
    shutil.copy(BUNDLE, bare / "bundle.tar.gz")
    # a folder with a space in its name
    output(*inside(bare, "sh", "-c", "mkdir -p '/home/student/my course' && cd '/home/student/my course' && tar xzf /bundle.tar.gz"))
    lab = "/home/student/my course/lanes/lab"
    seen = first_cell(inside(bare, lab))
    print(f"JupyterLab after {seen['opened']:.1f} s, first cell {seen['first cell']:.2f} s")
    assert "Error" not in seen["shown"] and "SIGSEGV" in seen["crash"] and seen["after"] == "42"
    assert seen["opened"] + seen["first cell"] < 60 * SLOW

    doctor = subprocess.run(inside(bare, lab, "--run", "make", "doctor"), text=True, capture_output=True)
    print(doctor.stdout)
    assert doctor.returncode == 0, doctor.stdout + doctor.stderr

    work = bare / "home/student/my course/lanes/work"
    changed = (work / "00_start.ipynb").read_text().replace("Your code", "My code", 1)
    (work / "00_start.ipynb").write_text(changed)
    said = output(*inside(bare, lab, "--uninstall"))
    kept = bare / "home/student/my course/lanes-work"
    assert "Your notebooks and files are in /home/student/my course/lanes-work." in said
    assert (kept / "00_start.ipynb").read_text() == changed
    left = [path.relative_to(bare / "home") for path in (bare / "home").rglob("*") if kept not in path.parents]
    assert sorted(map(str, left)) == ["student", "student/my course", "student/my course/lanes-work"]
