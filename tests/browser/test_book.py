"""The book of `make book`: its links and pictures, and the pages in a browser. Two lessons make the
book that is tested; `make test ONLY=book` tests the whole one."""

import html.parser
import os
import re
import subprocess
from pathlib import Path
from urllib.parse import unquote, urlsplit

import nbformat
import pytest
from playwright.sync_api import expect

CHECKOUT = Path(__file__).resolve().parents[2]
WHOLE = os.environ.get("LANES_BOOK") == "whole"
LESSONS = sorted(path.stem for path in (CHECKOUT / "notebooks").glob("*.ipynb")) if WHOLE else [
    "00_start", "06_correlation"
]


def make(folder, *lessons, **settings):
    return subprocess.run([CHECKOUT / "tools/book", *lessons],
                          env=os.environ | {"BOOK": str(folder)} | settings,
                          capture_output=True,
                          text=True)


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    folder = tmp_path_factory.mktemp("book") / "book"
    made = make(folder, *LESSONS)
    assert made.returncode == 0, made.stderr
    return folder


class Page(html.parser.HTMLParser):
    """What a page names: ids, links, and what the browser loads with it."""
    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.loads, self.without_alt = set(), [], [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.ids.update(filter(None, (attributes.get("id"), attributes.get("name"))))
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])
        elif tag == "link" and attributes.get("rel") in ("stylesheet", "icon"):
            self.loads.append(attributes["href"])
        elif "src" in attributes:
            self.loads.append(attributes["src"])
        if tag == "img" and attributes.get("alt") in (None, "", attributes.get("src")):
            self.without_alt.append(attributes.get("src"))


def pages(book):
    return {path: Page(path) for path in book.rglob("*.html")}


def test_every_link_and_every_file_that_a_page_loads_is_there(book):
    read = pages(book)
    wrong = []
    for path, page in read.items():
        for address in page.links + page.loads:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                if address in page.loads and parts.scheme != "data":
                    wrong.append(f"{path.relative_to(book)}: loads {address}")
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                wrong.append(f"{path.relative_to(book)}: {address} is not there")
            elif parts.fragment and target in read and unquote(
                    parts.fragment) not in read[target].ids:
                wrong.append(f"{path.relative_to(book)}: {address} has no such part")
    assert wrong == []
    assert len(read) >= len(LESSONS) + 5


def test_all_pictures_and_texts_of_the_outputs_are_in_the_pages(book):
    for name in LESSONS:
        path = book / f"notebooks/{name}.html"
        text = path.read_text(encoding="utf-8")
        notebook = nbformat.read(CHECKOUT / f"notebooks/solutions/{name}.ipynb", as_version=4)
        data = [
            output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", [])
        ]
        page = Page(path)
        shown = [address for address in page.loads if re.fullmatch(r"\.\./_images/\w+\.png", address)]
        assert len(shown) == sum("image/png" in one for one in data), name
        assert text.count("<table") >= sum("<table" in one.get("text/html", "") for one in data)
        assert page.without_alt == []


def test_solutions_are_shown_only_if_asked_for(book, tmp_path):
    solution = nbformat.read(CHECKOUT / "notebooks/solutions/00_start.ipynb", as_version=4)
    answer = next(cell.source for cell in solution.cells if "BEGIN SOLUTION" in cell.source)
    line = answer.split("BEGIN SOLUTION")[1].split("\n")[1].strip()

    def shown(folder):
        text = (folder / "notebooks/00_start.html").read_text(encoding="utf-8")
        return html.unescape(re.sub(r"<[^>]*>", "", text))

    assert len(line) > 10 and line not in shown(book)
    made = make(tmp_path / "solved", "00_start", SOLUTIONS="1")
    assert made.returncode == 0, made.stderr
    assert line in shown(tmp_path / "solved")


def test_an_unknown_lesson_and_a_foreign_folder_are_refused(tmp_path):
    made = make(tmp_path / "book", "99_nothing")
    assert made.returncode != 0 and "no lesson '99_nothing'. There are: 00_start" in made.stderr
    (tmp_path / "mine.txt").write_text("precious")
    made = make(tmp_path, "00_start")
    assert made.returncode != 0 and "files that are not of a book" in made.stderr
    assert (tmp_path / "mine.txt").read_text() == "precious"


