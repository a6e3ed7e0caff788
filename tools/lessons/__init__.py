"""What is done to the notebooks of the course: their canonical form (form), the run that fills in their outputs (outputs), the student's version (assignments,
stubs), and the rules that a lesson keeps (rules)."""
