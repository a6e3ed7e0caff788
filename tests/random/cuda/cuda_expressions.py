"""Random expressions of CUDA C++ that have one right value: no signed overflow, no shift by more bits
than there are, no division by zero, no conversion of a float that the integer type cannot hold.

An `Expressions` is exact or approximate. Exact: floats are computed by operations that IEEE 754
rounds correctly (+ - * / sqrt fma and conversions) and by functions without rounding, so every
machine must give the same bits if the compiler contracts nothing (-fmad=false). Approximate:
functions such as sinf and contraction (a * b + c as one fma) are allowed, and each value has a bound
of its rounding error, from which the tolerance of the result follows; no branch, index or integer
depends on such a float."""

from collections import namedtuple

INT, UNSIGNED, LONG, ULONG = "int", "unsigned", "long long", "unsigned long long"
FLOAT, DOUBLE = "float", "double"
INTEGERS = (INT, UNSIGNED, LONG, ULONG)
RANGE = {
    INT: (-(2**31), 2**31 - 1),
    UNSIGNED: (0, 2**32 - 1),
    LONG: (-(2**63), 2**63 - 1),
    ULONG: (0, 2**64 - 1),
    "unsigned char": (0, 255),
    "short": (-(2**15), 2**15 - 1),
}
UNSIGNED_OF = {INT: UNSIGNED, LONG: "(unsigned long long)"}
SUFFIX = {INT: "", UNSIGNED: "u", LONG: "LL", ULONG: "ULL"}
BITS = {INT: 32, UNSIGNED: 32, LONG: 64, ULONG: 64}
ULP = 2.0**-23

# low and high: of an integer. high and error: the largest absolute value of an approximate float,
# and how far it may be from the exact one.
Value = namedtuple("Value", "text type low high error")


def integer(text, kind, low=None, high=None):
    least, most = RANGE[kind]
    return Value(text, kind, least if low is None else low, most if high is None else high, 0)


def real(text, kind, high=0.0, error=0.0):
    return Value(text, kind, -high, high, error)


def literal(value, kind):
    if kind in (FLOAT, DOUBLE):
        text = f"{float(value)!r}{'f' if kind == FLOAT else ''}"
        return real(text if value >= 0 else f"({text})", kind, abs(value))
    if value == RANGE[kind][0] and value < 0:
        text = f"({value + 1}{SUFFIX[kind]} - 1)"
    else:
        text = f"{value}{SUFFIX[kind]}" if value >= 0 else f"({value}{SUFFIX[kind]})"
    return integer(text, kind, value, value)


def cast(kind, text):
    return f"({kind})({text})" if " " in kind else f"{kind}({text})"


# What an approximate float may go through: the text, the bound of the result for a bound of the
# argument, the largest slope, and the result's own error in ULPs of that bound.
FUNCTIONS = [
    ("sinf({})", lambda b: 1, lambda b: 1, 4),
    ("cosf({})", lambda b: 1, lambda b: 1, 4),
    ("tanhf({})", lambda b: 1, lambda b: 1, 4),
    ("erff({})", lambda b: 1, lambda b: 1.2, 4),
    ("atanf({})", lambda b: 1.6, lambda b: 1, 4),
    ("sigmoid({})", lambda b: 1, lambda b: 0.25, 12),
    ("fabsf({})", lambda b: b, lambda b: 1, 0),
    ("sqrtf(fabsf({}) + 0.5f)", lambda b: (b + 1) ** 0.5, lambda b: 0.71, 4),
    ("rsqrtf(fabsf({}) + 0.5f)", lambda b: 1.5, lambda b: 1.5, 6),
    ("logf(fabsf({}) + 0.5f)", lambda b: max(1, b), lambda b: 2, 6),
    ("log2f(fabsf({}) + 0.5f)", lambda b: max(1, 2 * b), lambda b: 3, 6),
    ("log1pf(fabsf({}))", lambda b: b, lambda b: 1, 4),
    ("cbrtf(fabsf({}) + 0.5f)", lambda b: b + 1, lambda b: 0.6, 6),
    ("expf(-fabsf({}))", lambda b: 1, lambda b: 1, 6),
    ("exp2f(fminf({}, 2.0f))", lambda b: 4, lambda b: 2.8, 6),
    ("expm1f(fminf({}, 1.0f))", lambda b: 1.8, lambda b: 2.8, 6),
    ("powf(fabsf({}) + 0.5f, 1.5f)", lambda b: (b + 0.5) ** 1.5, lambda b: 1.5 * (b + 0.5) ** 0.5, 10),
    ("__expf(-fabsf({}))", lambda b: 1, lambda b: 1, 64),
    ("__logf(fabsf({}) + 0.5f)", lambda b: max(1, b), lambda b: 2, 64),
    ("1.0f / ({} * {} + 1.0f)", lambda b: 1, lambda b: 1, 8),
]


