"""The structure rules, as functions of {path: text}.

Each rule returns the list of violations, as "path:line: what is wrong". test_rules.py shows every
rule a tree that breaks it and one that keeps it; test_tree.py applies all of them to this tree."""

import os.path
import re

# module -> modules that it may include, as in the table of docs/architecture.md
MODULES = {
    "base": set(),
    "array": {"base"},
    "parallel": {"base"},
    "gpu": {"array", "base"},
    "tensor": {"gpu", "array", "base"},
    "data": {"tensor", "parallel", "array", "base"},
    "mlp": {"data", "parallel", "array", "base"},
    "nn": {"data", "tensor", "gpu", "array", "base"},
    "ops": {"gpu", "array", "base"},
    "notebook": {"data", "tensor", "parallel", "gpu", "array", "base"},
    "lesson": {
        "distributed", "notebook", "nn", "ops", "mlp", "data", "tensor", "parallel", "gpu", "array", "base"
    },
}
MODULES["distributed"] = {"nn", "data", "tensor", "gpu", "array", "base"}
MODULES["exercises"] = set(MODULES)
MODULES["analysis"] = set()
MODULES["cuda_runtime"] = {"gpu", "base"}

# The same for the folders of jupyter_kernel, as in the picture of jupyter_kernel/README.md. Each may
# also include what cells include (include/xcpp).
READ_TEXT = {"session/base", "session/text"}
REPORT = READ_TEXT | {"session/clang/diagnostics"}
COMPILE = REPORT | {"session/split", "session/clang/names", "session/clang/reuse"}
KERNEL_FOLDERS = {
    "wire": set(),
    "front/base": set(),
    "front/jupyter": {"front/base"},
    "front/output": {"wire", "front/base"},
    "front/processes": {"wire", "front/base"},
    "front": {"wire", "front/base", "front/jupyter", "front/output", "front/processes"},
    "session/base": set(),
    "session/text": {"session/base"},
    "session/headers": READ_TEXT,
    "session/split": READ_TEXT,
    "session/clang/names": READ_TEXT | {"session/split"},
    "session/clang/reuse": READ_TEXT,
    "session/clang/diagnostics": READ_TEXT,
    "session/clang/compiler": COMPILE,
    "session/magics": REPORT | {"session/split"},
    "session/clang/completion": REPORT | {"session/split"},
    "session/process": {"wire"},
    "session/recovery": REPORT | {"wire", "session/process"},
    "session/run": REPORT | {"wire", "session/process", "session/recovery"},
    "session/display": set(),
    "session/program": COMPILE | {"session/clang/compiler"},
    "program": set(),
    "precompiled": set(),
    "widgets": set(),
}
KERNEL_FOLDERS["session"] = {
    folder
    for folder in KERNEL_FOLDERS if folder.startswith(("wire", "session/"))
} - {"session/display"}

CPP = (".hpp", ".cpp", ".h", ".cu", ".cuh")
HEADERS = (".hpp", ".h", ".cuh")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^">\n]+)[">]', re.M)
# Where the compiler looks for a header that is not in the folder of the including file.
SEARCH_PATH = ("include", "src", "")
KERNEL_SEARCH_PATH = ("jupyter_kernel", "jupyter_kernel/include")
# Headers that the build generates.
GENERATED = {"lanes/exercises.hpp": "exercises"}


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def matches(files, pattern, say, only=lambda path: True, clean=lambda text: text):
    found = []
    for path, text in files.items():
        if only(path):
            text = clean(text)
            found += [
                f"{path}:{line_of(text, m.start())}: {say(m)}" for m in re.finditer(pattern, text)
            ]
    return found


def without_comments(text):
    """Comments and string literals blanked out, line numbers kept."""
    token = re.compile(
        r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.S)
    return token.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def only_code(text):
    """Comments blanked out, line numbers and string literals kept."""
    token = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.S)

    def blank(m):
        return m.group() if m.group().startswith('"') else re.sub(r"[^\n]", " ", m.group())

    return token.sub(blank, text)


