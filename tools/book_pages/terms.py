"""The first use of a term on a page links to the glossary and shows its definition as a tooltip."""

import pathlib
import re

from docutils import nodes

GLOSSARY = "docs/glossary"
ENTRY = re.compile(r"^\*\*(.+?)\*\*: (.+?)(?=\n\n|\Z)", re.M | re.S)
# Terms are not marked inside of these.
OUTSIDE = (nodes.title, nodes.reference, nodes.literal, nodes.literal_block, nodes.math,
           nodes.math_block, nodes.raw)


def slug(term):
    return "term-" + re.sub(r"\W+", "-", term.lower()).strip("-")


def definitions(text):
    """{term: its definition as plain text}"""
    found = {}
    for term, definition in ENTRY.findall(text):
        definition = re.sub(r"\s*\(\[[^\]]*\]\([^)]*\)(, \[[^\]]*\]\([^)]*\))*\)\s*$", "", definition)
        definition = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", definition)
        found[term] = " ".join(re.sub(r"[`*$]", "", definition).split())
    return found


def pattern(terms):
    """Finds any of the terms, the longest first. A lower-case term may begin a sentence; one with
    capitals must be written so. Words in brackets, as in "expression (lazy evaluation)", may miss."""
    def one(term):
        text = re.escape(re.sub(r"\s*\(.*\)$", "", term)).replace("\\ ", "\\s+")
        if term[0].islower():
            text = f"[{term[0].upper()}{term[0]}]" + text[1:]
        return text + "(?:s|es)?"

    ordered = sorted(terms, key=len, reverse=True)
    return re.compile(r"(?<![\w-])(?:" + "|".join(f"({one(term)})" for term in ordered) +
                      r")(?![\w-])"), ordered


class Terms:
    def __init__(self, text):
        self.known = definitions(text)
        self.pattern, self.ordered = pattern(self.known)

    def mark(self, app, tree, page):
        """In a page: link the first use of each term."""
        target = app.builder.get_relative_uri(page, GLOSSARY)
        seen = set()
        for text in list(tree.findall(nodes.Text)):
            if any(isinstance(parent, OUTSIDE) for parent in parents(text)):
                continue
            parts, end = [], 0
            whole = text.astext()
            for match in self.pattern.finditer(whole):
                term = self.ordered[match.lastindex - 1]
                if term in seen:
                    continue
                seen.add(term)
                parts.append(nodes.Text(whole[end:match.start()]))
                parts.append(nodes.reference("", match.group(), internal=True,
                                             refuri=f"{target}#{slug(term)}",
                                             reftitle=self.known[term], classes=["term"]))
                end = match.end()
            if parts:
                parts.append(nodes.Text(whole[end:]))
                text.parent.replace(text, parts)

    def give_ids(self, tree):
        """In the glossary: the targets of these links."""
        for paragraph in tree.findall(nodes.paragraph):
            first = next((child for child in paragraph if child.astext()), None)
            if isinstance(first, nodes.strong) and first.astext() in self.known:
                paragraph["ids"].append(slug(first.astext()))


def parents(node):
    while node.parent is not None:
        node = node.parent
        yield node


def setup(app):
    terms = []

    def resolved(app, tree, page):
        if not terms:
            text = (pathlib.Path(app.srcdir) / f"{GLOSSARY}.md").read_text(encoding="utf-8")
            terms.append(Terms(text))
        if page == GLOSSARY:
            terms[0].give_ids(tree)
        else:
            terms[0].mark(app, tree, page)

    app.connect("doctree-resolved", resolved)
    return {"parallel_read_safe": True}
