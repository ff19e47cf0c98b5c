package exact_test

import (
	"math"
	"math/big"
	"testing"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/climb"
	"breadboard/grid/longtest"
)

// digits is the precision of the oracle, in bits.
const digits = 400

func bigOf(v float64) *big.Float { return new(big.Float).SetPrec(digits).SetFloat64(v) }

// bigExp returns exp(v), by its series near zero and squaring.
func bigExp(v float64) *big.Float {
	const halvings = 30
	x, term, sum := bigOf(math.Ldexp(v, -halvings)), bigOf(1), bigOf(1)
	for i := 1; i < 30; i++ {
		term.Quo(term.Mul(term, x), bigOf(float64(i)))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

// bigLog returns the logarithm of x > 0.
func bigLog(x *big.Float) float64 {
	mantissa := new(big.Float)
	e := x.MantExp(mantissa)
	m, _ := mantissa.Float64()
	return math.Log(m) + float64(e)*math.Ln2
}

// bigRow returns a row of a kernel on a square of two by two states, or on a line of three or more,
// from its definition.
func bigRow(moves string, logf []float64, x int) []*big.Float {
	row := make([]*big.Float, len(logf))
	for y := range row {
		row[y] = bigOf(0)
	}
	other := []int{x ^ 1, x ^ 2}
	if len(logf) != 4 {
		other = nil
		for _, y := range []int{x - 1, x + 1} {
			if moves == "metropolis" || moves == "barker" {
				other = append(other, y)
			}
		}
		for y := range logf {
			if y != x && len(other) < len(logf)-1 && (moves == "flip" || moves == "heatbath") {
				other = append(other, y)
			}
		}
	}
	each := new(big.Float).Quo(bigOf(1), bigOf(float64(len(other))))
	proposals := len(other)
	if moves == "metropolis" || moves == "barker" { // one of two directions on each axis
		each = bigOf(0.5)
		if len(logf) == 4 {
			each, proposals = bigOf(0.25), 4
		}
	}
	if moves == "heatbath" && len(logf) != 4 { // the whole line is drawn
		total := bigOf(0)
		for y := range logf {
			row[y] = bigExp(logf[y] - logf[x])
			total.Add(total, row[y])
		}
		for y := range row {
			row[y].Quo(row[y], total)
		}
		return row
	}
	add := func(y int, p *big.Float) { row[y].Add(row[y], new(big.Float).Mul(each, p)) }
	for range proposals - len(other) {
		add(x, bigOf(1)) // into a wall
	}
	for _, y := range other {
		if y < 0 || y >= len(logf) {
			add(x, bigOf(1))
			continue
		}
		ratio := bigExp(logf[y] - logf[x])
		switch whole := new(big.Float).Add(bigOf(1), ratio); {
		case moves == "heatbath", moves == "barker":
			add(y, new(big.Float).Quo(ratio, whole))
			add(x, new(big.Float).Quo(bigOf(1), whole))
		case ratio.Cmp(bigOf(1)) >= 0:
			add(y, bigOf(1))
		default:
			add(y, ratio)
			add(x, new(big.Float).Sub(bigOf(1), ratio))
		}
	}
	return row
}

// bigLaw returns the probabilities of a rank from 1 on: that it is seen, that it is not, and that
// x_T has it.
func bigLaw(a *chains.Annealing, moves string, start []float64, rank []int32, above int) (seen, unseen, end *big.Float) {
	n := a.States()
	all, mass := make([]*big.Float, n), make([]*big.Float, n)
	total := bigOf(0)
	for x := range all {
		if all[x] = bigOf(0); start[x] > math.Inf(-1) {
			all[x] = bigExp(start[x])
		}
		total.Add(total, all[x])
	}
	seen = bigOf(0)
	for x := range all {
		all[x].Quo(all[x], total)
		mass[x] = new(big.Float).Set(all[x])
	}
	take := func() {
		for x := range mass {
			if int(rank[x]) >= above {
				seen.Add(seen, mass[x])
				mass[x] = bigOf(0)
			}
		}
	}
	take()
	logf := make([]float64, n)
	for t := 2; t <= a.Distributions(); t++ {
		a.LogF(logf, t)
		rows := make([][]*big.Float, n)
		for x := range rows {
			rows[x] = bigRow(moves, logf, x)
		}
		move := func(from []*big.Float) []*big.Float {
			next := make([]*big.Float, n)
			for y := range next {
				next[y] = bigOf(0)
				for x := range rows {
					next[y].Add(next[y], new(big.Float).Mul(from[x], rows[x][y]))
				}
			}
			return next
		}
		all, mass = move(all), move(mass)
		take()
	}
	unseen, end = bigOf(0), bigOf(0)
	for x := range mass {
		unseen.Add(unseen, mass[x])
		if int(rank[x]) >= above {
			end.Add(end, all[x])
		}
	}
	return seen, unseen, end
}

// TestAgainstBigNumbers: every number is that of 400 bits within its bound, on spans from 0 to 1e4
// nats, nearly flat ones among them, with ties, from the first distribution and from the target,
// and no probability is outside of [0, 1].
func TestAgainstBigNumbers(t *testing.T) {
	longest, unknown := 0.0, 0
	for _, toy := range []string{
		"cells:0:-40:-40", "cells:0:1e-9", "cells:0:-900", "cells:0:-900:0", "cells:0:0.25", "cells:0:-800:-800", "cells:-1e4:0:-5e3",
		"cells:0:1e-10:3e-10", "cells:0:7e-14:-350", "cells:0:0:0", "cells:2:-37:0:1:-3",
		"cells:0:-40/-40:-1", "cells:0:-800/-700:-760", "cells:0:1e-9/3e-10:-1e-10", "cells:0:700/1e4:3", "cells:0:1e-16/1:-1e-16", "cells:30:-30/-30:29",
	} {
		for _, moves := range []string{"metropolis", "flip", "barker", "heatbath"} {
			a, rank, ranks := annealing(t, toy, moves, 4)
			first, target, mode := make([]float64, a.States()), make([]float64, a.States()), make([]float64, a.States())
			a.LogF(target, 4)
			z := number.LogSumExp(target)
			for x := range target {
				if first[x], target[x] = -math.Log(float64(len(first))), target[x]-z; int(rank[x]) < ranks {
					mode[x] = math.Inf(-1)
				}
			}
			for _, start := range [][]float64{first, target, mode} {
				law := longtest.Must(climb.Of(t.Context(), a, rank, ranks, climb.Options{LogStart: start}))(t)
				for j := range ranks {
					seen, unseen, end := bigLaw(a, moves, start, rank, j+1)
					for what, pair := range map[string]struct {
						got  number.Bounded
						want *big.Float
					}{"seen": {law.Seen[j], seen}, "unseen": {law.Unseen[j], unseen}, "end": {law.End[j], end}} {
						want, _ := pair.want.Float64()
						if off := math.Abs(pair.got.Value - want); pair.got.Known() && off > pair.got.Error+1e-14*want+1e-300 || !(pair.got.Value >= 0 && pair.got.Value <= 1) {
							t.Errorf("%s, %s, rank %d: %s %v, want %v", toy, moves, j+1, what, pair.got, want)
						}
					}
					want, got := math.Inf(-1), law.LogUnseen[j]
					if small, _ := seen.Float64(); small < 0.5 {
						want = math.Log1p(-small)
					} else if unseen.Sign() > 0 {
						want = bigLog(unseen)
					}
					if got.Known() && got.Value != want && !(math.Abs(got.Value/want-1) < 1e-11) {
						t.Errorf("%s, %s, rank %d: log of unseen %v, want %v", toy, moves, j+1, got, want)
					}
					if longest = max(longest, number.Finite(got.Value)); !got.Known() {
						unknown++
						if moves != "barker" {
							t.Errorf("%s, %s, rank %d: no digit of the log of unseen is known, which is %v", toy, moves, j+1, want)
						}
					}
				}
			}
		}
	}
	if longest < 2e4 || unknown == 0 {
		t.Errorf("the largest logarithm has the size %v, and %d are unknown: the test shows nothing", longest, unknown)
	}
}
