package reproduce

import (
	"fmt"
	"math"
	"slices"
)

// reliabilityToys returns the claims on the three toys, of which J and B are exact (appendix B).
func reliabilityToys() []Claim {
	return []Claim{
		{ID: "bread-1", Place: "App. B.1.1, text on Fig. 4", Kind: Number, Verdict: AsPrinted,
			Says: "On EASY with T = 100 the sampler's output is close to its target.", Printed: "J 0.13",
			Commands: []string{"tightness --toy easy -T 100"}, Holds: func(a *Answers) bool { return Rounds(a.Number("J"), "0.13") },
			Why: "The toy is twice the first 49 normal numbers of NumPy's RandomState(0)."},
		{ID: "bread-2", Place: "App. B.1.1, text on Fig. 4", Kind: Number, Verdict: AsPrinted,
			Says: "On HARD with T = 100 the output is several nats away from its target.", Printed: "J 4.73",
			Commands: []string{reliabilityPrinted},
			Holds:    func(a *Answers) bool { return Rounds(a.Number("J", annealingOf("hard", "100")...), "4.73") },
			Why:      "The toy is ten times the same 49 normal numbers. T = 99 would give 4.74 and T = 101 4.71."},
		{ID: "bread-3", Place: "App. B.1.1, text on Fig. 4", Kind: Number, Verdict: AsPrinted,
			Says: "On BARRIER with T = 100 the output is more than one and a half nats away from its target.", Printed: "J 1.65",
			Commands: []string{reliabilityPrinted},
			Holds:    func(a *Answers) bool { return Rounds(a.Number("J", annealingOf("barrier", "100")...), "1.65") }},
		{ID: "bread-4", Place: "App. B.1.1", Kind: Number, Verdict: AsPrinted, Says: "On EASY with T = 1000 these are J and its bound B.", Printed: "J 0.00518, B 0.0705",
			Commands: []string{reliabilityPrinted}, Holds: jAndB("easy", "0.00518", "0.0705")},
		{ID: "bread-5", Place: "App. B.1.1", Kind: Order, Verdict: AsPrinted,
			Says: "On EASY with T = 1000 the bound is more than ten times J.", Printed: "B/J > 10", Commands: []string{reliabilityPrinted},
			Holds: func(a *Answers) bool { return a.Number("B_over_J", annealingOf("easy", "1000")...) > 10 },
			Why:   "The factor grows with T: B falls as 1/T in the end and J as 1/T squared."},
		{ID: "bread-6", Place: "App. B.1.1", Kind: Number, Verdict: AsPrinted, Says: "On HARD with T = 1000 these are J and B.", Printed: "J 1.840, B 2.309",
			Commands: []string{reliabilityPrinted}, Holds: jAndB("hard", "1.840", "2.309")},
		{ID: "bread-7", Place: "App. B.1.1", Kind: Number, Verdict: PrintedWrongly,
			Says: "On HARD with T = 1000 B exceeds J by this share of J.", Printed: "26%",
			Commands: []string{"tightness --toy hard -T 1000"},
			Holds:    func(a *Answers) bool { return Rounds(a.Show("B/J - 1", a.Number("B")/a.Number("J")-1), "26%") },
			Why:      "The exact number is 25.47%; 26% is what J and B give once they are rounded to three digits."},
		{ID: "bread-8", Place: "App. B.1.1", Kind: Number, Verdict: AsPrinted, Says: "On BARRIER with T = 1000 these are J and B.", Printed: "J 1.085, B 1.184",
			Commands: []string{reliabilityPrinted}, Holds: jAndB("barrier", "1.085", "1.184"),
			Why: "T = 999 would give a B of 1.185, and T = 1001 a J of 1.084."},
		{ID: "bread-9", Place: "App. B.1.1", Kind: Number, Verdict: AsPrinted,
			Says: "On BARRIER with T = 1000 B exceeds J by this share of J.", Printed: "about 9%", Commands: []string{reliabilityPrinted},
			Holds: func(a *Answers) bool {
				at := annealingOf("barrier", "1000")
				return Rounds(a.Show("B/J - 1", a.Number("B", at...)/a.Number("J", at...)-1), "9%")
			}},
		{ID: "bread-10", Place: "App. B.1.1, after Eq. 24", Kind: Number, Verdict: AsPrinted,
			Says: "The upper right mode of BARRIER has most of the probability.", Printed: "about 87%",
			Commands: []string{"toys show barrier"},
			Holds: func(a *Answers) bool {
				return Rounds(a.Show("p where g = 3", sumOf(a.In(0).Hidden("p", "g=3"))), "87%")
			},
			Why: "Grids of 3x3 to 9x9 states have 87% there, too, so that this number alone does not say how wide the barrier is. The printed J does."},
		{ID: "bread-11", Place: "Eq. 24", Kind: Statement, Verdict: AsPrinted,
			Says: "BARRIER has three levels of log f: one in the upper right quadrant, a lower one in the three other quadrants, and a deep one on the " +
				"barrier between them.", Printed: "log f = 3, 0, -10", Commands: []string{"toys show barrier"},
			Holds: func(a *Answers) bool {
				p := a.In(0)
				states := a.Show("rows", float64(len(p.Hidden("g"))))
				return All(states == 49, p.Count("g=3") == 9, p.Count("g=0") == 27, p.Count("g=-10") == 13, p.Count("g=3", "coordinates=0,6") == 1)
			},
			Why: "That the barrier is one state wide is not printed; with it all printed numbers of BARRIER come out."},
		{ID: "bread-12", Place: "App. B.1.1", Kind: Protocol, Verdict: AsPrinted,
			Says: "The random toys have normal values of log f with a parameter sigma of 2 and 10. It is read here as the standard deviation.", Printed: "N(0, sigma), 2 and 10",
			Commands: []string{"tightness --toy random:2:0,random:10:0,random:1.4142135623730951:0,random:3.1622776601683795:0 -T 100"},
			Holds: func(a *Answers) bool {
				deviation := All(Rounds(a.Number("J", "toy=random:2:0"), "0.13"), Rounds(a.Number("J", "toy=random:10:0"), "4.73"))
				variance := slices.Contains([]bool{
					Rounds(a.Number("J", "toy=random:1.4142135623730951:0"), "0.13"), Rounds(a.Number("J", "toy=random:3.1622776601683795:0"), "4.73"),
				}, true)
				return deviation && !variance
			},
			Why: "Both toys are one draw of 49 normal numbers times sigma. With sigma as the variance neither printed J comes out."},
		{ID: "bread-13", Place: "App. B.1.1", Kind: Order, Verdict: AsPrinted,
			Says:     "The larger sigma is, the slower Metropolis moves to neighbours explore a random target.",
			Commands: []string{"kernel check metropolis --toy random:1:0,random:2:0,random:5:0,random:10:0 --beta 1"},
			Holds: func(a *Answers) bool {
				gap := func(toy string) float64 { return a.Number("value", "finding=spectral_gap", "toy="+toy) }
				return Fall(gap("random:1:0"), gap("random:2:0"), gap("random:5:0"), gap("random:10:0"))
			},
			Why: "The spectral gap falls by seven orders of magnitude from sigma = 2 to 10."},
		{ID: "bread-14", Place: "Fig. 3", Kind: Shape, Verdict: AsPrinted,
			Says: "From T = 10 to 100,000 B lies above J on all three toys, and both fall all the way.", Printed: "T from 10 to 100,000",
			Commands: []string{reliabilityFigure3},
			Holds: func(a *Answers) bool {
				p := a.In(0)
				falls := true
				for _, toy := range []string{"easy", "hard", "barrier"} {
					a.Number("J", annealingOf(toy, "10")...)
					a.Number("J", annealingOf(toy, "100000")...)
					falls = falls && Fall(p.Hidden("J", "toy="+toy)...) && Fall(p.Hidden("B", "toy="+toy)...)
				}
				return falls && a.Show("least B/J", leastOf(p.Hidden("B_over_J"))) > 1
			}},
		{ID: "bread-15", Place: "App. B.1.1, on Fig. 3", Kind: Statement, Verdict: AsPrinted,
			Says:     "On HARD and BARRIER B stays accurate over several orders of magnitude of T.",
			Commands: []string{reliabilityFigure3, reliabilityBeyond},
			Holds: func(a *Answers) bool {
				a.In(0).Number("B_over_J", annealingOf("hard", "10")...)
				a.In(0).Number("B_over_J", annealingOf("barrier", "100000")...)
				a.Show("B_over_J toy=barrier T=1000000", a.In(1).HiddenNumber("B_over_J", "toy=barrier"))
				return All(accurateFactor(a, "hard") >= 100, accurateFactor(a, "barrier") >= 100)
			},
			Why: "B is off by at most 26%, the larger of the errors that the paper calls accurate, over two orders of magnitude of T on HARD and three on " +
				"BARRIER. This does not go on: B falls as 1/T in the end and J faster, so that B/J is 2.02 on BARRIER at T = 1,000,000, and grows."},
		{ID: "bread-16", Place: "App. B.1.1, on Fig. 3", Kind: Statement, Verdict: FailsThere,
			Says:     "On HARD and BARRIER B stays accurate over several orders of magnitude of J, too.",
			Commands: []string{reliabilityFigure3},
			Holds: func(a *Answers) bool {
				factor := func(toy string) float64 {
					list := a.In(0).Hidden("J", "toy="+toy)
					return a.Show("largest J/smallest J, "+toy, mostOf(list)/leastOf(list))
				}
				return All(factor("hard") >= 100, factor("barrier") >= 100)
			},
			Why: "In the whole figure J falls by a factor of 22 on HARD and of less than 10 on BARRIER, where several orders of magnitude would be 100 at least. " +
				"It falls by six orders of magnitude on EASY, where B is not accurate."},
		{ID: "bread-17", Place: "App. B.1.1", Kind: Statement, Verdict: AsPrinted,
			Says:     "On HARD and BARRIER most of the divergence of forward from reverse chains is that of their last states.",
			Commands: []string{reliabilityFigure3},
			Holds: func(a *Answers) bool {
				share := func(toy string) float64 {
					return a.Show("least J/B, "+toy, 1/mostOf(a.In(0).Hidden("B_over_J", "toy="+toy)))
				}
				return All(share("hard") > 0.5, share("barrier") > 0.5)
			},
			Why: "J is at least 65% of B on HARD and 71% on BARRIER at all T of the figure. On EASY it is 7% at T = 1000 and 0.1% at T = 100,000."},
		{ID: "bread-18", Place: "App. B.1.1", Kind: Order, Verdict: AsPrinted,
			Says:     "Where B is loose, on EASY, it still shows that the sampler does well there, in contrast to the other two toys.",
			Commands: []string{reliabilityFigure3},
			Holds: func(a *Answers) bool {
				p := a.In(0)
				bound := p.Hidden("B", "toy=easy")
				below := func(toy string) bool {
					return a.Show("least J of "+toy+" less B of easy", leastOf(lessEach(p.Hidden("J", "toy="+toy), bound))) > 0
				}
				return All(below("hard"), below("barrier"))
			},
			Why: "At each T of the figure the bound of EASY is below even the true J of the two others."},
		{ID: "bread-19", Place: "Fig. 4, columns 1-4; App. B.1.1", Kind: Shape, InKind: true, Verdict: SameInKind,
			Says:     "On the way to BARRIER the distribution first splits into modes, and then their shares change.",
			Commands: []string{"toys show barrier"},
			Holds: func(a *Answers) bool {
				wall, mode := barrierShares(a, 0.25)
				_, end := barrierShares(a, 1)
				return wall < 0.05 && mode < end/2
			},
			Why: "At beta = 0.25 there are 2% left on the barrier, and the dominant mode has yet to grow from 40% to 87%. The betas of the figure are not in " +
				"our copy of the paper; ours has 0.1, 0.25 and 0.5."},
		{ID: "bread-20", Place: "Fig. 4, column 5; App. B.1.1", Kind: Shape, InKind: true, Verdict: SameInKind,
			Says:     "At T = 100 the output on EASY is nearly right, and on the other two toys it is wrong because moves between modes are hard.",
			Commands: []string{reliabilityPrinted, "tightness -T 100 --kernel independence"},
			Holds: func(a *Answers) bool {
				local, anywhere := a.In(0), a.In(1)
				easy := local.Number("J", annealingOf("easy", "100")...)
				cured := func(toy string) bool {
					return All(local.Number("J", annealingOf(toy, "100")...) > 1, anywhere.Number("J", "toy="+toy) < easy)
				}
				return All(cured("hard"), cured("barrier"))
			},
			Why: "With Metropolis moves that propose any state alike no mode is cut off from another, and both are better then than EASY is with moves to neighbours. " +
				"The figure has the masses: at T = 100 the output on BARRIER has 0.29 in the dominant mode in place of 0.87."},
	}
}

