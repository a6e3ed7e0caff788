"""What the session that runs an answer finds of the library: the headers and functions that
exercises/NAME/needs.txt allows, and nothing else. What the exercise asks for does not exist there:
no declaration, no symbol, no machine code.

A room is a folder in build/grading:
    include/       all headers of the library, by their names. Those that are not allowed only
                   include others.
    liblanes.so    linked from the objects of the library: it exports what is allowed, and holds
                   besides only what that needs
    xcpp17.json    the configuration of the Jupyter kernel
If tensors are allowed, the CUDA files of their operations are there, too; no other CUDA files.
Shared by all rooms: the precompiled header, with exercises/probe.hpp, without any header of the
library and without BLAS; and libopenblas.so.0, which holds the names of BLAS that
libxcpp17_instantiations.so wants, and none of its functions. An exercise that allows lanes::* gets
the whole library, less the checks."""

import fcntl
import functools
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess

from lessons.form import ROOT

from . import needs

BUILD = ROOT / "build"
PLACE = BUILD / "grading"
PROBE = ROOT / "exercises/probe.hpp"
OBJECTS = BUILD / "src/CMakeFiles/lanes.dir"
INCLUDE = re.compile(r'(?m)^[ \t]*#[ \t]*include[ \t]+([<"][^>"\n]+[>"])')
DECLARES = re.compile(r"\b(?:class|struct|enum(?:\s+class)?|namespace)\s+(?:\w+::)*(\w+)")
TENSORS = "lanes/tensor/ops.hpp"  # their operations on a device are CUDA files
LIBRARIES = ("-lboost_context", "-lz", "-lpng", "-lturbojpeg", "-ldl", "-lpthread")


class CannotBuild(Exception):
    """A room could not be made: grading would be wrong for everybody."""


def headers():
    """{name as in #include: path} of all headers of the library."""
    found = {
        str(path.relative_to(ROOT / "include")): path
        for path in (ROOT / "include").rglob("*.hpp")
    }
    return found


def included(text):
    """Names of the library's headers that a text includes."""
    return [name[1:-1] for name in INCLUDE.findall(text) if name[1:].startswith("lanes/")]


def closure(names):
    """The headers with those that they include, in turn."""
    known, found, todo = headers(), set(), list(names)
    while todo:
        name = todo.pop()
        if name in found:
            continue
        if name not in known:
            raise CannotBuild(f"needs.txt names the header {name}, which does not exist")
        found.add(name)
        todo += included(known[name].read_text(encoding="utf-8"))
    return found


def outline(text):
    """What is left of a header that is not allowed: the headers that it includes."""
    return "\n".join(["#pragma once", *(f"#include {name}" for name in INCLUDE.findall(text)), ""])


def components(mangled):
    """The parts of a C++ name: _ZNK5lanes3Rng4seedEv -> [lanes, Rng, seed]. Local names, tables and
    thunks count as parts of what they belong to. Empty if it is no name in a namespace."""
    match = re.match(r"_Z(?:T[VISTW]|GV|Th\w+?_|Tv\w+?_|Z)*N[KVr]*[RO]?", mangled)
    if not match:
        return []
    place, parts = match.end(), []
    while digits := re.match(r"\d+", mangled[place:]):
        length, place = int(digits[0]), place + digits.end()
        parts.append(mangled[place:place + length])
        place += length
        if tag := re.match(r"B\d+cxx11", mangled[place:]):
            place += tag.end()
    if len(parts) == 1 and re.match(r"[a-z]{2}", mangled[place:]):
        parts.append("operator" + mangled[place:place + 2])
    return parts


@functools.cache
def symbols():
    """All functions and tables that the library's objects define: {symbol: (parts of its C++ name,
    whether it is weak)}. Weak are inline functions, which a session compiles itself, and what
    templates were instantiated for."""
    objects = [str(path) for path in sorted(OBJECTS.rglob("*.o"))]
    if not objects:
        raise CannotBuild(f"{OBJECTS} holds no objects of the library: run `make build`")
    listed = run(
        ["llvm-nm-19", "--defined-only", "--extern-only", "--format=posix", "--quiet", *objects])
    found = {}
    for line in listed.splitlines():
        words = line.split()
        if len(words) > 1 and (parts := components(words[0])) and parts[0] == "lanes":
            found[words[0]] = (tuple(parts), words[1] in "WVu")
    return found


