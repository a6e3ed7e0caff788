"""The top of class.html: the distribution of points, the exercises that most got wrong with
their most frequent mistake, and the students who need a look."""

import collections
import html

BARS = 10


def sections(book, table):
    return [*distribution(table), *hardest(book), *look_at(book, table)]


def distribution(table):
    totals = [row for row in table if row["notebook"] == "total" and row["possible"]
              and not isinstance(row["points"], str)]
    if not totals:
        return []
    count = collections.Counter(min(BARS - 1, int(BARS * row["points"] / row["possible"]))
                                for row in totals)
    most = max(count.values())
    rows = "".join(
        f"<tr><td>{100 * place // BARS} to {100 * (place + 1) // BARS} %</td><td>{count[place]}</td>"
        f"<td>{'&#9608;' * round(30 * count[place] / most)}</td></tr>" for place in range(BARS))
    return [f"<h2>Points</h2><table><tr><th>of all</th><th>students</th><th></th></tr>{rows}</table>"]


def hardest(book, most=5):
    """Of those who handed the notebook in, who did not pass."""
    from .book import graded_cells, messages
    found = []
    for name, lesson in book.lessons.items():
        handed_in = [result for (_, one), result in book.results.items()
                     if one == name and result[2] is not None]
        for cell in graded_cells(lesson.graded):
            identity = cell.metadata.nbgrader.grade_id
            failed = [result for result in handed_in if result[0][identity].state == "failed"]
            if failed and (name, identity) not in book.possible:
                said = collections.Counter(words for _, _, notebook in failed
                                           for words in messages(notebook, identity))
                found.append((len(failed) / len(handed_in), len(failed), len(handed_in), name,
                              identity, said.most_common(1)[0] if said else ("", 0)))
    found.sort(key=lambda one: (-one[0], -one[1], one[3], one[4]))
    if not found:
        return []
    rows = "".join(
        f"<tr><td>{html.escape(name)}: {html.escape(identity)}</td><td>{failed} of {of}</td>"
        f"<td>{count} × {html.escape(words)}</td></tr>"
        for _, failed, of, name, identity, (words, count) in found[:most])
    return ["<h2>Most often wrong</h2><table><tr><th>exercise</th><th>failed</th>"
            f"<th>most frequent message</th></tr>{rows}</table>"]


def look_at(book, table):
    """Not graded yet; handed in, but nothing was found or nothing passed; remarks about files."""
    found = {}
    for (student, name), (rows, about, notebook) in book.results.items():
        if any(row.state == "pending" for row in rows.values()):
            found.setdefault(student, []).append(f"{name}: {about[0]}")
    for row in table:
        if row["notebook"] == "total" and row["points"] == 0:
            found.setdefault(row["student"], []).append("no points at all")
    for student, remarks in book.remarks.items():
        if remarks:
            found.setdefault(student, []).extend(remarks)
    if not found:
        return []
    rows = "".join(f"<tr><td>{html.escape(student)}</td><td>{html.escape(' '.join(words))}</td></tr>"
                   for student, words in sorted(found.items()))
    return [f"<h2>Look at</h2><table>{rows}</table>"]