// jAndB tests the printed J and B of a toy at T = 1000.
func jAndB(toy, j, b string) func(a *Answers) bool {
	return func(a *Answers) bool {
		at := annealingOf(toy, "1000")
		return All(Rounds(a.Number("J", at...), j), Rounds(a.Number("B", at...), b))
	}
}

// accurateFactor returns the factor of T over which B exceeds J by at most 26%, in the longest run of neighbouring T of Figure 3.
func accurateFactor(a *Answers, toy string) float64 {
	distributions, errors := a.In(0).Hidden("T", "toy="+toy), a.In(0).Hidden("relative_error", "toy="+toy)
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
	return a.Show("factor of T with B/J <= 1.26, "+toy, longest)
}

// barrierShares returns which shares of probability the barrier and the dominant mode have in the distribution that is proportional to
// exp(beta g). The barrier is the row and the column in the middle of the 7 by 7 states, and the mode the quadrant at the upper right.
func barrierShares(a *Answers, beta float64) (wall, mode float64) {
	all := 0.0
	for state, g := range a.In(0).Hidden("g") {
		weight, row, column := math.Exp(beta*g), state/7, state%7
		all += weight
		switch {
		case row == 3 || column == 3:
			wall += weight
		case row < 3 && column > 3:
			mode += weight
		}
	}
	wall = a.Show(fmt.Sprintf("barrier at beta = %g", beta), wall/all)
	mode = a.Show(fmt.Sprintf("dominant mode at beta = %g", beta), mode/all)
	return wall, mode
}
