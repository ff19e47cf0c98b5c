package meeting

import (
	"cmp"
	"context"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
)

// Best returns the pairs of the best Markovian coupling of the chain: of all couplings that depend
// only on the present pair, the one whose chains meet soonest on average, from every pair at once.
// Its V satisfies V(x,y) = 1 + min over couplings J of the two rows of E_J V. Several couplings may
// attain it; V is the same for all.
//
// It improves the coupling p until no pair can be improved (policy iteration, Howard 1960): for
// each pair by an optimal transport between the two rows. That takes a few rounds of O(pairs)
// transports and one elimination. It cannot start from a coupling whose chains may never meet.
func (p *Pairs) Best(ctx context.Context) (*Pairs, error) {
	solved, err := p.Solve(ctx)
	if err != nil {
		return nil, err
	}
	const mostRounds = 100
	n := p.Chain.States()
	for range mostRounds {
		v := func(x, y int) float64 {
			if x == y {
				return 0
			}
			return solved.V[solved.pairs.number[x*n+y]]
		}
		all := make([][]chains.Entry, n*n)
		improved := false
		for x := range n {
			for y := range x + 1 {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				plans, mean := transport(p.Chain.Rows.Row(x), p.Chain.Rows.Row(y), v)
				if x != y && !(mean+1 < v(x, y)*(1-1e-13)) { // no change unless it is better
					all[x*n+y], all[y*n+x] = solved.ordered.RowOf(x, y), solved.ordered.RowOf(y, x)
					continue
				}
				improved = improved || x != y
				for _, way := range plans {
					all[x*n+y] = append(all[x*n+y], chains.Entry{To: way.x*n + way.y, P: way.mass})
					if x != y {
						all[y*n+x] = append(all[y*n+x], chains.Entry{To: way.y*n + way.x, P: way.mass})
					}
				}
			}
		}
		if !improved {
			return solved.ordered, nil
		}
		row := func(x, y int) ([]chains.Entry, error) { return all[x*n+y], nil }
		better, _ := newPairs(p.Chain, false, len(p.to), row)
		better.folded, _ = newPairs(p.Chain, true, len(p.to)/2, row)
		solved, err = better.Solve(ctx)
		if err != nil {
			return nil, err
		}
	}
	return solved.ordered, nil
}

// coarse is the ratio of two mean times from which on the smaller one is only rounding as a cost of
// a transport with the larger.
const coarse = 1e13

// Coarse reports whether mean times span so many digits that the coupling may not be the best for
// pairs that meet soon: in sums of costs the short times are below the rounding of the long ones.
func (s *Solved) Coarse() bool {
	least, most := math.Inf(1), 0.0
	for _, v := range s.V {
		if !math.IsInf(v, 1) {
			least, most = min(least, v), max(most, v)
		}
	}
	return most > coarse*least
}

// plan is one entry of a transport: the mass that goes from a state of the first distribution to
// one of the second.
type plan struct {
	x, y int
	mass float64
}

// dust is the fraction of a mass below which its remainder is rounding.
const dust = 0x1p-48

// left returns the remainder of a mass.
func left(mass, taken float64) float64 {
	if taken >= mass*(1-dust) {
		return 0
	}
	return mass - taken
}

// forbidden replaces a cost of +Inf in the search for paths, which take it only if there is no
// other way.
const forbidden = 1e300

// transport returns the cheapest way to carry one distribution to another, and its cost. Both are
// given by their entries of positive mass, whose sums are equal up to rounding, and the cost of a
// unit from x to y is 0 or more.
//
// It is the method of successive shortest paths, on the states with mass: the remaining mass goes
// along the cheapest path, which may reverse earlier flows. So the cost has the digits of its
// entries, without a solver's tolerance. The smallest masses are carried first, and the largest one
// fills all remaining demand, because the sums of both distributions may differ by a rounding error
// much larger than the mass of an unlikely state. Time is O(k^3) for k states in most cases.
//
// Source: Ahuja, Magnanti and Orlin, Network Flows, 1993, section 9.7.
func transport(from, to []chains.Entry, cost func(x, y int) float64) (plans []plan, total float64) {
	n := len(from)
	m := len(to)
	t := transportPlan{
		supply: make([]float64, n),
		demand: make([]float64, m),
		cost:   make([]float64, n*m),
		flow:   make([]float64, n*m),
		price:  make([]float64, n+m),
	}
	for i, e := range from {
		t.supply[i] = e.P
	}
	for j, e := range to {
		t.demand[j] = e.P
	}
	for i := range n {
		for j := range m {
			t.cost[i*m+j] = min(cost(from[i].To, to[j].To), forbidden)
		}
	}
	order := number.Range(n)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(t.supply[a], t.supply[b]) })
	t.supply[order[n-1]] = math.Inf(1)
	for _, i := range order {
		for t.supply[i] > 0 {
			if !t.augment(i) {
				break // nothing is wanted any more
			}
		}
	}
	for i := range n {
		for j := range m {
			if f := t.flow[i*m+j]; f > 0 {
				plans = append(plans, plan{from[i].To, to[j].To, f})
				total += f * cost(from[i].To, to[j].To)
			}
		}
	}
	return plans, total
}

// transportPlan is a flow of mass from the states of one distribution to those of another. Cost and
// flow have a row for each state of the first. The reduced costs, cost[i,j] + price[i] - price[j],
// are not negative.
type transportPlan struct {
	supply, demand []float64 // what is not carried yet
	cost, flow     []float64
	price          []float64 // the potentials of the states of both
}

// augment sends as much as possible from a state of the first distribution along the cheapest path
// to a state of the second with unmet demand. It returns false if none does.
func (t *transportPlan) augment(source int) bool {
	n := len(t.supply)
	m := len(t.demand)
	distance := make([]float64, n+m)
	before := make([]int, n+m)
	done := make([]bool, n+m)
	for v := range distance {
		distance[v], before[v] = math.Inf(1), -1
	}
	distance[source] = 0
	end := -1
	for {
		at := -1
		for v := range distance {
			if !done[v] && !math.IsInf(distance[v], 1) && (at < 0 || distance[v] < distance[at]) {
				at = v
			}
		}
		if at < 0 {
			return false
		}
		done[at] = true
		if at >= n && t.demand[at-n] > 0 {
			end = at
			break
		}
		relax := func(v int, way float64) {
			if d := distance[at] + max(0, way+t.price[at]-t.price[v]); d < distance[v] && !done[v] {
				distance[v], before[v] = d, at
			}
		}
		if at < n {
			for j := range m {
				relax(n+j, t.cost[at*m+j])
			}
			continue
		}
		for i := range n { // back along what was sent
			if t.flow[i*m+at-n] > 0 {
				relax(i, -t.cost[i*m+at-n])
			}
		}
	}
	for v := range t.price {
		t.price[v] += min(distance[v], distance[end])
	}
	amount := min(t.supply[source], t.demand[end-n])
	for v := end; before[v] >= 0; v = before[v] {
		if v < n { // a way back
			amount = min(amount, t.flow[v*m+before[v]-n])
		}
	}
	for v := end; before[v] >= 0; v = before[v] {
		if v < n {
			at := v*m + before[v] - n
			t.flow[at] = left(t.flow[at], amount)
		} else {
			t.flow[before[v]*m+v-n] += amount
		}
	}
	t.supply[source] = left(t.supply[source], amount)
	t.demand[end-n] = left(t.demand[end-n], amount)
	return true
}