def module_of(path):
    if path.startswith("exercises/"):
        return "exercises"
    m = re.match(r"(?:include/lanes|src)/(\w+)(?:\.hpp$|/)", path)
    return m and m.group(1)


def kernel_folder_of(path):
    """"session/text" for a file of that folder of the Jupyter kernel; None for what cells include."""
    folder = os.path.dirname(path)
    if not folder.startswith("jupyter_kernel/") or folder.startswith("jupyter_kernel/include"):
        return None
    return folder[len("jupyter_kernel/"):]


def resolved(files, path, name, quoted):
    """The file that `#include "name"` in `path` reads, or None if it is not in this tree."""
    places = [os.path.dirname(path)] if quoted else []
    search = KERNEL_SEARCH_PATH if path.startswith("jupyter_kernel/") else SEARCH_PATH
    for place in (*places, *search):
        candidate = os.path.normpath(os.path.join(place, name))
        if candidate in files:
            return candidate
    return None


def includes(files):
    """(path, line, the name as written, the file it reads) of the library, the exercises and the
    Jupyter kernel."""
    for path, text in files.items():
        ours = module_of(path) or path.startswith("jupyter_kernel/")
        if not ours or not path.endswith((*CPP, ".inc")):
            continue
        for m in INCLUDE.finditer(only_code(text)):
            name, quoted = m.group(2), m.group(1) == '"'
            yield path, line_of(text, m.start()), name, resolved(files, path, name, quoted)


def modules_are_known(files):
    known = ", ".join(MODULES)
    unknown = {module_of(path): path for path in files if path.endswith(CPP) and module_of(path)}
    return [
        f"{path}:1: '{module}' is no module; the modules are {known}"
        for module, path in unknown.items()
        if module not in MODULES and module != "course"
    ]


def modules_include_one_way(files):
    found = []
    for path, line, name, target in includes(files):
        module = module_of(path)
        other = GENERATED.get(name) or (target and module_of(target))
        if module not in MODULES or not other or other == module:
            continue
        if other not in MODULES[module]:
            found.append(f"{path}:{line}: module '{module}' may not include '{name}' of '{other}'")
    return found


def quoted_includes_exist(files):
    """A relative include that leads nowhere would be skipped by the rules above."""
    return [
        f"{path}:{line}: '{name}' is no file of this tree"
        for path, line, name, target in includes(files)
        if target is None and name not in GENERATED and name.startswith(
            (".", "lanes/", "wire/", "front/", "session/"))
    ]


def kernel_folders_include_one_way(files):
    found = []
    for path, line, name, target in includes(files):
        folder, other = kernel_folder_of(path), target and kernel_folder_of(target)
        if folder and folder not in KERNEL_FOLDERS:
            found.append(f"{path}:{line}: KERNEL_FOLDERS does not say what '{folder}' may include")
        elif folder and other and other != folder and other not in KERNEL_FOLDERS[folder]:
            found.append(f"{path}:{line}: '{folder}' may not include '{name}' of '{other}'")
    return found


def folders_include_one_way(files):
    """Folders must not include each other in a circle of any length."""
    edges, origin = {}, {}
    for path, line, name, target in includes(files):
        if target is None:
            continue
        start, end = os.path.dirname(path), os.path.dirname(target)
        both = ("src/", "jupyter_kernel/")
        if start != end and start.startswith(both) and end.startswith(both):
            edges.setdefault(start, set()).add(end)
            origin.setdefault((start, end), f"{path}:{line}: '{name}'")

    def way(start, end):
        """The folders from start to end along includes, or None."""
        waiting, previous = [start], {start: None}
        while waiting:
            folder = waiting.pop()
            if folder == end:
                steps = [folder]
                while previous[steps[-1]]:
                    steps.append(previous[steps[-1]])
                return steps[::-1]
            for following in sorted(edges.get(folder, ())):
                if following not in previous:
                    previous[following] = folder
                    waiting.append(following)
        return None

    found = []
    for (start, end), first in sorted(origin.items()):
        back = way(end, start)
        if back:
            found.append(f"{first} closes a circle: {' -> '.join([start, *back])}")
    return found


