"""The book of `make book`: a static site, made by Sphinx from the lessons and their stored outputs.

    sources.py    the lessons, documents and the first page as Sphinx reads them
    conf.py       Sphinx's settings
    formulas.py   formulas as MathML, which needs no script
    terms.py      terms of the glossary with their definition as a tooltip
    pictures.py   the alternative text of the pictures in outputs
    static/       style and script of the tooltips"""
