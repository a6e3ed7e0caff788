"""The page that a student gets back: nothing in it acts, whatever was handed in."""

import base64
import collections
import html.parser
import io
import socket

import mock_class
import pytest
from conftest import ROOT
from grading import bubblewrap, drawing, jail, pages, restore
from grading.bubblewrap import SLOW, Limits
from lessons.pictures import SVG, VEGA_LITE
from nbformat.v4 import new_output
from PIL import Image

PICTURE_SECONDS = 60 * SLOW
LESSON = mock_class.Lesson(ROOT / f"notebooks/solutions/{mock_class.NAME}.ipynb")


def page(handed_in, **rows):
    book, remarks = restore.restore(LESSON, handed_in)
    found = {"max_report_1": pages.Row("max_report_1", 0, 4, "waiting"), **rows}
    return pages.page("anna <b>", mock_class.NAME, book, found, remarks, 7, PICTURE_SECONDS)


ACTIVE = [
    '<meta http-equiv="refresh" content="0; url=https://example.org">',
    "<style>body { display: none }</style>", "<script>alert(1)</script>",
    '<form action="https://example.org"><input type="password"></form>',
    '<img src=x onerror="alert(1)">', '<a href="javascript:alert(1)">x</a>',
    '<iframe src="https://example.org"></iframe>', '<svg onload="alert(1)"></svg>',
    '<p style="position: fixed">10 of 10 points</p>', '<base href="https://example.org">',
    '<img src="https://example.org/x.png">', '<link rel="stylesheet" href="x">',
    "</section></body><h1>", '<object data="x"></object>',
    '<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>',
    "[x](javascript:alert(1))", "![x](https://example.org/x.png)",
    '<a href="data:text/html,<script>alert(1)</script>">x</a>'
]


@pytest.mark.parametrize("active", ACTIVE)
def test_html_of_the_student_is_reduced_to_text(active):
    handed_in = mock_class.answering(max_report_1=active + "\n\nmy report")
    output = new_output("display_data", data={"text/html": f"<table><tr><td>{active}</table>"})
    mock_class.by_id(handed_in)["max-threads-table"].outputs = [output]
    made = page(handed_in)
    seen = Seen()
    seen.feed(made)
    assert "my report" in made and "default-src 'none'" in made
    assert seen.tags <= pages.TAGS | {"html", "head", "body", "title", "meta", "style", "section",
                                      "div", "span"}
    assert seen.counts["meta"] == 2 and seen.counts["style"] == seen.counts["body"] == 1
    assert not [name for name in seen.names if name.startswith("on") or name == "style"]
    assert all(link.startswith(("https://", "#", "../docs/")) for link in seen.links), seen.links


class Seen(html.parser.HTMLParser):
    """The tags, the names of attributes, and where links and pictures lead."""
    def __init__(self):
        super().__init__()
        self.tags, self.names, self.links, self.counts = set(), set(), [], collections.Counter()

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.counts[tag] += 1
        for name, value in attributes:
            self.names.add(name)
            if name == "src":
                assert value.startswith("data:image/")
            if name == "href":
                self.links.append(value)


def test_the_page_names_student_seed_numbers_and_what_waits():
    made = page(mock_class.perfect())
    assert "anna &lt;b&gt;" in made and "seed 7" in made and "In [1]" in made
    assert "not graded yet, 4 points possible" in made and "In [ ]" not in made


@pytest.mark.timeout(300 * SLOW)  # alone, it takes a few seconds
def test_formulas_do_not_take_for_ever():
    made = page(mock_class.answering(
        max_report_1="\\begin{align} x &= y \\\\ z \\end{align}\n\n" * 16000))
    assert "align" in made


def test_pictures_that_were_pasted_are_shown_and_lost_ones_are_not_missed():
    handed_in = mock_class.answering(max_report_1="![x](attachment:a.png) ![y](attachment:b.png)")
    mock_class.by_id(handed_in)["max-report-1"].attachments = {
        "a.png": {"image/png": mock_class.PLOT}}
    made = page(handed_in)
    assert f"data:image/png;base64,{mock_class.PLOT}" in made


def test_control_characters_and_long_outputs():
    handed_in = mock_class.perfect()
    mock_class.by_id(handed_in)["max-plain-time"].outputs = [
        new_output("stream", text="\x1b[31mred\x1b[0m\x07" + "x" * 1_000_000)]
    made = page(handed_in)
    assert "red�" in made and "more characters" in made and "\x1b" not in made


