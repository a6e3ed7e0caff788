"""Any cell can be re-run, in any order. Each story of stories/redefinition (see story.py) is played twice in the same session, beside all the others: the second time
every definition in it is a redefinition."""

import pytest
from story import cells_of, play, read_stories

STORIES = read_stories("redefinition")


@pytest.mark.parametrize("name", STORIES)
def test_story_can_be_told_twice(kernel, name):
    play(kernel, STORIES[name])
    play(kernel, STORIES[name])


def test_using_namespace_std(fresh):
    """In a session of its own: names of cells are preferred to those of std, which would be ambiguous in a program."""
    story = """
        using namespace std;
        vector<string> names{"b", "a"};
        sort(names.begin(), names.end());
        cout << names[0] << endl;
        >> a
        ---
        string text = "t"; pair<int, string> both{1, text};
        both.second
        => "t"
        ---
        int count = 3; struct data { int v = 4; }; double size(double x) { return x; }
        ---
        int counted() { return count; }
        data* none = nullptr;
        auto in_lambda = [&] { return count + data{}.v; };
        counted() + in_lambda() + count + max(1, 2) + size(1.0) + size(names)
        => 18.0
        ---
        int before = count; int count = before * 2;
        ---
        counted() * 10 + count
        => 36
        """
    play(fresh, story)
    play(fresh, story)


def test_cells_in_any_order(kernel):
    """The cells of one notebook, then backwards, then forwards again: only names that are not there yet may be missing."""
    cells = [
        "int u = 1;", "int twice_u() { return 2 * u; }", "struct U { int v = twice_u(); };",
        "U object;", "object.v"
    ]
    for code in cells:
        kernel.run(code).ok()
    for code in reversed(cells):
        kernel.run(code).ok()
    for code in cells[:-1]:
        kernel.run(code).ok()
    assert kernel.value(cells[-1]) == "2"


def test_redefined_forty_times(kernel):
    """The session does not grow tired: the fortieth definition is as quick to come as the fifth."""
    seconds = []
    for i in range(40):
        result = kernel.run(
            f"struct Tired {{ int v = {i}; }};\nint tired() {{ return Tired{{}}.v; }}\ntired()").ok(
            )
        assert result.result == str(i)
        seconds.append(result.seconds)
    assert min(seconds[-10:]) < 3 * min(seconds[:10]) + 0.05, seconds


def test_the_stories_are_read_as_they_are_written():
    assert list(cells_of("a\n=> 1\n---\n\nb\n>> x\n!! E: r")) == [("a", ["=> 1"]),
                                                                  ("b", [">> x", "!! E: r"])]