def jupyter_kernel_knows_nothing_of_lanes(files):
    return matches(
        files,
        r'#\s*include\s*[<"]lanes/|\blanes::|\bliblanes\b|\bLANES_',
        lambda m: f"the Jupyter kernel names '{m.group()}'",
        only=lambda path: path.startswith("jupyter_kernel/") and not path.endswith(".md"))


def cuda_kernels_include_nothing_of_lanes(files):
    return matches(files,
                   r'#\s*include\s*[<"]lanes/',
                   lambda m: "a CUDA kernel includes lanes",
                   only=lambda path: path.startswith("kernels_src/"))


def one_file_names_the_interpreter(files):
    home = "jupyter_kernel/session/clang/compiler/interpreter_parts.hpp"
    return matches(files,
                   r"clang/Interpreter/Interpreter\.h",
                   lambda m: f"only {home} may name clang's interpreter",
                   only=lambda path: path.endswith(CPP) and path != home)


def one_folder_uses_clang(files):
    """An upgrade of LLVM has one place. LLVM's containers and functions for text, files and memory
    (ADT, Support, Demangle) may be used anywhere; text/tokens.cpp is clang's lexer and nothing else."""
    folder, lexer = "jupyter_kernel/session/clang/", "jupyter_kernel/session/text/tokens.cpp"
    return matches(files,
                   r'#\s*include\s*[<"](?:clang/|llvm/(?!ADT/|Support/|Demangle/))[^>"]*',
                   lambda m: f"only {folder} may use clang: '{m.group()}'",
                   only=lambda path: path.startswith("jupyter_kernel/") and path.endswith(CPP) and
                   not path.startswith(folder) and path != lexer)


def one_file_names_nvrtc(files):
    home = "src/gpu/cuda/nvrtc.cpp"
    return matches(files,
                   r"\blibnvrtc|\bnvrtc[A-Z]\w*",
                   lambda m: f"only {home} may name '{m.group()}'",
                   only=lambda path: path.endswith(CPP) and path.startswith(
                       ("src/", "include/")) and path != home)


def one_file_names_the_simulators_compiler(files):
    def home(path):
        return re.fullmatch(
            r"src/gpu/(?:simulator/(?:\w+/)?compiler|whole_program/front_end)\.cpp", path)

    return matches(
        files,
        r"\b(?:clang\+\+|g\+\+)",
        lambda m: f"only the simulator's compiler.cpp may name the compiler '{m.group()}'",
        only=lambda path: path.endswith(CPP) and path.startswith("src/gpu/") and not home(path),
        clean=only_code)


def headers_are_guarded(files):
    return [
        f"{path}:1: no '#pragma once'" for path, text in files.items()
        if path.endswith(HEADERS) and "#pragma once" not in text
    ]


def headers_open_no_namespace(files):
    return matches(files,
                   r"\busing\s+namespace\b|\bnamespace\s*\{",
                   lambda m: f"'{m.group()}' in a header",
                   only=lambda path: path.endswith(HEADERS),
                   clean=without_comments)


def tests_mirror_the_sources(files):
    """Each folder of src that holds code has unit tests in the folder of the same name."""
    code = {
        os.path.dirname(path)[len("src/"):]
        for path in files
        if re.match(r"src/.*\.cpp$", path)
    }
    tests = {
        os.path.dirname(path)[len("tests/unit/"):]
        for path in files
        if re.match(r"tests/unit/.*_test\.cpp$", path)
    }
    folders = {os.path.dirname(path) for path in files}
    found = [f"src/{folder}:1: tests/unit/{folder} has no test" for folder in sorted(code - tests)]
    return found + [
        f"tests/unit/{folder}:1: there is no folder src/{folder}, {folder} or "
        f"include/lanes/{folder}"
        for folder in sorted(tests)
        if not {f"src/{folder}", folder, f"include/lanes/{folder}"} & folders
    ]


