package meeting

import (
	"math"

	"breadboard/chains"
)

// plan is one entry of a transport: so much goes from a state of the first law to one of the second.
type plan struct {
	x, y int
	mass float64
}

// dust is the mass below which what is left of a law is rounding.
const dust = 1e-18

// transport returns the cheapest way to carry one law to another, and its cost. Both are given by their entries of positive mass, whose sums
// are equal up to rounding, and the cost of a unit from x to y is 0 or more.
//
// It is the method of successive shortest paths, on the states that have mass alone: what is still to be carried goes along the cheapest way
// that there is, which may take back what was sent before. So the cost has the digits of its entries, and there is no tolerance of a solver. Time
// is O(k^3) for k states in most cases.
//
// Source: Ahuja, Magnanti and Orlin, Network Flows, 1993, section 9.7.
func transport(from, to []chains.Entry, cost func(x, y int) float64) (plans []plan, total float64) {
	n, m := len(from), len(to)
	supply, demand := make([]float64, n), make([]float64, m)
	for i, e := range from {
		supply[i] = e.P
	}
	for j, e := range to {
		demand[j] = e.P
	}
	c, flow := make([]float64, n*m), make([]float64, n*m)
	for i := range n {
		for j := range m {
			c[i*m+j] = cost(from[i].To, to[j].To)
		}
	}
	price := make([]float64, n+m) // of the states of both laws: no way has a negative cost beside them
	for i := range n {
		for supply[i] > dust {
			if !augment(n, m, i, supply, demand, c, flow, price) {
				break // nothing is wanted any more, up to rounding
			}
		}
	}
	for i := range n {
		for j := range m {
			if f := flow[i*m+j]; f > 0 {
				plans = append(plans, plan{from[i].To, to[j].To, f})
				total += f * c[i*m+j]
			}
		}
	}
	return plans, total
}

// augment sends as much as it can from a state of the first law along the cheapest way to a state of the second that wants some. It returns
// false where none does.
func augment(n, m, source int, supply, demand, c, flow, price []float64) bool {
	distance, before, done := make([]float64, n+m), make([]int, n+m), make([]bool, n+m)
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
		if at >= n && demand[at-n] > dust {
			end = at
			break
		}
		relax := func(v int, way float64) {
			if d := distance[at] + max(0, way+price[at]-price[v]); d < distance[v] && !done[v] {
				distance[v], before[v] = d, at
			}
		}
		if at < n {
			for j := range m {
				relax(n+j, c[at*m+j])
			}
			continue
		}
		for i := range n { // back along what was sent
			if flow[i*m+at-n] > 0 {
				relax(i, -c[i*m+at-n])
			}
		}
	}
	for v := range price {
		price[v] += min(distance[v], distance[end])
	}
	amount := min(supply[source], demand[end-n])
	for v := end; before[v] >= 0; v = before[v] {
		if v < n { // a way back
			amount = min(amount, flow[v*m+before[v]-n])
		}
	}
	for v := end; before[v] >= 0; v = before[v] {
		if v < n {
			at := v*m + before[v] - n
			if flow[at] -= amount; flow[at] <= dust {
				flow[at] = 0
			}
		} else {
			flow[before[v]*m+v-n] += amount
		}
	}
	supply[source] -= amount
	demand[end-n] -= amount
	return true
}
