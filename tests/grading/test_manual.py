"""manual.csv survives spreadsheets, and refuses what cannot be meant."""

import pytest
from grading.manual import Manual, Refused

POSSIBLE = {("02", "report"): 3.0, ("02", "more"): 2.0}
HEAD = "student,notebook,cell,points_possible,points,comment\n"


def read(folder, text, encoding="utf-8", students=("anna", "-dash")):
    (folder / "manual.csv").write_bytes(text.encode(encoding))
    manual = Manual(folder / "manual.csv")
    manual.check(POSSIBLE, set(students))
    return manual


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("separator, number", [(",", '2.5'), (";", "2,5"), ("\t", "2,5")])
def test_any_spreadsheet(tmp_path, encoding, separator, number):
    text = HEAD.replace(",", separator) + separator.join(
        ("anna", "02", "report", "3", number, "größer")) + "\r\n"
    manual = read(tmp_path, text, encoding)
    assert manual.points == {("anna", "02", "report"): (2.5, "größer")}
    manual.write([("anna", "02", "more")], POSSIBLE)
    again = Manual(tmp_path / "manual.csv")
    assert again.points == {("anna", "02", "report"): (2.5, "größer"),
                            ("anna", "02", "more"): (None, "")}


def test_texts_like_formulas_stay_what_they_are(tmp_path):
    manual = read(tmp_path, HEAD + "-dash,02,report,3,1,- good\n")
    for _ in range(3):
        manual.write([], POSSIBLE)
        assert "'-dash" in (tmp_path / "manual.csv").read_text()
        manual = Manual(tmp_path / "manual.csv")
        assert manual.points == {("-dash", "02", "report"): (1.0, "- good")}


@pytest.mark.parametrize("row, words", [
    ("anna,02,report,3,50,", "50 points, 0 to 3 are possible"),
    ("anna,02,report,3,-1,", "-1 points, 0 to 3 are possible"),
    ("anna,02,report,3,two,", "'two' is no number of points"),
    ("anna,02,reprot,3,1,", "there is no report cell 'reprot' in '02'. There are: more, report"),
    ("ana,02,report,3,1,", "there is no student 'ana'"),
    ("anna,02,report,3,nan,", "nan points"),
    ("anna,02,report,3,1,\nanna,02,report,3,2,", "has another row above"),
])
def test_what_cannot_be_meant_is_refused_by_name(tmp_path, row, words):
    with pytest.raises(Refused) as refused:
        read(tmp_path, HEAD + row + "\n")
    assert words in str(refused.value) and "manual.csv, row" in str(refused.value)


def test_a_missing_column_is_told(tmp_path):
    with pytest.raises(Refused, match="the column 'cell' is missing"):
        read(tmp_path, HEAD.replace("cell,", "zelle,"))
