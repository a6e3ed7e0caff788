"""What is done with the notebooks of the course: their canonical form (form), running them to fill
in their outputs (outputs), the student's version (assignments, stubs), and the rules that a lesson
follows (rules)."""