def test_the_first_page_shows_what_the_course_can_do(book, page):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((book / "index.html").as_uri())
    for text in ("segmentation fault (SIGSEGV): a null pointer was used, line 3",
                 "race in shared memory on line[2]", "outer_sum: passed",
                 "Recorded on an NVIDIA H200"):
        expect(page.locator("article").get_by_text(text).first).to_be_visible()
    sizes = page.locator(".cell_output img").evaluate_all("all => all.map(one => one.naturalWidth)")
    assert len(sizes) == 3 and min(sizes) > 300
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []


def test_a_term_is_explained_and_leads_to_the_glossary(book, page):
    page.goto((book / "notebooks/06_correlation.html").as_uri())
    term, tooltip = page.locator("a.term", has_text="barrier").first, page.locator("#term-tooltip")
    expect(tooltip).to_be_hidden()
    term.hover()
    expect(tooltip).to_contain_text("A point at which threads wait until all of them have arrived")
    page.keyboard.press("Escape")
    expect(tooltip).to_be_hidden()
    term.focus()  # as with the Tab key
    expect(tooltip).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_url("**/docs/glossary.html#term-barrier")
    expect(page.locator("#term-barrier")).to_be_in_viewport()


def test_search_finds_a_word_of_a_lesson(book, page):
    page.goto((book / "index.html").as_uri())
    page.get_by_placeholder("Search").fill("separable")
    page.keyboard.press("Enter")
    page.locator("#search-results").get_by_role("link", name="06 Correlation").first.click()
    page.wait_for_url("**/06_correlation.html*")


def test_formulas_hints_and_copy_buttons(book, page):
    page.goto((book / "notebooks/06_correlation.html").as_uri())
    sizes = page.locator("math").evaluate_all(
        "all => all.filter(one => one.checkVisibility()).map(one => "
        "one.getBoundingClientRect().height)")
    assert len(sizes) > 3 and min(sizes) > 6
    hint = page.locator("details", has_text="The tile's corner is the pixel").first
    expect(hint).to_be_visible()
    expect(hint.locator("p").first).to_be_hidden()
    hint.locator("summary").click()
    expect(hint.locator("p").first).to_be_visible()
    cell = page.locator(".cell_input", has_text="draw_zero_padding").first
    cell.hover()
    cell.locator("button.copybtn").click()
    expect(cell.locator("button.copybtn")).to_have_class(re.compile("success"))
    page.get_by_placeholder("Search").focus()
    page.keyboard.press("Control+V")
    expect(page.get_by_placeholder("Search")).to_have_value(
        re.compile(r"^const Matrix small\{.*lanes::draw_zero_padding\(small\);\s*$"))


def brightness(page, selector):
    return page.locator(selector).first.evaluate(
        "one => { const colour = getComputedStyle(one); return [colour.backgroundColor, "
        "colour.color].map(text => text.match(/[\\d.]+/g).slice(0, 3).reduce((a, b) => a + +b, 0)); }")


def test_dark_theme(book, page):
    page.emulate_media(color_scheme="light")
    page.goto((book / "notebooks/00_start.html").as_uri())
    for _ in range(4):  # automatic, light, dark: the button goes round
        ground, text = brightness(page, "body")
        if ground < text:
            break
        page.locator(".theme-toggle:visible").first.click()
    assert ground < 150 and text > 450
    ground, text = brightness(page, ".cell_input .highlight")
    assert ground < 200 and text > 450
    # a picture stays on white, because its own lines are black
    assert brightness(page, ".cell_output img")[0] == 3 * 255


def test_a_narrow_window_cuts_nothing_off(book, page):
    page.set_viewport_size({"width": 380, "height": 800})
    for name in ("index", *(f"notebooks/{name}" for name in LESSONS), "docs/glossary"):
        page.goto((book / f"{name}.html").as_uri())
        widest = page.locator("article section > *").evaluate_all(
            "all => Math.max(...all.map(one => one.getBoundingClientRect().right))")
        assert 300 < widest <= 380, name
    page.locator("label[for='__navigation']:visible").first.click()
    page.locator(".sidebar-tree").get_by_role("link", name="00 Start here").click()
    page.wait_for_url("**/00_start.html")
