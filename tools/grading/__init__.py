"""Grading what students hand in: their notebooks are put together anew (restore), looked at (screen), run inside a sandbox (sandbox, run), decided (verdict,
probes), and written down by nbgrader's gradebook (book). `make grade` is grade.py. Who is trusted with what: docs/teaching.md."""
