"""The exponential mechanism, the scales, the clip and the samplers against exact arithmetic."""

import random
from bisect import bisect_right
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import accumulate, pairwise, product
from math import isqrt

from tests.privacy.oracle import ask, ask_numbers

UNIT = 2**104
SLACK = Fraction(1, 10**12)


def decimal_exp(x: Fraction) -> Fraction:
    """exp(x) to 80 digits."""
    with localcontext() as context:
        context.prec = 80
        return Fraction((Decimal(x.numerator) / Decimal(x.denominator)).exp())


def exact_law(weights: list[int]) -> list[Fraction]:
    """P(j) as the number of 256-bit U with floor(U W / 2^256) in cell j, over 2^256."""
    total = sum(weights)
    edges = [0]
    for weight in weights:
        edges.append(edges[-1] + weight)
    first = [-(-(edge << 256) // total) for edge in edges]  # the least U that reaches each edge
    return [Fraction(after - before, 2**256) for before, after in pairwise(first)]


SCORES = [
    [0],
    [5, 5],
    [0, 1, 2, 3],
    [-7, 12, 12, 0, 3],
    [0, -35, -36, -37, -1000],
    [2**61, -(2**61), 2**61 - 9],
]
SCALES = [1, 2, 3, 10, 2**46]


def test_weights_are_whole_numbers_in_range_within_theta_of_the_ideal() -> None:
    cases = [(scale, scores) for scale in SCALES for scores in SCORES]
    answers = ask_numbers([f"weights {scale} {' '.join(map(str, s))}" for scale, s in cases])
    for (scale, scores), weights in zip(cases, answers):
        for score, weight in zip(scores, weights):
            assert 2**52 <= weight <= UNIT
            ideal = decimal_exp(-min(Fraction(max(scores) - score, scale), Fraction(36)))
            assert abs(weight / (UNIT * ideal) - 1) < Fraction(15, 10**15)


def test_the_law_is_that_of_the_weights_within_2_to_the_minus_180() -> None:
    for weights in ask_numbers([f"weights 3 {' '.join(map(str, s))}" for s in SCORES]):
        law = exact_law(weights)
        assert sum(law) == 1
        for mass, weight in zip(law, weights):
            assert abs(mass / Fraction(weight, sum(weights)) - 1) < Fraction(1, 2**180)


def test_the_choice_is_the_cell_of_the_uniform_number() -> None:
    generator = random.Random(1)
    for scores in SCORES:
        text = " ".join(map(str, scores))
        (weights,) = ask_numbers([f"weights 3 {text}"])
        total = sum(weights)
        edges = [sum(weights[:j]) for j in range(len(weights) + 1)]
        uniforms = [generator.getrandbits(256) for _ in range(50)] + [0, 2**256 - 1]
        for edge in edges[1:-1]:  # the last number before each edge and the first at it
            least = -(-(edge << 256) // total)
            uniforms += [least - 1, least]
        words = [" ".join(str(u >> (64 * k) & (2**64 - 1)) for k in range(4)) for u in uniforms]
        answers = ask_numbers([f"select 3 {w} {text}" for w in words])
        for uniform, (chosen,) in zip(uniforms, answers):
            assert edges[chosen] <= uniform * total >> 256 < edges[chosen + 1]


def test_neighbours_have_the_range_that_is_charged() -> None:
    """All moves of three scores by at most 2, at the exact law: range at most 2S/b + 1e-12."""
    scale, sensitivity, scores = 5, 2, [0, -3, -181]
    moves = list(product(range(-sensitivity, sensitivity + 1), repeat=3))
    moved = [[s + m for s, m in zip(scores, move)] for move in moves]
    answers = ask_numbers([f"weights {scale} {' '.join(map(str, s))}" for s in [scores, *moved]])
    before, *others = [exact_law(weights) for weights in answers]
    limit = decimal_exp(Fraction(2 * sensitivity, scale) + SLACK)
    for after in others:
        ratios = [p / q for p, q in zip(before, after)]
        assert max(ratios) / min(ratios) <= limit


def test_scales_are_the_smallest_that_keep_epsilon() -> None:
    generator = random.Random(2)
    cases = []
    for _ in range(2000):
        shift = generator.randrange(1, 2 ** generator.randrange(1, 63))
        epsilon = generator.random() * 2.0 ** generator.randrange(-40, 30)
        cases.append((shift, epsilon, 2**44))
    answers = ask([f"scale {s} {e.hex()} {largest}" for s, e, largest in cases])
    refused = 0
    for (shift, epsilon, largest), answer in zip(cases, answers):
        least = max(1, -(-Fraction(shift) // Fraction(epsilon)))
        if least > largest:
            assert answer.startswith("error scale")
            refused += 1
        else:
            assert int(answer) == least
    assert 0 < refused < len(cases) / 2


def test_the_clip_is_the_integer_formula() -> None:
    generator = random.Random(3)
    bound, top = 2**20, 2**31 - 1
    cases = []
    for _ in range(500):
        size = generator.randrange(1, 9)
        values = [generator.gauss(0, 1) * 2.0 ** generator.randrange(-3, 40) for _ in range(size)]
        cases.append(values)
    answers = ask_numbers([f"clip 1 {' '.join(x.hex() for x in v)}" for v in cases])
    for values, share in zip(cases, answers):
        # round: half to even, as rint
        grid = [max(-top, min(top, round(x * bound))) for x in values]
        square = sum(q * q for q in grid)
        kept = grid
        if square > bound**2:
            root = isqrt(square - 1) + 1
            shift = next(s for s in range(100) if (bound << s) // root >= 2**30)
            multiplier = (bound << shift) // root
            kept = [(abs(q) * multiplier >> shift) * (1 if q >= 0 else -1) for q in grid]
            exact = [(abs(q) * bound // root) * (1 if q >= 0 else -1) for q in grid]
            assert all(0 <= abs(e) - abs(k) <= 1 for e, k in zip(exact, kept))
        assert share == kept
        assert sum(v * v for v in share) <= bound**2


# --- a second implementation of the samplers, from the bytes of the stream up ---


# Above cells 0, 1, 2, ...: those beyond are too near to the end for a test to reach.
EDGES = list(accumulate(decimal_exp(Fraction(-v * v, 512)) / 21 for v in range(150)))


class Stream:
    """ChaCha20 (RFC 8439 round function, 64-bit counter), nonce zero, key = seed, 64-bit words."""

    def __init__(self, seed: int) -> None:
        self.key = [seed & 0xFFFFFFFF, seed >> 32] + [0] * 6
        self.block = 0
        self.words: list[int] = []

    def word(self) -> int:
        if not self.words:
            self.refill()
        return self.words.pop(0)

    def refill(self) -> None:
        constants = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574]
        start = constants + self.key + [self.block & 0xFFFFFFFF, self.block >> 32, 0, 0]
        state = start[:]
        columns = [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)]
        diagonals = [(0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)]
        for _ in range(10):
            for a, b, c, d in columns + diagonals:
                for x, y, z, turn in (
                    (a, b, d, 16),
                    (c, d, b, 12),
                    (a, b, d, 8),
                    (c, d, b, 7),
                ):
                    state[x] = (state[x] + state[y]) & 0xFFFFFFFF
                    mixed = state[z] ^ state[x]
                    state[z] = (mixed << turn | mixed >> (32 - turn)) & 0xFFFFFFFF
        total = [(x + y) & 0xFFFFFFFF for x, y in zip(state, start)]
        self.words = [total[i] | total[i + 1] << 32 for i in range(0, 16, 2)]
        self.block += 1

    def below(self, bound: int) -> int:
        while True:
            product = self.word() * bound
            if product % 2**64 >= 2**64 % bound:
                return product >> 64

    def chance(self, a: int, n: int) -> bool:
        return a >= n or self.below(n) < a

    def exp_chance(self, a: int, b: int) -> bool:
        for part, whole in [(1, 1)] * (a // b) + [(a % b, b)]:
            k = 1
            while self.chance(1, k) and self.chance(part, whole):
                k += 1
            if k % 2 == 0:
                return False
        return True

    def laplace_round(self, scale: int) -> int | None:
        low = self.below(scale)
        if not self.exp_chance(low, scale):
            return None
        whole = 0
        while self.exp_chance(1, 1):
            whole += 1
        size = whole * scale + low
        negative = self.below(2) == 1
        if negative and size == 0:
            return None
        return -size if negative else size

    def cell(self) -> int | None:
        """The cell of a number whose binary digits are words, as many as it takes."""
        number, digits = self.word(), 1
        while True:
            low, high = (
                Fraction(number, 2 ** (64 * digits)),
                Fraction(number + 1, 2 ** (64 * digits)),
            )
            above = bisect_right(EDGES, low)
            if above == len(EDGES) or high <= EDGES[above]:
                return above if above < len(EDGES) else None
            number, digits = number << 64 | self.word(), digits + 1

    def gaussian_round(self, sigma: int) -> int | None:
        cell = self.cell()
        if cell is None:
            return None
        place, extra = divmod(self.below(1024 * -(-sigma // 16)), 1024)
        steep, negative = divmod(extra, 2)
        size = -(-cell * sigma // 16) + place
        a = 16 * size - cell * sigma
        if a >= sigma:
            return None
        v = cell % 256
        k = 1
        while (
            (steep < 2 * v + 1 if k == 1 else self.chance(1, k) and self.chance(2 * v + 1, 512))
            and self.chance(2 * v * sigma + a, (2 * v + 1) * sigma)
            and self.chance(a, sigma)
        ):
            k += 1
        if k % 2 == 0 or not all(self.exp_chance(a, sigma) for _ in range(cell // 256)):
            return None
        if negative and size == 0:
            return None
        return -size if negative else size


def test_cells_have_their_edges_where_exact_sums_have_them() -> None:
    """Numbers of three words just below and just above every edge, to 2 to the minus 185."""
    cases = []
    for v, edge in enumerate(EDGES):
        number = edge * 2**192
        below, above = int(number) - 100, int(number) + 100
        cases += [(below, v), (above, v + 1)]
    words = [" ".join(str(u >> 64 * k & (2**64 - 1)) for k in (2, 1, 0)) for u, _ in cases]
    answers = ask_numbers([f"cell {each}" for each in words])
    assert answers == [[cell] for _, cell in cases]


def test_draws_agree_with_a_second_implementation_word_for_word() -> None:
    for name in ("laplace", "gaussian"):
        for scale in (1, 2, 5, 1000, 2**30 + 1, 2**44):
            (drawn,) = ask_numbers([f"{name} 42 {scale} 200"])
            stream = Stream(42)
            expected: list[int] = []
            while len(expected) < 200:
                noise = (
                    stream.laplace_round(scale)
                    if name == "laplace"
                    else stream.gaussian_round(scale)
                )
                if noise is not None:
                    expected.append(noise)
            assert drawn == expected
