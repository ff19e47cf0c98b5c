"""What is known of the order of numbers of different distributions: pairs of which one is below
the other, which form trees.

The probability of what is known of a tree is a multiple integral, from the ends of the tree
to its root. Where a comparison would close a ring, two neighbours of a number of the ring are
compared first, until the order of all that lies between the two is known.
"""
from __future__ import annotations

import importlib
from graphlib import TopologicalSorter
from typing import Any, Dict, FrozenSet, List, Optional, Sequence, Tuple

from .lanes import Column
from .lazy import NO_FORM, Lazy, Order, Place, Steps, rises, value_at, width
from .races import NoForm, Races, form
from .._numpy import numpy

CHANGED = (
    "the order of random numbers is asked for again after they were changed in different ways"
    + NO_FORM
)
Pairs = FrozenSet[Tuple[int, int]]


class Field:
    """Numbers of different distributions, as steps of uniform ones, and pairs of which the
    second is known to be the larger one.
    """

    __slots__ = ("steps", "pairs")

    def __init__(self, steps: Dict[int, Steps], pairs: Pairs) -> None:
        self.steps, self.pairs = steps, pairs

    def way(self, i: int, j: int) -> Optional[List[int]]:
        """The numbers from one to another, neighbours of which are pairs."""
        before, ways = {i: i}, [i]
        for k in ways:
            for other in {end for pair in self.pairs if k in pair for end in pair}:
                if other not in before:
                    before[other] = k
                    ways.append(other)
        if j not in before:
            return None
        way = [j]
        while way[-1] != i:
            way.append(before[way[-1]])
        return way[::-1]

    def tree(self, i: int) -> Field:
        """The numbers that are tied to one."""
        members = {i}
        while more := {k for pair in self.pairs if members & set(pair) for k in pair} - members:
            members |= more
        return Field(
            {k: self.steps[k] for k in sorted(members)},
            frozenset(pair for pair in self.pairs if pair[0] in members))


