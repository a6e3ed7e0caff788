"""Examines the text of an answer. What has no honest use, because it makes other code run than a
reader sees, is refused. The rest is advice and costs no points: does it redefine names that the
check uses, or use functions that no answer needs? `make hand-in` and the page that a student
gets back say the same. It is a help for a reader and no proof: it looks for words, not for
meaning. Words in comments and strings do not count."""

import re

KEYWORDS = set(
    """alignas alignof and asm auto bool break case catch char class const constexpr const_cast
continue decltype default delete do double dynamic_cast else enum explicit export extern false float
for friend goto if inline int long mutable namespace new noexcept not nullptr operator or private
protected public register reinterpret_cast return short signed sizeof static static_assert
static_cast struct switch template this thread_local throw true try typedef typeid typename union
unsigned using virtual void volatile while xor main std xt lanes""".split())
# Functions that leave the process, reach other processes' memory, or the Jupyter kernel's own
# functions. A lesson that needs one of them uses it in its own cells.
FORBIDDEN = set(
    """dlsym dlvsym dlopen dlmopen mprotect pkey_mprotect ptrace process_vm_readv process_vm_writev
syscall dl_iterate_phdr setjmp longjmp sigsetjmp siglongjmp execve execl execlp execv execvp
popen _exit _Exit quick_exit sigaction atexit at_quick_exit getenv setenv memfd_create
XCPP_TEMPORARY""".split())
# Another name for a function, code that runs without being called, and files that are not what a
# cell shows.
REFUSED = (
    (re.compile(r"\b(?:asm|__asm|__asm__)\b"), "assembly and names given by asm"),
    (re.compile(r"(?:__attribute__|__attribute)\s*\(\([^;{]*?\b_*(alias|cleanup|constructor|destructor|"
                r"ifunc|weakref)_*\b"), "the attribute {}"),
    (re.compile(r"\[\[[^\]]*\bgnu::_*(alias|cleanup|constructor|destructor|ifunc|weakref)_*\b"),
     "the attribute {}"),
    (re.compile(r"(?m)^%%?(bash|sh|script|cd|system|sx|python|python3)\b"), "the magic {}"),
    (re.compile(r"\A\s*!"), "a command of the shell"),
)
# A help for the reader: a name that is put together at run time is not seen.
HEADER_TEXT = re.compile(r'"[^"\n]*\.(?:h|hh|hpp|hxx|cuh|inc|ipp)"')
WORD = re.compile(r"[A-Za-z_]\w*")
TOKENS = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"([^()\\\s]{0,16})\((.*?)\)\1"|'
    r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def plain(source):
    """The code with continued lines joined, comments and the contents of strings removed, and
    digraphs replaced. The text of a cell of CUDA C++ counts as a string."""
    if source.startswith("%%cuda"):
        return '""'
    code = TOKENS.sub(lambda match: " " if match[0].startswith("/") else '""',
                      re.sub(r"\\\r?\n", "", source))
    return code.replace("%:", "#")


def refused(source):
    """A sentence about what has no honest use in an answer, or None."""
    code = plain(source)
    for pattern, words in REFUSED:
        if found := pattern.search(code):
            return (f"{words.format(*found.groups())} cannot be used in an answer: what runs must be "
                    "what a reader sees.")
    texts = re.sub(r"(?m)^[ \t]*#.*$|//.*$", "", source)
    texts = re.sub(r'"\s*"', "", texts)  # "tool.hp" "p" is one literal
    if not source.lstrip().startswith("%%") and HEADER_TEXT.search(texts):
        return "a header cannot be written while cells run: write it by %%file in a cell."
    return None


def macros(code):
    return [(match[1], match[2])
            for match in re.finditer(r"(?m)^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)(.*)$", code)]


def words_of(cells):
    return {word for cell in cells for word in WORD.findall(plain(cell.source))}


def objection(source, teachers_words, teachers_allowed=frozenset()):
    """What is wrong with a student's cell, as a sentence, or None. `teachers_words`: the names in
    the teacher's own cells. `teachers_allowed`: those that the teacher's solution uses, so that a
    lesson about processes may fork."""
    code = plain(source)
    for name, body in macros(code):
        if name in teachers_words or name in KEYWORDS or name.startswith("LANES_"):
            return (f"it redefines '{name}' by #define, a name that the teacher's cells use. "
                    "Choose another name.")
        if "##" in body:
            return f"its macro '{name}' pastes names together. Write the names out."
    directives = set(re.findall(
        r"(?m)^[ \t]*#[ \t]*(undef|line|include_next|import|embed)\b", code)) | set(
            re.findall(
                r"(?:#[ \t]*pragma[ \t]+|_Pragma[ \t]*\([^)]*)"
                r"(push_macro|pop_macro|poison|redefine_extname|weak)\b", code))
    if directives:
        return f"it uses the directive '{sorted(directives)[0]}'. No answer needs it."
    if match := re.search(r"\bnamespace\s+(lanes|xt|std|xcpp)\b(?!\s*;)(?!\w)", code):
        return f"it opens the namespace '{match[1]}'. An answer stands outside the library."
    if match := re.search(r"\bxcpp_\w+|\b__xcpp\w*", code):
        return f"it uses '{match[0]}', which belongs to the Jupyter kernel."
    if re.search(r'"[^"\n]*/(?:proc|dev)/', source):
        return "it names files of the system (/proc, /dev). No answer needs them."
    # As the names of variables these are harmless.
    calls = re.findall(r"\b(system|exit|abort)\s*\(", code)
    for word in WORD.findall(code) + calls:
        if (word in FORBIDDEN or word in calls) and word not in teachers_allowed:
            return f"it uses '{word}'. No answer needs it."
    return None


def advice(released, cells):
    """What a reader might object to in the student's code cells, one sentence each. It costs no
    points: what counts is the values of the answer."""
    given = [cell for cell in released if cell.cell_type == "code"]
    locked = [cell for cell in given if cell.metadata.get("nbgrader", {}).get("locked")]
    taken, used, found = words_of(locked), words_of(given), []
    for cell in cells:
        if against := objection(cell.source, taken, used):
            name = cell.metadata.get("nbgrader", {}).get("grade_id", "of your own")
            found.append(f"A note on the cell {name}, which costs no points: {against}")
    return found
