# On Debian 12 or 13, `make lab` and `make test` need only git and make: each first installs and builds
# what is missing.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help lab test build kernel doctor version program job outputs assignments hand-out grade hand-in html book image bundle bench format tidy sanitize fuzz clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | awk -F '\t' '{ printf "  make %-12s %s\n", $$1, $$2 }'

lab: ## start JupyterLab on your own copies of the lessons, in work/ (PORT=8899 picks the port, TEACHER=1 adds nbgrader's panels, ARGS="--no-browser" are passed on)
	@tools/setup
	@PORT="$(PORT)" TEACHER="$(TEACHER)" tools/lab $(ARGS)

test: ## run all tests (ONLY="unit structure" runs some; LANES_SLOW=15 stretches time limits; a test that fails, then passes alone, is flaky and fails the run only with FLAKY=fail)
	@tools/setup tests
	@tools/test $(ONLY)

build: ## install what is missing and build, nothing more
	@tools/setup

kernel: ## install the Jupyter kernel alone, without the course, for any C++ notebook (PREFIX=folder, ~/.local by default)
	@tools/setup kernel
	@cmake --install build --component kernel --prefix "$(or $(PREFIX),$(HOME)/.local)"

doctor: ## say what is wrong with this installation: packages, compiler, memory, disk, GPU, ports
	@tools/doctor

version: ## print the versions of the course, the system, the compiler, Python and JupyterLab
	@tools/version

program: ## turn a notebook into a program, for machines without Jupyter (NOTEBOOK=notebooks/NAME.ipynb)
	@tools/setup
	@tools/program "$(NOTEBOOK)"

job: ## turn a notebook into a batch job for SLURM (NOTEBOOK=work/NAME.ipynb RANKS=4 CORES=8 GPUS=1 TIME=00:30:00 DATA=folder)
	@tools/setup
	@RANKS="$(RANKS)" CORES="$(CORES)" GPUS="$(GPUS)" TIME="$(TIME)" DATA="$(DATA)" tools/job "$(NOTEBOOK)"

outputs: ## run the solution notebooks and store what they show (NOTEBOOK=notebooks/solutions/NAME.ipynb runs one)
	@tools/setup
	@tools/outputs $(NOTEBOOK)

assignments: ## make the students' notebooks from the solutions
	@tools/setup
	@tools/assignments

hand-out: ## make the folder to give to students, without solutions, tests and history (TO=folder)
	@tools/setup
	@tools/hand-out $(TO)

grade: ## grade a class in a sandbox (SUBMISSIONS=folder with one folder or archive per student; STUDENT=anna grades one again; ARGS="--out graded --jobs 4")
	@tools/setup
	@tools/grade "$(SUBMISSIONS)" $(if $(STUDENT),--student "$(STUDENT)") $(ARGS)

hand-in: ## pack the filled notebooks and a report in PDF as hw1.zip, hw1b.zip, hw2.zip and hw3.zip (HOMEWORK=hw1 packs one, NAME="Ada Lovelace" stands on the report)
	@tools/setup hand-in
	@tools/hand-in $(HOMEWORK) $(if $(NAME),--name "$(NAME)")

html: ## write notebooks as pages for any browser into build/html (NOTEBOOK=notebooks/NAME.ipynb)
	@tools/setup
	@tools/html $(NOTEBOOK)

book: ## write all lessons with their outputs as a site that needs no network into build/book (SOLUTIONS=1 shows the solutions, LESSONS="00_start 05_queue" writes some)
	@tools/setup book
	@SOLUTIONS="$(SOLUTIONS)" tools/book $(LESSONS)

image: ## build the course as an image for Docker and Podman, without solutions (SOLUTIONS=1: with them; needs root and buildah)
	@tools/setup python
	@SOLUTIONS="$(SOLUTIONS)" tools/image

bundle: ## make one archive that runs anywhere without root: unpack it, then ./lab (from the image)
	@tools/setup python
	@tools/bundle

bench: ## measure against the libraries that one would use instead, print ratios
	@tools/setup
	@tools/bench $(ARGS)

format: ## format all C++ files
	@tools/setup packages
	@tools/format

tidy: ## run clang-tidy over the library and the Jupyter kernel (FILES="a.cpp b.cpp": over those)
	@tools/setup configured
	@tools/tidy $(FILES)

sanitize: ## run the unit tests under address, undefined and thread sanitizers
	@tools/setup environment
	@tools/sanitize

fuzz: ## fuzz the lexer, the splitter and the frame reader of the Jupyter kernel, ten minutes each (TARGET=lexer: one of them; FUZZ_SECONDS=60)
	@tools/setup packages
	@tools/fuzz $(TARGET)

clean: ## remove everything that these commands have made: build, .venv, Jupyter's files
	@rm -rf build .venv .jupyter .setup.lock
