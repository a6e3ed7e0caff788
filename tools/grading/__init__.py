"""Grades what students hand in. Notebooks are found (submissions) and restored from the solution
and the student's answers (restore). What an answer is made of is run where only the allowed part
of the library exists (needs, rooms, jail, sandbox, cells, run), called by a probe, and its
values are judged outside (probes, records, judging). Points become tables and pages (book,
manual, drawing, pages). `make grade` runs grade.py, below a guardian (guard). docs/teaching.md
says which part trusts which."""