class Expressions:
    def __init__(self, rng, exact):
        self.rng, self.exact = rng, exact
        self.scope = []  # Values: variables, constants, counters of loops
        self.arrays = []  # (text of an element with {} for the index, element type, count)
        self.functions = []  # (name, result type, argument types)

    # Integers.

    def leaf(self, kind):
        rng = self.rng
        known = [v for v in self.scope if v.type == kind]
        if known and rng.random() < 0.8:
            # Newer variables first: more of them reach the result.
            return known[max(rng.randrange(len(known)), rng.randrange(len(known)))]
        others = [v for v in self.scope if v.type in INTEGERS]
        if not known and others and rng.random() < 0.8:
            other = rng.choice(others)
            fits = RANGE[kind][0] <= other.low and other.high <= RANGE[kind][1]
            return integer(cast(kind, other.text), kind, *((other.low, other.high) if fits else ()))
        value = rng.choice([rng.randint(0, 9), rng.randint(-100, 100), rng.randint(*RANGE[kind])])
        if rng.random() < 0.05:
            value = rng.choice(RANGE[kind])
        return literal(min(max(value, RANGE[kind][0]), RANGE[kind][1]), kind)

    def integer(self, kind, depth=3):
        rng = self.rng
        if depth <= 0 or rng.random() < 0.15:
            return self.leaf(kind)
        ways = [self.arithmetic] * 4 + [self.bitwise] * 2 + [self.shift, self.divide, self.choice]
        ways += [self.least, self.convert, self.convert, self.intrinsic, self.element, self.call]
        return rng.choice(ways)(kind, depth - 1)

    def arithmetic(self, kind, depth):
        sign = self.rng.choice("++-*")
        a, b = self.integer(kind, depth), self.integer(kind, depth)
        ends = {"+": [a.low + b.low, a.high + b.high], "-": [a.low - b.high, a.high - b.low]}.get(
            sign, [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
        )
        if kind in UNSIGNED_OF and (min(ends) < RANGE[kind][0] or max(ends) > RANGE[kind][1]):
            plain = UNSIGNED_OF[kind]
            return integer(cast(kind, f"{plain}({a.text}) {sign} {plain}({b.text})"), kind)
        text = f"({a.text} {sign} {b.text})"
        return integer(text, kind, min(ends), max(ends)) if kind in UNSIGNED_OF else integer(text, kind)

    def bitwise(self, kind, depth):
        a = self.integer(kind, depth)
        if self.rng.random() < 0.1:
            return integer(f"(~{a.text})", kind)
        if self.rng.random() < 0.4:
            mask = self.rng.choice([1, 3, 7, 15, 255, 1000, 65535])
            return integer(f"({a.text} & {literal(mask, kind).text})", kind, 0, mask)
        return integer(f"({a.text} {self.rng.choice('&|^')} {self.integer(kind, depth).text})", kind)

    def shift(self, kind, depth):
        a, bits = self.integer(kind, depth), BITS[kind]
        if self.rng.random() < 0.5:
            by = str(self.rng.randrange(bits))
        else:
            by = f"({self.integer(self.rng.choice([INT, UNSIGNED]), depth - 1).text} & {bits - 1})"
        if self.rng.random() < 0.5:
            return integer(f"({a.text} >> {by})", kind)
        if kind in UNSIGNED_OF:
            return integer(cast(kind, f"{UNSIGNED_OF[kind]}({a.text}) << {by}"), kind)
        return integer(f"({a.text} << {by})", kind)

    def divide(self, kind, depth):
        a = self.integer(kind, depth)
        if self.rng.random() < 0.5:
            by = literal(self.rng.choice([2, 3, 7, 8, 10, 100, 641]), kind)
            if self.rng.random() < 0.5:
                return integer(f"({a.text} / {by.text})", kind)
            low = 0 if a.low >= 0 else 1 - by.high
            return integer(f"({a.text} % {by.text})", kind, low, by.high - 1)
        b = self.integer(kind, depth - 1)
        one, mask = literal(1, kind).text, literal(self.rng.choice([7, 31, 1023]), kind).text
        return integer(f"({a.text} {self.rng.choice('/%')} ({one} + ({b.text} & {mask})))", kind)

    def choice(self, kind, depth):
        a, b = self.integer(kind, depth), self.integer(kind, depth)
        text = f"({self.condition(depth - 1)} ? {a.text} : {b.text})"
        return integer(text, kind, min(a.low, b.low), max(a.high, b.high))

    def least(self, kind, depth):
        a, b = self.integer(kind, depth), self.integer(kind, depth)
        if kind in (INT, LONG) and a.low > RANGE[kind][0] and self.rng.random() < 0.3:
            most = max(abs(a.low), abs(a.high))
            return integer(f"abs({a.text})", kind, 0, most)
        pick = self.rng.choice([min, max])
        text = f"{pick.__name__}({a.text}, {b.text})"
        return integer(text, kind, pick(a.low, b.low), pick(a.high, b.high))

    def convert(self, kind, depth):
        rng = self.rng
        if self.exact and rng.random() < 0.3:
            return self.from_real(kind, depth)
        if rng.random() < 0.15:
            return integer(cast(kind, self.condition(depth)), kind, 0, 1)
        if rng.random() < 0.3:
            small = rng.choice(["short", "signed char", "unsigned char", "unsigned short"])
            return integer(cast(kind, f"static_cast<{small}>({self.integer(INT, depth).text})"), kind)
        other = self.integer(rng.choice([k for k in INTEGERS if k != kind]), depth)
        return integer(cast(kind, other.text), kind)

    def from_real(self, kind, depth):
        x = self.real(self.rng.choice([FLOAT, FLOAT, DOUBLE]), depth)
        end = "f" if x.type == FLOAT else ""
        least, most = (0, 4000) if kind in (UNSIGNED, ULONG) else (-3000, 3000)
        clamped = f"fmin{end}(fmax{end}({x.text}, {least}.0{end}), {most}.0{end})"  # a NaN is the least
        if kind == INT and x.type == FLOAT and self.rng.random() < 0.5:
            # Unlike a cast, these are defined for every float.
            text = f"__float2int_r{self.rng.choice('nzdu')}({x.text})"
            return integer(text, kind)
        return integer(cast(kind, clamped), kind, least, most)

    def intrinsic(self, kind, depth):
        rng = self.rng
        a, b, c = (self.integer(kind, depth).text for _ in range(3))
        if kind == INT:
            text, low, high = rng.choice(
                [
                    (f"__popc(unsigned({a}))", 0, 32),
                    (f"__clz({a})", 0, 32),
                    (f"__ffs({a})", 0, 32),
                    (f"__mulhi({a}, {b})", -(2**30), 2**30),
                    (f"__hadd({a}, {b})", None, None),
                    (f"__mul24({a}, {b})", None, None),
                    (f"__dp4a({a}, {b}, {literal(rng.randint(0, 99), INT).text})", None, None),
                ]
            )
            return integer(text, kind, low, high)
        if kind == UNSIGNED:
            texts = [f"__brev({a})", f"__umulhi({a}, {b})", f"__byte_perm({a}, {b}, {c})"]
            texts += [f"__funnelshift_l({a}, {b}, {c})", f"__funnelshift_r({a}, {b}, {c})"]
            texts += [f"__usad({a}, {b}, {c})", f"__uhadd({a}, {b})", f"__umul24({a}, {b})"]
            texts += [f"__dp4a({a}, {b}, {c})", f"unsigned(__clz(int({a})))"]
            return integer(rng.choice(texts), kind)
        if kind == ULONG:
            texts = [f"__brevll({a})", f"__umul64hi({a}, {b})", f"(unsigned long long)__popcll({a})"]
            return integer(rng.choice(texts), kind)
        return integer(rng.choice([f"__mul64hi({a}, {b})", f"(long long)__clzll({a})"]), kind)

    def index(self, count, depth=1):
        """The text of an index below `count`."""
        rng = self.rng
        fitting = [v for v in self.scope if v.type == INT and v.low >= 0 and v.high < count]
        if fitting and rng.random() < 0.4:
            return rng.choice(fitting).text
        if count & (count - 1) == 0:
            return f"{self.integer(rng.choice([INT, UNSIGNED]), depth).text} & {count - 1}"
        return f"{self.integer(UNSIGNED, depth).text} % {count}u"

    def element(self, kind, depth):
        small = ("unsigned char", "short") if kind == INT else ()
        fitting = [a for a in self.arrays if a[1] == kind or a[1] in small]
        if not fitting:
            return self.leaf(kind)
        text, held, count = self.rng.choice(fitting)
        return integer(text.format(self.index(count)), kind, *RANGE[held])

    def call(self, kind, depth):
        fitting = [f for f in self.functions if f[1] == kind]
        if not fitting:
            return self.arithmetic(kind, depth)
        name, _, types = self.rng.choice(fitting)
        given = (self.any(t, depth - 1).text for t in types)
        return integer(f"{name}({', '.join(given)})", kind)

    # Conditions.

    def condition(self, depth=2):
        rng = self.rng
        if depth > 0 and rng.random() < 0.3:
            a, b = self.condition(depth - 1), self.condition(depth - 1)
            return rng.choice([f"({a} && {b})", f"({a} || {b})", f"!{a}"])
        if self.exact and rng.random() < 0.25:
            kind = rng.choice([FLOAT, DOUBLE])
            a, b = self.real(kind, depth - 1).text, self.real(kind, depth - 1).text
            return rng.choice([f"({a} < {b})", f"({a} >= {b})", f"isnan({a})", f"isinf({a})"])
        kind = rng.choice([INT, INT, UNSIGNED, LONG])
        a, b = self.integer(kind, depth - 1), self.integer(kind, depth - 1)
        if rng.random() < 0.4:
            return f"({a.text} & {literal(rng.choice([1, 2, 3, 5]), kind).text}) {rng.choice(['==', '!='])} 0"
        return f"({a.text} {rng.choice(['<', '>', '<=', '>=', '==', '!='])} {b.text})"

    # Floats.

    def real(self, kind, depth=3):
        if not self.exact:
            return self.approximate(depth)
        rng = self.rng
        if depth <= 0 or rng.random() < 0.15:
            known = [v for v in self.scope if v.type == kind]
            if known and rng.random() < 0.8:
                return known[max(rng.randrange(len(known)), rng.randrange(len(known)))]
            others = [v for v in self.scope if v.type in (*INTEGERS, FLOAT, DOUBLE)]
            if not known and others and rng.random() < 0.8:
                return real(cast(kind, rng.choice(others).text), kind)
            return literal(rng.choice([rng.randint(-4, 4), rng.randint(-800, 800) / 256, 1e-30, 3e20]), kind)
        f = "f" if kind == FLOAT else ""
        a = self.real(kind, depth - 1).text
        if rng.random() < 0.5:
            b = self.real(kind, depth - 1).text
            return real(f"({a} {rng.choice('++-**/')} {b})", kind)
        way = rng.randrange(10)
        if way == 0:
            return real(f"sqrt{f}(fabs{f}({a}))", kind)
        if way == 1:
            b, c = self.real(kind, depth - 1).text, self.real(kind, depth - 1).text
            return real(f"fma{f}({a}, {b}, {c})", kind)
        if way == 2:
            # The sign of the least of two zeros is not defined: + 0 makes it positive.
            b, which = self.real(kind, depth - 1).text, rng.choice(["fmin" + f, "fmax" + f, "min", "max"])
            return real(f"({which}({a}, {b}) + {literal(0, kind).text})", kind)
        if way == 3:
            return real(f"{rng.choice(['floor', 'ceil', 'trunc', 'rint', 'round', 'fabs'])}{f}({a})", kind)
        if way == 4:
            other = self.integer(rng.choice(INTEGERS), depth - 1).text
            return real(cast(kind, other), kind)
        if way == 5:
            other = self.real(DOUBLE if kind == FLOAT else FLOAT, depth - 1).text
            return real(cast(kind, other), kind)
        if way == 6:
            b = self.real(kind, depth - 1).text
            return real(f"({self.condition(depth - 1)} ? {a} : {b})", kind)
        if way == 7:
            b = self.real(kind, depth - 1).text
            if rng.random() < 0.3:  # the sign of an integer: that of a NaN is not defined
                b = cast(kind, self.integer(INT, depth - 1).text)
                return real(f"copysign{f}({a}, {b})", kind)
            return real(f"{rng.choice(['fmod', 'fdim', 'remainder'])}{f}({a}, {b})", kind)
        if way == 8:
            return real(f"ldexp{f}({a}, {rng.randint(-9, 9)})", kind)
        fitting = [x for x in self.arrays if x[1] == kind]
        if fitting:
            text, _, count = rng.choice(fitting)
            return real(text.format(self.index(count)), kind)
        if kind == FLOAT:
            b = self.real(kind, depth - 1).text
            return real(f"__f{rng.choice(['add', 'mul', 'sub', 'div'])}_rn({a}, {b})", kind)
        return real(f"(-{a})", kind)

    def approximate(self, depth):
        rng = self.rng
        if depth <= 0 or rng.random() < 0.15:
            known = [v for v in self.scope if v.type == FLOAT]
            fitting = [x for x in self.arrays if x[1] == FLOAT]
            if known and rng.random() < 0.7:
                return rng.choice(known)
            if fitting and rng.random() < 0.5:
                text, _, count = rng.choice(fitting)
                return real(text.format(self.index(count)), FLOAT, 2.0)
            if rng.random() < 0.6:
                return real(f"float({self.integer(INT, 1).text} & 7)", FLOAT, 7.0)
            return literal(rng.randint(-512, 512) / 256, FLOAT)
        a = self.approximate(depth - 1)
        if rng.random() < 0.4 or a.high > 50:
            text, bound, slope, ulps = rng.choice(FUNCTIONS)
            high = bound(a.high)
            error = slope(a.high) * (a.error + ULP * (a.high + 1)) + ulps * ULP * max(high, 1)
            text = text.replace("{}", a.text)
            return real(f"({text})", FLOAT, high + error, error)
        b = self.approximate(depth - 1)
        if rng.random() < 0.2:
            text = f"({self.condition(1)} ? {a.text} : {b.text})"
            return real(text, FLOAT, max(a.high, b.high), max(a.error, b.error))
        sign = rng.choice("+-*")
        if sign == "*":
            high, error = a.high * b.high, a.high * b.error + b.high * a.error + a.error * b.error
        else:
            high, error = a.high + b.high, a.error + b.error
        return real(f"({a.text} {sign} {b.text})", FLOAT, high, error + ULP * high)

    def any(self, kind, depth=2):
        return self.real(kind, depth) if kind in (FLOAT, DOUBLE) else self.integer(kind, depth)