# Written in pieces so that this file does not break the rule. A folder work/ is also in the course
# (lanes/work), and the image and the examples of docs/hub.md have users of their own.
USERS = "(?:student|anna|ben)"
MACHINE = "|".join([
    r"(?<![\w}])/" + r"(?:wor[k]|roo[t]|hom[e](?!/" + USERS + r"\b))/\w", r"\b(?:extra-)?index-" + r"url\b",
    r"\bregistry[ =]https?:", r"\bdeb https?:", r"pypi\.(?:org|python)",
    r"files\.python" + r"hosted", r"deb\.debian" + r"\.org", r"conda\.anaconda" + r"\.org"
])


def no_machine_is_named(files):
    return matches(files, MACHINE, lambda m: f"'{m.group()}' belongs to one machine or registry")


def commands_in_documents_exist(files):
    targets = set(re.findall(r"^([a-z-]+):", files["Makefile"], re.M))
    found = []
    for path, text in files.items():
        if not path.endswith(".md"):
            continue
        for m in re.finditer(r"(?:^|[`$] ?|&& )(?:[A-Z_]+=\S+ )*make ([a-z][a-z-]*)", text, re.M):
            if m.group(1) not in targets:
                found.append(f"{path}:{line_of(text, m.start())}: 'make {m.group(1)}' is no target")
    return found


def links_in_documents_lead_somewhere(files):
    """Relative links of Markdown files: to a file or a folder of this tree."""
    folders = {os.path.dirname(path) for path in files}
    folders |= {os.path.dirname(folder) for folder in folders}
    found = []
    for path, text in files.items():
        if not path.endswith(".md"):
            continue
        for m in re.finditer(r"\]\((?!\w+:|#)([^)#\s]+)(?:#[^)\s]*)?\)", text):
            target = os.path.normpath(os.path.join(os.path.dirname(path), m.group(1)))
            if target not in files and target not in folders:
                found.append(f"{path}:{line_of(text, m.start())}: '{m.group(1)}' does not exist")
    return found


def requirements_are_pinned(files):
    """Each list of Python packages and its lock file."""
    found = []
    for wanted in ("requirements.txt", "requirements-book.txt", "requirements-hub.txt"):
        if wanted in files:
            found += packages_are_pinned(files, wanted, wanted.replace(".txt", ".lock"))
    return found


def packages_are_pinned(files, wanted, lock):
    def name(line):
        return re.split(r"[=<>~! ]", line)[0].lower().replace("_", "-")

    def lines(path):
        return [line for line in files[path].split("\n") if line and not line.startswith("#")]

    found = [
        f"{path}: '{line}' is not pinned by =="
        for path in (wanted, lock)
        for line in lines(path)
        if not re.fullmatch(r"[\w.-]+==[\w.]+", line)
    ]
    locked = {name(line): line for line in lines(lock)}
    for line in lines(wanted):
        if locked.get(name(line), "").split("==")[-1] != line.split("==")[-1]:
            found.append(f"{lock}: has {locked.get(name(line))}, {wanted} asks for {line}")
    return found


RULES = (
    modules_are_known,
    modules_include_one_way,
    quoted_includes_exist,
    kernel_folders_include_one_way,
    folders_include_one_way,
    jupyter_kernel_knows_nothing_of_lanes,
    cuda_kernels_include_nothing_of_lanes,
    one_file_names_the_interpreter,
    one_folder_uses_clang,
    one_file_names_nvrtc,
    one_file_names_the_simulators_compiler,
    headers_are_guarded,
    headers_open_no_namespace,
    tests_mirror_the_sources,
    no_machine_is_named,
    commands_in_documents_exist,
    links_in_documents_lead_somewhere,
    requirements_are_pinned,
)
