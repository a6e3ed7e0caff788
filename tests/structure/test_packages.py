"""Every Debian file that the build reads comes from a package of tools/packages.txt: another
machine has nothing else."""

import functools
import re
import subprocess
from pathlib import Path

from tree import BUILD, ROOT

STATUS = Path("/var/lib/dpkg/status")
INFO = Path("/var/lib/dpkg/info")


def wanted():
    names = ("packages.txt", "packages_mpi.txt")
    lines = "\n".join((ROOT / "tools" / name).read_text() for name in names).splitlines()
    names = (line.split("#")[0].strip() for line in lines)
    return [name for name in names if name]


@functools.cache
def depends():
    """For each installed package, and for each name that it provides: groups of names, of each of
    which it needs one."""
    found, provided = {}, {}
    for text in STATUS.read_text().split("\n\n"):
        fields = dict(
            re.findall(r"^(Package|Status|Depends|Pre-Depends|Provides): (.*)$", text, re.M))
        if fields.get("Status") != "install ok installed":
            continue
        needs = ", ".join(filter(None, (fields.get("Depends"), fields.get("Pre-Depends"))))
        found[fields["Package"]] = [[
            re.split(r"[ :(]", name.strip())[0] for name in group.split("|")
        ] for group in needs.split(",") if group.strip()]
        for name in filter(None, fields.get("Provides", "").split(",")):
            provided.setdefault(re.split(r"[ :(]", name.strip())[0], fields["Package"])
    return found, provided


def closure(names):
    found, provided = depends()
    seen, waiting = set(), list(names)
    while waiting:
        name = waiting.pop()
        name = name if name in found else provided.get(name)
        if name is None or name in seen:
            continue
        seen.add(name)
        for group in found[name]:
            waiting.append(
                next((other for other in group if other in found or other in provided), group[0]))
    return seen


def real(path):
    """Its path since /lib became a link into /usr."""
    return re.sub(r"^/(bin|sbin|lib|lib64)/", r"/usr/\1/", path)


def files_of(packages):
    files = set()
    for listing in INFO.glob("*.list"):
        if listing.stem.split(":")[0] in packages:
            files.update(real(path) for path in listing.read_text().splitlines())
    return files


def headers_read():
    listing = subprocess.run(["ninja", "-C", BUILD, "-t", "deps"],
                             check=True,
                             capture_output=True,
                             text=True).stdout
    return {
        str(Path(line.strip()).resolve())
        for line in listing.splitlines()
        if line.startswith("    /usr/")
    }


def libraries_found():
    cache = (BUILD / "CMakeCache.txt").read_text()
    paths = re.findall(r"^\w+:(?:FILEPATH|PATH|STRING|INTERNAL)=(/usr/\S+?\.(?:so[\d.]*|a))$",
                       cache, re.M)
    return set(paths)


def test_the_list_brings_every_header_and_library_of_the_build():
    needed = {real(path) for path in headers_read() | libraries_found()}
    assert len(needed) > 1000 and any(path.endswith("/png.h") for path in needed)
    missing = sorted(needed - files_of(closure(wanted())))
    assert not missing, (f"{len(missing)} files come with none of tools/packages.txt, such as "
                         f"{missing[:5]}")