def run(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise CannotBuild(f"{command[0]} failed: {(done.stderr or done.stdout).strip()[-2000:]}")
    return done.stdout


def exported(need, present):
    """(the symbols that a session gets, those that the library is linked for): functions that are
    allowed, and members of the classes and inner namespaces that the headers declare."""
    text = "".join((ROOT / "include" / name).read_text(encoding="utf-8") for name in present)
    declared, words = set(DECLARES.findall(text)) - {"lanes"}, set(re.findall(r"\w+", text))
    names, wanted = [], []
    for name, (parts, weak) in sorted(symbols().items()):
        if parts[1:] == ("notebook", "cuda_cell"):
            wanted.append(name)  # the magic %%cuda, which the library adds when it is loaded
        allowed = len(parts) > 1 and need.allows("::".join(parts[:2]))
        if len(parts) < 2 or not (parts[1] in declared or allowed) or not words_of(name) <= words:
            continue
        names.append(name)
        # An inline function may lie in an object of any module: nothing is linked for it.
        if not weak or (allowed and parts[1] not in declared):
            wanted.append(name)
    return names, wanted


def words_of(mangled):
    """The identifiers of the library in a symbol, those of its parameters' types too."""
    found = set(part for part in components(mangled)[1:] if not part.startswith("operator"))
    for match in re.finditer(r"(?:5lanes|NS_)(\d+)", mangled):
        found.add(mangled[match.end():match.end() + int(match[1])])
    return found


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def config():
    return json.loads((BUILD / "xcpp17.json").read_text(encoding="utf-8"))


def blas_library():
    return next((pathlib.Path(path) for path in config()["libraries"] if "openblas" in path), None)


def fingerprint(paths):
    """Changes with the texts of small files, and with size and time of large ones."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        found = path.stat()
        digest.update(f"{path} {found.st_size} {found.st_mtime_ns}\n".encode())
    return digest.hexdigest()


class Locked:
    """One process at a time makes rooms."""
    def __enter__(self):
        PLACE.mkdir(parents=True, exist_ok=True)
        try:
            self.file = open(PLACE / "lock", "w")
        except PermissionError:  # of another user, whose rooms serve if they are up to date
            self.file = open(PLACE / "lock")
        fcntl.flock(self.file, fcntl.LOCK_EX)

    def __exit__(self, *_):
        self.file.close()


def make(folder, stamp, build):
    """Runs build(new folder) unless `folder` was made with the same stamp."""
    kept = folder / "stamp"
    if kept.exists() and kept.read_text() == stamp:
        return
    fresh = folder.with_name(folder.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    build(fresh)
    (fresh / "stamp").write_text(stamp)
    shutil.rmtree(folder, ignore_errors=True)
    os.rename(fresh, folder)


def make_blas(folder):
    """The names of BLAS without the functions."""
    wanted = run([
        "llvm-nm-19", "-D", "--undefined-only", "--format=just-symbols",
        str(BUILD / "lib/libxcpp17_instantiations.so")
    ])
    names = [
        name for name in wanted.split() if re.match(r"cblas_|LAPACKE_|[a-z]+_$|openblas_", name)
    ]
    write(folder / "blas.c",
          "".join(f"void {name}(void) {{ __builtin_trap(); }}\n" for name in names))
    run([
        "clang-19", "-shared", "-fPIC", "-w", "-fuse-ld=lld", "-Wl,-soname,libopenblas.so.0",
        str(folder / "blas.c"), "-o",
        str(folder / "libopenblas.so.0")
    ])


def make_header(folder):
    """The precompiled header, made where the session will use it: xtensor-blas is not there. It holds
    the harness of the probes, too, which each session needs."""
    from .bubblewrap import PRIVATE
    from .jail import run_inside
    write(folder / "pch.hpp", f'#include "{ROOT}/jupyter_kernel/precompiled/precompiled.hpp"\n'
                              f'#include "{PROBE}"\n')
    settings = config()
    arguments = settings["arguments"] + [f"-I{ROOT}/jupyter_kernel/include", f"-I{ROOT}/include"]
    run_inside([
        "clang++-19", *arguments, "-Xclang", "-fincremental-extensions",
        "-fpch-instantiate-templates", "-x", "c++-header",
        str(PLACE / "common/pch.hpp"), "-o", f"{PRIVATE}/pch"
    ], Room.nothing(folder), folder)
    (folder / "pch").rename(folder / "cells.pch")


class Room:
    """Where an answer is run. Attributes for the sandbox: `hidden` (folders of the system that are
    empty there) and `files` ({path inside: path outside})."""
    def __init__(self, name, folder, whole, has_tensors=False):
        self.name, self.folder, self.whole = name, folder, whole
        kernel = {
            BUILD / path: BUILD / path
            for path in ("bin/xcpp17", "bin/xcpp17-session", "lib/libxcpp17_instantiations.so",
                         "lib/liblanes_analysis.so", "lib/libxcpp_widgets.so")
        }
        self.files = {
            **kernel,
            **{
                ROOT / path: ROOT / path
                for path in ("jupyter_kernel", "data", "cmake/cell_hints.json")
            },
            PROBE: PROBE
        }
        self.hidden = ["/usr/lib/python3"
                       ] + [str(p) for p in pathlib.Path("/usr/lib").glob("python3.*")]
        if whole:
            self.files |= {
                BUILD / path: BUILD / path
                for path in ("lib/liblanes.so", "lib/liblanes_cuda_runtime.so", "xcpp17.pch",
                             "xcpp17_pch.hpp")
            }
            self.files |= {
                ROOT / path: ROOT / path
                for path in ("include", "kernels_src", "src/cuda_runtime/include")
            }
            self.files |= {BUILD / "include": BUILD / "include"}
            self.files |= {path: path for path in ROOT.glob("exercises/*/exercise.hpp")}
            self.config = folder / "xcpp17.json"
            self.files[self.config] = self.config
            return
        self.config = folder / "xcpp17.json"
        common = PLACE / "common"
        self.files |= {
            ROOT / "include": folder / "include",
            BUILD / "lib/liblanes.so": folder / "liblanes.so",
            self.config: self.config,
            common / "cells.pch": common / "cells.pch",
            common / "pch.hpp": common / "pch.hpp",
        }
        if has_tensors:
            self.files |= {path: path for path in ROOT.glob("kernels_src/tensor_*.cu")}
        blas = blas_library()
        if blas and not needs_blas(folder / "liblanes.so"):
            self.hidden += [str(blas.parent), "/usr/include/xtensor-blas"]
            self.files[blas] = common / "libopenblas.so.0"

    @staticmethod
    def course():
        """With everything that a student has, the checks too: nothing that runs there counts."""
        room = Room.__new__(Room)
        room.name, room.folder, room.whole, room.hidden = "course", PLACE / "course", True, []
        room.config = room.folder / "xcpp17.json"
        room.files = {
            ROOT / path: ROOT / path
            for path in ("build/bin/xcpp17", "build/bin/xcpp17-session", "build/include",
                         "build/lib", "build/xcpp17.pch", "build/xcpp17_pch.hpp", "cmake", "data",
                         "exercises/probe.hpp", "include", "jupyter_kernel", "kernels_src",
                         "src/cuda_runtime/include")
        }
        room.files[room.config] = room.config
        room.files |= {path: path for path in ROOT.glob("exercises/*/exercise.hpp")}
        return room

    @staticmethod
    def nothing(folder):
        """Without any part of the library, to make the precompiled header."""
        room = Room.__new__(Room)
        room.name, room.folder, room.whole, room.config = "common", folder, False, None
        room.files = {
            ROOT / "jupyter_kernel": ROOT / "jupyter_kernel",
            PROBE: PROBE,
            PLACE / "common/pch.hpp": folder / "pch.hpp"
        }
        blas = blas_library()
        room.hidden = ["/usr/include/xtensor-blas"] + ([str(blas.parent)] if blas else [])
        return room


def needs_blas(library):
    return "libopenblas" in run(["llvm-readelf-19", "-d", str(library)])


def link(target, names, needed):
    script = target.with_suffix(".map")
    write(script, "{ global:\n" + "".join(f"    {name};\n" for name in names) + "local: *; };\n")
    wanted = target.with_suffix(".names")
    write(wanted, "".join(f"-Wl,-u,{name}\n" for name in needed))
    blas = blas_library()
    omp = next(path for path in config()["libraries"] if "omp" in path)
    run([
        "clang++-19", "-shared", "-fuse-ld=lld", "-o",
        str(target), f"@{wanted}", f"-Wl,--version-script={script}", "-Wl,--gc-sections",
        "-Wl,--no-undefined", "-Wl,--undefined-version", "-Wl,--as-needed",
        "-Wl,-soname,liblanes.so",
        str(PLACE / "common/liblanes.a"), *([str(blas)] if blas else []), omp, *LIBRARIES
    ])


def make_library(folder):
    """The library's objects as an archive: of an archive, a link takes what it needs."""
    objects = [str(path) for path in sorted(OBJECTS.rglob("*.o"))]
    run(["llvm-ar-19", "rcsT", str(folder / "liblanes.a"), *objects])


def make_common():
    def build(folder):
        make_blas(folder)
        make_library(folder)
        make_header(folder)

    sources = [
        BUILD / "lib/liblanes.so", BUILD / "lib/libxcpp17_instantiations.so", BUILD / "xcpp17.json",
        pathlib.Path(__file__), PROBE, *(ROOT / "jupyter_kernel/precompiled").glob("*.hpp"),
        *(ROOT / "jupyter_kernel/include").rglob("*.hpp")
    ]
    make(PLACE / "common", fingerprint(sources), build)


def room_config(is_whole, has_checks=False):
    settings = config()
    settings["libraries"] = [
        path for path in settings["libraries"] if has_checks or "lanes_exercises" not in path
    ]
    if not is_whole:
        settings["includes"] = [
            path for path in settings["includes"] if "build/include" not in path
        ]
        settings["pch"] = str(PLACE / "common/cells.pch")
        settings["pch_header"] = str(PLACE / "common/pch.hpp")
    # Cells that a session would compile while a person reads.
    settings["first_cells"] = settings["first_templates"] = ""
    return json.dumps(settings, indent=4)


@functools.cache
def course():
    with Locked():
        make(PLACE / "course", fingerprint([BUILD / "xcpp17.json", pathlib.Path(__file__)]),
             lambda fresh: write(fresh / "xcpp17.json", room_config(True, has_checks=True)))
    return Room.course()


@functools.cache
def whole():
    """The library without the checks."""
    folder = PLACE / "whole"
    with Locked():
        make(folder, fingerprint([BUILD / "xcpp17.json",
                                  pathlib.Path(__file__)]),
             lambda fresh: write(fresh / "xcpp17.json", room_config(True)))
    return Room("whole", folder, True)


@functools.cache
def of(name):
    """The room of an exercise; made if it is missing or older than the library."""
    need = needs.of(name)
    name = need.name  # CUDA puzzles share one
    folder = PLACE / name
    if need.is_whole_library():
        return whole()

    def build(fresh):
        write(fresh / "xcpp17.json", room_config(False))
        present, own = closure(need.header), needs.FOLDER / name / "exercise.hpp"
        for header, path in headers().items():
            text = path.read_text(encoding="utf-8")
            write(fresh / "include" / header, text if header in present else outline(text))
        declared = "lanes/notebook/exercise.hpp" in present  # a type that the exercise declares
        write(fresh / "include/lanes/exercises.hpp",
              own.read_text(encoding="utf-8") if declared else "#pragma once\n")
        link(fresh / "liblanes.so", *exported(need, present))

    sources = [
        BUILD / "lib/liblanes.so", BUILD / "xcpp17.json",
        pathlib.Path(__file__),
        pathlib.Path(needs.__file__), needs.FOLDER / name / "needs.txt",
        *(needs.FOLDER / "common").glob("*.txt"), *headers().values()
    ]
    with Locked():
        make_common()
        make(folder, fingerprint(sources), build)
    return Room(name, folder, False, TENSORS in closure(need.header))
