"""Random CUDA kernels that are right by construction: every index is in bounds, everything is set
before it is read, and no result depends on the order of threads. So the simulator must accept them,
and must compute what a GPU computes."""

from cuda_blocks import ATOMICS, BlockStatements
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
    literal,
    real,
)

# Before the CUDA kernels of a program. bits: of a float, but every NaN has the same.
HEADER = """\
__device__ __forceinline__ int bits(float x) { return isnan(x) ? 7 : __float_as_int(x); }
__device__ float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }
extern __shared__ int dynamic_shared[];
"""
BLOCKS = [(32, 1), (64, 1), (96, 1), (128, 1), (256, 1), (8, 4), (16, 8), (8, 8), (32, 4), (16, 16)]
BLOCKS_WITHOUT_WARPS = [(1, 1), (7, 1), (50, 1), (100, 1), (10, 6), (5, 5)]


class Kernel(BlockStatements):
    def __init__(self, rng, name, exact):
        super().__init__(rng, exact)
        self.name = name
        self.before = []  # functions and constants
        self.arguments = []  # as cuda_test.cpp reads them
        self.parameters = []
        self.constants = {}

    # Functions and constants.

    def helper(self, number):
        """A __device__ function, a template or a recursive one; self.e then knows it."""
        rng, outer, name = self.rng, self.e, f"{self.name}_h{number}"
        kind = rng.choice([INT, UNSIGNED, LONG, ULONG])
        form = rng.choice(["plain", "plain", "number", "type", "recursive", "struct"])
        how = rng.choice(["", "__forceinline__ ", "__noinline__ "])
        types = rng.choices([INT, UNSIGNED, LONG] + [FLOAT] * self.exact, k=rng.randint(1, 3))
        self.e = Expressions(rng, self.exact)
        self.e.functions = list(outer.functions)
        names = [f"p{i}" for i in range(len(types))]
        self.e.scope = [integer(p, t) if t in INTEGERS else real(p, t) for p, t in zip(names, types)]
        parameters = ", ".join(f"{t} {p}" for t, p in zip(types, names))
        if form == "recursive":
            kind, types, parameters = UNSIGNED, [UNSIGNED], "unsigned p0"
            self.e.scope = [integer("p0", UNSIGNED)]
            self.before.append(f"__device__ unsigned {name}(unsigned p0) {{")
            end, more = self.e.integer(UNSIGNED, 2).text, self.e.integer(UNSIGNED, 2).text
            self.before.append(f"    if (p0 < {rng.randint(2, 9)}u) return {end};")
            self.before.append(f"    return {name}(p0 >> {rng.randint(5, 8)}) * 3u + {more};\n}}")
        elif form == "type":
            kind = rng.choice([UNSIGNED, ULONG])
            types = [kind, kind]
            sign = rng.choice(["a * b + a", "a - b * T(3)", "(a > b ? a : b) + T(1)", "(a ^ b) >> 1"])
            self.before.append(f"template <class T>\n__device__ {how}T {name}(T a, T b) {{ return {sign}; }}")
            name += f"<{kind}>"
        elif form == "struct":
            kind, types = UNSIGNED, [UNSIGNED]
            self.before.append(f"struct {name} {{\n    int p0;\n    unsigned p1;")
            self.e.scope = [integer("p0", INT), integer("p1", UNSIGNED)]
            more = self.e.integer(UNSIGNED, 2).text
            self.before.append("    __device__ unsigned get(unsigned p2) const {")
            self.before.append(f"        return p2 * p1 + {more};\n    }}\n}};")
            name = f"{name}{{{rng.randint(-9, 9)}, {rng.randint(0, 99)}u}}.get"
        else:
            before = "template <int N>\n" if form == "number" else ""
            if form == "number":
                self.e.scope.append(integer("N", INT, -9, 99))
            kept = self.lines, self.bins, self.inputs
            self.lines, self.bins, self.inputs = [], None, []
            self.line("unsigned mix = 1u;")
            self.statements(rng.randint(0, 2), False, 1)
            body, (self.lines, self.bins, self.inputs) = self.lines, kept
            self.before += [f"{before}__device__ {how}{kind} {name}({parameters}) {{", *body]
            self.before.append(f"    return {cast(kind, 'mix')} ^ {self.e.integer(kind, 3).text};\n}}")
            name += f"<{rng.randint(-9, 99)}>" if form == "number" else ""
        self.e = outer
        self.e.functions.append((name, kind, types))

    def constant(self):
        rng, kind, count = self.rng, self.rng.choice([INT, UNSIGNED, FLOAT]), self.rng.choice([4, 8, 9])
        name = f"{self.name}_c"
        way = rng.choice(["__constant__", "__device__ const", "upload"])
        if way == "upload":
            self.before.append(f"__constant__ {kind} {name}[{count}];")
            fill = "wide" if kind in INTEGERS else "normal"
            self.constants[name] = [kind, count, fill, rng.randrange(1 << 16)]
        else:
            numbers = [rng.randint(0, 500) for _ in range(count)]
            values = [literal(x / 256 if kind == FLOAT else x, kind).text for x in numbers]
            self.before.append(f"{way} {kind} {name}[{count}] = {{{', '.join(values)}}};")
        self.e.arrays.append((name + "[{}]", kind, count))

    # The CUDA kernel as a whole.

    def parameter(self, text, argument):
        self.parameters.append(text)
        self.arguments.append(argument)

    def shape(self):
        rng = self.rng
        self.style = rng.choice(["guard", "guard", "guard", "return", "stride"])
        others = BLOCKS_WITHOUT_WARPS if rng.random() < 0.2 else BLOCKS
        self.block = rng.choice(others)
        self.grid = rng.choice([(1, 1), (2, 1), (3, 1), (5, 1)])
        if self.block[1] > 1 and self.style != "stride":
            self.grid = rng.choice([(1, 1), (2, 1), (2, 2), (3, 2)])
        self.threads = self.block[0] * self.block[1]
        self.width, height = (g * b - rng.randrange(b) for g, b in zip(self.grid, self.block))
        self.n = self.width * height
        if self.style == "stride":
            self.n = rng.randint(1, 2 * self.threads * self.grid[0] * self.grid[1])

    def begin(self):
        above = f"threadIdx.y * {self.block[0]} + " if self.block[1] > 1 else ""
        self.line(f"const int t = {above}threadIdx.x;")
        self.e.scope.append(integer("t", INT, 0, self.threads - 1))
        self.inside = "i < n"
        if self.style == "stride":
            self.line(f"const int all = gridDim.x * {self.threads};")
        elif self.block[1] == 1:
            ways = [f"{self.threads} + t", "blockDim.x + threadIdx.x"]
            self.line(f"const int i = blockIdx.x * {self.rng.choice(ways)};")
        else:
            self.line("const int column = blockIdx.x * blockDim.x + threadIdx.x;")
            self.line("const int row = blockIdx.y * blockDim.y + threadIdx.y;")
            self.line("const int i = row * width + column;")
            self.inside = "column < width && row < n / width"
            self.parameter("int width", self.width)
        self.e.scope.append(integer("n", INT, 1, 5000))
        if self.style == "return":
            self.line(f"if (!({self.inside})) return;")
        if self.threads % 32 == 0:
            self.line("const int lane = t & 31;")
            self.e.scope.append(integer("lane", INT, 0, 31))
        if self.style == "stride":
            self.stride = self.open(f"for (int i = blockIdx.x * {self.threads} + t; i < n; i += all)")
        self.e.scope.append(integer("i", INT, 0, 5000))
        self.line("unsigned mix = 1u;")
        if not self.exact:
            self.line("float sum = 0.0f;")

    def declare_inputs(self):
        rng = self.rng
        kinds = [INT, UNSIGNED, FLOAT, FLOAT, LONG, "unsigned char", "short"] + [DOUBLE] * self.exact
        for name in "abc"[: rng.randint(1, 3)]:
            kind = rng.choice(kinds)
            count = 4 * self.n if rng.random() < 0.3 else self.n
            restrict = rng.choice(["", " __restrict__"])
            fill = "wide"
            if kind in (FLOAT, DOUBLE):
                fill = "special" if self.exact and rng.random() < 0.2 else "normal"
            elif rng.random() < 0.4:
                fill = "small"
            argument = [kind, count, fill, rng.randrange(1 << 16)]
            self.parameter(f"const {kind}*{restrict} {name}", argument)
            self.inputs.append((name, kind, count))
        self.parameter("int n", self.n)

    def read_inputs(self):
        for name, kind, count in self.inputs:
            at = self.rng.choice(["i", f"(i + {self.rng.randint(1, 9)}) % n", "min(i, n - 1)"])
            text = f"{name}[{at}]"
            if at == "i" and self.style == "guard":
                text = f"{self.inside} ? {name}[i] : {cast(kind, '3')}"
            if kind in (FLOAT, DOUBLE):
                self.declare(real(text, kind, 4.0))
            else:
                self.declare(integer(text, kind if kind in INTEGERS else INT))
            self.e.arrays.append((name + "[{}]", kind, count))

    def make_bins(self):
        rng = self.rng
        kind = rng.choice([INT, INT, UNSIGNED, UNSIGNED, ULONG, LONG, FLOAT])
        count = rng.choice([1, 4, 10, 16])
        operation = rng.choice(ATOMICS[kind]) if kind != FLOAT else "Add"
        fill = ["wide", rng.randrange(1 << 16)]
        if kind == FLOAT or operation == "Inc" or rng.random() < 0.5:
            fill = ["zero", 0]
        self.parameter(f"{kind}* bins", [kind, count, *fill, 0])
        self.bins = ("bins", kind, operation, count)

    def last_block(self):
        """The block that is the last to finish adds up what the others have left."""
        blocks = self.grid[0] * self.grid[1]
        self.parameter("unsigned* left", [UNSIGNED, blocks, "empty", 0, 0])
        self.parameter("unsigned* tickets", [UNSIGNED, 1, "zero", 0, 0])
        self.parameter("unsigned* total", [UNSIGNED, 1, "empty", 0, 0])
        kept = self.group()
        self.line("__shared__ unsigned of_block;")
        self.line("__shared__ bool last;")
        self.line("if (t == 0) of_block = 0u;")
        self.line("__syncthreads();")
        self.line("atomicAdd(&of_block, mix);")
        self.line("__syncthreads();")
        inner = self.open("if (t == 0)")
        self.line("left[blockIdx.y * gridDim.x + blockIdx.x] = of_block;")
        self.line("__threadfence();")
        self.line(f"last = atomicAdd(tickets, 1u) == {blocks - 1}u;")
        self.close(inner)
        self.line("__syncthreads();")
        inner = self.open("if (last && t == 0)")
        self.line("__threadfence();")
        self.line("unsigned all = 0u;")
        self.line(f"for (int k = 0; k < {blocks}; ++k) all = all * 3u + left[k];")
        self.line("total[0] = all;")
        self.close(inner)
        self.close(kept)

    def outputs(self):
        rng = self.rng
        self.keep_new(([],))
        guarded = self.open(f"if ({self.inside})") if self.style == "guard" else None
        self.parameter("unsigned* y", [UNSIGNED, self.n, "empty", 0, 0])
        self.line("y[i] = mix;")
        kinds = [k for k in self.kinds() if k != UNSIGNED]
        for number in range(rng.randint(1, 3)):
            kind = FLOAT if number == 0 and not self.exact else rng.choice(kinds)
            name, value = f"z{number}", self.e.any(kind, 2)
            tolerance = 0
            if kind == FLOAT and not self.exact:
                error = value.error
                if number == 0:
                    value = real(f"sum + {value.text}", FLOAT)
                    error += self.sum_error + 2**-20 * self.sum_high
                tolerance = float(f"{2 * error + 1e-6:.2g}")  # the GPU's error and the simulator's
            if number == 1 and kind == FLOAT and rng.random() < 0.5:
                self.parameter(f"float* {name}", [kind, 4 * self.n, "empty", 0, tolerance])
                vector = f"make_float4({value.text}, 1.0f, 2.0f, 3.0f)"
                self.line(f"reinterpret_cast<float4*>({name})[i] = {vector};")
            elif rng.random() < 0.15 and kind in (UNSIGNED, ULONG, INT):
                argument = [kind, self.n, "wide", rng.randrange(1 << 16), 0]
                self.parameter(f"{kind}* {name}", argument)
                self.line(f"{name}[i] ^= {value.text};")
            else:
                self.parameter(f"{kind}* {name}", [kind, self.n, "empty", 0, tolerance])
                self.line(f"{name}[i] = {value.text};")
        if guarded:
            self.close(guarded)

    def entry(self):
        rng = self.rng
        self.shape()
        self.declare_inputs()
        if rng.random() < 0.4:
            self.constant()
        for number in range(rng.randint(0, 2)):
            self.helper(number)
        self.begin()
        self.read_inputs()
        if rng.random() < 0.4:
            self.make_bins()
        self.statements(rng.randint(3, 8), self.style == "guard", 2)
        self.outputs()
        if self.style == "stride":
            self.end(self.stride)
        if self.style == "guard" and rng.random() < 0.1:
            self.last_block()
        first = f"__global__ void {self.name}({', '.join(self.parameters)}) {{"
        text = "\n".join([*self.before, first, *self.lines, "}"])
        found = {"text": text, "grid": self.grid, "block": self.block, "arguments": self.arguments}
        if self.dynamic_shared:
            found["shared"] = self.dynamic_shared
        if self.constants:
            found["constants"] = self.constants
        return found
