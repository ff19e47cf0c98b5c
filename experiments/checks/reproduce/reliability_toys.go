package reproduce

import (
	"fmt"
	"math"
	"slices"
)

// reliabilityToys returns the tests of the claims on the three toys, of which J and B are exact (appendix B).
func reliabilityToys() tests {
	return tests{
		"bread-7": func(a *Answers) bool { return rounds(a.show("B/J - 1", a.Number("B")/a.Number("J")-1), "26%") },
		"bread-9": func(a *Answers) bool {
			at := "toy=barrier, T=1000"
			return rounds(a.show("B/J - 1", a.Number("B", at)/a.Number("J", at)-1), "9%")
		},
		"bread-10": func(a *Answers) bool {
			return rounds(a.show("p where g = 3", sumOf(a.hidden("p", "g=3"))), "87%")
		},
		"bread-11": func(a *Answers) bool {
			states := a.show("rows", float64(len(a.hidden("g"))))
			return All(states == 49, a.Count("g=3") == 9, a.Count("g=0") == 27, a.Count("g=-10") == 13, a.Count("g=3, coordinates=0,6") == 1)
		},
		"bread-12": func(a *Answers) bool {
			deviation := All(rounds(a.Number("J", "toy=random:2:0"), "0.13"), rounds(a.Number("J", "toy=random:10:0"), "4.73"))
			variance := slices.Contains([]bool{
				rounds(a.Number("J", "toy=random:1.4142135623730951:0"), "0.13"), rounds(a.Number("J", "toy=random:3.1622776601683795:0"), "4.73"),
			}, true)
			return deviation && !variance
		},
		"bread-14": func(a *Answers) bool {
			falls := true
			for _, toy := range []string{"easy", "hard", "barrier"} {
				a.Number("J", "toy="+toy, "T=10")
				a.Number("J", "toy="+toy, "T=100000")
				falls = falls && fall(a.hidden("J", "toy="+toy)...) && fall(a.hidden("B", "toy="+toy)...)
			}
			return falls && a.show("least B/J", leastOf(a.hidden("B_over_J"))) > 1
		},
		"bread-15": func(a *Answers) bool {
			a.Number("B_over_J", "toy=hard, T=10")
			a.Number("B_over_J", "toy=barrier, T=100000")
			a.show("B_over_J toy=barrier T=1000000", a.In(1).hiddenNumber("B_over_J", "toy=barrier"))
			return All(accurateFactor(a, "hard") >= 100, accurateFactor(a, "barrier") >= 100)
		},
		"bread-16": func(a *Answers) bool {
			factor := func(toy string) float64 {
				list := a.hidden("J", "toy="+toy)
				return a.show("largest J/smallest J, "+toy, mostOf(list)/leastOf(list))
			}
			return All(factor("hard") >= 100, factor("barrier") >= 100)
		},
		"bread-17": func(a *Answers) bool {
			share := func(toy string) float64 {
				return a.show("least J/B, "+toy, 1/mostOf(a.hidden("B_over_J", "toy="+toy)))
			}
			return All(share("hard") > 0.5, share("barrier") > 0.5)
		},
		"bread-18": func(a *Answers) bool {
			bound := a.hidden("B", "toy=easy")
			below := func(toy string) bool {
				return a.show("least J of "+toy+" less B of easy", leastOf(lessEach(a.hidden("J", "toy="+toy), bound))) > 0
			}
			return All(below("hard"), below("barrier"))
		},
		"bread-19": func(a *Answers) bool {
			wall, mode := barrierShares(a, 0.25)
			_, end := barrierShares(a, 1)
			return wall < 0.05 && mode < end/2
		},
	}
}

// accurateFactor returns the factor of T over which B exceeds J by at most 26%, in the longest run of neighbouring T of Figure 3.
func accurateFactor(a *Answers, toy string) float64 {
	distributions, errors := a.hidden("T", "toy="+toy), a.hidden("relative_error", "toy="+toy)
	longest, first := 0.0, 0.0
	for i, t := range distributions {
		switch {
		case errors[i] > 0.26:
			first = 0
		case first == 0:
			first = t
		}
		if first > 0 {
			longest = max(longest, t/first)
		}
	}
	return a.show("factor of T with B/J <= 1.26, "+toy, longest)
}

// barrierShares returns which shares of probability the barrier and the dominant mode have in the distribution that is proportional to
// exp(beta g). The barrier is the row and the column in the middle of the 7 by 7 states, and the mode the quadrant at the upper right.
func barrierShares(a *Answers, beta float64) (wall, mode float64) {
	all := 0.0
	for state, g := range a.hidden("g") {
		weight, row, column := math.Exp(beta*g), state/7, state%7
		all += weight
		switch {
		case row == 3 || column == 3:
			wall += weight
		case row < 3 && column > 3:
			mode += weight
		}
	}
	wall = a.show(fmt.Sprintf("barrier at beta = %g", beta), wall/all)
	mode = a.show(fmt.Sprintf("dominant mode at beta = %g", beta), mode/all)
	return wall, mode
}
