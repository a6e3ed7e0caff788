"""Statements that the threads of a block or a warp execute together: shared memory with barriers,
atomic operations on it, shuffles and votes."""

from functools import partial
from math import gcd

from cuda_expressions import FLOAT, INT, LONG, ULONG, UNSIGNED, cast, integer, literal
from cuda_statements import Statements

# Atomic operations whose result does not depend on the order of threads.
ATOMICS = {
    INT: ["Add", "Sub", "Min", "Max", "And", "Or", "Xor"],
    UNSIGNED: ["Add", "Sub", "Min", "Max", "And", "Or", "Xor", "Inc"],
    LONG: ["Min", "Max"],
    ULONG: ["Add", "Min", "Max", "And", "Or", "Xor"],
}


class BlockStatements(Statements):
    def __init__(self, rng, exact):
        super().__init__(rng, exact)
        self.block, self.threads = (1, 1), 1
        self.dynamic_shared = 0  # bytes

    def ways(self, uniform, depth):
        ways = super().ways(uniform, depth)
        if not uniform:
            return ways
        ways += [self.exchange, self.exchange, self.tile, self.reduction, self.shared_atomics]
        ways += [self.own_slot, self.block_vote]
        if depth > 0:
            ways += [partial(way, depth - 1) for way in (self.uniform_loop, self.uniform_branch)]
        if self.threads % 32 == 0:
            ways += [self.shuffle, self.shuffle, self.vote, self.partition, self.half_warps]
            ways += [self.warp_exchange]
        return ways

    def uniform_loop(self, depth):
        k, count = self.fresh(""), self.rng.randint(1, 3)
        bound = self.rng.choice([str(count), f"min(n, {count})", f"{count} + int(blockIdx.x & 1u)"])
        kept = self.open(f"for (int {k} = 0; {k} < {bound}; ++{k})")
        self.e.scope.append(integer(k, INT, 0, 4))
        self.statements(self.rng.randint(1, 2), True, depth)
        self.assign()
        self.close(kept)

    def uniform_branch(self, depth):
        condition = self.rng.choice(["(blockIdx.x & 1u) == 0u", "n % 3 != 0", "gridDim.x > 1u"])
        kept = self.open(f"if ({condition})")
        self.statements(self.rng.randint(1, 2), True, depth)
        self.close(kept)

    def places(self):
        """Texts of indices of which each thread has another one."""
        t, found = self.threads, ["t", f"{self.threads - 1} - t"]
        found += [f"t * {k} % {t}" for k in (3, 5, 7) if gcd(k, t) == 1]
        return found + ([f"t ^ {2 if t % 4 == 0 else 1}"] if t % 2 == 0 else [])

    def shared_array(self, kind, count):
        if kind in (INT, UNSIGNED, FLOAT) and self.rng.random() < 0.3:
            name = self.fresh("")
            self.line(f"{kind}* {name} = reinterpret_cast<{kind}*>(dynamic_shared);")
            self.dynamic_shared = max(self.dynamic_shared, 4 * count)
            return name
        name = self.fresh("")
        self.line(f"__shared__ {kind} {name}[{count}];")
        return name

    def group(self):
        """Shared arrays have a scope of their own: a loop or a jump must not pass them."""
        kept = self.open("")
        self.lines[-1] = self.lines[-1].replace(" {", "{")
        return kept

    def exchange(self):
        kind = self.rng.choice(self.kinds())
        value = self.e.any(kind, 2)
        result = self.declare(value)
        kept = self.group()
        s = self.shared_array(kind, self.threads)
        self.line(f"{s}[{self.rng.choice(self.places())}] = {result.text};")
        self.line("__syncthreads();")
        at = self.rng.choice(self.places()) if self.rng.random() < 0.5 else self.e.index(self.threads)
        n = self.fresh("")
        self.line(f"const {kind} {n} = {s}[{at}];")
        self.line("__syncthreads();")
        self.take(result, n)
        self.close(kept)

    def take(self, result, text):
        """Uses a value of another thread: the variable gets it, or an integer is mixed with it."""
        if result.type == FLOAT and not self.exact:
            self.keep_sum(result, text)
        elif result.type in (UNSIGNED, ULONG):
            self.line(f"{result.text} ^= {text};")
        else:
            self.line(f"{result.text} = {text};")

    def tile(self):
        kind, (x, y) = self.rng.choice([INT, UNSIGNED, FLOAT]), self.block
        result = self.declare(self.e.any(kind, 2))
        kept = self.group()
        s, padding = self.fresh(""), self.rng.choice([0, 1])
        self.line(f"__shared__ {kind} {s}[{y}][{x + padding}];")
        self.line(f"{s}[threadIdx.y][threadIdx.x] = {result.text};")
        self.line("__syncthreads();")
        rows = [f"(threadIdx.y + {self.rng.randint(0, y)}u) % {y}u", f"threadIdx.x % {y}u"]
        columns = [f"(threadIdx.x + {self.rng.randint(0, x)}u) % {x}u", f"threadIdx.y % {x}u"]
        n = self.fresh("")
        self.line(f"const {kind} {n} = {s}[{self.rng.choice(rows)}][{self.rng.choice(columns)}];")
        self.line("__syncthreads();")
        self.take(result, n)
        self.close(kept)

    def reduction(self):
        kinds = [UNSIGNED, UNSIGNED, ULONG] + ([FLOAT] if self.exact else [])
        kind, t = self.rng.choice(kinds), self.threads
        result = self.declare(self.e.any(kind, 2))
        sign = self.rng.choice(["+", "max", "min"] if kind == FLOAT else ["+", "^", "max", "*"])
        kept = self.group()
        s, step = self.shared_array(kind, t), self.fresh("")
        self.line(f"{s}[t] = {result.text};")
        self.line("__syncthreads();")
        half = 1 << max(t - 1, 1).bit_length() - 1
        inner = self.open(f"for (int {step} = {half}; {step} > 0; {step} /= 2)")
        a, b = f"{s}[t]", f"{s}[t + {step}]"
        both = f"{sign}({a}, {b})" if len(sign) > 1 else f"{a} {sign} {b}"
        both += " + 0.0f" if kind == FLOAT else ""
        self.line(f"if (t < {step} && t + {step} < {t}) {a} = {both};")
        self.line("__syncthreads();")
        self.close(inner)
        n = self.fresh("")
        self.line(f"const {kind} {n} = {s}[{self.rng.choice(['0', 't'])}];")
        self.line("__syncthreads();")
        self.take(result, n)
        self.close(kept)

    def shared_atomics(self):
        rng = self.rng
        kind = rng.choice([INT, INT, UNSIGNED, UNSIGNED, LONG, ULONG])
        count = rng.choice([1, 3, 8, 16, 33])
        operation = rng.choice(ATOMICS[kind] + ["loop"] * (kind == UNSIGNED))
        result = self.declare(self.e.integer(kind, 1))
        kept = self.group()
        s, k = self.shared_array(kind, count), self.fresh("")
        first = literal(rng.choice([0, 1, 77, 1000]), kind).text
        self.line(f"for (int {k} = t; {k} < {count}; {k} += {self.threads}) {s}[{k}] = {first};")
        self.line("__syncthreads();")
        inner = self.open(f"if ({self.e.condition(1)})") if rng.random() < 0.4 else None
        if operation == "loop":
            self.compare_and_swap(s, count)
        else:
            for _ in range(rng.randint(1, 2)):
                operand = self.operand(kind, operation)
                self.line(f"atomic{operation}(&{s}[{self.e.index(count)}], {operand});")
        if inner:
            self.close(inner)
        self.line("__syncthreads();")
        n = self.fresh("")
        self.line(f"const {kind} {n} = {s}[{self.e.index(count)}];")
        self.line("__syncthreads();")
        self.take(result, n)
        self.close(kept)

    def compare_and_swap(self, s, count):
        """An atomic operation made of compare-and-swap; which one must not depend on the order."""
        at, old, seen, value = (self.fresh("") for _ in range(4))
        self.line(f"const unsigned {value} = {self.e.integer(UNSIGNED, 2).text};")
        self.line(f"unsigned* {at} = &{s}[{self.e.index(count)}];")
        self.line(f"unsigned {old} = *{at}, {seen};")
        kept = self.open("do")
        self.line(f"{seen} = {old};")
        new = self.rng.choice(["{} + {}", "max({}, {})", "{} ^ {}", "{} * ({} | 1u)"]).format(seen, value)
        self.line(f"{old} = atomicCAS({at}, {seen}, {new});")
        self.close(kept, f"}} while ({old} != {seen});")

    def own_slot(self):
        """Each thread exchanges values with an element of its own: the old value is known."""
        kind = self.rng.choice([INT, UNSIGNED, ULONG])
        result = self.declare(self.e.integer(kind, 1))
        kept = self.group()
        s = self.shared_array(kind, self.threads)
        self.line(f"{s}[t] = {self.e.integer(kind, 2).text};")
        a, b = self.e.integer(kind, 2).text, self.e.integer(kind, 2).text
        texts = [f"atomicExch(&{s}[t], {a})", f"atomicCAS(&{s}[t], {a}, {b})", f"atomicMax(&{s}[t], {a})"]
        text, n = self.rng.choice(texts), self.fresh("")
        self.line(f"const {kind} {n} = {text};")
        self.line("__syncthreads();")
        self.take(result, f"{n} ^ {s}[{self.rng.choice(self.places())}]")
        self.line("__syncthreads();")
        self.close(kept)

    def block_vote(self):
        which = self.rng.choice(["count", "and", "or"])
        text = f"__syncthreads_{which}({self.e.condition(1)})"
        # Of "and" and "or" only whether it is 0 is defined.
        self.declare(integer(text if which == "count" else f"int({text} != 0)", INT))

    # Warps. The block is a multiple of 32 threads; threads are numbered along x first.

    def shuffle(self, mask="0xffffffffu", widths=(2, 4, 8, 16, 32)):
        rng = self.rng
        kind, width = rng.choice(self.kinds()), rng.choice(widths)
        value = self.e.any(kind, 2)
        how = rng.choice(["", "_up", "_down", "_xor"])
        by = str(rng.randrange(32))
        if rng.random() < 0.3 and how == "":
            by = self.e.index(32)
        if mask != "0xffffffffu" and how == "_xor":
            by = str(rng.randrange(width))
        end = "" if width == 32 else f", {width}"
        return self.declare(value._replace(text=f"__shfl{how}_sync({mask}, {value.text}, {by}{end})"))

    def vote(self):
        rng = self.rng
        mask, c = "0xffffffffu", self.e.condition(1)
        of_unsigned = rng.choice(["add", "min", "max", "and", "or", "xor"])
        of_int = rng.choice(["add", "min", "max"])
        u, i = self.e.integer(UNSIGNED, 2).text, self.e.integer(INT, 2).text
        kind, text = rng.choice(
            [
                (INT, f"int(__any_sync({mask}, {c}) != 0)"),
                (INT, f"int(__all_sync({mask}, {c}) != 0)"),
                (UNSIGNED, f"__ballot_sync({mask}, {c})"),
                (UNSIGNED, f"__match_any_sync({mask}, {i} & 3)"),
                (UNSIGNED, f"__match_any_sync({mask}, {self.e.integer(LONG, 1).text} % 3LL)"),
                (UNSIGNED, f"__reduce_{of_unsigned}_sync({mask}, {u})"),
                (INT, f"__reduce_{of_int}_sync({mask}, {i})"),
            ]
        )
        self.declare(integer(text, kind))

    def partition(self):
        """The lanes for which a condition holds work together."""
        rng, p, m = self.rng, self.fresh(""), self.fresh("")
        self.line(f"const bool {p} = {self.e.condition(1)};")
        self.line(f"const unsigned {m} = __ballot_sync(0xffffffffu, {p});")
        v = self.declare(self.e.integer(UNSIGNED, 1))
        kept = self.open(f"if ({p})")
        u = self.e.integer(UNSIGNED, 2).text
        texts = [f"__shfl_sync({m}, {u}, __ffs(int({m})) - 1)", f"__reduce_add_sync({m}, {u})"]
        texts += [f"__ballot_sync({m}, {self.e.condition(1)})"]
        texts += [f"unsigned(__popc({m} & ((1u << lane) - 1u)))"]
        texts += [f"__match_any_sync({m}, {u} & 3u)", f"__reduce_max_sync({m}, {u})"]
        for text in rng.sample(texts, rng.randint(1, 2)):
            self.line(f"{v.text} ^= {text};")
        if self.bins and self.bins[2] == "Add" and self.bins[1] != FLOAT:
            name, kind, _, count = self.bins
            add = f"atomicAdd(&{name}[{rng.randrange(count)}], {cast(kind, f'__popc({m})')})"
            self.line(f"if (lane == __ffs(int({m})) - 1) {add};")
        self.close(kept)

    def half_warps(self):
        kept = self.open("if (lane < 16)")
        self.keep_sum(self.shuffle("0x0000ffffu", (2, 4, 8, 16)))
        self.close(kept, "} else {")
        self.depth += 1
        kept = list(self.e.scope), list(self.e.arrays)
        self.keep_sum(self.shuffle("0xffff0000u", (2, 4, 8, 16)))
        self.close(kept)

    def warp_exchange(self):
        kind = self.rng.choice([INT, UNSIGNED])
        result = self.declare(self.e.integer(kind, 2))
        kept = self.group()
        s = self.fresh("")
        self.line(f"__shared__ {kind} {s}[{self.threads}];")
        self.line(f"{s}[t] = {result.text};")
        self.line("__syncwarp();")
        n = self.fresh("")
        self.line(f"const {kind} {n} = {s}[t ^ {self.rng.choice([1, 2, 5, 16, 31])}];")
        self.line("__syncwarp();")
        self.take(result, n)
        self.close(kept)