class Fields(Races):
    """The uniform numbers of one run, with the order of those whose comparison has no closed form.
    """

    tree: Any

    def race(self, one: Lazy, other: Lazy) -> Optional[bool]:
        if type(self.group[one.i]) is not Field and type(self.group[other.i]) is not Field:
            try:
                closed = super().race(one, other)
                if closed is not None:
                    return closed
            except NoForm:
                pass
        field = self._field_of([one, other])
        return self._is_below(field, one.i, other.i)

    def extreme(self, numbers: Sequence[Lazy], largest: bool) -> Optional[int]:
        self.tell(numbers)
        ids = [x.i for x in numbers]
        if len(set(ids)) < len(ids) or any(x.is_single() or x.run is not self for x in numbers):
            return None
        if not any(type(self.group[i]) is Field for i in ids):
            alike = len({x.steps for x in numbers}) == 1
            closed = super().extreme(numbers, largest)
            if closed is not None or alike or any(i in self.clocks for i in ids):
                return closed
        field = self._field_of(numbers)
        trees = [field.tree(i) for i in ids]
        if len({k for tree in trees for k in tree.steps}) < sum(len(tree.steps) for tree in trees):
            return None
        chances = self._winners(field, ids, largest)
        best = self._one_of(chances)
        self._set(
            Field(
                field.steps,
                field.pairs
                | {(i, ids[best]) if largest else (ids[best], i) for i in ids if i != ids[best]}))
        return best

    def are_racing(self, *ids: int) -> bool:
        return super().are_racing(*ids) or any(type(self.group[i]) is Field for i in ids)

    def split_tied(self, i: int, t: Place) -> bool:
        if type(self.group[i]) is not Field:
            try:
                return super().split_tied(i, t)
            except NoForm:
                pass
        field = self._field(i, None).tree(i)
        low, high = self.low[i], self.high[i]
        chances = []
        for self.low[i], self.high[i] in ((low, t), (t, high)):
            chances.append(
                width(self.low[i], self.high[i]) / width(low, high)
                * self._winners(field, [i], True)[0])
        self.low[i], self.high[i] = low, high
        below = self._one_of(chances) == 0
        self.low[i], self.high[i] = (low, t) if below else (t, high)
        return below

    def _field_of(self, numbers: Sequence[Lazy]) -> Field:
        """All that is known of some numbers, on their scales."""
        fields = [self._field(x.i, x.steps) for x in numbers]
        steps = {i: own for field in fields for i, own in field.steps.items()}
        if any(steps[x.i] != x.steps for x in numbers):
            raise self.refuse(CHANGED)
        return Field(
            steps, frozenset(
                pair for field in {id(field): field for field in fields}.values()
                for pair in field.pairs))

    def _field(self, i: int, steps: Optional[Steps]) -> Field:
        """What is known of a number, on the scale that steps make, or on that which it has."""
        group = self.group[i]
        field = (
            group if type(group) is Field else self._from_order(i) if type(group) is Order
            else self._from_race(i) if i in self.clocks else Field({i: steps or ()}, frozenset())
        )
        if steps is None or field.steps[i] == steps:
            return field
        if len(set(field.steps.values())) > 1:
            raise self.refuse(CHANGED)
        turned = rises(field.steps[i]) != rises(steps)
        field = Field(
            {k: steps for k in field.steps},
            frozenset(pair[::-1] if turned else pair for pair in field.pairs))
        self._set(field)
        return field

    def _from_order(self, i: int) -> Field:
        """A tree of an order. What is not a tree is decided."""
        while type(order := self.group[i]) is Order:
            under = {k: {j for j in order.members if order.knows(j, k)} for k in order.members}
            pairs = {
                (j, k) for k, below in under.items() for j in below
                if not any(j in under[m] for m in below)}
            for j, k in pairs:  # that of a ring, which some other way joins
                way = Field({m: () for m in order.members}, frozenset(pairs - {(j, k)})).way(j, k)
                if way is not None:
                    at = next(
                        n for n in range(1, len(way) - 1)
                        if ((way[n - 1], way[n]) in pairs) != ((way[n], way[n + 1]) in pairs))
                    self.is_less(way[at - 1], way[at + 1])
                    break
            else:
                self._set(Field({k: () for k in order.members}, frozenset(pairs)))
        return self._field(i, None)

    def _from_race(self, i: int) -> Field:
        root = self._line(i)[0]
        members = {k: clock for k, clock in self.clocks.items() if self._line(k)[0] == root}
        if (
            len({form(clock.steps).shape for clock in members.values()}) > 1
            and len({clock.steps for clock in members.values()}) > 1
        ):
            raise self.refuse(CHANGED)
        later = members[i].flip == rises(members[i].steps)  # whether what is later is larger
        pairs = frozenset(
            (clock.parent, k) if later else (k, clock.parent) for k, clock in members.items()
            if clock.parent is not None)
        for k in members:
            del self.clocks[k]
        field = Field({k: clock.steps for k, clock in members.items()}, pairs)
        self._set(field)
        return field

    def _set(self, field: Field) -> None:
        for i in field.steps:
            self.group[i] = field

    def _is_below(self, field: Field, i: int, j: int) -> bool:
        way = field.way(i, j)
        if way is None:
            below = self._one_of(self._winners(field, [j, i], True)) == 0
            self._set(Field(field.steps, field.pairs | {(i, j) if below else (j, i)}))
            return below
        rising = [pair in field.pairs for pair in zip(way, way[1:])]
        if all(rising) or not any(rising):
            return rising[0]
        at = next(n for n in range(1, len(rising)) if rising[n] != rising[n - 1])
        a, n, b = way[at - 1 : at + 2]
        rest = field.pairs - {(a, n), (n, a), (b, n), (n, b)}
        orders = [(a, b, n), (b, a, n)] if rising[at - 1] else [(n, a, b), (n, b, a)]
        fields = [Field(field.steps, rest | set(zip(order, order[1:]))) for order in orders]
        after = fields[self._one_of([self._winners(one.tree(n), [n], True)[0] for one in fields])]
        self._set(after)
        return self._is_below(after, i, j)

    def _one_of(self, chances: Sequence[float]) -> int:
        """Which of all that may be happens, of which the probabilities are in proportion to these.
        """
        return (
            self.decide([p / total for p in chances]) if (total := sum(chances))
            else self.decide(list(chances))
        )

    def _winners(self, field: Field, tops: Sequence[int], largest: bool) -> List[float]:
        """The probability, for each of some numbers, that what is known of their trees holds and
        this one is the largest, or the least.
        """
        if self.tree.exact:
            raise self.refuse(
                "a probability would be no fraction, since it is an integral over random numbers "
                "of different distributions; leave exact=True out")
        if numpy is None:
            raise self.refuse(
                "random numbers of different distributions are compared, which takes NumPy, and "
                "that is not installed")
        ids: List[int] = []
        for top in tops:
            ids += field.tree(top).steps
        if (
            any(type(arg) is Column for i in ids for _, arg in field.steps[i])
            or any(
                type(end) is Column for i in ids for place in (self.low[i], self.high[i])
                for end in place)
        ):
            raise self.refuse(
                "random numbers of different distributions are compared, for several log f at once")
        at = {i: k for k, i in enumerate(ids)}
        cells = tuple((field.steps[i], self.low[i], self.high[i]) for i in ids)
        pairs = frozenset((at[a], at[b]) for a, b in field.pairs if a in at)
        key = cells, pairs, tuple(at[i] for i in tops), largest
        if key not in self.tree.integrals:
            integrals = importlib.import_module(".integrals", __package__)  # which needs NumPy
            try:
                self.tree.integrals[key] = integrals.winners(cells, pairs, key[2], largest)
            except integrals.Unknown:
                raise self.refuse(
                    "an integral over random numbers of different distributions is not known to "
                    "1e-12; test the draws of the function with assert_samples, or with conform "
                    "draws") from None
        return list(self.tree.integrals[key])

    def inside(self) -> Optional[List[float]]:
        values = super().inside()
        for field in {
            id(group): group for group in self.group
            if type(group) is Field}.values() if values else ():
            under, over = (
                {
                    i: [pair[1 - side] for pair in field.pairs if pair[side] == i]
                    for i in field.steps} for side in (1, 0))
            order = list(TopologicalSorter(under).static_order())
            most: Dict[int, Any] = {}
            spans = {
                i: sorted(float(value_at(steps, end)) for end in (self.low[i], self.high[i]))
                for i, steps in field.steps.items()}
            for i in reversed(order):
                most[i] = min([spans[i][1], *(most[k] for k in over[i])])
            at: Dict[int, float] = {}
            assert values is not None
            for i in order:
                x = Lazy(self, i, field.steps[i])
                low, high = max([spans[i][0], *(at[k] for k in under[i])]), most[i]
                ends = sorted(
                    (min(max(float(x.place(v)[0]), float(self.low[i][0])), float(self.high[i][0])))
                    for v in (low, high))
                values[i] = ends[0] + (ends[1] - ends[0]) * (
                    0.4 + 0.2 * (i * 0.6180339887498949 % 1))
                at[i] = float(value_at(field.steps[i], (values[i], values[i] - 1)))
                if (
                    not ends[0] < values[i] < ends[1] or ends[1] - ends[0] < 1e-13 * ends[1]
                    or not low < at[i] < high or max(at[i] - low, high - at[i]) < 1e-12 * abs(at[i])
                ):
                    return None
        return values
