"""Statements that a thread executes for itself: variables, branches, loops, arrays, vectors, and
atomic operations on global memory."""

from functools import partial

from cuda_expressions import (
    DOUBLE,
    FLOAT,
    INT,
    INTEGERS,
    LONG,
    ULONG,
    UNSIGNED,
    Expressions,
    cast,
    integer,
    real,
)

PREFIX = {INT: "v", UNSIGNED: "u", LONG: "l", ULONG: "q", FLOAT: "f", DOUBLE: "d"}


def is_variable(value):
    """Rather than a constant, a counter, a parameter or a part of a vector."""
    return value.text[0] in PREFIX.values() and value.text[1:].isdigit()


class Statements:
    def __init__(self, rng, exact):
        self.rng, self.exact = rng, exact
        self.e = Expressions(rng, exact)
        self.lines, self.depth, self.names = [], 1, 0
        self.inputs = []  # (name, element type, count)
        self.bins = None  # a result of atomic operations: (name, type, operation, count)
        self.sum_high = self.sum_error = 0.0  # of the variable `sum`

    # Text.

    def line(self, text):
        self.lines.append("    " * self.depth + text)

    def fresh(self, kind):
        self.names += 1
        return f"{PREFIX.get(kind, 's')}{self.names}"

    def open(self, text):
        self.line(text + " {")
        self.depth += 1
        return list(self.e.scope), list(self.e.arrays)

    def close(self, kept, text="}"):
        self.keep_new(kept)
        self.end(kept, text)

    def keep_new(self, kept):
        """Variables that end with this scope reach the result."""
        for v in self.e.scope[len(kept[0]) :]:
            if is_variable(v) and (v.type in INTEGERS or self.exact):
                self.keep(v)

    def end(self, kept, text="}"):
        self.depth -= 1
        self.line(text)
        self.e.scope, self.e.arrays = kept

    def kinds(self):
        kinds = [INT, INT, UNSIGNED, UNSIGNED, LONG, ULONG, FLOAT, FLOAT]
        return kinds + [DOUBLE] * self.exact

    def declare(self, value):
        """A new variable with this value."""
        name = self.fresh(value.type)
        # An approximate float is never assigned again: its error is known.
        fixed = "const " if value.type == FLOAT and not self.exact else ""
        self.line(f"{fixed}{value.type} {name} = {value.text};")
        variable = value._replace(text=name)
        if value.type in INTEGERS:  # it may be assigned again
            variable = integer(name, value.type)
        self.e.scope.append(variable)
        return variable

    def assignable(self):
        kinds = (*INTEGERS, FLOAT, DOUBLE) if self.exact else INTEGERS
        return [v for v in self.e.scope if v.type in kinds and is_variable(v)]

    def keep(self, v):
        """Mixes the bits of a variable into `mix`."""
        text = f"float({v.text})" if v.type == DOUBLE else v.text
        text = f"bits({text})" if v.type in (FLOAT, DOUBLE) else text
        self.line(f"mix = mix * 31u + {cast(UNSIGNED, text)};")

    def keep_sum(self, v, text=None):
        """Adds an approximate float to `sum`, at a place that is passed at most 16 times."""
        if v.type == FLOAT and not self.exact:
            self.line(f"sum += {text or v.text};")
            self.sum_high += 16 * v.high
            self.sum_error += 16 * v.error

    # Statements of one thread.

    def ways(self, uniform, depth):
        """The functions that can add a statement here; depth: how many scopes may be opened."""
        ways = [self.new_variable] * 3 + [self.assign] * 3 + [self.vector]
        if not self.exact:
            ways += [self.accumulate] * 2
        if self.bins:
            ways += [self.global_atomic]
        if depth > 0:
            nested = [self.branch, self.branch, self.loop, self.loop, self.switch, self.while_loop]
            ways += [self.local_array] + [partial(way, depth - 1) for way in nested]
        return ways

    def statements(self, count, uniform, depth):
        """uniform: whether all threads of the block get here together."""
        for _ in range(count):
            self.rng.choice(self.ways(uniform, depth))()

    def new_variable(self):
        self.declare(self.e.any(self.rng.choice(self.kinds()), 3))

    def assign(self):
        known = self.assignable()
        if not known:
            return self.new_variable()
        v = self.rng.choice(known)
        value = self.e.any(v.type, 3).text
        how = "="
        if v.type in (UNSIGNED, ULONG):
            how = self.rng.choice(["=", "+=", "-=", "*=", "^=", "|="])
        elif v.type in (FLOAT, DOUBLE):
            how = self.rng.choice(["=", "+=", "*="])
        self.line(f"{v.text} {how} {value};")

    def branch(self, depth):
        kept = self.open(f"if ({self.e.condition()})")
        self.statements(self.rng.randint(1, 2), False, depth)
        if self.rng.random() < 0.5:
            self.close(kept, "} else {")
            self.depth += 1
            kept = list(self.e.scope), list(self.e.arrays)
            self.statements(1, False, depth)
        self.close(kept)

    def loop(self, depth):
        k = self.fresh("")
        # The bound may change in the loop: it is at most 7.
        bound = f"({self.e.integer(INT, 1).text} & {self.rng.choice([3, 7])})"
        kept = self.open(f"for (int {k} = 0; {k} < {bound}; ++{k})")
        self.e.scope.append(integer(k, INT, 0, 7))
        self.statements(self.rng.randint(1, 2), False, depth)
        if self.rng.random() < 0.3:
            self.line(f"if ({self.e.condition(1)}) {self.rng.choice(['break', 'continue'])};")
        self.assign()
        self.close(kept)

    def accumulate(self):
        """A sum of approximate floats in a loop."""
        k, count, name = self.fresh(""), self.rng.randint(2, 9), self.fresh(FLOAT)
        self.line(f"float {name} = 0.0f;")
        kept = self.open(f"for (int {k} = 0; {k} < {count}; ++{k})")
        self.e.scope.append(integer(k, INT, 0, count - 1))
        value = self.e.approximate(3)
        self.line(f"{name} += {value.text};")
        self.close(kept)
        high = count * value.high
        self.e.scope.append(real(name, FLOAT, high, count * value.error + count * 2.0**-23 * high))

    def while_loop(self, depth):
        w = self.fresh("")
        self.line(f"unsigned {w} = {self.e.integer(UNSIGNED, 1).text};")
        kept = self.open(f"while ({w} > {self.rng.randint(0, 9)}u)")
        self.line(f"{w} >>= {self.rng.randint(2, 6)};")
        self.e.scope.append(integer(w, UNSIGNED))
        self.statements(1, False, depth)
        self.close(kept)

    def switch(self, depth):
        kept = self.open(f"switch ({self.e.integer(INT, 2).text} & 3)")
        for case in self.rng.sample(["case 0:", "case 1:", "case 2:", "case 3:", "default:"], 3):
            inner = self.open(case)
            self.statements(1, False, 0)
            self.keep_new(inner)
            if self.rng.random() < 0.7:
                self.line("break;")
            self.end(inner)
        self.close(kept)

    def local_array(self):
        rng, kind, count = self.rng, self.rng.choice([INT, UNSIGNED, LONG]), self.rng.choice([2, 4, 5])
        name = self.fresh("")
        first = ", ".join(self.e.integer(kind, 1).text for _ in range(count))
        self.line(f"{kind} {name}[{count}] = {{{first}}};")
        for _ in range(rng.randint(1, 2)):
            self.line(f"{name}[{self.e.index(count)}] = {self.e.integer(kind, 2).text};")
        self.e.arrays.append((name + "[{}]", kind, count))
        self.declare(self.e.element(kind, 0))

    def vector(self):
        rng = self.rng
        vectors = [(INT, "int2", 2), (FLOAT, "float4", 4), (UNSIGNED, "uint3", 3), (FLOAT, "float2", 2)]
        kind, name, size = rng.choice(vectors)
        inputs = [x for x in self.inputs if x[1] == kind and x[2] >= size and size != 3 and self.exact]
        v = self.fresh("")
        if inputs and rng.random() < 0.6:
            array, _, count = rng.choice(inputs)
            index = self.e.index(count // size)
            self.line(f"const {name} {v} = reinterpret_cast<const {name}*>({array})[{index}];")
            parts = [integer("", INT)] * size if kind == INT else [real("", kind)] * size
        else:
            parts = [self.e.any(kind, 2) for _ in range(size)]
            self.line(f"const {name} {v} = make_{name}({', '.join(p.text for p in parts)});")
        for part, letter in zip(parts, "xyzw"):
            self.e.scope.append(part._replace(text=f"{v}.{letter}"))
        self.declare(self.e.any(kind, 2))

    def global_atomic(self):
        name, kind, operation, count = self.bins
        self.line(f"atomic{operation}(&{name}[{self.e.index(count)}], {self.operand(kind, operation)});")

    def operand(self, kind, operation):
        if operation == "Inc":
            return "1000u"
        if kind == FLOAT:  # sums of small integers are exact
            return f"float({self.e.integer(INT, 1).text} & 7)"
        return self.e.integer(kind, 2).text