# A picture of a colour that is nowhere else.
RED = (250, 20, 30)
ENDLESS = {"mark": "bar", "data": {"values": [{"a": 1}]}, "transform": [
    {"calculate": "test(/^(a+)+$/, '" + "a" * 60 + "!')", "as": "b"}]}


def vega_image(url):
    return {"data": {"values": [{"url": url}]}, "mark": {"type": "image", "width": 50, "height": 50},
            "encoding": {"url": {"field": "url"}}}


def svg_image(url):
    return ('<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
            f'width="60" height="60"><image href="{url}" width="50" height="50"/></svg>')


def drawn(tmp_path, monkeypatch, outputs, seconds=60, more=""):
    """(the page that was written, notes) for these outputs, and more text in the report."""
    monkeypatch.setattr(drawing, "SECONDS", seconds)
    handed_in = mock_class.without_outputs(
        mock_class.answering(max_report_1="**my** report" + more))
    mock_class.by_id(handed_in)["max-threads-table"].outputs = [
        new_output("display_data", data={**data, "text/plain": "my plot"}) for data in outputs]
    book, remarks = restore.restore(LESSON, handed_in)
    book.metadata.lanes = {"seed": 7}
    page = drawing.Page(tmp_path / "page.html", "anna", mock_class.NAME, book, {}, remarks)
    assert not page.is_there()
    notes = drawing.make([page], 0)
    assert page.is_there()
    return page.path.read_text(), notes


@pytest.mark.timeout(600 * SLOW)
def test_pictures_reach_neither_the_network_nor_files(needs_sandbox, tmp_path, monkeypatch):
    Image.new("RGB", (50, 50), RED).save(tmp_path / "secret.png")
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        server.settimeout(1)
        http = f"http://127.0.0.1:{server.getsockname()[1]}/x.png"
        here = tmp_path / "secret.png"
        text, notes = drawn(tmp_path, monkeypatch, [
            {SVG: svg_image(http)}, {VEGA_LITE: vega_image(http)}, {SVG: svg_image(here)},
            {VEGA_LITE: vega_image(f"file://{here}")},
            {SVG: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" '
                  'height="9" fill="#00f"/></svg>'}])
        with pytest.raises(TimeoutError):
            server.accept()
    pictures = [Image.open(io.BytesIO(base64.b64decode(part.split('"')[0]))).convert("RGB")
                for part in text.split("data:image/png;base64,")[1:]]
    colours = {colour for picture in pictures for _, colour in picture.getcolors(1 << 24)}
    assert (0, 0, 255) in colours and RED not in colours and notes == []
    assert "<strong>my</strong> report" in text


TOO_LONG = {
    "a thousand plots without end": ([{VEGA_LITE: ENDLESS}] * 1000, ""),
    "brackets": ([{}], "\\\\(" * 200_000),
}


@pytest.mark.timeout(600 * SLOW)
@pytest.mark.parametrize("what", TOO_LONG)
def test_a_page_that_takes_too_long_is_plain_text(needs_sandbox, tmp_path, monkeypatch, what):
    outputs, more = TOO_LONG[what]
    text, notes = drawn(tmp_path, monkeypatch, outputs, 4, more)
    assert "**my** report" in text and "my plot" in text
    assert notes == [f"the page of page has no pictures: it took more than {4 * SLOW:.0f} seconds"]


@pytest.mark.timeout(600 * SLOW)
def test_a_picture_that_takes_too_much_memory_is_plain_text(needs_sandbox, tmp_path, monkeypatch):
    """Drawn, it is 24,000 pixels wide, which take 2.1 GiB."""
    monkeypatch.setattr(drawing, "LIMITS", Limits(memory=700 << 20))
    text, notes = drawn(tmp_path, monkeypatch, [
        {SVG: '<svg xmlns="http://www.w3.org/2000/svg" width="12000" height="12000">'
              '<rect width="12000" height="12000" fill="#00f"/></svg>'}])
    assert "**my** report" in text and "my plot" in text
    assert notes == ["the page of page has no pictures: more than 1 GiB of memory"]


def test_a_fault_of_the_machine_leaves_no_page(needs_sandbox, tmp_path, monkeypatch):
    monkeypatch.setattr(jail.RUNNING, "stopped", "make grade was stopped")
    with pytest.raises(bubblewrap.Fault):
        drawn(tmp_path, monkeypatch, [])
    assert not (tmp_path / "page.html").exists()
