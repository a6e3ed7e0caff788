"""similar.html: pairs of students whose answers are alike even after names, comments and spaces
were changed. It is for the teacher to judge and gives no points.

Answers become sequences of tokens in which each name of the student's own is the same token. Of
all runs of K tokens, winnowing (Schleimer, Wilkerson and Aiken, 2003) keeps a few as
fingerprints, so that two texts that share a run of K + WINDOW - 1 tokens share a fingerprint.
Fingerprints of given code, of the solution, and of what many students wrote say nothing and are
left out. But many may have copied from one: long answers that agree nearly as a whole stay."""

import collections
import html
import itertools
import re
import zlib

from . import pages
from .restore import OWN, is_answer
from .screen import KEYWORDS, TOKENS

K, WINDOW = 12, 5
LONG, WHOLE = 30, 0.9  # fingerprints of some ten lines, and their share of the longer one's
FEWEST, ALIKE = 4, 0.5  # fingerprints that a pair shares, and their share of the shorter one's
PIECE = re.compile(r"[A-Za-z_]\w*|\d[\w.']*|::|->|<<|>>|[-+*/%&|^=<>!]=|&&|\|\||\S")


def tokens(source, known):
    """`known`: names that everybody has. Names after :: and . belong to a library."""
    code = TOKENS.sub(lambda match: " " if match[0].startswith("/") else '"', source)
    result = []
    for piece in PIECE.findall(code):
        own = piece[0].isalpha() or piece[0] == "_"
        if own and piece not in known and piece not in KEYWORDS and (
                not result or result[-1] not in ("::", ".", "->")):
            piece = "a name"
        elif piece[0].isdigit():
            piece = "a number"
        result.append(piece)
    return result


def runs(found):
    """The hash of each run of K tokens. Python's own hash would differ from process to process."""
    return [zlib.crc32("\0".join(found[i:i + K]).encode("utf-8", "replace"))
            for i in range(len(found) - K + 1)]


def fingerprints(found):
    hashes = runs(found)
    if not hashes:
        return set()
    return {min(hashes[i:i + WINDOW]) for i in range(max(1, len(hashes) - WINDOW + 1))}


def answers_of(notebook):
    return [cell.source for cell in notebook.cells if cell.cell_type == "code" and
            (is_answer(cell) or OWN in cell.metadata.get("tags", []))]


class Pair:
    def __init__(self, lesson, first, second, shared, share):
        self.lesson, self.first, self.second, self.shared, self.share = (lesson, first, second,
                                                                         shared, share)


def pairs(lesson, notebooks):
    """Of one lesson, the most similar first. notebooks: {student: graded notebook}"""
    # Types and functions of the lesson; any other name is as good as another.
    known = {word for cell in lesson.released.cells if cell.cell_type == "code"
             for word in re.findall(r"\b(?:[A-Z]\w+|\w+_\w+)\b", cell.source)}
    given = {one for book in (lesson.released, lesson.solution) for cell in book.cells
             for one in runs(tokens(cell.source, known))}
    found = {student: set().union(*(fingerprints(tokens(text, known))
                                    for text in answers_of(book))) - given
             for student, book in notebooks.items()}
    count = collections.Counter(itertools.chain.from_iterable(found.values()))
    many = max(3, len(found) // 5)
    unusual = {student: {one for one in mine if count[one] <= many}
               for student, mine in found.items()}
    result = []
    for first, second in itertools.combinations(sorted(found), 2):
        mine, other = found[first], found[second]
        longer = max(len(mine), len(other))
        if longer < LONG or len(mine & other) < WHOLE * longer:
            mine, other = unusual[first], unusual[second]
        shared, shorter = len(mine & other), min(len(mine), len(other))
        if shared >= FEWEST and shared >= ALIKE * shorter:
            result.append(Pair(lesson.name, first, second, shared, shared / shorter))
    return sorted(result, key=lambda pair: (-pair.share, -pair.shared, pair.first, pair.second))


def side_by_side(pair, notebooks):
    cells = "".join(f"<td><pre>{pages.plain(chr(10).join(answers_of(notebooks[name])))}</pre></td>"
                    for name in (pair.first, pair.second))
    return (f"<details><summary>{html.escape(pair.lesson)}: {html.escape(pair.first)} and "
            f"{html.escape(pair.second)}, {pair.share:.0%} ({pair.shared} places)</summary>"
            f'<table><tr style="vertical-align: top">{cells}</tr></table></details>')


def page(lessons, results):
    """lessons: {name: Lesson}; results: {(student, lesson): graded notebook}"""
    body = ["<h1>Answers that are alike</h1><p>After names, comments and spaces, given code and what "
            "many wrote are left out. Short answers may be alike by chance: this is a hint, and gives "
            "no points.</p>"]
    for name, lesson in lessons.items():
        notebooks = {student: book for (student, one), book in results.items() if one == name}
        body += [side_by_side(pair, notebooks) for pair in pairs(lesson, notebooks)[:50]]
    if len(body) == 1:
        body.append("<p>There are none.</p>")
    return pages.frame("Answers that are alike", "\n".join(body))
