"""Reads exercises/NAME/needs.txt: what an answer may use (exercises/README.md explains the form).
The check of a notebook is compiled with the same entries."""

import functools

from lessons.form import ROOT

FOLDER = ROOT / "exercises"
KINDS = ("header", "allow", "forbid", "never", "answer", "ask")


def is_meant(pattern, name):
    """A pattern that ends in :: or * stands for all names that begin so."""
    if pattern.endswith("*"):
        return name.startswith(pattern[:-1])
    return name.startswith(pattern) if pattern.endswith("::") else name == pattern


class Needs:
    """The entries by their word: `header`, `allow`, `forbid`, `never`, `answer`, `ask`."""
    def __init__(self, name):
        self.name = name
        for kind in KINDS:
            setattr(self, kind, [])
        self.read(FOLDER / name / "needs.txt")
        self.read(FOLDER / "common/every_answer.txt")
        # What an exercise forbids is not allowed to it even if every other answer may use it.
        self.allow = [allowed for allowed in self.allow if allowed not in self.forbid]

    def read(self, path):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            words = line.split("#")[0].split()
            if not words:
                continue
            if len(words) != 2 or words[0] not in KINDS + ("list", ):
                raise ValueError(f"{path.relative_to(ROOT)}:{number}: '{line}'. Write one word "
                                 f"({', '.join(KINDS)} or list) and one name per line.")
            if words[0] == "list":
                self.read(FOLDER / "common" / f"{words[1]}.txt")
            else:
                getattr(self, words[0]).append(words[1])

    def is_whole_library(self):
        return "lanes::*" in self.allow

    def allows(self, name):
        return any(is_meant(pattern, name) for pattern in self.allow)

    def forbids(self, name):
        return any(is_meant(pattern, name) for pattern in self.forbid) and not self.allows(name)


def builds_on(name):
    """The exercises whose answers this one may use, those that these use in turn among them."""
    found, todo = set(), list(of(name).answer)
    while todo:
        other = todo.pop()
        if other not in found:
            found.add(other)
            todo += of(other).answer
    return found


@functools.cache
def of(name):
    # All CUDA puzzles need the same.
    return Needs("puzzles" if name.startswith("puzzles/") else name)
