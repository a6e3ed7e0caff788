"""The rules of the house, as functions over {path: text}. Each returns the list of what breaks it, as "path:line: what is wrong"; test_rules.py shows every one
of them a tree that breaks it, test_tree.py shows them this one."""

import re

# room -> rooms it may include, as in the table of the README
ROOMS = {
    "base": set(),
    "array": {"base"},
    "parallel": {"base"},
    "gpu": {"base", "array"},
    "data": {"parallel", "array", "base"},
    "nn": {"data", "gpu", "array", "parallel", "base"},
    "ops": {"gpu", "array", "base"},
}
ROOMS["notebook"] = set(ROOMS)

CPP = (".hpp", ".cpp", ".h", ".cu", ".cuh")
HEADERS = (".hpp", ".h", ".cuh")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]', re.M)


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
    return token.sub(
        lambda m: m.group()
        if m.group().startswith('"') else re.sub(r"[^\n]", " ", m.group()), text)


def only_comments(text):
    return "\n".join(m.group() if (m := re.search(r"//.*", line)) else ""
                     for line in text.split("\n"))


def room_of(path):
    m = re.match(r"(?:include/lanes|src)/(\w+)(?:\.hpp$|/)", path)
    return m and m.group(1)


def includes_go_one_way(files):
    found = []
    for path, text in files.items():
        room = room_of(path)
        if not room or not path.endswith(CPP):
            continue
        if room not in ROOMS:
            found.append(f"{path}:1: '{room}' is no room; the rooms are {', '.join(ROOMS)}")
            continue
        for m in INCLUDE.finditer(text):
            other = re.match(r"lanes/(\w+)", m.group(1))
            if other and other.group(1) != room and other.group(1) not in ROOMS[room]:
                found.append(
                    f"{path}:{line_of(text, m.start())}: room '{room}' may not include '{m.group(1)}'"
                )
    return found


def jupyter_kernel_knows_nothing_of_lanes(files):
    return matches(
        files,
        r'#\s*include\s*[<"]lanes/|\blanes::|\bliblanes\b',
        lambda m: f"the Jupyter kernel names '{m.group()}'",
        only=lambda path: path.startswith("jupyter_kernel/") and not path.endswith(".md"))


def cuda_kernels_include_nothing_of_lanes(files):
    return matches(files,
                   r'#\s*include\s*[<"]lanes/',
                   lambda m: "a CUDA kernel includes lanes",
                   only=lambda path: path.startswith("kernels_src/"))


def one_file_names_the_interpreter(files):
    home = "jupyter_kernel/session/interpreter_parts.hpp"
    return matches(files,
                   r"clang/Interpreter/Interpreter\.h",
                   lambda m: f"only {home} may name clang's interpreter",
                   only=lambda path: path.endswith(CPP) and path != home)


def one_file_names_nvrtc(files):
    home = "src/gpu/cuda/nvrtc.cpp"
    return matches(files,
                   r"\blibnvrtc|\bnvrtc[A-Z]\w*",
                   lambda m: f"only {home} may name '{m.group()}'",
                   only=lambda path: path.endswith(CPP) and path.startswith(
                       ("src/", "include/")) and path != home)


def one_file_names_the_simulators_compiler(files):
    home = "src/gpu/simulator/compiler.cpp"
    return matches(
        files,
        r"\b(?:clang\+\+|g\+\+)",
        lambda m: f"only {home} may name the compiler '{m.group()}'",
        only=lambda path: path.endswith(CPP) and path.startswith("src/gpu/") and path != home,
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


def every_header_has_its_test(files):
    found = []
    for path in files:
        m = re.match(r"include/lanes/(\w+/\w+)\.hpp$", path)
        if m and f"tests/unit/{m.group(1)}_test.cpp" not in files:
            found.append(f"{path}:1: tests/unit/{m.group(1)}_test.cpp is missing")
    return found


BARE = re.compile(
    r"(?<!Jupyter )(?<!CUDA )(?<!Jupyter\n)(?<!CUDA\n)(?<![\w.'/-])[Kk]ernels?(?!\w|[./-]\w)")


def prose_says_which_kernel(files):
    """Bare "kernel" in prose: Markdown without its code, and comments."""
    def prose(text):
        text = re.sub(r"```.*?```", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)
        return re.sub(r"`[^`\n]*`|<[^>\n]*>", lambda m: " " * len(m.group()), text)

    say = lambda m: "bare 'kernel': say Jupyter kernel or CUDA kernel"
    return (matches(files, BARE, say, only=lambda path: path.endswith(".md"), clean=prose) +
            matches(files,
                    BARE,
                    say,
                    only=lambda path: path.endswith(CPP),
                    clean=lambda text: prose(only_comments(text))))


def names_say_which_kernel(files):
    folders = {
        part: path
        for path in files
        for part in path.split("/")[:-1]
        if part in ("kernel", "kernels") and not path.startswith("tests/kernels/")
    }
    return ([f"{path}:1: a folder called '{part}'" for part, path in folders.items()] +
            matches(files,
                    r"\b(?:class|struct|enum(?: class)?)\s+Kernels?\b",
                    lambda m: f"a type called '{m.group().split()[-1]}'",
                    only=lambda path: path.endswith(CPP),
                    clean=without_comments))


# Written so that this file does not break the rule.
MACHINE = "|".join([
    r"/" + "(?:wor[k]|roo[t]|hom[e])" + r"/\w", r"\b(?:extra-)?index-" + r"url\b",
    r"\bregistry[ =]https?:", r"\bdeb https?:", r"pypi\.(?:org|python)",
    r"files\.python" + r"hosted", r"deb\.debian" + r"\.org", r"conda\.anaconda" + r"\.org"
])


def no_machine_is_named(files):
    return matches(files, MACHINE, lambda m: f"'{m.group()}' belongs to one machine or registry")


def nothing_is_left_for_later(files):
    word = r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X)\b"
    return matches(files,
                   word,
                   lambda m: f"'{m.group()}' marks unfinished work",
                   only=lambda path: path.endswith(CPP +
                                                   (".py", ".txt", ".cmake", "Makefile", ".sh")))


def readme_commands_exist(files):
    targets = set(re.findall(r"^([a-z-]+):", files["Makefile"], re.M))
    text, found = files["README.md"], []
    for m in re.finditer(r"(?:^|[`$] ?|&& )(?:[A-Z_]+=\S+ )*make ([a-z][a-z-]*)", text, re.M):
        if m.group(1) not in targets:
            found.append(f"README.md:{line_of(text, m.start())}: 'make {m.group(1)}' is no target")
    return found


def requirements_are_pinned(files):
    name = lambda line: re.split(r"[=<>~! ]", line)[0].lower().replace("_", "-")
    lines = lambda path: [
        line for line in files[path].split("\n") if line and not line.startswith("#")
    ]
    found = [
        f"{path}: '{line}' is not pinned by ==" for path in ("requirements.txt",
                                                             "requirements.lock")
        for line in lines(path) if not re.fullmatch(r"[\w.-]+==[\w.]+", line)
    ]
    locked = {name(line): line for line in lines("requirements.lock")}
    for line in lines("requirements.txt"):
        if locked.get(name(line), "").split("==")[-1] != line.split("==")[-1]:
            found.append(
                f"requirements.lock: has {locked.get(name(line))}, requirements.txt asks for {line}"
            )
    return found
