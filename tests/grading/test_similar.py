"""Copies are found after renaming and reformatting; given code and usual answers are not copies."""

import itertools

import mock_class
import pytest
from conftest import ROOT
from grading import restore, similar

LESSON = restore.Lesson(ROOT / f"notebooks/solutions/{mock_class.NAME}.ipynb")
MINE = """Ints max_plain(const Ints& a, const Ints& b) {
    Ints c = Ints::from_shape(a.shape());
    // row by row
    const std::size_t rows = a.shape(0), columns = a.shape(1);
    for (std::size_t y = rows; y-- > 0;)
        for (std::size_t x = 0; x < columns; x += 1) {
            const int left = a(y, x), right = b(y, x);
            if (left - right > 0) { c(y, x) = left; } else { c(y, x) = right; }
        }
    return c;
}"""
COPY = """Ints max_plain(const Ints& first, const Ints& other)
{
    Ints result = Ints::from_shape( first.shape() );
    const std::size_t n = first.shape( 0 ), m = first.shape( 1 );
    for (std::size_t i = n; i-- > 0; )
        for (std::size_t j = 0; j < m; j += 1)
        {   /* take the larger */
            const int p = first(i, j), q = other(i, j);
            if (p - q > 0)
            {
                result(i, j) = p;
            }
            else
            {
                result(i, j) = q;
            }
        }
    return result;
}"""
OWN = """Ints max_plain(const Ints& a, const Ints& b) {
    Ints c = a;
    auto other = b.begin();
    for (auto& value : c) {
        const auto here = *other++;
        value = here < value ? value : here;
    }
    return c;
}"""


def book(answer):
    return restore.restore(LESSON, mock_class.answering(max_plain=answer))[0]


def found(**answers):
    return [(pair.first, pair.second) for pair in
            similar.pairs(LESSON, {name: book(answer) for name, answer in answers.items()})]


def test_a_copy_with_other_names_and_spaces_is_found():
    assert found(anna=MINE, ben=COPY, carla=OWN) == [("anna", "ben")]


def test_given_code_and_the_solution_are_not_copies():
    assert found(anna=mock_class.by_id(LESSON.solution)["max-plain"].source,
                 ben=mock_class.by_id(LESSON.solution)["max-plain"].source) == []


def test_a_short_answer_that_many_wrote_is_usual():
    assert found(**{name: OWN for name in ("a", "b")}, e=MINE) == [("a", "b")]
    assert found(**{name: OWN for name in ("a", "b", "c", "d")}, e=MINE) == []


def test_a_part_that_many_wrote_is_usual():
    """Four share the first lines of a long answer, and go on in their own way."""
    start = MINE.split("    for")[0]
    ends = ("    for (std::size_t i = 0; i < c.size(); ++i) c.flat(i) = a.flat(i);\n",
            "    auto p = a.begin();\n    for (auto& one : c) one = *p++;\n", "    c = a;\n",
            "    std::size_t i = c.size();\n    while (i) --i, c.flat(i) = b.flat(i);\n")
    assert found(**{f"s{i}": start + end + "    return c;\n}" for i, end in enumerate(ends)}) == []


def test_four_of_five_who_share_a_long_answer_are_found():
    """This test said that nothing is found: what more than three wrote was usual. But if so many agree
    in every line of a long answer, they have copied it from one."""
    names = ("a", "b", "c", "d")
    assert found(**{name: MINE for name in names}, e=OWN) == list(itertools.combinations(names, 2))


@pytest.mark.parametrize("source", ["", "x", "R\"(", "/* open", "\"open", "'", "\\"])
def test_any_text_has_tokens(source):
    assert similar.fingerprints(similar.tokens(source, set())) == set()


def test_the_page_shows_both_and_escapes():
    page = similar.page({LESSON.name: LESSON}, {("anna", LESSON.name): book(MINE + "// <script>"),
                                                ("ben", LESSON.name): book(COPY)})
    assert "anna and ben, 100%" in page and "&lt;script&gt;" in page and "<script" not in page
