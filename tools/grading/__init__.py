"""Grades what students hand in. Each notebook is restored from the solution and the student's
answers (restore), its text is screened (screen), its cells are run in a sandbox (sandbox, run), the
result is decided (verdict, probes) and recorded in nbgrader's gradebook (book). `make grade` runs
grade.py. docs/teaching.md says which part trusts which."""
